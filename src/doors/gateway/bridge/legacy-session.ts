// A session of the legacy era, as the client's end of a bridge: many HTTP requests, one connection. An answer of the
// server is sent with the POST that asked for it. Other messages of the server are sent with the request they can
// belong to, else on the session's own stream, where they wait until the client opens it.

import type { Handover } from "../../../engine/request/call-request.ts";
import { type JsonObject, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import { PendingRequests } from "../../../core/protocol/pending-requests.ts";
import type { Link, LinkListener } from "../../../engine/transport/link.ts";
import { type MessageKind, kindOf, toBytes } from "../../../engine/transport/raw-message.ts";
import { errorCodeOf, statusOfError } from "./classify-post.ts";
import type { HttpReply } from "../listen/http-reply.ts";
import { PROGRESS } from "../../../core/protocol/names.ts";
import { rpcShapeOf } from "./classify-post.ts";
import type { Refusal } from "../../../engine/transport/http/refusal.ts";
import { httpRefusals } from "../listen/refuse-request.ts";
import { CONNECTION_CLOSED } from "../../../core/protocol/names.ts";

/** The number of the stream that a GET opens; those of POSTs count from one. */
const OWN_STREAM = 0;

/** How many messages of the server wait while no stream is open; beyond that the oldest are dropped. */
const MAX_WAITING = 100;
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** News about the server as a whole, which belongs to no request. */
const newsOfServer = /^notifications\/(?:(?:tools|prompts|resources)\/|tasks|elicitation\/)/;

/** One POST with requests in it, until all of them are answered. */
interface Post {
  reply: HttpReply;
  readonly ids: Set<unknown>;
  readonly tokens: unknown[];
  /** Assigned when its first event is sent. */
  stream: number | undefined;
  /** When its client left; the client may come back, and its requests are not cancelled. */
  leftAt: number | undefined;
}

export interface LegacyPost {
  readonly messages: readonly JsonObject[];
  /** The same messages as bytes, in order. */
  readonly bytes: readonly Buffer[];
  /** Undefined if none of them is a request. */
  readonly reply: HttpReply | undefined;
  readonly handover: Handover;
}

const CANCELLED = "notifications/cancelled";

/** The error that ends a request which its server does not answer. */
function endOf(id: unknown, message: string): Buffer {
  return toBytes(JSON.stringify({ jsonrpc: "2.0", id, error: { code: CONNECTION_CLOSED, message } }));
}

function tokenOf({ params }: JsonObject): unknown {
  const meta = isJsonObject(params) ? params["_meta"] : undefined;
  return isJsonObject(meta) ? meta["progressToken"] : undefined;
}

export class LegacySession implements Link {
  readonly id: string;
  readonly principal: string;
  readonly #onEnd: () => void;
  readonly #posts = new Set<Post>();
  readonly #byId = new PendingRequests<Post>();
  readonly #byToken = new Map<unknown, Post>();
  readonly #events = new EventLog();
  #waiting: Buffer[] = [];
  #own: HttpReply | undefined;
  #streams = OWN_STREAM;
  #listener: LinkListener | undefined;
  #isOpen = true;
  #isGreeted = false;
  #usedAt = Date.now();
  handover: Handover = { extra: undefined, sessionId: undefined };

  constructor(id: string, principal: string, onEnd: () => void) {
    this.id = id;
    this.principal = principal;
    this.#onEnd = onEnd;
  }

  /** When the session was last used; undefined while a client waits for an answer or has its stream open. */
  get idleSince(): number | undefined {
    const isAwaited = this.#own !== undefined || [...this.#posts].some(({ leftAt }) => leftAt === undefined);
    return isAwaited ? undefined : this.#usedAt;
  }

  /** How many requests are unanswered, including those whose client has left. */
  get openRequests(): number {
    return this.#byId.size;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** True if a request has the same id as an unanswered one. */
  uses(messages: readonly JsonObject[]): boolean {
    const ids = messages.filter((message) => rpcShapeOf(message) === "request").map(({ id }) => id);
    return ids.some((id) => this.#byId.has(id)) || new Set(ids).size < ids.length;
  }

  /** Takes the messages of one POST. */
  post({ messages, bytes, reply, handover }: LegacyPost): void {
    this.#usedAt = Date.now();
    if (reply !== undefined) this.#expect(messages, reply);
    this.handover = handover;
    for (const message of bytes) this.#listener?.message(message);
    for (const message of messages) if (message["method"] === CANCELLED) this.#cancelled(message);
  }

  /** A cancelled request gets no answer, so its response must not stay open. */
  #cancelled({ params }: JsonObject): void {
    const id = isJsonObject(params) ? params["requestId"] : undefined;
    const post = this.#byId.get(id);
    if (post === undefined) return undefined;
    // A client that has seen an event of the stream comes back for the answer, so an error ends the request.
    if (post.stream !== undefined || post.ids.size > 1)
      return this.#deliver(post, id, endOf(id, "Cancelled"));
    this.#byId.take(id);
    this.#forget(post);
    post.reply.open();
    return post.reply.end();
  }

  #expect(messages: readonly JsonObject[], reply: HttpReply): void {
    const post: Post = { reply, ids: new Set(), tokens: [], stream: undefined, leftAt: undefined };
    this.#posts.add(post);
    for (const message of messages) {
      if (message["method"] === undefined || message["id"] === undefined) continue;
      post.ids.add(message["id"]);
      this.#byId.add(message["id"], post);
      const token = tokenOf(message);
      if (token === undefined) continue;
      post.tokens.push(token);
      this.#byToken.set(token, post);
    }
  }

  /** Why a stream cannot be opened now; undefined if it can. */
  canStream(lastEventId: string | undefined): Refusal | undefined {
    if (lastEventId === undefined) return this.#own === undefined ? undefined : httpRefusals.secondStream;
    const missed = this.#events.after(lastEventId);
    if (missed === undefined) return httpRefusals.unknownEvent;
    return this.#replyOf(missed.stream)?.isOpen === true ? httpRefusals.openStream : undefined;
  }

  /** Opens the session's own stream, or continues a broken one. */
  stream(reply: HttpReply, lastEventId: string | undefined): void {
    this.#usedAt = Date.now();
    const missed = lastEventId === undefined ? undefined : this.#events.after(lastEventId);
    reply.open();
    for (const { bytes, id } of missed?.events ?? []) reply.event(bytes, id);
    if (missed === undefined || missed.stream === OWN_STREAM) return this.#openOwn(reply);
    const post = this.#postOf(missed.stream);
    if (post === undefined) return reply.end();
    post.reply = reply;
    post.leftAt = undefined;
    return undefined;
  }

  #postOf(stream: number): Post | undefined {
    return [...this.#posts].find((post) => post.stream === stream);
  }

  #replyOf(stream: number): HttpReply | undefined {
    return stream === OWN_STREAM ? this.#own : this.#postOf(stream)?.reply;
  }

  #openOwn(reply: HttpReply): void {
    this.#own = reply;
    for (const bytes of this.#waiting.splice(0)) reply.event(bytes, this.#events.add(OWN_STREAM, bytes).id);
  }

  /** A client closed a connection. Its requests continue: in this era a closed connection is not a cancellation. */
  left(reply: HttpReply): void {
    this.#usedAt = Date.now();
    if (this.#own === reply) this.#own = undefined;
    for (const post of this.#posts) if (post.reply === reply) post.leftAt = this.#usedAt;
    this.leftUnanswered();
  }

  /** A client that leaves before the greeting is answered does not know the session's id. */
  leftUnanswered(): void {
    if (!this.#isGreeted) this.end("the client left before it was greeted");
  }

  /** Cancels requests whose client left before this time and has not come back for the answer. */
  giveUpLeft(before: number): void {
    for (const post of this.#posts) {
      if (post.leftAt === undefined || post.leftAt >= before) continue;
      this.#forget(post);
      for (const id of post.ids) {
        const params = { requestId: id, reason: "The client left" };
        const cancelled = { jsonrpc: "2.0", method: CANCELLED, params };
        this.#byId.take(id);
        this.#listener?.message(Buffer.from(JSON.stringify(cancelled)));
      }
    }
  }

  #forget(post: Post): void {
    this.#posts.delete(post);
    for (const token of post.tokens) if (this.#byToken.get(token) === post) this.#byToken.delete(token);
  }

  /** Ends the session from the client's side, or because it was idle. */
  end(why: string): void {
    if (this.#finish()) this.#listener?.closed(why);
  }

  send(message: Uint8Array | string): void {
    if (!this.#isOpen) return;
    const bytes = toBytes(message);
    const seen = kindOf(bytes);
    if (seen.kind === "response") this.#answer(bytes, seen);
    else if (seen.kind !== "nothing") this.#tell(bytes, seen);
  }

  listen(listener: LinkListener): void {
    this.#listener = listener;
  }

  /** The server is gone. */
  close(): void {
    this.#finish();
  }

  #finish(): boolean {
    if (!this.#isOpen) return false;
    this.#isOpen = false;
    for (const post of this.#posts)
      for (const id of post.ids) this.#deliver(post, id, endOf(id, "Connection closed"));
    this.#own?.end();
    this.#onEnd();
    return true;
  }

  #answer(bytes: Buffer, { rawId }: MessageKind): void {
    const id = jsonIn(rawId);
    const post = this.#byId.get(id);
    if (post !== undefined) this.#deliver(post, id, bytes);
  }

  /** Sends one answer; the last answer of a POST ends its response. */
  #deliver(post: Post, id: unknown, bytes: Buffer): void {
    this.#byId.take(id);
    post.ids.delete(id);
    if (post.ids.size > 0) return this.#event(post, bytes);
    this.#usedAt = Date.now();
    this.#forget(post);
    if (!this.#isGreeted) return this.#greet(post, bytes);
    if (post.stream === undefined) return post.reply.answer(bytes);
    this.#event(post, bytes);
    return post.reply.end();
  }

  /** Sends the answer to `initialize`: if the server refuses it, there is no session. */
  #greet(post: Post, bytes: Buffer): void {
    this.#isGreeted = true;
    const code = errorCodeOf(bytes);
    if (code === undefined) return post.reply.answer(bytes);
    post.reply.withhold("mcp-session-id");
    post.reply.answer(bytes, statusOfError(code));
    return this.end("the server refused the session");
  }

  #event(post: Post, bytes: Buffer): void {
    // A client that has received no event of this stream cannot resume it.
    if (!post.reply.isOpen && post.stream === undefined) return;
    if (post.stream === undefined) {
      this.#streams += 1;
      post.stream = this.#streams;
    }
    post.reply.event(bytes, this.#events.add(post.stream, bytes).id);
  }

  #tell(bytes: Buffer, { kind, method }: MessageKind): void {
    if (method === PROGRESS) {
      const post = this.#byToken.get(progressTokenOf(bytes));
      if (post !== undefined && !post.reply.isSlow) this.#event(post, bytes);
      return;
    }
    const isNews = kind === "notification" && newsOfServer.test(method);
    const posts = isNews ? [] : [...this.#posts].filter(({ reply }) => reply.isOpen);
    const [only] = posts;
    if (only !== undefined && (posts.length === 1 || this.#own === undefined))
      return this.#event(posts.at(-1) ?? only, bytes);
    if (this.#own !== undefined) return this.#own.event(bytes, this.#events.add(OWN_STREAM, bytes).id);
    return this.#keep(bytes);
  }

  #keep(bytes: Buffer): void {
    this.#waiting.push(bytes);
    const isTooMuch = (): boolean =>
      this.#waiting.length > MAX_WAITING ||
      this.#waiting.reduce((sum, { length }) => sum + length, 0) > MAX_WAITING_BYTES;
    while (isTooMuch()) this.#waiting.shift();
  }
}

function progressTokenOf(bytes: Buffer): unknown {
  const message = jsonIn(bytes.toString());
  const params = isJsonObject(message) ? message["params"] : undefined;
  return isJsonObject(params) ? params["progressToken"] : undefined;
}

/** How many events a client may request again after its stream broke. Older events are forgotten. */
const MAX_EVENTS = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;

interface LoggedEvent {
  readonly id: string;
  readonly stream: number;
  readonly place: number;
  readonly bytes: Buffer;
}

/** The events of one session's streams, each with an id that names its position. */
class EventLog {
  readonly #events: LoggedEvent[] = [];
  #bytes = 0;
  #last = 0;

  add(stream: number, bytes: Buffer): LoggedEvent {
    this.#last += 1;
    const event: LoggedEvent = { id: `${stream}-${this.#last}`, stream, place: this.#last, bytes };
    this.#events.push(event);
    this.#bytes += bytes.length;
    while (this.#events.length > MAX_EVENTS || this.#bytes > MAX_BYTES) {
      const oldest = this.#events.shift();
      if (oldest === undefined) break;
      this.#bytes -= oldest.bytes.length;
    }
    return event;
  }

  /** The stream of an event id, and the later events on it; undefined for an id that was never assigned. */
  after(id: string): { readonly stream: number; readonly events: readonly LoggedEvent[] } | undefined {
    const [, stream, place] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
    if (stream === undefined || place === undefined || Number(place) > this.#last) return undefined;
    const events = this.#events.filter(
      (event) => event.stream === Number(stream) && event.place > Number(place),
    );
    return { stream: Number(stream), events };
  }
}
