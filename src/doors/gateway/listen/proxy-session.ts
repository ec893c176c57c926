// The messages of one client to one HTTP server around the engine: what passes, what is rewritten, and on which stream
// an answer leaves. In the legacy era it is one session, whose answers may come on a later stream than the one they were
// asked on; in the modern era it is one request.

import type { IncomingHttpHeaders } from "node:http";
import type { Handover } from "../../../engine/request/call-request.ts";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import { isTooDeep } from "../../../core/json/find-non-json.ts";
import { type JsonObject, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import { MessageSession, type SessionOptions } from "../../../engine/session/message-session.ts";
import { refusal, unreadableAnswer } from "../bridge-faults.ts";

import { glance, rawIdOf, withRawId } from "../../../engine/transport/raw-message.ts";
import { LARGE_BYTES } from "../apart/unread-answer.ts";
import { type ServerAnswer, plainAnswer } from "../plain-answer.ts";
import { ReceivedAnswers } from "../received-answers.ts";
import { noteStructures } from "../structure-texts.ts";
import { writeAnswer } from "../write-answer.ts";
import { INTERNAL_ERROR } from "../../../core/protocol/names.ts";

/** What leaves for a message of the server: the bytes it came as, a text instead, or nothing. */
export type Passed = "same" | "nothing" | WrittenMessage;

export type Stray = "same" | "nothing";

interface WrittenMessage {
  readonly text: string;
  /** True for a result, which is a good answer whatever status the server gave its own words. */
  readonly isResult: boolean;
}

/** A request of the client while nobody has answered it. */
export interface OpenCall {
  /** The JSON text of the client's id. */
  readonly rawId: string;
  /** Our own answer, for what the engine answers; undefined where the server's passes. */
  readonly verdict: () => Promise<JsonObject | undefined> | undefined;
  /** The server's answer is here: whoever brought it sends it on. */
  readonly settled: () => void;
}

/** What the session asks of the server on behalf of a request goes the request's own way. */
export interface AskingHandover extends Handover {
  readonly ask: (message: JsonObject, given: Handover) => void;
}

export const SESSION_HEADER = "mcp-session-id";

/** Notifications that the session must know of. */
const toldMethods: readonly string[] = ["notifications/tools/list_changed", "notifications/tasks"];

function parse(bytes: Buffer): JsonObject | undefined {
  const text = bytes.toString("utf8");
  const json = jsonIn(text);
  if (!isJsonObject(json)) return undefined;
  noteStructures(json, () => text);
  return json;
}

export class ProxySession {
  readonly messages: MessageSession;
  /** By the id that the server knows them by. */
  readonly #calls = new Map<unknown, OpenCall>();
  /** Answers to calls from this length on are delivered in another thread. */
  readonly #largeBytes: number;
  /** The server has taken a request under this session's name; until then the name is only claimed. */
  isAccepted = false;
  /** What its client and its server call it; they differ where the server calls several sessions the same. */
  names: { readonly client: string; readonly server: string } | undefined;
  /** Another client's session has the same name at the server. */
  isNamesake = false;

  constructor(state: ContractState, options: SessionOptions, largeBytes: number = LARGE_BYTES) {
    this.#largeBytes = largeBytes;
    this.messages = new MessageSession(
      state,
      // The session hands on what it was given with the request, and perhaps more.
      { toServer: (message, handover) => (handover as AskingHandover).ask(message, handover) },
      options,
    );
  }

  /** How many requests have no answer yet, those too whose client may come back for it. */
  get openCalls(): number {
    return this.#calls.size;
  }

  /** The server's headers with the name that the client knows the session by. */
  named(headers: IncomingHttpHeaders): IncomingHttpHeaders {
    if (headers[SESSION_HEADER] === undefined || this.names === undefined) return headers;
    return { ...headers, [SESSION_HEADER]: this.names.client };
  }

  /** A request is on its way to the server under this id. */
  opened(id: unknown, call: OpenCall): void {
    this.#calls.set(id, call);
  }

  /**
   * One message of the server, on whichever stream. `stray` is what leaves for an answer to nothing that is known here: on
   * the stream of a request it is a second answer, on any other one it may belong to a request that another replica saw.
   */
  pass(bytes: Buffer, handover: Handover, stray: Stray = "same"): Passed | Promise<Passed> {
    const { kind, method, rawId } = glance(bytes);
    if (kind === "request" || kind === "notification")
      return toldMethods.includes(method) ? this.#told(parse(bytes), handover) : "same";
    if (kind === "response" && bytes.length >= this.#largeBytes && this.messages.awaitsCall(jsonIn(rawId)))
      return this.#passLarge(bytes, rawId);
    const message = parse(bytes);
    if (kind === "response") return this.#hear(message, bytes, jsonIn(rawId), stray);
    if (message === undefined) return "same";
    if (message["method"] !== undefined) return this.#told(message, handover);
    return this.#hear(message, bytes, message["id"], stray);
  }

  /** An answer; undefined for one whose ends show whose it is, and that nobody can read. */
  #hear(
    message: JsonObject | undefined,
    bytes: Buffer,
    seen: unknown,
    stray: Stray,
  ): Passed | Promise<Passed> {
    const isAwaited = (id: unknown): boolean => this.#calls.has(id) || this.messages.awaits(id);
    if (message === undefined && !isAwaited(seen)) return stray;
    // What only looks like an answer is one all the same: no other will come.
    const answer =
      message === undefined ? unreadable(seen) : plainAnswer({ message, bytes }, seen, isAwaited);
    const passed = this.#answer(answer, stray);
    if (answer.bytes === bytes) return passed;
    const isResult = answer.message["result"] !== undefined;
    const rewrite = (ready: Passed): Passed =>
      ready === "same" ? { text: answer.bytes.toString(), isResult } : ready;
    return passed instanceof Promise ? passed.then(rewrite) : rewrite(passed);
  }

  /** A late answer was too long to be read; `send` gets what a tool call is answered instead. */
  refuseOversized(id: unknown, bytes: number, send: (text: string) => void): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    const isCall = this.messages.refuseOversized(id, bytes);
    call?.settled();
    if (!isCall || call === undefined) return;
    const { rawId } = call;
    void call.verdict()?.then(
      (answer) => {
        if (answer !== undefined) send(writeAnswer(answer, rawId, () => undefined));
      },
      () => send(internalErrorText(rawId)),
    );
  }

  #told(message: JsonObject | undefined, handover: Handover): Passed | Promise<Passed> {
    if (message === undefined) return "same";
    // Nobody could look into the task that it tells of; its result can still be asked for.
    if (message["method"] === "notifications/tasks" && isTooDeep(message)) return "nothing";
    const told = this.messages.told(message, handover);
    const write = (ready: JsonObject): Passed =>
      ready === message ? "same" : { text: JSON.stringify(ready), isResult: false };
    return told instanceof Promise ? told.then(write, () => "same" as const) : write(told);
  }

  #answer({ message, bytes }: ServerAnswer, stray: Stray): Passed | Promise<Passed> {
    const { id } = message;
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (!this.messages.awaits(id)) {
      call?.settled();
      return call === undefined ? stray : "same";
    }
    const rawId = call?.rawId ?? rawIdOf(bytes) ?? "null";
    const write = (answer: JsonObject): Passed => written(answer, { message, bytes, rawId });
    const fail = (): Passed => ({ text: internalErrorText(rawId), isResult: false });
    const sent = this.messages.response(message);
    call?.settled();
    if (sent instanceof Promise) return sent.then(write, fail);
    return sent === undefined ? verdictOf(call, write, fail) : write(sent);
  }

  /** A large answer to a call: it is read here only where it cannot be delivered in another thread. */
  #passLarge(bytes: Buffer, serverId: string): Passed | Promise<Passed> {
    const id = jsonIn(serverId);
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    const rawId = call?.rawId ?? serverId;
    const received = new ReceivedAnswers();
    const write = (answer: JsonObject): Passed => ({
      text: received.write(answer, rawId).toString(),
      isResult: answer["result"] !== undefined,
    });
    const fail = (): Passed => ({ text: internalErrorText(rawId), isResult: false });
    const sent = this.messages.unreadResponse(received.unread(id, bytes, serverId));
    call?.settled();
    return sent === undefined ? verdictOf(call, write, fail) : write(sent);
  }
}

/** Answered by the engine, under the client's own id; or late, and nobody waits. */
function verdictOf(
  call: OpenCall | undefined,
  write: (answer: JsonObject) => Passed,
  fail: () => Passed,
): Passed | Promise<Passed> {
  const verdict = call?.verdict();
  if (verdict === undefined) return "nothing";
  return verdict.then((answer) => (answer === undefined ? "nothing" : write(answer)), fail);
}

function unreadable(id: unknown): ServerAnswer {
  const text = refusal(JSON.stringify(id), unreadableAnswer);
  return { message: JSON.parse(text) as JsonObject, bytes: Buffer.from(text) };
}

/** A session that fails must not leave its client waiting. */
export function internalErrorText(rawId: string): string {
  return `{"jsonrpc":"2.0","id":${rawId},"error":{"code":${INTERNAL_ERROR},"message":"Internal error"}}`;
}

interface ReceivedAnswer {
  readonly message: JsonObject;
  readonly bytes: Buffer;
  readonly rawId: string;
}

/** An answer as it leaves. Where nothing of it was changed, it leaves as it came. */
function written(answer: JsonObject, { message, bytes, rawId }: ReceivedAnswer): Passed {
  const isSame = answer["result"] === message["result"] && answer["error"] === message["error"];
  if (isSame && (answer["id"] === message["id"] || rawIdOf(bytes) === rawId)) return "same";
  const { result } = message;
  const isResult = answer["result"] !== undefined;
  if (isSame) return { text: withRawId(bytes, rawId).toString("utf8"), isResult };
  return {
    text: writeAnswer(answer, rawId, (foreign) => (foreign === result ? bytes : undefined)),
    isResult,
  };
}
