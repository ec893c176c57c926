// One client and one server, message by message. Messages that the contract does not change are forwarded as the bytes
// they came in; the rest goes through a session. The bridge knows no transport: both sides are links.

import type { Handover } from "../../../engine/request/call-request.ts";
import { type JsonObject, type JsonValue, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import { MessageSession } from "../../../engine/session/message-session.ts";
import { toolChoiceOf } from "../../../engine/session/tool-names.ts";
import { readMessage } from "../../../engine/session/read-message.ts";
import { LARGE_BYTES } from "../apart/unread-answer.ts";
import { PendingRequests } from "../../../core/protocol/pending-requests.ts";
import {
  type BridgeFault,
  cancellation,
  lineBeginning,
  internalFault,
  refusal,
  serverGone,
  serverStopped,
  timedOut,
  tooLong,
  unreadableAnswer,
} from "../message/faults.ts";
import {
  DISCOVER_AT_START_MS,
  DISCOVER_MS,
  type Link,
  type Outage,
  type OversizedMessage,
  silentOnDiscover,
} from "../../../engine/transport/link.ts";
import { MessageGuard, PacedSender } from "./bridge-guards.ts";
import type { Bridge, BridgeEnd, BridgeOptions } from "./bridge-options.ts";
import {
  messagesIn,
  type Glance,
  glance,
  rawIdOf,
  withRawId,
} from "../../../engine/transport/raw-message.ts";
import { type KeepAlive, type KeptConnection, openKeepAlive } from "../message/keep-alive.ts";
import { type ServerAnswer, plainAnswer, noteStructures } from "../message/server-answer.ts";
import {
  type CarriedRequest,
  bytesForServer,
  readClientMessage,
  timeFor,
} from "../message/client-message.ts";
import { toldLink } from "../message/request-lines.ts";
import { noteReceived, unreadReceived, writeReceived } from "../message/received-answers.ts";
import { DISCOVER, INVALID_REQUEST, PROGRESS, TOOLS_CHANGED } from "../../../core/protocol/names.ts";

/** Connects a client and a server. From then on only the bridge listens to both links, and it closes both. */
export function openBridge(options: BridgeOptions): Bridge {
  return new MessageBridge({ ...options, client: toldLink(options.client, options.state) });
}

const nowhere: Handover = { extra: undefined, sessionId: undefined };
/** How long the bridge waits for open answers after the client has stopped sending. */
const LEAVE_MS = 30_000;

class MessageBridge implements Bridge {
  readonly #options: BridgeOptions;
  readonly #guard: MessageGuard;
  readonly #client: Link;
  readonly #upstream: Link;
  readonly #clientSide: PacedSender;
  readonly #serverSide: PacedSender;
  readonly #session: MessageSession;
  readonly #alive: KeepAlive | undefined;
  /** Forwarded requests, with the text of their ids; the session keeps its own. */
  readonly #kept: KeptConnection = {
    tell: (notification) => this.#guard.run(() => this.#toClient(notification, undefined)),
    giveUp: (id, fault) => this.#guard.run(() => this.#session.giveUp(id, fault)),
  };
  readonly #asked = new PendingRequests<string>();
  #outage: Outage | undefined;
  /** How many answers are being made. */
  #making = 0;
  /** The server is certainly up. */
  #hasSpoken = false;
  #state: "open" | "ending" | "closed" = "open";
  #leaving: NodeJS.Timeout | undefined;
  #end: BridgeEnd | undefined;

  constructor(options: BridgeOptions) {
    const { state, client, upstream, callTimeoutMs } = options;
    this.#options = options;
    this.#alive = openKeepAlive(options.progressEveryMs);
    this.#guard = new MessageGuard(
      (text) => this.#note(text),
      (rawId) => this.#giveUp(rawId),
    );
    this.#client = client;
    this.#upstream = upstream;
    this.#clientSide = new PacedSender(client, upstream);
    this.#serverSide = new PacedSender(upstream, client);
    this.#session = new MessageSession(
      state,
      // The session passes on the handover it was given with the request, and perhaps more.
      {
        toServer: (message, handover) =>
          this.#serverSide.send(bytesForServer(message, handover as CarriedRequest)),
      },
      { ...toolChoiceOf(options), callTimeoutMs, isRemote: true },
    );
    upstream.listen({
      message: (bytes) => this.#fromServer(bytes),
      oversized: (message) => this.#guard.run(() => this.#oversizedAnswer(message)),
      closed: (reason) => {
        this.#end ??= { by: "server", reason };
        this.#guard.run(() => this.#serverClosed(reason));
      },
      interrupted: (outage) => this.#guard.run(() => this.#interrupted(outage)),
      restored: () => this.#guard.run(() => this.#restored()),
      repeated: (rawId) => this.#guard.run(() => this.#session.repeated(jsonIn(rawId))),
      drained: () => this.#serverSide.release(),
    });
    client.listen({
      message: (bytes) => this.#guard.run(() => this.#fromClient(bytes), bytes, "request"),
      oversized: (message) => this.#guard.run(() => this.#oversizedRequest(message)),
      closed: (reason) => {
        this.#end ??= { by: "client", reason };
        this.#guard.run(() => this.#clientClosed(reason));
      },
      finished: () => this.#clientFinished(),
      drained: () => this.#clientSide.release(),
    });
  }

  close(): void {
    this.#end ??= { by: "close", reason: "It was stopped." };
    this.#clientClosed("the gateway stopped");
  }

  /** Answers a request that a bug of ours would leave without an answer. */
  #giveUp(rawId: string): void {
    const id = jsonIn(rawId) as JsonValue;
    const asked = this.#asked.take(id) ?? rawId;
    this.#session.notified({ method: "notifications/cancelled", params: { requestId: id } });
    this.#refuse(asked, internalFault);
  }

  #fromClient(bytes: Buffer): void {
    const read = this.#options.isJudged === true ? readMessage(bytes.toString()) : readClientMessage(bytes);
    if (read.kind === "answer") return this.#toClient(JSON.stringify(read.answer), undefined);
    if (read.kind === "nothing") return undefined;
    const { message } = read;
    if (message["method"] !== undefined && message["id"] !== undefined) return this.#request(message, bytes);
    if (message["method"] !== undefined) this.#notified(message);
    return this.#serverSide.send(bytes);
  }

  #notified(message: JsonObject): void {
    const { method, params } = message;
    this.#session.notified(message);
    // A cancelled request gets no answer that would remove it from the list.
    if (method === "notifications/cancelled" && isJsonObject(params)) this.#asked.take(params["requestId"]);
  }

  #request(message: JsonObject, bytes: Buffer): void {
    const { id } = message;
    const rawId = rawIdOf(bytes) ?? JSON.stringify(id);
    if (this.#asked.has(id))
      return this.#refuse(rawId, { code: INVALID_REQUEST, message: "The id is in use" });
    const { extra, sessionId } = this.#handover();
    const carried: CarriedRequest = { extra, sessionId, message, bytes };
    const verdict = this.#session.request(message, carried);
    if (verdict !== "forward")
      return this.#answerLater(rawId, this.#alive?.during(verdict, message, this.#kept) ?? verdict);
    if (this.#outage !== undefined) return this.#refuse(rawId, serverStopped(this.#outage));
    const isProbe = message["method"] === DISCOVER && this.#upstream.answersDiscover !== true;
    const probeMs = this.#hasSpoken ? DISCOVER_MS : DISCOVER_AT_START_MS;
    const ms = isProbe ? probeMs : timeFor(message["method"], this.#options.requestTimeoutMs);
    // A server that is silent on `server/discover` is taken for one that does not know it. It hears nothing of that,
    // because it may know no cancellation before its greeting.
    const refuse = (): void => this.#takeRefusal(rawId, silentOnDiscover);
    const late = (): void => this.#guard.run(() => (isProbe ? refuse() : this.#late(message, rawId)));
    this.#asked.forget(id);
    this.#asked.add(id, rawId, ms === undefined ? undefined : { ms, late });
    return this.#serverSide.send(bytes);
  }

  /** The server has not answered in time: the client gets an error, and the server a cancellation. */
  #late({ id = null, method }: JsonObject, rawId: string): void {
    // Its late answer is noted.
    this.#asked.forget(id);
    const params = { requestId: id, reason: "The request took too long" };
    this.#session.notified({ method: "notifications/cancelled", params });
    // `initialize` cannot be cancelled.
    if (method !== "initialize") this.#serverSide.send(cancellation(rawId, params.reason));
    this.#refuse(rawId, timedOut());
    this.#leaveIfDone();
  }

  #answerLater(rawId: string, making: Promise<JsonObject | undefined>): void {
    this.#making += 1;
    void making
      .then((answer) => {
        if (answer !== undefined) this.#toClient(writeReceived(answer, rawId), rawId);
      })
      // If an answer cannot be written, the client gets an error instead.
      .catch(() => this.#guard.run(() => this.#refuse(rawId, internalFault)))
      .then(() => this.#guard.run(() => this.#made()));
  }

  #made(): void {
    this.#making -= 1;
    this.#leaveIfDone();
    if (this.#state === "ending" && this.#making === 0) this.#closeBoth("the server is gone");
  }

  #fromServer(bytes: Buffer): void {
    this.#hasSpoken = true;
    for (const message of messagesIn(bytes)) this.#guard.run(() => this.#hear(message), message, "response");
  }

  #hear(bytes: Buffer): void {
    const seen = glance(bytes);
    const isSaid = seen.kind === "request" || seen.kind === "notification";
    if (isSaid && seen.method !== "notifications/tasks") return this.#says(seen.method, bytes);
    const { largeBytes = LARGE_BYTES } = this.#options;
    const isLarge = seen.kind === "response" && bytes.length >= largeBytes;
    const id = isLarge ? jsonIn(seen.rawId) : undefined;
    return this.#session.awaitsCall(id) ? this.#takeLarge(id, bytes, seen) : this.#read(bytes, seen);
  }

  /** Takes a request or a notification of the server. */
  #says(method: string, bytes: Buffer): void {
    if (method === TOOLS_CHANGED) void this.#session.told({ method }, nowhere);
    this.#toClient(method === PROGRESS ? (this.#alive?.said(bytes) ?? bytes) : bytes, undefined);
  }

  /** Forwards a response that does not concern the session. */
  #passOn(id: unknown, rawId: string, bytes: Buffer): void {
    const asked = this.#asked.take(id);
    if (asked === undefined && this.#asked.forget(id)) return undefined;
    if (asked === undefined) return this.#note(`dropped an answer to no open request (id ${rawId})`);
    return this.#toClient(asked === rawId ? bytes : withRawId(bytes, asked), asked);
  }

  /** A large answer to a call: it is read here only if it cannot be delivered in another thread. */
  #takeLarge(id: unknown, bytes: Buffer, { rawId }: Glance): void {
    const changed = this.#session.unreadResponse(unreadReceived(id, bytes, rawId));
    if (changed !== undefined) this.#toClient(writeReceived(changed, rawId), rawId);
  }

  #read(bytes: Buffer, seen: Glance): void {
    const json = jsonIn(bytes.toString());
    if (isJsonObject(json)) return this.#take(json, bytes, seen);
    this.#note(`dropped a line that is no message: ${lineBeginning(bytes)}`);
    if (seen.kind !== "response") return undefined;
    // The ends of the message name the request that it answers, and no other answer will come.
    return this.#takeRefusal(seen.rawId, unreadableAnswer);
  }

  /** Goes on as if the server had refused the request. */
  #takeRefusal(rawId: string, fault: BridgeFault): void {
    const answer = refusal(rawId, fault);
    const seen: Glance = { kind: "response", method: "", rawId };
    this.#take(JSON.parse(answer) as JsonObject, Buffer.from(answer), seen);
  }

  #take(message: JsonObject, bytes: Buffer, { kind, rawId }: Glance): void {
    const { id, method } = message;
    if (typeof method === "string") {
      if (method !== "notifications/tasks") return this.#says(method, bytes);
      noteStructures(message, () => bytes.toString());
      return this.#rewritten(message, bytes, "", this.#session.told(message, this.#handover()));
    }
    const seen = rawId === "" ? id : jsonIn(rawId);
    const answer = plainAnswer({ message, bytes }, seen, (one) => this.#awaits(one), kind);
    const isAsSeen = answer.bytes === bytes && rawId !== "";
    return this.#answered(answer, isAsSeen ? rawId : (rawIdOf(answer.bytes) ?? ""));
  }

  #awaits(id: unknown): boolean {
    return this.#session.awaits(id) || this.#asked.has(id);
  }

  #answered({ message, bytes }: ServerAnswer, rawId: string): void {
    const { id } = message;
    if (!this.#session.awaits(id)) return this.#passOn(id, rawId, bytes);
    noteReceived(message, bytes, rawId);
    const asked = this.#asked.take(id) ?? rawId;
    const changed = this.#session.response(message);
    return changed === undefined ? undefined : this.#rewritten(message, bytes, asked, changed);
  }

  /** Sends what the session made of a message of the server, now or later. */
  #rewritten(
    message: JsonObject,
    bytes: Buffer,
    rawId: string,
    changed: JsonObject | Promise<JsonObject>,
  ): void {
    const send = (ready: JsonObject): void => {
      if (rawId !== "") this.#toClient(writeReceived(ready, rawId), rawId);
      else this.#toClient(ready === message ? bytes : JSON.stringify(ready), undefined);
    };
    if (!(changed instanceof Promise)) return send(changed);
    return this.#answerLater(
      rawId,
      changed.then(send).then(() => undefined),
    );
  }

  #handover(): Handover {
    return this.#options.handover?.() ?? nowhere;
  }

  #toClient(message: Buffer | string, rawId: string | undefined): void {
    const max = this.#options.maxReplyBytes;
    if (max === undefined || message.length * 3 <= max) return this.#send(message);
    const bytes = Buffer.byteLength(message);
    if (bytes <= max) return this.#send(message);
    if (rawId !== undefined) return this.#refuse(rawId, tooLong(bytes, max));
    return this.#note(`dropped a message of ${bytes} bytes: clients on stdio take at most ${max}`);
  }

  #refuse(rawId: string, fault: BridgeFault): void {
    if (rawId !== "") this.#send(refusal(rawId, fault));
  }

  #send(message: Buffer | string): void {
    this.#clientSide.send(message);
    this.#leaveIfDone();
  }

  #oversizedRequest({ bytes, rawId, isResponse }: OversizedMessage): void {
    if (rawId !== undefined && !isResponse) return this.#refuse(rawId, tooLong(bytes, undefined));
    return this.#note(`dropped a message of the client of ${bytes} bytes`);
  }

  #oversizedAnswer({ bytes, rawId, isResponse }: OversizedMessage): void {
    this.#note(`dropped a message of the server of ${bytes} bytes`);
    if (!isResponse && rawId !== undefined) this.#serverSide.send(refusal(rawId, tooLong(bytes, undefined)));
    if (!isResponse) return;
    const waiting = [...this.#asked.ids(), ...this.#session.waitingIds()];
    // If the ends of the message do not name a request, the answer can only be assigned if one request waits.
    if (rawId === undefined && waiting.length !== 1) return;
    const id: unknown = rawId === undefined ? waiting[0] : JSON.parse(rawId);
    const asked = this.#asked.take(id);
    if (!this.#session.refuseOversized(id, bytes) && asked !== undefined)
      this.#refuse(asked, tooLong(bytes, undefined));
  }

  #interrupted(outage: Outage): void {
    this.#outage = outage;
    this.#serverSide.release();
    this.#session.interrupted((wasSent) => serverGone(outage, wasSent));
    for (const [, rawId] of this.#asked.takeAll()) this.#refuse(rawId, serverStopped(outage));
  }

  #restored(): void {
    this.#outage = undefined;
    this.#session.restored();
  }

  #serverClosed(why: string): void {
    if (this.#state !== "open") return;
    this.#state = "ending";
    this.#interrupted({ reason: why, retryInMs: undefined });
    // Open requests are answered before the client's side closes.
    if (this.#making === 0) this.#closeBoth(why);
  }

  /** The client sends no more requests; open ones are still answered, for a while. */
  #clientFinished(): void {
    this.#end ??= { by: "client", reason: "the client sends nothing more" };
    this.#leaving = setTimeout(() => this.#clientClosed("the client left"), LEAVE_MS);
    this.#leaveIfDone();
  }

  #leaveIfDone(): void {
    if (this.#leaving === undefined || this.#asked.size > 0 || this.#making > 0) return;
    this.#clientClosed("the client left");
  }

  #clientClosed(why: string): void {
    if (this.#state === "closed") return;
    clearTimeout(this.#leaving);
    const unfinished = this.#session.closed();
    this.#asked.takeAll();
    if (unfinished === undefined) this.#closeBoth(why);
    else void unfinished.then(() => this.#closeBoth(why));
  }

  #closeBoth(why: string): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    void this.#session.closed();
    this.#upstream.close();
    this.#client.close();
    this.#options.onClose?.(why, this.#end ?? { by: "close", reason: why });
  }

  #note(text: string): void {
    this.#options.note?.(text);
  }
}
