import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { readableOf } from "../../../../engine/call/read-answer.ts";
import { isJsonObject } from "../../../../core/json/json-value.ts";
import { judged, object, text } from "../../../../core/options/option-kinds.ts";
import { bodyOf } from "../body.ts";
import {
  ApiProblem,
  type ApiRequest,
  type ApiRoute,
  type WatchedGateway,
  type WatchedUpstream,
  upstreamNamed,
  upstreamsByName,
} from "../dashboard-parts.ts";
import type { OwnCall, ToolsReport } from "../protocol/places.ts";
import { readPost } from "../read-post.ts";
import type { Traffic } from "../traffic/traffic.ts";
import { ServerTools } from "./server-tools.ts";

/** A page that asks is answered after so long at the latest; lists that are not there yet come with its next question. */
const PATIENCE_MS = 2_000;
const ID_BYTES = 8;

const callBody = object({
  upstream: text,
  tool: text,
  arguments: z.optional(
    judged((value) =>
      isJsonObject(value) ? undefined : "is not an object: write { … } with the arguments.",
    ),
  ),
});

/** The tools of every upstream that is there now; those of upstreams that went are left. */
class ToolPlaces {
  readonly #gateway: WatchedGateway;
  readonly #places = new Map<WatchedUpstream["state"], ServerTools>();
  #isClosed = false;

  constructor(gateway: WatchedGateway) {
    this.#gateway = gateway;
  }

  all(): ReadonlyMap<string, ServerTools> {
    const upstreams = upstreamsByName(this.#gateway);
    const states = new Set(Array.from(upstreams.values(), ({ state }) => state));
    for (const [state, { client }] of this.#places) {
      if (states.has(state)) continue;
      this.#places.delete(state);
      client.close();
    }
    return new Map(Array.from(upstreams, ([name, upstream]) => [name, this.of(upstream)]));
  }

  of(upstream: WatchedUpstream): ServerTools {
    const known = this.#places.get(upstream.state);
    if (known !== undefined) return known;
    const made = new ServerTools(upstream);
    if (this.#isClosed) made.client.close();
    this.#places.set(upstream.state, made);
    return made;
  }

  close(): void {
    this.#isClosed = true;
    for (const { client } of this.#places.values()) client.close();
  }
}

async function inPatience(work: readonly Promise<void>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
  await Promise.race([Promise.all(work), late]);
  clearTimeout(timer);
}

/** What tools there are and what they cost; the page calls them as a client of its own until `closing` is aborted. */
export function toolsRoutes(
  gateway: WatchedGateway,
  traffic: Traffic,
  closing: AbortSignal,
): readonly ApiRoute[] {
  const places = new ToolPlaces(gateway);
  closing.addEventListener("abort", () => places.close(), { once: true });
  const report = async (): Promise<ToolsReport> => {
    const all = places.all();
    await inPatience([...all.values()].map((one) => one.refresh()));
    return {
      upstreams: [...all].map(([name, one]) => one.view((tool) => traffic.typical(name, tool))),
    };
  };
  const call = async ({ body, signal }: ApiRequest): Promise<OwnCall> => {
    const wanted = readPost(callBody, body);
    const upstream = upstreamNamed(gateway, wanted.upstream);
    const given = isJsonObject(wanted.arguments) ? wanted.arguments : {};
    const requestId = `page_${randomBytes(ID_BYTES).toString("hex")}`;
    const own = traffic.expectOwn(requestId);
    const { client } = places.of(upstream);
    const reply = await client.call({ tool: wanted.tool, arguments: given, requestId, signal });
    const { result, resultText, error } = reply;
    if (result === undefined)
      throw new ApiProblem(
        "upstream",
        upstream.state.mask(`The server refused the call: ${error?.message ?? "without a reason"}`),
        "See in the list of tools what this one is called and what it takes.",
      );
    return {
      seq: own.seq(),
      isError: result["isError"] === true,
      body: traffic.hasBodies
        ? await bodyOf(upstream.state, resultText ?? JSON.stringify(result), readableOf(result))
        : undefined,
    };
  };
  return [
    { method: "GET", path: "/api/tools", answer: report },
    { method: "POST", path: "/api/tools/call", needs: "actions", answer: call },
  ];
}
