import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonValue } from "../../../../core/json/json-value.ts";
import { receiveBody } from "../../../../engine/transport/http/request-guard.ts";
import { ApiProblem, type ApiRequest, type ApiRoute } from "../dashboard-parts.ts";
import { failureText, sendJson, sendProblem, sendRefusal } from "./api-answer.ts";

/** The longest body of a POST: 1 MiB. */
const MAX_REQUEST_BYTES = 1_048_576;

/** The permissions of the page, given by the person who started the gateway. */
export interface Allowed {
  readonly actions: boolean;
  readonly bodies: boolean;
}

interface Found {
  readonly route: ApiRoute;
  readonly params: Readonly<Record<string, string>>;
}

const switchedOff = {
  actions: new ApiProblem(
    "actions-off",
    "This page may only look.",
    "Start the gateway with --dashboard-actions to call tools, run checks and change settings from here.",
  ),
  bodies: new ApiProblem(
    "bodies-off",
    "This page may not show what calls carry.",
    "Start the gateway with --dashboard-bodies to see arguments and results here.",
  ),
} as const;

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** The values of the `:names` of a path; undefined if the path does not match. */
function matched(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const params: [string, string][] = [];
  for (const [index, segment] of wanted.entries()) {
    const value = decoded(given[index] ?? "");
    if (value === undefined) return undefined;
    if (!segment.startsWith(":")) {
      if (segment !== value) return undefined;
    } else if (value === "") return undefined;
    else params.push([segment.slice(1), value]);
  }
  return Object.fromEntries(params);
}

function isJson(contentType: string | undefined): boolean {
  return /^\s*application\/json\s*(?:;|$)/i.test(contentType ?? "");
}

function parsed(body: Buffer): JsonValue {
  try {
    return JSON.parse(body.toString("utf8")) as JsonValue;
  } catch {
    throw new ApiProblem("invalid", "The body of the request is not JSON.", "Reload the page.");
  }
}

function tooLarge(): ReturnType<typeof failureText> {
  const message = `The request is longer than ${MAX_REQUEST_BYTES} bytes.`;
  return failureText(413, "invalid", message, "Send less at once.");
}

/** Finds the route of a request, checks its permissions, and sends its answer. The caller is already signed in. */
export class ApiRouter {
  readonly #routes: readonly ApiRoute[];
  readonly #allowed: Allowed;
  readonly #onFailure: (error: unknown) => void;

  constructor(routes: readonly ApiRoute[], allowed: Allowed, onFailure: (error: unknown) => void) {
    this.#routes = routes;
    this.#allowed = allowed;
    this.#onFailure = onFailure;
  }

  take(request: IncomingMessage, response: ServerResponse, { pathname, searchParams }: URL): void {
    const found = this.#routes.flatMap((route): Found[] => {
      const params = matched(route.path, pathname);
      return params === undefined ? [] : [{ route, params }];
    });
    // A path may match one route literally and another by a name: the route with the fewest names is meant.
    const fewest = found.toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
    const chosen = fewest.find(({ route }) => route.method === request.method);
    if (chosen !== undefined) return this.#serve(chosen, request, response, searchParams);
    if (found.length === 0)
      return sendRefusal(response, 404, "not-found", "There is nothing at this address.", "Reload the page.");
    response.setHeader("allow", [...new Set(found.map(({ route }) => route.method))].join(", "));
    return sendRefusal(response, 405, "invalid", "This address takes another method.", "Reload the page.");
  }

  #serve(
    { route, params }: Found,
    request: IncomingMessage,
    response: ServerResponse,
    query: URLSearchParams,
  ): void {
    const { needs } = route;
    if (needs !== undefined && !this.#allowed[needs]) return sendProblem(response, switchedOff[needs]);
    const leaving = new AbortController();
    response.once("close", () => leaving.abort());
    const answer = (body: Buffer | undefined): void =>
      void this.#answer(route, response, { params, query, signal: leaving.signal }, body);
    if (route.method === "GET") return answer(undefined);
    // A form or script of another page cannot send this without a preflight request by the browser.
    if (!isJson(request.headers["content-type"]))
      return sendRefusal(response, 415, "invalid", "The request is not JSON.", "Send application/json.");
    if (request.headers["x-waybill"] !== "page")
      return sendRefusal(
        response,
        403,
        "invalid",
        "The request does not come from the page.",
        "Reload the page.",
      );
    return receiveBody(request, response, MAX_REQUEST_BYTES, answer, { refused: tooLarge });
  }

  async #answer(
    route: ApiRoute,
    response: ServerResponse,
    request: Omit<ApiRequest, "body">,
    body: Buffer | undefined,
  ): Promise<void> {
    try {
      const value = await route.answer({ ...request, body: body === undefined ? undefined : parsed(body) });
      if (!response.destroyed) sendJson(response, value);
    } catch (error) {
      // A client that has left needs no answer, and work aborted because of that is not a failure.
      if (response.destroyed) return;
      if (!(error instanceof ApiProblem)) this.#onFailure(error);
      sendProblem(response, error);
    }
  }
}
