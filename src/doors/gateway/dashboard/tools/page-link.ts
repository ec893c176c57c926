// The page's own connection to a server: greeted once, in the server's era, like any client.

import { type JsonObject, isJsonObject, jsonObjectIn } from "../../../../core/json/json-value.ts";
import type { Link } from "../../../../engine/transport/link.ts";
import { memberSpans } from "../../../../engine/transport/raw-message.ts";
import { LEGACY_REVISION, MODERN_REVISION, mcpMeta } from "../../../../core/protocol/names.ts";

const clientInfo = { name: "waybill-dashboard", version: "1" };
const METHOD_NOT_FOUND = -32_601;

/** The server did not answer correctly; the message says what it did, as the end of a sentence. */
export class ServerSilence extends Error {
  override readonly name = "ServerSilence";
}

/** A server's answer: a result, or an error of the protocol. */
export interface Reply {
  readonly result?: JsonObject | undefined;
  /** The result's own text: it keeps numbers that JavaScript cannot represent. */
  readonly resultText?: string | undefined;
  readonly error?: { readonly code: number; readonly message: string } | undefined;
}

export interface AskOptions {
  readonly timeoutMs: number;
  /** Aborted when the answer is no longer needed: the server is told. */
  readonly signal?: AbortSignal | undefined;
  readonly meta?: JsonObject | undefined;
}

function replyOf(message: JsonObject, text: string): Reply {
  const { result, error } = message;
  const span = isJsonObject(result) ? memberSpans(text).get("result") : undefined;
  if (isJsonObject(result)) return { result, resultText: span && text.slice(span.start, span.end) };
  const said = isJsonObject(error) ? error : {};
  const { code, message: reason } = said;
  return {
    error: {
      code: typeof code === "number" ? code : 0,
      message: typeof reason === "string" ? reason : "without a reason",
    },
  };
}

export interface PageLinkEvents {
  readonly gone: () => void;
  /** The server's list has changed. */
  readonly listChanged: () => void;
}

interface Waiting {
  readonly take: (reply: Reply) => void;
  readonly fail: (why: string) => void;
}

/** One connection. It is never reopened: a new one is made when it is gone. */
export class PageLink {
  readonly #link: Link;
  readonly #waiting = new Map<number, Waiting>();
  readonly #events: PageLinkEvents;
  /** What a modern server expects with each request. */
  #modernMeta: JsonObject | undefined;
  #gone: string | undefined;
  #lastId = 0;

  constructor(link: Link, events: PageLinkEvents) {
    this.#link = link;
    this.#events = events;
    link.listen({
      message: (bytes) => this.#take(bytes),
      oversized: ({ bytes }) => this.#fail(`sent a message of ${bytes} bytes, which is too long`),
      closed: (why) => this.#fail(`is gone: ${why}`),
      interrupted: ({ reason }) => this.#fail(`is away: ${reason}`),
    });
  }

  get openRequests(): number {
    return this.#waiting.size;
  }

  async greet(timeoutMs: number): Promise<void> {
    const params = { protocolVersion: LEGACY_REVISION, capabilities: {}, clientInfo };
    const greeted = await this.ask("initialize", params, { timeoutMs });
    if (greeted.result !== undefined) {
      this.#send({ method: "notifications/initialized" });
      return;
    }
    this.#modernMeta = {
      [mcpMeta.protocolVersion]: MODERN_REVISION,
      [mcpMeta.clientCapabilities]: {},
      [mcpMeta.clientInfo]: clientInfo,
    };
    const found = await this.ask("server/discover", {}, { timeoutMs });
    if (found.result === undefined)
      throw new ServerSilence(`refused to be greeted: ${greeted.error?.message ?? "without a reason"}`);
  }

  /** Sends a request and waits for the reply. Rejects with `ServerSilence` if there is none. */
  ask(method: string, params: JsonObject, { timeoutMs, signal, meta }: AskOptions): Promise<Reply> {
    if (this.#gone !== undefined) return Promise.reject(new ServerSilence(this.#gone));
    const id = (this.#lastId += 1);
    const all = { ...this.#modernMeta, ...meta };
    const sent = Object.keys(all).length === 0 ? params : { ...params, _meta: all };
    return new Promise<Reply>((resolve, reject) => {
      const giveUp = (why: string): void => {
        end();
        this.#send({ method: "notifications/cancelled", params: { requestId: id, reason: why } });
        reject(new ServerSilence(why));
      };
      const onAbort = (): void => giveUp("was not waited for");
      const timer = setTimeout(() => giveUp(`did not answer within ${timeoutMs / 1_000} s`), timeoutMs);
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        this.#waiting.delete(id);
      };
      this.#waiting.set(id, {
        take: (reply) => {
          end();
          resolve(reply);
        },
        fail: (why) => {
          end();
          reject(new ServerSilence(why));
        },
      });
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#send({ id, method, params: sent });
      if (signal?.aborted === true) onAbort();
    });
  }

  close(): void {
    this.#fail("was closed");
  }

  #send(message: JsonObject): void {
    if (this.#gone === undefined) this.#link.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  #take(bytes: Buffer): void {
    const text = bytes.toString("utf8");
    const message = jsonObjectIn(text);
    if (message === undefined) return;
    const { id, method } = message;
    if (typeof method !== "string") this.#waiting.get(id as number)?.take(replyOf(message, text));
    else if (id !== undefined) this.#answer(id, method);
    else if (method === "notifications/tools/list_changed") this.#events.listChanged();
  }

  /** A page has no roots and no model, and cannot ask a person. */
  #answer(id: JsonObject[string], method: string): void {
    if (method === "ping") this.#send({ id, result: {} });
    else this.#send({ id, error: { code: METHOD_NOT_FOUND, message: "Method not found" } });
  }

  #fail(why: string): void {
    if (this.#gone !== undefined) return;
    this.#gone = why;
    for (const { fail } of this.#waiting.values()) fail(why);
    // The server may come back, but it has then forgotten its open requests.
    this.#link.close();
    this.#events.gone();
  }
}
