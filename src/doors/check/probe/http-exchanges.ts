// What a server answers below the messages: requests over HTTP in a session of the check's own, for their statuses alone.

import type { Era, HttpExchange, HttpPurpose } from "../../../core/rules/server-record.ts";
import { LEGACY_REVISION, MODERN_REVISION, mcpMeta } from "../../../core/protocol/names.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { type HttpTarget, sendRequest } from "../../../engine/transport/http/http-target.ts";

const UNKNOWN_REVISION = "1900-01-01";
const FOREIGN_ORIGIN = "http://waybill-check.invalid";
const BROKEN = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{';
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

type Headers = Readonly<Record<string, string>>;

interface Sent {
  readonly method: "POST" | "GET" | "DELETE";
  readonly headers?: Headers | undefined;
  readonly body?: string | undefined;
}

interface Status extends Omit<HttpExchange, "purpose"> {
  readonly session: string | undefined;
}

export interface HttpExchangeOptions {
  readonly era: Era;
  readonly timeoutMs: () => number;
  /** Whether the check is over. */
  readonly isOver: () => boolean;
}

/** The status of one request, and whether a body follows; undefined if neither came in time. */
function statusOf(
  target: HttpTarget,
  { method, headers, body }: Sent,
  timeoutMs: number,
): Promise<Status | undefined> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const request = sendRequest(
      target,
      {
        method,
        headers: {
          "user-agent": "waybill",
          accept: method === "GET" ? "text/event-stream" : "application/json, text/event-stream",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        body: body === undefined ? undefined : Buffer.from(body),
        isRepeatable: true,
        isWaitedFor: false,
        answerTimeoutMs: timeoutMs,
      },
      {
        failed: () => resolve(undefined),
        response: (response) => {
          const { "content-type": type, "mcp-session-id": session } = response.headers;
          const end = (hasBody: boolean): void => {
            clearTimeout(timer);
            response.destroy();
            request.abort();
            resolve({
              status: response.statusCode ?? 0,
              contentType: type?.split(";", 1)[0]?.trim().toLowerCase(),
              hasBody,
              session: typeof session === "string" ? session : undefined,
            });
          };
          response.on("error", () => end(false));
          // An open stream may stay silent, and its status says enough.
          if (method === "GET") return end(true);
          timer = setTimeout(() => end(false), timeoutMs);
          response.once("data", () => end(true));
          response.once("end", () => end(false));
          return undefined;
        },
      },
    );
  });
}

function message(method: string, params: JsonObject = {}, id?: number): string {
  return JSON.stringify({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), method, params });
}

/** The requests of one check, in order. */
class HttpExchanges {
  readonly #target: HttpTarget;
  readonly #options: HttpExchangeOptions;
  readonly done: HttpExchange[] = [];

  constructor(target: HttpTarget, options: HttpExchangeOptions) {
    this.#target = target;
    this.#options = options;
  }

  async send(sent: Sent): Promise<Status | undefined> {
    const { isOver, timeoutMs } = this.#options;
    if (isOver()) return undefined;
    const status = await statusOf(this.#target, sent, timeoutMs());
    return isOver() ? undefined : status;
  }

  async record(purpose: HttpPurpose, sent: Sent): Promise<void> {
    const answered = await this.send(sent);
    if (answered === undefined) return;
    const { status, contentType, hasBody } = answered;
    this.done.push({ purpose, status, contentType, hasBody });
  }

  /** What servers of both eras are asked; `list` is a request that works. */
  async common(list: { readonly headers: Headers; readonly body: string }, bad: Sent): Promise<void> {
    const { headers, body } = list;
    await this.record("get", { method: "GET", headers });
    await this.record("bad-version", bad);
    await this.record("broken-json", { method: "POST", headers, body: BROKEN });
    if (!LOOPBACK.test(this.#target.url.hostname)) return;
    await this.record("foreign-origin", {
      method: "POST",
      headers: { ...headers, origin: FOREIGN_ORIGIN },
      body,
    });
  }

  async legacy(): Promise<void> {
    const clientInfo = { name: "waybill-check", version: "1" };
    const params = { protocolVersion: LEGACY_REVISION, capabilities: {}, clientInfo };
    const greeted = await this.send({ method: "POST", body: message("initialize", params, 1) });
    if (greeted === undefined || greeted.status >= 300) return;
    const { session } = greeted;
    const version = { "mcp-protocol-version": LEGACY_REVISION };
    const inSession: Headers = session === undefined ? {} : { "mcp-session-id": session };
    const headers = { ...version, ...inSession };
    const body = message("tools/list", {}, 2);
    const initialized = message("notifications/initialized");
    await this.record("notification", { method: "POST", headers, body: initialized });
    const unknown = { ...inSession, "mcp-protocol-version": UNKNOWN_REVISION };
    await this.common({ headers, body }, { method: "POST", headers: unknown, body });
    if (session === undefined) return;
    await this.record("no-session", { method: "POST", headers: version, body });
    const ended = await this.send({ method: "DELETE", headers });
    if (ended !== undefined && ended.status < 300)
      await this.record("ended-session", { method: "POST", headers, body });
  }

  async modern(): Promise<void> {
    const headers = { "mcp-protocol-version": MODERN_REVISION, "mcp-method": "tools/list" };
    const paramsIn = (revision: string): JsonObject => ({
      _meta: {
        [mcpMeta.protocolVersion]: revision,
        [mcpMeta.clientCapabilities]: {},
        [mcpMeta.clientInfo]: { name: "waybill-check", version: "1" },
      },
    });
    const params = paramsIn(MODERN_REVISION);
    const body = message("tools/list", params, 1);
    const post = (changed: Headers, text: string): Sent => ({
      method: "POST",
      headers: { ...headers, ...changed },
      body: text,
    });
    const badBody = message("tools/list", paramsIn(UNKNOWN_REVISION), 2);
    await this.common({ headers, body }, post({ "mcp-protocol-version": UNKNOWN_REVISION }, badBody));
    const unknown = "waybill-check/no-such-method";
    await this.record("unknown-method", post({ "mcp-method": unknown }, message(unknown, params, 3)));
    await this.record("header-mismatch", post({ "mcp-method": "prompts/list" }, body));
  }
}

/** Asks a server over HTTP; a request without a status is left out. */
export async function exchangeHttp(
  target: HttpTarget,
  options: HttpExchangeOptions,
): Promise<readonly HttpExchange[]> {
  const exchanges = new HttpExchanges(target, options);
  await (options.era === "legacy" ? exchanges.legacy() : exchanges.modern());
  return exchanges.done;
}
