// A client's session on stdio that outlives the server's process. While a new process starts, requests wait; the new
// process gets the same greeting, and the client is notified if the tools changed.

import type { Readable, Writable } from "node:stream";
import {
  fromGeneration,
  toGeneration,
  SessionReplay,
  isReplayAnswer,
} from "../../doors/gateway/upstream/session-replay.ts";
import { isJsonObject, jsonIn } from "../../core/json/json-value.ts";
import { type MessageKind, kindOf, glance } from "../../engine/transport/raw-message.ts";
import { StreamLink } from "../../engine/transport/stream-link.ts";
import { type ServerProcess, describeServerEnd } from "./server-process.ts";
import { INTERNAL_ERROR } from "../../core/protocol/names.ts";
import { PendingRequests } from "../../core/protocol/pending-requests.ts";

export interface SessionKeeperOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly start: () => ServerProcess;
  /** Reports events to the developer of the server. */
  readonly note: (text: string) => void;
}

/** How long a restart waits for running calls, and how long open answers are awaited after the client has left. */
const CALLS_MS = 5_000;
const LEAVE_MS = 30_000;
const listChanged = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

/** The JSON text of the id that a client cancels; a cancelled request gets no answer. */
function cancelledId(bytes: Buffer): string {
  const message = jsonIn(bytes.toString());
  const params = isJsonObject(message) ? message["params"] : undefined;
  return isJsonObject(params) ? (JSON.stringify(params["requestId"]) ?? "") : "";
}

/** The server's greeting with `listChanged`: the server's tools are fixed, but here they change with each edit. */
function announcingChanges(bytes: Buffer): Buffer {
  const message = jsonIn(bytes.toString());
  const result = isJsonObject(message) ? message["result"] : undefined;
  const capabilities = isJsonObject(result) ? result["capabilities"] : undefined;
  if (!isJsonObject(message) || !isJsonObject(result) || !isJsonObject(capabilities)) return bytes;
  const tools = { ...(capabilities["tools"] as object | undefined), listChanged: true };
  const changed = { ...message, result: { ...result, capabilities: { ...capabilities, tools } } };
  return Buffer.from(JSON.stringify(changed));
}

export class SessionKeeper {
  /** Resolves when the client has left. */
  readonly left: Promise<void>;
  readonly #options: SessionKeeperOptions;
  readonly #client: StreamLink;
  readonly #replay = new SessionReplay();
  readonly #open = new OpenRequests();
  #leave: () => void = () => undefined;
  #process: ServerProcess;
  #server: StreamLink;
  #generation = 1;
  #greetingId: string | undefined;
  /** "greeting" and "starting": requests wait. "down": requests are refused until a file changes. */
  #phase: "up" | "starting" | "greeting" | "down" | "closed" = "up";
  #hasLeft = false;

  constructor(options: SessionKeeperOptions) {
    this.#options = options;
    const { input, output } = options;
    this.left = new Promise((resolve) => (this.#leave = resolve));
    // An open pipe without a reader would keep the process alive.
    this.#client = new StreamLink({ input, output, outlivesInput: true, onClose: () => input.destroy() });
    [this.#process, this.#server] = this.#start();
    this.#client.listen({
      message: (bytes) => this.#fromClient(bytes),
      oversized: ({ bytes }) => this.#options.note(`dropped a message of the client of ${bytes} bytes`),
      closed: () => this.#leave(),
      finished: () => this.#finished(),
    });
  }

  /** Ends the process after its calls have ended, and starts another. */
  async restart(): Promise<void> {
    if (this.#phase === "closed") return;
    const wasUp = this.#phase === "up";
    this.#phase = "starting";
    if (wasUp) await this.#open.settled(CALLS_MS);
    await this.#process.stop();
    this.#refuseOpen("The server was started again while this ran.");
    // The keeper was closed during the wait.
    if (this.#isClosed()) return;
    this.#generation += 1;
    [this.#process, this.#server] = this.#start();
    this.#greet();
  }

  async close(): Promise<void> {
    this.#phase = "closed";
    this.#client.close();
    await this.#process.stop();
  }

  #isClosed(): boolean {
    return this.#phase === "closed";
  }

  #start(): [ServerProcess, StreamLink] {
    const started = this.#options.start();
    const link = new StreamLink({ input: started.output, output: started.input, isEndedByOwner: true });
    link.listen({
      message: (bytes) => {
        if (started === this.#process) this.#fromServer(bytes);
      },
      oversized: ({ bytes }) => this.#options.note(`dropped a message of the server of ${bytes} bytes`),
      closed: () => undefined,
    });
    void started.ended.then((how) => {
      if (started === this.#process && !started.isStopping) this.#lost(how);
    });
    return [started, link];
  }

  /** Repeats the greeting for a client that was already greeted; the new process itself answers an open greeting. */
  #greet(): void {
    const { greeting } = this.#replay;
    if (greeting === undefined || !this.#open.isGreeted) return this.#up();
    this.#phase = "greeting";
    return this.#server.send(greeting);
  }

  #up(): void {
    this.#phase = "up";
    for (const bytes of this.#open.takeWaiting()) this.#toServer(bytes, kindOf(bytes));
  }

  #lost(how: string): void {
    if (this.#phase === "closed") return;
    this.#phase = "down";
    this.#options.note(describeServerEnd(how));
    this.#refuseOpen(`The server ${how}.`);
  }

  #refuseOpen(why: string): void {
    for (const rawId of this.#open.takeAll()) this.#refuse(rawId, why);
    this.#leaveIfDone();
  }

  #refuse(rawId: string, message: string): void {
    this.#client.send(
      `{"jsonrpc":"2.0","id":${rawId},"error":${JSON.stringify({ code: INTERNAL_ERROR, message })}}`,
    );
  }

  #fromClient(bytes: Buffer): void {
    const seen = kindOf(bytes);
    this.#replay.sent(bytes);
    if (seen.kind === "request" && seen.method === "initialize") this.#greetingId = seen.rawId;
    if (seen.method === "notifications/cancelled") this.#open.answered(cancelledId(bytes));
    if (this.#phase === "up") return this.#toServer(bytes, seen);
    // Other messages are meant for a process that is gone; the notification after the greeting is repeated anyway.
    if (seen.kind !== "request") return undefined;
    const waits = this.#phase !== "down" || seen.method === "initialize";
    if (waits && this.#open.wait(seen, bytes)) return undefined;
    return this.#refuse(seen.rawId, "The server does not run: see where it was started.");
  }

  #toServer(bytes: Buffer, seen: MessageKind): void {
    if (seen.kind === "request") this.#open.add(seen, bytes);
    const sent = this.#generation === 1 ? bytes : toGeneration(bytes, this.#generation);
    if (sent !== undefined) this.#server.send(sent);
  }

  #fromServer(bytes: Buffer): void {
    const seen = kindOf(bytes);
    if (seen.kind === "nothing") return this.#options.note("dropped a line of stdout that is no message");
    if (seen.kind === "response" && isReplayAnswer(seen.rawId)) return this.#heardReplay(bytes, seen.rawId);
    const glanced = glance(bytes);
    this.#replay.answered(bytes, glanced);
    if (seen.kind === "response") this.#open.answered(seen.rawId);
    const sent = this.#generation === 1 ? bytes : fromGeneration(bytes, glanced, this.#generation);
    const isGreeting = seen.kind === "response" && seen.rawId === this.#greetingId;
    this.#client.send(isGreeting ? announcingChanges(sent) : sent);
    return this.#leaveIfDone();
  }

  #heardReplay(bytes: Buffer, rawId: string): void {
    if (!this.#replay.isGreetingAnswer(rawId)) {
      if (this.#replay.hasOtherTools(rawId, bytes)) this.#client.send(listChanged);
      return;
    }
    if (!this.#replay.isSameServer(bytes))
      this.#options.note("the server greets differently now; a client sees that when it connects again");
    for (const message of this.#replay.afterGreeting()) this.#server.send(message);
    this.#up();
  }

  #finished(): void {
    this.#hasLeft = true;
    setTimeout(() => this.#leave(), LEAVE_MS).unref();
    this.#leaveIfDone();
  }

  #leaveIfDone(): void {
    if (this.#hasLeft && this.#open.size === 0) this.#leave();
  }
}

// The unanswered requests of a client: those that the server has, and those that wait for a server.

/** More than a developer's session has; they would only fill the memory. */
const MAX_WAITING = 1_000;
/** These stay open as long as the client likes, so their end is not awaited. */
const lasting: ReadonlySet<string> = new Set(["subscriptions/listen"]);

interface OpenRequest {
  readonly method: string;
  readonly bytes: Buffer;
}

class OpenRequests {
  /** By the JSON text of the id. */
  readonly #asked = new PendingRequests<OpenRequest, string>();
  readonly #waiting = new Map<string, Buffer>();
  #onSettled: (() => void) | undefined;
  #isGreeted = false;

  /** Whether the client has had an answer to its greeting. */
  get isGreeted(): boolean {
    return this.#isGreeted;
  }

  get size(): number {
    return this.#asked.size + this.#waiting.size;
  }

  /** The server has received the request. */
  add({ rawId, method }: MessageKind, bytes: Buffer): void {
    this.#asked.add(rawId, { method, bytes });
  }

  /** Keeps the request for the next process; false if too many wait. */
  wait({ rawId }: MessageKind, bytes: Buffer): boolean {
    if (this.#waiting.size >= MAX_WAITING) return false;
    this.#waiting.set(rawId, bytes);
    return true;
  }

  /** The request was answered, or cancelled and gets no answer. */
  answered(rawId: string): void {
    if (this.#asked.take(rawId)?.method === "initialize") this.#isGreeted = true;
    this.#waiting.delete(rawId);
    if (!this.#hasCalls()) this.#onSettled?.();
  }

  /** The waiting requests, in order. */
  takeWaiting(): readonly Buffer[] {
    const taken = [...this.#waiting.values()];
    this.#waiting.clear();
    return taken;
  }

  /** The ids that get no answer from this process. A greeting is kept: if it were refused, the client would leave. */
  takeAll(): readonly string[] {
    const refused: string[] = [];
    for (const [rawId, { method, bytes }] of this.#asked.takeAll()) {
      if (method === "initialize") this.#waiting.set(rawId, bytes);
      else refused.push(rawId);
    }
    return refused;
  }

  /** Resolves when the server has answered its requests, or when the time is over. */
  settled(limitMs: number): Promise<void> {
    if (!this.#hasCalls()) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.#onSettled = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #hasCalls(): boolean {
    return [...this.#asked.requests()].some(({ method }) => !lasting.has(method));
  }
}
