// Requests of the modern era to a command: each is complete in itself, and the requests of one caller share a process.

import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { type ServingParts, type SharedProcess, type Visit, handoverOf } from "./command-processes.ts";
import { type Refusal, idToRepeat, refuse } from "../../../engine/transport/http/refusal.ts";
import { httpRefusals } from "../listen/refuse-request.ts";
import { checkParamHeaders } from "./modern-headers.ts";
import type { ToolNames } from "../../../engine/session/tool-names.ts";
import type { Link, LinkListener } from "../../../engine/transport/link.ts";
import { kindOf, toBytes } from "../../../engine/transport/raw-message.ts";
import { errorCodeOf, statusOfError } from "./classify-post.ts";
import type { HttpReply } from "../listen/http-reply.ts";
import { PROGRESS } from "../../../core/protocol/names.ts";
import { CONNECTION_CLOSED } from "../../../core/protocol/names.ts";

/** A list of tools read within this time is not read again before a call is refused. */
const CERTAIN_MS = 5_000;

type Verdict = Refusal | undefined;

/** Compares the arguments of a tool call with the headers that its schema requires; undefined if they agree. */
function checkCall(
  { marks, link }: SharedProcess,
  message: JsonObject,
  { facts }: Visit,
  names: ToolNames,
): Verdict | Promise<Verdict> {
  const { method, params } = message;
  const called = method === "tools/call" && isJsonObject(params) ? params["name"] : undefined;
  // Checking the headers of a hidden tool would reveal that it exists.
  const name = typeof called === "string" ? names.serverName(called) : undefined;
  const meta = isJsonObject(params) ? params["_meta"] : undefined;
  if (name === undefined || !isJsonObject(meta)) return undefined;
  const check = (maxAgeMs?: number): Verdict | Promise<Verdict> => {
    const marked = marks.find(name, meta, () => link.share(), maxAgeMs);
    if (marked instanceof Promise)
      return marked.then((ready) => checkParamHeaders(ready, message, facts.headers));
    return marked.length === 0 ? undefined : checkParamHeaders(marked, message, facts.headers);
  };
  const checked = check();
  if (checked === undefined) return undefined;
  // The list may have changed, so a refusal is checked again with a recent list.
  return Promise.resolve(checked).then((refusal) => (refusal === undefined ? undefined : check(CERTAIN_MS)));
}

export class ModernRequests {
  readonly #parts: ServingParts;
  readonly #names: ToolNames;

  constructor(parts: ServingParts, names: ToolNames) {
    this.#parts = parts;
    this.#names = names;
  }

  /** Waits only for a process and for a list of tools: without waiting, messages keep their order. */
  async take(message: JsonObject, isRequest: boolean, body: Buffer, visit: Visit): Promise<void> {
    const { response, facts } = visit;
    const { processes, maxOpenRequests } = this.#parts;
    const process = processes.shared(facts.principal) ?? (await processes.openShared(facts));
    if (typeof process === "string") return refuse(response, httpRefusals[process], idToRepeat(message));
    if (process.link.size >= maxOpenRequests)
      return refuse(response, httpRefusals.tooManyOpen, idToRepeat(message));
    if (!isRequest) return this.#notify(process, body, visit);
    const checked = checkCall(process, message, visit, this.#names);
    const refusal = checked instanceof Promise ? await checked : checked;
    if (refusal !== undefined) return refuse(response, refusal, idToRepeat(message));
    return this.#exchange(process, message, body, visit);
  }

  /** Forwards a notification: it has no answer, and the ids in it can only refer to this caller's requests. */
  #notify({ link }: SharedProcess, body: Buffer, { response }: Visit): void {
    const share = link.share();
    share.send(body);
    share.close();
    response.writeHead(202).end();
  }

  #exchange({ link }: SharedProcess, { method }: JsonObject, body: Buffer, { response, facts }: Visit): void {
    // The client may have left while the server listed its tools.
    if (response.destroyed) return;
    const { replies, open } = this.#parts;
    const isAnswer = method !== "subscriptions/listen";
    const options = { accept: facts.headers["accept"], headers: {}, isAnswer };
    const reply = replies.open(response, options, () => exchange.cancel());
    const exchange = new ModernExchange(body, reply);
    open(exchange, link.share(), () => handoverOf(facts, undefined));
  }
}

/** One request of the modern era and its response, as the client's end of a bridge. */
class ModernExchange implements Link {
  readonly #body: Buffer;
  readonly #reply: HttpReply;
  #listener: LinkListener | undefined;
  #isOpen = true;

  constructor(body: Buffer, reply: HttpReply) {
    this.#body = body;
    this.#reply = reply;
  }

  send(message: Uint8Array | string): void {
    if (!this.#isOpen) return;
    const bytes = toBytes(message);
    const { kind, method } = kindOf(bytes);
    if (kind !== "response") {
      if (method !== PROGRESS || !this.#reply.isSlow) this.#reply.event(bytes);
      return;
    }
    const code = errorCodeOf(bytes);
    this.#reply.answer(bytes, code === undefined ? 200 : statusOfError(code));
    this.#isOpen = false;
    // Not while the bridge sends: the bridge would be closed in the middle of its work.
    queueMicrotask(() => this.#listener?.closed("the request was answered"));
  }

  listen(listener: LinkListener): void {
    this.#listener = listener;
    listener.message(this.#body);
  }

  /** The server ended before it answered. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const error = { code: CONNECTION_CLOSED, message: "Connection closed" };
    const id = idOf(this.#body);
    this.#reply.answer(Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`), 502);
  }

  /** The client closed the response: in this era that cancels the request. */
  cancel(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#listener?.closed("the client closed the response");
  }
}

function idOf(body: Buffer): string {
  return kindOf(body).rawId || "null";
}
