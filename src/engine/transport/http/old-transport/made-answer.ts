// An answer as a server of Streamable HTTP would have given it, made from what came over a stream of the old transport.

import { Readable } from "node:stream";
import { bytesOnOneLine } from "../../../../core/json/one-line.ts";
import { PendingRequests } from "../../../../core/protocol/pending-requests.ts";
import { type HttpFailure, answerTooLarge, errorFor, lateAnswer } from "../http-failure.ts";
import type { HttpAnswer, HttpAnswerListener } from "../http-target.ts";
import type { Outgoing } from "../message-headers.ts";

type Headers = Readonly<Record<string, string>>;

const EVENT_START = Buffer.from("event: message\ndata: ");
const EVENT_END = Buffer.from("\n\n");

export class MadeAnswer extends Readable implements HttpAnswer {
  readonly statusCode: number;
  readonly headers: Headers;
  /** False until the whole body was given: a reader then takes it for one that broke off. */
  complete = false;
  /** A body of one message. */
  whole: Buffer | undefined;
  readonly #room: SharedRoom | undefined;

  constructor(statusCode: number, headers: Headers, room?: SharedRoom) {
    super();
    this.statusCode = statusCode;
    this.headers = headers;
    this.#room = room;
    this.on("error", () => undefined);
    this.once("close", () => room?.free(this));
  }

  override _read(): void {
    this.#room?.free(this);
  }

  /** Adds a message as an event. */
  event(bytes: Buffer): void {
    if (this.complete || this.destroyed) return;
    const hasRoom = this.push(Buffer.concat([EVENT_START, bytesOnOneLine(bytes), EVENT_END]));
    if (!hasRoom) this.#room?.fill(this);
  }

  /** Ends the body, whole. */
  finish(last?: Buffer): void {
    if (this.complete || this.destroyed) return;
    this.complete = true;
    if (last !== undefined) this.push(last);
    this.push(null);
  }
}

/** The source of several answers: it rests while one of them is not read. */
export class SharedRoom {
  readonly #full = new Set<MadeAnswer>();
  #source: Readable | undefined;

  /** Sets what is paused; it may be known only after the first event. */
  of(source: Readable): void {
    this.#source = source;
  }

  fill(answer: MadeAnswer): void {
    this.#full.add(answer);
    this.#source?.pause();
  }

  free(answer: MadeAnswer): void {
    if (this.#full.delete(answer) && this.#full.size === 0) this.#source?.resume();
  }
}

export const streamType = { "content-type": "text/event-stream" } as const;
const jsonType = { "content-type": "application/json" } as const;

/** A whole answer in JSON. */
export function madeJson(statusCode: number, bytes: Buffer, headers: Headers = {}): MadeAnswer {
  const made = new MadeAnswer(statusCode, { ...jsonType, ...headers });
  made.whole = bytes;
  made.finish(bytes);
  return made;
}

interface Waiting {
  readonly sent: Outgoing;
  readonly answered: HttpAnswerListener;
  readonly headers: Headers;
  /** Set once the server has said something before the answer: then the answer is a stream. */
  stream?: MadeAnswer;
}

/** The requests on one stream of the old transport that wait for their answers. */
export class WaitingAnswers {
  readonly #maxBytes: number;
  readonly #room: SharedRoom;
  readonly #waiting = new PendingRequests<Waiting, string>();

  constructor(maxBytes: number, room: SharedRoom) {
    this.#maxBytes = maxBytes;
    this.#room = room;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** False if it cannot be told apart from another, or if there are too many. `headers`: of its answer. */
  add(
    sent: Outgoing,
    answered: HttpAnswerListener,
    headers: Headers,
    timeoutMs: number | undefined,
  ): boolean {
    const { key = "" } = sent;
    if (this.#waiting.has(key) || this.#waiting.isFull) return false;
    const deadline =
      timeoutMs === undefined
        ? undefined
        : {
            ms: timeoutMs,
            late: ({ stream }: Waiting): void =>
              stream === undefined ? answered.failed(lateAnswer()) : void stream.destroy(),
          };
    this.#waiting.add(key, { sent, answered, headers }, deadline);
    return true;
  }

  /** The answer is no longer waited for, or it came another way. True if it was waited for until now. */
  forget({ key = "" }: Outgoing): boolean {
    const waiting = this.#waiting.take(key);
    waiting?.stream?.destroy();
    return waiting !== undefined;
  }

  /** Gives a response to the request that waits for it; any other is dropped. */
  respond(key: string, bytes: Buffer): void {
    const waiting = this.#waiting.take(key);
    if (waiting === undefined) return;
    const { stream, answered, headers } = waiting;
    if (stream === undefined) return answered.response(madeJson(200, bytes, headers));
    stream.event(bytes);
    stream.finish();
  }

  /** Gives a notification of progress to the request that asked for it; false if none did. */
  progress(token: unknown, bytes: Buffer): boolean {
    for (const waiting of this.#waiting.requests()) {
      if (tokenOf(waiting.sent) !== token) continue;
      if (waiting.stream === undefined) {
        waiting.stream = new MadeAnswer(200, { ...streamType, ...waiting.headers }, this.#room);
        waiting.answered.response(waiting.stream);
      }
      waiting.stream.event(bytes);
      return true;
    }
    return false;
  }

  /** The response was dropped while it came in: it is answered as a body of that length would be. */
  tooLarge(key: string, bytes: number): void {
    const { stream, sent } = this.#waiting.get(key) ?? {};
    if (stream === undefined) return this.#refuseLength(key, bytes);
    return this.respond(key, Buffer.from(errorFor(sent?.rawId ?? key, answerTooLarge(this.#maxBytes))));
  }

  #refuseLength(key: string, bytes: number): void {
    const length = { "content-length": String(bytes) };
    const waiting = this.#waiting.take(key);
    waiting?.answered.response(new MadeAnswer(200, { ...jsonType, ...waiting.headers, ...length }));
  }

  /** No answer will come over this stream. */
  fail(failure: HttpFailure): void {
    for (const [, { stream, answered }] of this.#waiting.takeAll())
      if (stream === undefined) answered.failed(failure);
      else stream.destroy();
  }
}

function tokenOf({ message: { params } }: Outgoing): unknown {
  const meta = (params as Partial<Record<string, unknown>> | undefined)?.["_meta"];
  return (meta as Partial<Record<string, unknown>> | null | undefined)?.["progressToken"];
}
