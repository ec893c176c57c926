// A link to a server over Streamable HTTP, for a client that speaks lines: every message becomes a POST;
// every answer, event and stream of the server becomes messages again. It only translates between the
// transports.

import { type JsonObject, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import { PendingRequests } from "../../../core/protocol/pending-requests.ts";
import { DISCOVER, TOOLS_CHANGED_MESSAGE } from "../../../core/protocol/names.ts";
import { DISCOVER_MS, type Link, type LinkListener } from "../link.ts";
import { type HttpFailure, errorFor, unansweredDiscover } from "./http-failure.ts";
import { HttpSession } from "./http-session.ts";
import {
  type StreamSource,
  type StreamUse,
  followStream,
  type PostUse,
  readPostAnswer,
} from "./read-answer.ts";
import { type HttpAnswer, type HttpTarget, type OpenRequest, sendRequest } from "./http-target.ts";
import { lackOfLife } from "./sign-of-life.ts";
import { modernHeaders, ParameterHeaders, type Outgoing, isAnswerTo, outgoing } from "./message-headers.ts";
import { endsOfEvent } from "./sse-reader.ts";
import { SendOrder } from "./send-order.ts";

export interface HttpLinkOptions {
  readonly target: HttpTarget;
  /** Headers of every request of this connection besides the operator's own, such as the caller's token. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly maxMessageBytes: number;
  /** How long the first answer may take. */
  readonly startTimeoutMs: number;
  /** Called after every request, with the failure if the answer is no sign of life. */
  readonly report?: ((failure: HttpFailure | undefined) => void) | undefined;
  readonly onClose?: (() => void) | undefined;
  /** The answer to a request in place of a server that refused it; undefined: the client gets the failure. */
  readonly inPlace?: ((sent: Outgoing, failure: HttpFailure) => Buffer | undefined) | undefined;
  /** Another message to send in place of this one, perhaps later; undefined: it is sent as it is. */
  readonly instead?: ((sent: Outgoing) => Promise<Outgoing> | undefined) | undefined;
}

/** How long the request that ends a session may take. */
const GOODBYE_MS = 2_000;

export class HttpLink implements Link {
  /** Only the beginning of a response shows that the server has got the request: it may be far away, or just starting. */
  readonly answersDiscover = true;
  readonly #options: HttpLinkOptions;
  readonly #session = new HttpSession();
  readonly #parameters = new ParameterHeaders();
  readonly #order: SendOrder;
  /** Functions that stop the unanswered requests, by id. */
  readonly #asked = new PendingRequests<() => void, string>();
  readonly #open = new Set<OpenRequest>();
  readonly #early: ((listener: LinkListener) => void)[] = [];
  #listener: LinkListener | undefined;
  #isOpen = true;
  #hasAnswered = false;
  #stream: StreamSource | undefined;

  constructor(options: HttpLinkOptions) {
    this.#options = options;
    this.#order = new SendOrder((message) => this.#post(message));
  }

  listen(listener: LinkListener): void {
    this.#listener = listener;
    for (const event of this.#early.splice(0)) event(listener);
  }

  send(message: Uint8Array | string): void {
    const sent = this.#isOpen ? outgoing(message) : undefined;
    if (sent === undefined) return;
    const instead = this.#options.instead?.(sent);
    if (instead === undefined) this.#put(sent);
    else void instead.then((other) => this.#put(other)).catch(() => this.#put(sent));
  }

  #put(sent: Outgoing): void {
    // In the modern era, ending a request's stream tells an HTTP server that no client waits.
    const stop = sent.cancels === undefined ? undefined : this.#asked.get(sent.cancels);
    if (stop !== undefined && !this.#session.isLegacy) stop();
    else if (!this.#order.add(sent)) this.#refuse(sent, overloaded);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#order.clear();
    this.#stream?.stop();
    for (const [, stop] of this.#asked.takeAll()) stop();
    for (const request of this.#open) request.abort();
    if (this.#session.id === undefined) this.#options.onClose?.();
    else this.#sayGoodbye(() => this.#options.onClose?.());
  }

  /** The server lets us in now: it is greeted if that was answered in its place, and the client hears of its tools. */
  letIn(told: readonly Buffer[]): void {
    if (!this.#isOpen) return;
    const tell = (): void => {
      for (const message of told) this.#tell((listener) => listener.message(message));
    };
    if (this.#session.isStandIn) return this.#greet(tell);
    this.#tell((listener) => listener.message(otherTools));
    return tell();
  }

  #sayGoodbye(done: () => void): void {
    const sent = { method: "DELETE", headers: this.#headersOf({}), isRepeatable: true };
    sendRequest(
      this.#options.target,
      { ...sent, answerTimeoutMs: GOODBYE_MS },
      {
        response: (response) => {
          response.on("error", () => undefined).resume();
          done();
        },
        failed: done,
      },
    );
  }

  /** Closes the link: the session cannot go on. */
  end(why: string): void {
    if (!this.#isOpen) return;
    this.#session.forget();
    this.close();
    this.#tell((listener) => listener.closed(why));
  }

  #tell(event: (listener: LinkListener) => void): void {
    if (this.#listener === undefined) this.#early.push(event);
    else event(this.#listener);
  }

  #headersOf(message: JsonObject, isGreeting = false): Record<string, string> {
    return {
      ...this.#options.headers,
      "user-agent": "waybill",
      accept: "application/json, text/event-stream",
      ...(isGreeting ? {} : this.#session.headers()),
      ...modernHeaders(message, this.#parameters),
    };
  }

  #post(sent: Outgoing): void {
    const { target, startTimeoutMs, report } = this.#options;
    const isStandIn = this.#session.isStandIn && sent.method !== "initialize";
    // Another process may have signed in: the server is greeted before it gets anything else.
    const isReady = isStandIn ? target.credentials?.ready() : undefined;
    const post = (): void => this.#post(sent);
    if (isReady !== undefined) return void isReady.then(post, post);
    if (isStandIn && target.credentials?.header() !== undefined)
      return this.#greet((failure) => (failure === undefined ? post() : this.#refuse(sent, failure)));
    this.#session.sent(sent);
    const headers = this.#headersOf(sent.message, sent.method === "initialize");
    const knownAs = this.#session.id;
    let source: StreamSource | undefined;
    const request = sendRequest(
      target,
      {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: sent.bytes,
        // A repeated tool call may do its work twice; repeating any other request does no harm.
        isRepeatable: sent.method !== "tools/call",
        repeated: () => this.#repeated(sent),
        again: isStandIn ? post : undefined,
        answerTimeoutMs: this.#hasAnswered || sent.method === "tools/call" ? undefined : startTimeoutMs,
      },
      {
        response: (response) => {
          this.#hasAnswered = true;
          this.#open.delete(request);
          report?.(lackOfLife(response));
          source = this.#answered(sent, response, knownAs, request);
        },
        failed: (failure) => {
          this.#open.delete(request);
          report?.(failure);
          this.#refuse(sent, failure);
        },
      },
    );
    this.#open.add(request);
    const { key } = sent;
    if (key === undefined) return undefined;
    this.#asked.add(key, () => {
      this.#asked.take(key);
      request.abort();
      source?.stop();
      this.#order.done(sent);
    });
    return undefined;
  }

  /** Called when the status and headers of the answer to a POST have arrived. */
  #answered(
    sent: Outgoing,
    response: HttpAnswer,
    knownAs: string | undefined,
    request: OpenRequest,
  ): StreamSource | undefined {
    const { statusCode = 0 } = response;
    const isInSession = knownAs !== undefined && !sent.isAgain;
    const forgotten = isInSession ? (): void => this.#renew(sent, knownAs) : undefined;
    if (statusCode === 404 && forgotten !== undefined) {
      response.on("error", () => undefined).resume();
      forgotten();
      return undefined;
    }
    const isGood = statusCode >= 200 && statusCode < 300;
    if (isGood && sent.method === "initialize") this.#session.greeted(response.headers["mcp-session-id"]);
    const stream = readPostAnswer(sent, response, request, { ...this.#useOf(sent), forgotten });
    if (stream !== undefined && sent.method === DISCOVER) this.#limitSilence(sent);
    return stream;
  }

  /** Answers for a server that opens a stream for `server/discover` and says nothing on it. */
  #limitSilence(sent: Outgoing): void {
    const { key = "" } = sent;
    const stop = this.#asked.get(key);
    setTimeout(() => {
      // The id may have been used again.
      if (stop === undefined || this.#asked.get(key) !== stop) return;
      this.#refuse(sent, unansweredDiscover());
      stop();
    }, DISCOVER_MS).unref();
  }

  #useOf(sent: Outgoing): Omit<PostUse, "forgotten"> {
    return {
      ...this.#resumable(),
      isDone: () => !this.#asked.has(sent.key ?? ""),
      accepted: () => {
        if (sent.method === "notifications/initialized") this.#openStream();
        this.#order.done(sent);
      },
      message: (bytes) => this.#deliver(sent, bytes),
      oversized: (bytes) => {
        const { rawId, key = "" } = sent;
        if (this.#asked.take(key) === undefined) return;
        this.#tell((listener) => listener.oversized({ bytes, rawId, isResponse: true }));
        this.#order.done(sent);
      },
      failed: (failure) => this.#refuse(sent, failure),
    };
  }

  #resumable(): Pick<StreamUse, "maxBytes" | "canResume" | "resume"> {
    const { maxMessageBytes, target } = this.#options;
    return {
      maxBytes: maxMessageBytes,
      canResume: this.#session.isLegacy,
      resume: (lastEventId, answered) => {
        const after = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
        const headers = { ...this.#headersOf({}), accept: "text/event-stream", ...after };
        return sendRequest(target, { method: "GET", headers, isRepeatable: true }, answered);
      },
    };
  }

  /** The stream of the server's own messages; a server without one answers 405, which is not a failure. */
  #openStream(): void {
    if (!this.#session.isLegacy || this.#stream !== undefined) return;
    this.#stream = followStream(undefined, {
      ...this.#resumable(),
      isDone: () => !this.#isOpen,
      message: (bytes) => this.#deliver(undefined, bytes),
      oversized: (event) => {
        const { bytes } = event;
        const ends = endsOfEvent(event);
        if (ends.isResponse) this.#tell((listener) => listener.oversized({ bytes, ...ends }));
      },
      over: () => undefined,
    });
  }

  /** One message of the server. `sent`: the message to which its stream belongs. */
  #deliver(sent: Outgoing | undefined, bytes: Buffer): void {
    const isAnswer = sent?.key !== undefined && isAnswerTo(sent, bytes);
    if (isAnswer) {
      // A second answer, or the answer to a request that was given up, is dropped.
      if (this.#asked.take(sent.key) === undefined) return;
      this.#learn(sent, bytes);
    }
    this.#tell((listener) => listener.message(bytes));
    if (isAnswer) this.#order.done(sent);
  }

  #learn({ method }: Outgoing, bytes: Buffer): void {
    if (method === "initialize") this.#session.learn(bytes);
    if (method !== "tools/list" || !bytes.includes('"x-mcp-header"')) return;
    // Its two ends look like an answer; the whole text has not been parsed yet.
    const message = jsonIn(bytes.toString("utf8"));
    const result = isJsonObject(message) ? message["result"] : undefined;
    if (isJsonObject(result)) this.#parameters.learn(result);
  }

  /** Answers a request in place of its server. */
  #refuse(sent: Outgoing, failure: HttpFailure): void {
    const isWaiting = this.#asked.take(sent.key ?? "") !== undefined || failure === overloaded;
    this.#order.done(sent);
    if (!isWaiting || sent.rawId === undefined || !this.#isOpen) return;
    const inPlace = failure === overloaded ? undefined : this.#options.inPlace?.(sent, failure);
    if (inPlace !== undefined && sent.method === "initialize") this.#session.standIn(inPlace);
    const answer = inPlace ?? Buffer.from(errorFor(sent.rawId, failure));
    this.#tell((listener) => listener.message(answer));
  }

  #repeated({ rawId }: Outgoing): void {
    if (rawId !== undefined) this.#tell((listener) => listener.repeated?.(rawId));
  }

  /** The server has forgotten the session: a new one is opened in the same way, and the message is sent again. */
  #renew(sent: Outgoing, knownAs: string): void {
    const again = (): void => {
      if (sent.key !== undefined && !this.#asked.has(sent.key)) return;
      this.#repeated(sent);
      this.#post({ ...sent, isAgain: true });
    };
    if (this.#session.id !== knownAs) return again();
    return this.#openSession(again, () => this.#tell((listener) => listener.restored?.()));
  }

  /** Greets a server that was greeted in its place before; then its lists are other ones. */
  #greet(then: (failure?: HttpFailure) => void): void {
    return this.#openSession(then, () => this.#tell((listener) => listener.message(otherTools)));
  }

  #openSession(then: (failure?: HttpFailure) => void, opened: () => void): void {
    const { target, startTimeoutMs, maxMessageBytes } = this.#options;
    return this.#session.renew(then, {
      maxBytes: maxMessageBytes,
      post: ({ bytes, isGreeting }, answered) => {
        const headers = { ...this.#headersOf({}, isGreeting), "content-type": "application/json" };
        const greeting = { method: "POST", headers, body: bytes, isRepeatable: true };
        sendRequest(target, { ...greeting, answerTimeoutMs: startTimeoutMs }, answered);
      },
      renewed: () => {
        this.#stream?.stop();
        this.#stream = undefined;
        this.#openStream();
        opened();
      },
      failed: (why) => this.end(why),
    });
  }
}

const otherTools = Buffer.from(TOOLS_CHANGED_MESSAGE);

const overloaded: HttpFailure = {
  message: "Too many messages wait to be sent to the server",
  executed: "no",
  status: 503,
  isDown: false,
};
