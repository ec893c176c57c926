// A session with a server of the old transport, under a name of ours. The server's own session is its stream: when that
// breaks off, the next message opens another one, greets again, and repeats what the client had set.

import { randomUUID } from "node:crypto";
import { type HttpFailure, neverAnswered, statusFailure } from "../http-failure.ts";
import { HttpSession } from "../http-session.ts";
import type { HttpAnswerListener, HttpTarget, OpenRequest, SentRequest } from "../http-target.ts";
import { type Outgoing, outgoing } from "../message-headers.ts";
import { MadeAnswer, madeJson, streamType } from "./made-answer.ts";
import { type OldStream, type Opening, openOldStream } from "./old-stream.ts";

/** What the server says before the client listens; more, and the oldest is dropped. */
const MAX_EARLY_MESSAGES = 100;
const MAX_EARLY_BYTES = 1024 * 1024;
/** How long a session without use is kept. */
const IDLE_MS = 300_000;
/** How long the stream may take to open, unless the request says otherwise. */
const OPEN_MS = 60_000;

/** Said of a session that is not known, or cannot be continued: the client greets again. */
export function unknownSession(): MadeAnswer {
  const error = { code: -32_001, message: "Session not found" };
  return madeJson(404, Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: null, error })));
}

export class OldSession {
  readonly id = randomUUID();
  readonly #maxBytes: number;
  readonly #ended: (session: OldSession) => void;
  readonly #agreed = new HttpSession();
  #stream: OldStream | undefined;
  /** What waits until the stream is open again; undefined while none is being opened. */
  #opening: ((failure?: HttpFailure) => void)[] | undefined;
  #attempt: OpenRequest | undefined;
  /** The stream on which the client listens. */
  #listener: MadeAnswer | undefined;
  #early: Buffer[] = [];
  #idle: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(maxBytes: number, ended: (session: OldSession) => void) {
    this.#maxBytes = maxBytes;
    this.#ended = ended;
  }

  /** Opens the first stream. Unless `done` hears that it is open, the session is nothing. */
  begin(
    target: HttpTarget,
    sent: SentRequest,
    timeoutMs: number,
    done: (opening: Opening) => void,
  ): OpenRequest {
    return this.#openStream(target, sent, timeoutMs, done);
  }

  /** Sends a message of the client. */
  post(target: HttpTarget, sent: SentRequest, message: Outgoing, answered: HttpAnswerListener): OpenRequest {
    this.#used();
    this.#agreed.sent(message);
    const isGreeting = message.method === "initialize";
    const headers: Record<string, string> = isGreeting ? { "mcp-session-id": this.id } : {};
    let current: OpenRequest | undefined;
    let isGone = false;
    const go = (failure?: HttpFailure): void => {
      if (isGone) return undefined;
      const stream = this.#stream;
      if (failure !== undefined || stream === undefined)
        return answered.failed(failure ?? { ...neverAnswered(), executed: "no" });
      current = stream.post(target, sent, message, this.#learning(isGreeting, answered), headers);
      return undefined;
    };
    if (this.#stream?.isOpen === true && this.#opening === undefined) go();
    else this.#reopen(target, sent, go);
    return {
      abort: () => {
        isGone = true;
        current?.abort();
      },
    };
  }

  /** Gives the client the stream of the server's own messages. */
  listen(target: HttpTarget, sent: SentRequest, answered: HttpAnswerListener): OpenRequest {
    this.#used();
    let made: MadeAnswer | undefined;
    let isGone = false;
    const open = (failure?: HttpFailure): void => {
      if (isGone) return;
      const stream = this.#stream;
      if (this.#isOver) return answered.response(unknownSession());
      // Its client tries again; the server may be away for a while.
      if (failure !== undefined || stream === undefined)
        return answered.failed(failure ?? { ...neverAnswered(), executed: "no" });
      // As in Streamable HTTP there is one; a client that comes again has lost the other.
      this.#listener?.finish();
      made = new MadeAnswer(200, streamType, stream.room);
      this.#listener = made;
      answered.response(made);
      for (const bytes of this.#early.splice(0)) made.event(bytes);
    };
    if (this.#stream?.isOpen === true && this.#opening === undefined) process.nextTick(open);
    else this.#reopen(target, sent, open);
    return {
      abort: () => {
        isGone = true;
        if (this.#listener === made) this.#listener = undefined;
        made?.destroy();
      },
    };
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#idle);
    this.#attempt?.abort();
    this.#opened({ ...neverAnswered(), executed: "no" });
    this.#stream?.close();
    this.#listener?.finish();
    this.#ended(this);
  }

  #openStream(
    target: HttpTarget,
    { headers }: SentRequest,
    timeoutMs: number,
    done: (opening: Opening) => void,
  ): OpenRequest {
    let opened: OldStream | undefined;
    return openOldStream(
      {
        target,
        headers,
        maxBytes: this.#maxBytes,
        timeoutMs,
        told: (bytes) => this.#told(bytes),
        ended: () => this.#lost(opened),
      },
      (opening) => {
        if (opening.is === "open") {
          opened = opening.stream;
          this.#stream = opened;
          this.#used();
        }
        done(opening);
      },
    );
  }

  /** Opens a new stream and greets as before; those that come meanwhile wait together. */
  #reopen(target: HttpTarget, sent: SentRequest, then: (failure?: HttpFailure) => void): void {
    if (this.#opening !== undefined) return void this.#opening.push(then);
    this.#opening = [then];
    const timeoutMs = sent.answerTimeoutMs ?? OPEN_MS;
    this.#attempt = this.#openStream(target, sent, timeoutMs, (opening) => {
      if (opening.is === "failed") return this.#opened(opening.failure);
      if (opening.is === "refused") {
        opening.answer.on("error", () => undefined).resume();
        return this.#opened(statusFailure(opening.answer));
      }
      return this.#greet(target, sent, opening.stream, timeoutMs);
    });
    return undefined;
  }

  #greet(target: HttpTarget, sent: SentRequest, stream: OldStream, timeoutMs: number): void {
    const failed = (message: string): void => {
      stream.close();
      this.#opened({
        ...neverAnswered(),
        message: `The session cannot go on: ${message}`,
        executed: "no",
      });
      // Another server, or one that does not remember: the client must greet it itself.
      this.end();
    };
    this.#agreed.renew(() => this.#opened(), {
      maxBytes: this.#maxBytes,
      post: ({ bytes }, answered) => {
        const message = outgoing(bytes);
        const headers = { ...sent.headers, "content-type": "application/json" };
        const greeting = {
          method: "POST",
          headers,
          body: bytes,
          isRepeatable: true,
        };
        if (message !== undefined)
          stream.post(target, { ...greeting, answerTimeoutMs: timeoutMs }, message, answered, {});
      },
      renewed: () => undefined,
      failed,
    });
  }

  #opened(failure?: HttpFailure): void {
    const waiting = this.#opening ?? [];
    this.#opening = undefined;
    for (const run of waiting) run(failure);
  }

  #lost(stream: OldStream | undefined): void {
    if (stream !== this.#stream) return;
    this.#stream = undefined;
    // The client sees the end of its stream, and asks for another one.
    this.#listener?.finish();
    this.#listener = undefined;
  }

  #told(bytes: Buffer): void {
    if (this.#listener !== undefined) return this.#listener.event(bytes);
    this.#early.push(bytes);
    let size = this.#early.reduce((sum, { length }) => sum + length, 0);
    while (this.#early.length > MAX_EARLY_MESSAGES || size > MAX_EARLY_BYTES)
      size -= this.#early.shift()?.length ?? 0;
    return undefined;
  }

  /** Reads the answer to the greeting on its way to the client, for the next greeting. */
  #learning(isGreeting: boolean, answered: HttpAnswerListener): HttpAnswerListener {
    if (!isGreeting) return answered;
    return {
      ...answered,
      response: (response) => {
        if (response instanceof MadeAnswer && response.whole !== undefined)
          this.#agreed.learn(response.whole);
        answered.response(response);
      },
    };
  }

  #used(): void {
    clearTimeout(this.#idle);
    if (this.#isOver) return;
    this.#idle = setTimeout(() => {
      if (this.#listener === undefined && (this.#stream?.waiting ?? 0) === 0) this.end();
      else this.#used();
    }, IDLE_MS).unref();
  }
}
