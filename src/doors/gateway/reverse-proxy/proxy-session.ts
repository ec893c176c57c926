// The messages of one client to one HTTP server around the engine: what passes, what is rewritten, and on which stream
// an answer is sent. In the legacy era it is one session, whose answers may come on a later stream than their requests;
// in the modern era it is one request.

import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Handover } from "../../../engine/request/call-request.ts";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import { PendingRequests } from "../../../core/protocol/pending-requests.ts";
import { forgetSession } from "../session-archives.ts";
import { isTooDeep } from "../../../core/json/find-non-json.ts";
import { type JsonObject, type JsonValue, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import { MessageSession, type SessionOptions } from "../../../engine/session/message-session.ts";
import { PROGRESS, TOOLS_CHANGED } from "../../../core/protocol/names.ts";
import { type KeepAlive, openKeepAlive } from "../message/keep-alive.ts";
import { internalFault, refusal, unreadableAnswer } from "../message/faults.ts";

import { glance, rawIdOf, withRawId } from "../../../engine/transport/raw-message.ts";
import { LARGE_BYTES } from "../apart/unread-answer.ts";
import { type ServerAnswer, noteStructures, plainAnswer, writeAnswer } from "../message/server-answer.ts";
import { carryOriginal } from "../../../engine/session/foreign-result.ts";
import { unreadReceived, writeReceived } from "../message/received-answers.ts";

/** What is sent for a message of the server: its own bytes, a text instead, or nothing. */
export type Passed = "same" | "nothing" | WrittenMessage;

export type Stray = "same" | "nothing";

interface WrittenMessage {
  readonly text: string;
  /** True for a result, which is a success regardless of the HTTP status that the server gave it. */
  readonly isResult: boolean;
}

/** A request of the client that is not yet answered. */
export interface OpenCall {
  /** The JSON text of the client's id. */
  readonly rawId: string;
  /** Our own answer, if the engine answers; undefined if the server's answer passes. */
  readonly verdict: () => Promise<JsonObject | undefined> | undefined;
  /** The server's answer has arrived, perhaps with this error; the receiver forwards it. */
  readonly settled: (error?: JsonValue) => void;
}

/** Requests of the session on behalf of a client's request take the same way as that request. */
export interface AskingHandover extends Handover {
  readonly ask: (message: JsonObject, given: Handover) => void;
}

export const SESSION_HEADER = "mcp-session-id";

/** Notifications that the session must receive. */
const toldMethods: readonly string[] = [TOOLS_CHANGED, "notifications/tasks"];

function parse(bytes: Buffer): JsonObject | undefined {
  const text = bytes.toString("utf8");
  const json = jsonIn(text);
  if (!isJsonObject(json)) return undefined;
  noteStructures(json, () => text);
  return json;
}

export interface ProxySessionOptions extends SessionOptions {
  /** How long a call that asked for progress may be silent until the gateway says that it runs. Default: 15,000. */
  readonly progressEveryMs?: number | "off" | undefined;
}

export class ProxySession {
  readonly messages: MessageSession;
  /** By the id that the server uses. */
  readonly #calls = new PendingRequests<OpenCall>();
  /** Undefined if calls are left alone. */
  readonly alive: KeepAlive | undefined;
  /** Answers to calls of at least this length are delivered in another thread. */
  readonly #largeBytes: number;
  /** The server has accepted a request under this session's name; until then the name is only a claim. */
  isAccepted = false;
  /** The session's names at client and server; they differ if the server uses one name for several sessions. */
  names: { readonly client: string; readonly server: string } | undefined;
  /** Another client's session has the same name at the server. */
  isNamesake = false;

  constructor(state: ContractState, options: ProxySessionOptions, largeBytes: number = LARGE_BYTES) {
    this.#largeBytes = largeBytes;
    this.alive = openKeepAlive(options.progressEveryMs);
    this.messages = new MessageSession(
      state,
      // The session passes on the handover it was given with the request, and perhaps more.
      { toServer: (message, handover) => (handover as AskingHandover).ask(message, handover) },
      options,
    );
  }

  /** How many requests are unanswered, including those whose client may come back. */
  get openCalls(): number {
    return this.#calls.size;
  }

  /** The server's headers with the session name that the client knows. */
  named(headers: IncomingHttpHeaders): IncomingHttpHeaders {
    if (headers[SESSION_HEADER] === undefined || this.names === undefined) return headers;
    return { ...headers, [SESSION_HEADER]: this.names.client };
  }

  /** A request is sent to the server with this id. */
  opened(id: unknown, call: OpenCall): void {
    this.#calls.add(id, call);
  }

  /**
   * Handles one message of the server, on any stream. `stray` is what is sent for an answer that matches no request
   * here: on the stream of a request it is a second answer; on another stream it may belong to a request at another
   * replica.
   */
  pass(bytes: Buffer, handover: Handover, stray: Stray = "same"): Passed | Promise<Passed> {
    const { kind, method, rawId } = glance(bytes);
    if (kind === "notification" && method === PROGRESS) return this.#progress(bytes);
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

  #progress(bytes: Buffer): Passed {
    const said = this.alive?.said(bytes) ?? bytes;
    return said === bytes ? "same" : { text: said.toString("utf8"), isResult: false };
  }

  /** Handles an answer. `message` is undefined if only the id of the answer could be read. */
  #hear(
    message: JsonObject | undefined,
    bytes: Buffer,
    seen: unknown,
    stray: Stray,
  ): Passed | Promise<Passed> {
    const isAwaited = (id: unknown): boolean => this.#calls.has(id) || this.messages.awaits(id);
    if (message === undefined && !isAwaited(seen)) return stray;
    // A broken answer still counts as the answer: no other will come.
    const answer =
      message === undefined ? unreadable(seen) : plainAnswer({ message, bytes }, seen, isAwaited);
    const passed = this.#answer(answer, stray);
    if (answer.bytes === bytes) return passed;
    const isResult = answer.message["result"] !== undefined;
    const rewrite = (ready: Passed): Passed =>
      ready === "same" ? { text: answer.bytes.toString(), isResult } : ready;
    return passed instanceof Promise ? passed.then(rewrite) : rewrite(passed);
  }

  /** A late answer was too long to be read; `send` receives the answer to a tool call instead. */
  refuseOversized(id: unknown, bytes: number, send: (text: string) => void): void {
    const call = this.#calls.take(id);
    const isCall = this.messages.refuseOversized(id, bytes);
    call?.settled("too long");
    if (!isCall || call === undefined) return;
    const { rawId } = call;
    void call.verdict()?.then(
      (answer) => {
        if (answer !== undefined) send(writeAnswer(answer, rawId));
      },
      () => send(refusal(rawId, internalFault)),
    );
  }

  #told(message: JsonObject | undefined, handover: Handover): Passed | Promise<Passed> {
    if (message === undefined) return "same";
    // A task this deep cannot be inspected; its result can still be requested.
    if (message["method"] === "notifications/tasks" && isTooDeep(message)) return "nothing";
    const told = this.messages.told(message, handover);
    const write = (ready: JsonObject): Passed =>
      ready === message ? "same" : { text: JSON.stringify(ready), isResult: false };
    return told instanceof Promise ? told.then(write, () => "same" as const) : write(told);
  }

  #answer({ message, bytes }: ServerAnswer, stray: Stray): Passed | Promise<Passed> {
    const { id } = message;
    const call = this.#calls.take(id);
    if (!this.messages.awaits(id)) {
      call?.settled(message["error"]);
      return call === undefined ? stray : "same";
    }
    const rawId = call?.rawId ?? rawIdOf(bytes) ?? "null";
    const { result } = message;
    if (isJsonObject(result)) carryOriginal(result, { bytes, rawId });
    const write = (answer: JsonObject): Passed => written(answer, { message, bytes, rawId });
    const fail = (): Passed => ({ text: refusal(rawId, internalFault), isResult: false });
    const sent = this.messages.response(message);
    call?.settled(message["error"]);
    if (sent instanceof Promise) return sent.then(write, fail);
    return sent === undefined ? verdictOf(call, write, fail) : write(sent);
  }

  /** A large answer to a call: it is read here only if it cannot be delivered in another thread. */
  #passLarge(bytes: Buffer, serverId: string): Passed | Promise<Passed> {
    const id = jsonIn(serverId);
    const call = this.#calls.take(id);
    const rawId = call?.rawId ?? serverId;
    const write = (answer: JsonObject): Passed => ({
      text: writeReceived(answer, rawId).toString(),
      isResult: answer["result"] !== undefined,
    });
    const fail = (): Passed => ({ text: refusal(rawId, internalFault), isResult: false });
    const sent = this.messages.unreadResponse(unreadReceived(id, bytes, serverId));
    call?.settled();
    return sent === undefined ? verdictOf(call, write, fail) : write(sent);
  }
}

/** The engine's answer, with the client's own id; nothing if it is late and no client waits. */
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

interface ReceivedAnswer {
  readonly message: JsonObject;
  readonly bytes: Buffer;
  readonly rawId: string;
}

/** The answer to send. If nothing was changed, the received bytes are sent. */
function written(answer: JsonObject, { message, bytes, rawId }: ReceivedAnswer): Passed {
  const isSame = answer["result"] === message["result"] && answer["error"] === message["error"];
  if (isSame && (answer["id"] === message["id"] || rawIdOf(bytes) === rawId)) return "same";
  const isResult = answer["result"] !== undefined;
  if (isSame) return { text: withRawId(bytes, rawId).toString("utf8"), isResult };
  return { text: writeAnswer(answer, rawId), isResult };
}

/** Beyond this the least recently used session is dropped; its client only has to greet again. */
const MAX_SESSIONS = 10_000;

/** The sessions of one HTTP server that pass through here, by caller and by the name the server gave them. */
export class ProxySessions {
  readonly #state: ContractState;
  readonly #options: ProxySessionOptions;
  readonly #sessions = new Map<string, ProxySession>();
  readonly #byServerName = new Map<string, Set<ProxySession>>();

  constructor(state: ContractState, options: ProxySessionOptions) {
    this.#state = state;
    this.#options = options;
  }

  /** For one request, or for a greeting whose session has no name yet. */
  create(): ProxySession {
    return new ProxySession(this.#state, this.#options);
  }

  /** The session a client names. If it is unknown here, the server may know it: another replica took the greeting. */
  find(principal: string, id: string): ProxySession {
    const known = this.#sessions.get(keyOf(principal, id));
    const session = known ?? this.create();
    if (known === undefined) this.#name(session, { client: id, server: id });
    this.#keep(principal, id, session);
    return session;
  }

  /**
   * The server has named a session that it opened. If another session here has the same name, the two would become one:
   * the client of the later session then gets a name of ours instead.
   */
  add(principal: string, given: string, session: ProxySession): void {
    const client = this.#byServerName.has(given) ? randomUUID() : given;
    this.#name(session, { client, server: given });
    this.#keep(principal, client, session);
  }

  /** The server's name for the session that a client names. */
  serverName(principal: string, id: string): string {
    return this.#sessions.get(keyOf(principal, id))?.names?.server ?? id;
  }

  #name(session: ProxySession, names: NonNullable<ProxySession["names"]>): void {
    const namesakes = this.#byServerName.get(names.server) ?? new Set();
    session.names = names;
    this.#byServerName.set(names.server, namesakes.add(session));
    if (namesakes.size > 1) for (const each of namesakes) each.isNamesake = true;
  }

  #keep(principal: string, id: string, session: ProxySession): void {
    const key = keyOf(principal, id);
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#end(oldest);
  }

  /** The server has ended the session, or no longer knows it. */
  drop(principal: string, id: string): void {
    const key = keyOf(principal, id);
    // A name that the server never accepted is only a claim.
    if (this.#sessions.get(key)?.isAccepted === true) forgetSession(this.#state, id);
    this.#end(key);
  }

  close(): void {
    for (const key of this.#sessions.keys()) this.#end(key);
  }

  #end(key: string): void {
    const session = this.#sessions.get(key);
    this.#sessions.delete(key);
    if (session === undefined) return;
    const server = session.names?.server ?? "";
    const namesakes = this.#byServerName.get(server);
    if (namesakes?.delete(session) === true && namesakes.size === 0) this.#byServerName.delete(server);
    void session.messages.closed();
  }
}

function keyOf(principal: string, id: string): string {
  return `${principal}\n${id}`;
}
