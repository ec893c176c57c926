import { TOOLS_CHANGED } from "../../../../core/protocol/names.ts";
import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { readableOf } from "../../../../engine/call/answered-call.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../core/json/json-value.ts";
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
import type { OwnCall, ToolsReport, ToolView, TypicalResult, UpstreamTools } from "../protocol/places.ts";
import { readPostBody } from "../serve/api-answer.ts";
import type { Traffic } from "../traffic/traffic.ts";
import type { TokenCounter } from "../../../../core/tokens/token-counter.ts";
import { REQUEST_ID_META_KEY } from "../../../../core/contract/wire-names.ts";
import { type McpAnswer, McpClient } from "../../../../engine/transport/mcp-client.ts";
import { memberSpans } from "../../../../engine/transport/raw-message.ts";
import type { RecordedReply } from "../../../../core/rules/server-record.ts";

/** A request of the page is answered after at most this time; lists that are not ready come with its next request. */
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

/** The tools of every current upstream; those of removed upstreams are dropped. */
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

/** The available tools and their costs; the page calls them as a separate client until `closing` is aborted. */
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
    const wanted = readPostBody(callBody, body);
    const upstream = upstreamNamed(gateway, wanted.upstream);
    const given = isJsonObject(wanted.arguments) ? wanted.arguments : {};
    const requestId = `page_${randomBytes(ID_BYTES).toString("hex")}`;
    const own = traffic.expectOwn(requestId);
    const { client } = places.of(upstream);
    const { reply, text: responseText } = await client.call({
      tool: wanted.tool,
      arguments: given,
      requestId,
      signal,
    });
    if (reply.kind !== "result")
      throw new ApiProblem(
        "upstream",
        upstream.state.mask(`The server refused the call: ${reasonOf(reply)}`),
        "See in the list of tools what this one is called and what it takes.",
      );
    const { result } = reply;
    return {
      seq: own.seq(),
      isError: result["isError"] === true,
      body: traffic.hasBodies
        ? await bodyOf(
            upstream.state,
            resultTextIn(responseText) ?? JSON.stringify(result),
            readableOf(result),
          )
        : undefined,
    };
  };
  return [
    { method: "GET", path: "/api/tools", answer: report },
    { method: "POST", path: "/api/tools/call", needs: "actions", answer: call },
  ];
}

/** The result's own text: it keeps numbers that JavaScript cannot represent. */
function resultTextIn(response: string | undefined): string | undefined {
  const span = response === undefined ? undefined : memberSpans(response).get("result");
  return span && response?.slice(span.start, span.end);
}

// The tools of one server as the page shows them: fetched when a person looks, kept for a while, with their tokens.

/** An older list is fetched again when a person looks; until then the old one is shown. */
const FRESH_MS = 30_000;
/** After a failure there is a pause before the next attempt: each attempt may start a process. */
const RETRY_MS = 5_000;
/** More tools than any model can choose from; the rest is not shown. */
const MAX_TOOLS = 2_000;

type ListedTool = Omit<ToolView, "typical">;

interface ToolList {
  readonly tools: readonly ListedTool[];
  readonly tokens: number;
  readonly listedAtMs: number;
}

const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

const objectOf = (value: JsonValue | undefined): JsonObject | undefined =>
  isJsonObject(value) ? value : undefined;

function viewOf(tool: JsonObject, counter: TokenCounter): ListedTool {
  return {
    name: textOf(tool["name"]) ?? "",
    title: textOf(tool["title"]),
    description: textOf(tool["description"]),
    inputSchema: objectOf(tool["inputSchema"]) ?? { type: "object" },
    outputSchema: objectOf(tool["outputSchema"]),
    annotations: objectOf(tool["annotations"]),
    // The whole definition: it is not known which parts a client gives to its model.
    tokens: counter.count(JSON.stringify(tool)),
  };
}

class ServerTools {
  readonly client: PageClient;
  readonly #upstream: WatchedUpstream;
  #list: ToolList | undefined;
  #problem: string | undefined;
  #askedAtMs = 0;
  #asking: Promise<void> | undefined;

  constructor(upstream: WatchedUpstream) {
    this.#upstream = upstream;
    this.client = new PageClient(upstream, () => (this.#askedAtMs = 0));
  }

  /** Fetches the list if it is missing or old. Never rejects: errors are in the view. */
  refresh(): Promise<void> {
    const waitMs = this.#problem === undefined ? FRESH_MS : RETRY_MS;
    if (this.#asking === undefined && Date.now() - this.#askedAtMs >= waitMs)
      this.#asking = this.#ask().finally(() => (this.#asking = undefined));
    return this.#list === undefined ? (this.#asking ?? Promise.resolve()) : Promise.resolve();
  }

  view(typicalOf: (tool: string) => TypicalResult | undefined): UpstreamTools {
    const { name: upstream } = this.#upstream;
    const list = this.#list;
    if (list !== undefined) {
      const tools = list.tools.map((tool) => ({ ...tool, typical: typicalOf(tool.name) }));
      return { upstream, state: "listed", listedAtMs: list.listedAtMs, tokens: list.tokens, tools };
    }
    const problem = this.#problem;
    const state = problem === undefined || this.#asking !== undefined ? "asking" : "failed";
    return { upstream, state, problem, tokens: 0, tools: [] };
  }

  async #ask(): Promise<void> {
    this.#askedAtMs = Date.now();
    try {
      const listed = (await this.client.list()).filter(isJsonObject).slice(0, MAX_TOOLS);
      const counter = await this.#upstream.state.counter();
      const tokens = listed.length === 0 ? 0 : counter.count(JSON.stringify(listed));
      const tools = listed.map((tool) => viewOf(tool, counter));
      this.#list = { tools, tokens, listedAtMs: Date.now() };
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error instanceof ApiProblem ? error.message : "The list could not be read.";
      this.#list = undefined;
    }
  }
}

/** A package manager may have to download the server first. */
const GREET_MS = 60_000;
const LIST_MS = 60_000;
const CALL_MS = 300_000;
/** A process that only the page uses is ended after this much time without a request of the page. */
const IDLE_MS = 300_000;
const MAX_OPEN_CALLS = 8;

interface OwnCallRequest {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** The server did not answer correctly; the message says what it did, as the end of a sentence. */
class ServerSilence extends Error {
  override readonly name = "ServerSilence";
}

function reasonOf(reply: RecordedReply): string {
  const reason = reply.kind === "error" ? reply.error["message"] : undefined;
  return typeof reason === "string" ? reason : "without a reason";
}

/** Throws if a server gave no answer; what it answered may still be an error. */
function throwSilence(reply: RecordedReply): void {
  if (reply.kind === "closed") throw new ServerSilence(reply.reason);
  if (reply.kind === "oversized") throw new ServerSilence(tooLong(reply.bytes));
  if (reply.kind === "timeout") throw new ServerSilence(`did not answer within ${reply.afterMs / 1_000} s`);
}

function tooLong(bytes: number): string {
  return `sent a message of ${bytes} bytes, which is too long`;
}

const seeLog = "See what the server wrote to the gateway's stderr, and try again.";

/** A client of one server: it connects on the first request, and disconnects when it is idle. */
export class PageClient {
  readonly #upstream: Pick<WatchedUpstream, "name" | "connect" | "state">;
  readonly #idleMs: number;
  readonly #onListChanged: () => void;
  #opening: Promise<McpClient> | undefined;
  #opened: McpClient | undefined;
  #calls = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    upstream: Pick<WatchedUpstream, "name" | "connect" | "state">,
    onListChanged: () => void,
    idleMs = IDLE_MS,
  ) {
    this.#upstream = upstream;
    this.#onListChanged = onListChanged;
    this.#idleMs = idleMs;
  }

  /** All pages of the server's list, as any client of the gateway receives it. */
  list(): Promise<readonly JsonValue[]> {
    return this.#with(async (client) => {
      const { tools, failed } = await client.listTools({ timeoutMs: LIST_MS, tellsLate: true });
      if (failed === undefined) return tools;
      throwSilence(failed);
      throw new ServerSilence(`refused to list its tools: ${reasonOf(failed)}`);
    });
  }

  call({ tool, arguments: given, requestId, signal }: OwnCallRequest): Promise<McpAnswer> {
    if (this.#calls >= MAX_OPEN_CALLS)
      throw new ApiProblem(
        "busy",
        `${MAX_OPEN_CALLS} calls of the page run already.`,
        "Wait for one of them, or reload the page, which ends them.",
      );
    return this.#with(async (client) => {
      this.#calls += 1;
      try {
        const params = { name: tool, arguments: given };
        const meta = { [REQUEST_ID_META_KEY]: requestId };
        const limits = { timeoutMs: CALL_MS, tellsLate: true, signal, meta };
        const answer = await client.ask("tools/call", params, limits);
        throwSilence(answer.reply);
        return answer;
      } finally {
        this.#calls -= 1;
      }
    });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    this.#opened?.close("was closed");
  }

  async #with<Value>(use: (client: McpClient) => Promise<Value>): Promise<Value> {
    clearTimeout(this.#idle);
    try {
      return await use(await this.#open());
    } catch (error) {
      throw this.#explain(error);
    } finally {
      this.#leaveLater();
    }
  }

  #open(): Promise<McpClient> {
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #connect(): Promise<McpClient> {
    const client: McpClient = new McpClient({
      link: await this.#upstream.connect(),
      clientInfo: { name: "waybill-dashboard", version: "1" },
      listener: {
        oversized: (bytes) => client.close(tooLong(bytes)),
        interrupted: ({ reason }) => client.close(`is away: ${reason}`),
        lost: (why) => client.close(`is gone: ${why}`),
        notified: (method) => {
          if (method === TOOLS_CHANGED) this.#onListChanged();
        },
        closed: () => {
          this.#opening = undefined;
          this.#opened = undefined;
        },
      },
    });
    if (this.#isClosed) client.close("was closed");
    this.#opened = client;
    const { reply } = await client.greet("legacy-first", GREET_MS);
    if (reply.kind === "result") return client;
    client.close("was closed");
    throwSilence(reply);
    throw new ServerSilence(`refused to be greeted: ${reasonOf(reply)}`);
  }

  #leaveLater(): void {
    if (this.#isClosed || this.#opened === undefined || this.#opened.openRequests > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#opened?.close("was closed"), this.#idleMs);
    this.#idle.unref();
  }

  #explain(error: unknown): unknown {
    if (error instanceof ApiProblem) return error;
    const { name, state } = this.#upstream;
    const what = error instanceof ServerSilence ? error.message : "cannot be reached";
    return new ApiProblem("upstream", state.mask(`The server ${name} ${what}.`), seeLog);
  }
}
