// Requests of the modern era in front of a command: each is complete in itself, and those of one caller share a process.

import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { chain } from "../../../core/pipeline/maybe-promise.ts";
import { type ServingParts, type Visit, handoverOf } from "./client-visit.ts";
import type { SharedProcess } from "./command-processes.ts";
import { ModernExchange } from "./modern-exchange.ts";
import { checkParamHeaders } from "./param-headers.ts";
import { type Refusal, idToRepeat, refuse } from "../../../engine/transport/http/refusal.ts";
import { refusals, refuseFailed } from "./refuse-request.ts";

/** A list of tools that was read within this time is not read again to refuse a call by it. */
const CERTAIN_MS = 5_000;

type Verdict = Refusal | undefined;

/** Compares the arguments of a tool call with the headers that its schema asks for; undefined where they agree. */
function checkCall(
  { marks, link }: SharedProcess,
  message: JsonObject,
  { facts }: Visit,
): Verdict | Promise<Verdict> {
  const { method, params } = message;
  const name = method === "tools/call" && isJsonObject(params) ? params["name"] : undefined;
  const meta = isJsonObject(params) ? params["_meta"] : undefined;
  if (typeof name !== "string" || !isJsonObject(meta)) return undefined;
  const check = (maxAgeMs?: number): Verdict | Promise<Verdict> => {
    const marked = marks.find(name, meta, () => link.share(), maxAgeMs);
    if (marked instanceof Promise)
      return marked.then((ready) => checkParamHeaders(ready, message, facts.headers));
    return marked.length === 0 ? undefined : checkParamHeaders(marked, message, facts.headers);
  };
  const checked = check();
  if (checked === undefined) return undefined;
  // A refusal by a list that may have changed since is not certain.
  return Promise.resolve(checked).then((refusal) => (refusal === undefined ? undefined : check(CERTAIN_MS)));
}

function toolOf({ params }: JsonObject): string {
  const name = isJsonObject(params) ? params["name"] : undefined;
  return typeof name === "string" ? name : "";
}

export class ModernRequests {
  readonly #parts: ServingParts;
  readonly #hidden: ReadonlySet<string>;

  constructor(parts: ServingParts, hide: readonly string[] = []) {
    this.#parts = parts;
    this.#hidden = new Set(hide);
  }

  take(message: JsonObject, isRequest: boolean, body: Buffer, visit: Visit): void {
    const serving = chain(this.#parts.processes.shared(visit.facts), (process): void => {
      if (typeof process === "string") return refuse(visit.response, refusals[process], idToRepeat(message));
      if (process.link.size >= this.#parts.maxOpenRequests)
        return refuse(visit.response, refusals.tooManyOpen, idToRepeat(message));
      if (isRequest) return this.#ask(process, message, body, visit);
      return this.#notify(process, body, visit);
    });
    refuseFailed(serving, visit.response);
  }

  #ask(process: SharedProcess, message: JsonObject, body: Buffer, visit: Visit): void {
    const { response } = visit;
    const go = (refusal: Verdict): void => {
      if (refusal !== undefined) return refuse(response, refusal, idToRepeat(message));
      return this.#exchange(process, message, body, visit);
    };
    // The headers that a hidden tool asks for would tell that it is there.
    const checked = this.#hidden.has(toolOf(message)) ? undefined : checkCall(process, message, visit);
    if (!(checked instanceof Promise)) return go(checked);
    return refuseFailed(checked.then(go), response);
  }

  /** The server may have a use for it; an answer it has none, and nothing that it names can be another's. */
  #notify({ link }: SharedProcess, body: Buffer, { response }: Visit): void {
    const share = link.share();
    share.send(body);
    share.close();
    response.writeHead(202).end();
  }

  #exchange({ link }: SharedProcess, { method }: JsonObject, body: Buffer, { response, facts }: Visit): void {
    // The client may have left while the server was asked for its tools.
    if (response.destroyed) return;
    const { replies, open } = this.#parts;
    const isAnswer = method !== "subscriptions/listen";
    const options = { accept: facts.headers["accept"], headers: {}, isAnswer };
    const reply = replies.open(response, options, () => exchange.cancel());
    const exchange = new ModernExchange(body, reply);
    open(exchange, link.share(), () => handoverOf(facts, undefined));
  }
}
