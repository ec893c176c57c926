// A client's session on stdio that outlives the server's process. While a new process starts, requests wait.

import type { Readable, Writable } from "node:stream";
import { RestartingChild } from "../../doors/gateway/upstream/restarting-child.ts";
import { isJsonObject, jsonIn } from "../../core/json/json-value.ts";
import { INTERNAL_ERROR } from "../../core/protocol/names.ts";
import { PendingRequests } from "../../core/protocol/pending-requests.ts";
import type { ChildLink } from "../../engine/transport/child-process.ts";
import type { Outage } from "../../engine/transport/link.ts";
import { type MessageKind, kindOf } from "../../engine/transport/raw-message.ts";
import { StreamLink } from "../../engine/transport/stream-link.ts";
import { REPLACED, UP_AGAIN, describeServerEnd, lostError, sentenceOf } from "./gone-process.ts";

export interface SessionKeeperOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly start: () => ChildLink;
  /** Reports events to the developer of the server. */
  readonly note: (text: string) => void;
}

/**
 * How long running calls have before the process is asked to end, which may then take as long again; and how long open
 * answers are awaited after the client has left.
 */
export const CALLS_MS = 5_000;
const LEAVE_MS = 30_000;

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
  readonly #note: (text: string) => void;
  readonly #client: StreamLink;
  readonly #server: RestartingChild;
  readonly #open = new OpenRequests();
  #leave: () => void = () => undefined;
  #greetingId: string | undefined;
  /** Whether a process has answered the greeting: each further one is greeted before it counts as up. */
  #hasGreeted = false;
  /** "starting": requests wait. "down": requests are refused until a file changes. */
  #phase: "up" | "starting" | "down" = "up";
  /** Whether a restart was asked for whose process is not started yet: requests wait for that process. */
  #isAsked = false;
  /** Whether a process was started in place of another, and it is not yet said that it is up. */
  #isNew = false;
  #hasLeft = false;

  constructor({ input, output, start, note }: SessionKeeperOptions) {
    this.#note = note;
    this.left = new Promise((resolve) => (this.#leave = resolve));
    // An open pipe without a reader would keep the process alive.
    this.#client = new StreamLink({ input, output, outlivesInput: true, onClose: () => input.destroy() });
    const startNext = (): ChildLink => {
      this.#isAsked = false;
      return start();
    };
    this.#server = new RestartingChild({ start: startNext, isEdited: true, note });
    this.#server.listen({
      message: (bytes) => this.#fromServer(bytes),
      oversized: ({ bytes }) => note(`dropped a message of the server of ${bytes} bytes`),
      closed: () => undefined,
      interrupted: (outage) => this.#interrupted(outage),
      restored: () => this.#restored(),
    });
    this.#client.listen({
      message: (bytes) => this.#fromClient(bytes),
      oversized: ({ bytes }) => note(`dropped a message of the client of ${bytes} bytes`),
      closed: () => this.#leave(),
      finished: () => this.#finished(),
    });
  }

  /** Ends the process after its calls have ended, and starts another. */
  restart(): void {
    // The process that is to come reads the files as they are then.
    if (this.#isAsked) return;
    this.#isAsked = true;
    void this.#open.settled(CALLS_MS).then(() => {
      this.#phase = "starting";
      this.#server.restart();
    });
  }

  async close(): Promise<void> {
    this.#client.close();
    this.#server.close();
    await this.#server.ended();
  }

  #interrupted({ reason, retryInMs }: Outage): void {
    this.#isNew = false;
    if (retryInMs !== undefined) return this.#loseOpen(REPLACED);
    this.#phase = "down";
    this.#note(describeServerEnd(reason));
    return this.#loseOpen(sentenceOf(reason));
  }

  #restored(): void {
    this.#phase = "up";
    this.#isNew = true;
    // It has answered the greeting. Without one, its first message shows that it is up.
    if (this.#hasGreeted) this.#tellUp();
    for (const bytes of this.#open.takeWaiting()) this.#fromClient(bytes);
  }

  #tellUp(): void {
    if (!this.#isNew) return;
    this.#isNew = false;
    this.#note(UP_AGAIN);
  }

  #loseOpen(why: string): void {
    for (const rawId of this.#open.takeAll()) this.#refuse(rawId, lostError(why));
    this.#leaveIfDone();
  }

  #refuse(rawId: string, error: object): void {
    this.#client.send(`{"jsonrpc":"2.0","id":${rawId},"error":${JSON.stringify(error)}}`);
  }

  #fromClient(bytes: Buffer): void {
    const seen = kindOf(bytes);
    if (seen.method === "notifications/cancelled") this.#open.answered(cancelledId(bytes));
    if (seen.kind !== "request") return this.#server.send(bytes);
    if (seen.method === "initialize") this.#greetingId = seen.rawId;
    if (this.#phase === "up" && !this.#isAsked) {
      this.#open.add(seen, bytes);
      return this.#server.send(bytes);
    }
    const waits = this.#isAsked || this.#phase === "starting" || seen.method === "initialize";
    if (waits && this.#open.wait(seen, bytes)) return undefined;
    const message = "The server does not run: see where it was started.";
    return this.#refuse(seen.rawId, { code: INTERNAL_ERROR, message });
  }

  #fromServer(bytes: Buffer): void {
    const { kind, rawId } = kindOf(bytes);
    if (kind === "nothing") return this.#note("dropped a line of stdout that is no message");
    if (kind === "response") this.#open.answered(rawId);
    this.#tellUp();
    const isGreeting = kind === "response" && rawId === this.#greetingId;
    this.#hasGreeted ||= isGreeting;
    this.#client.send(isGreeting ? announcingChanges(bytes) : bytes);
    return this.#leaveIfDone();
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

/** More than a developer's session has; they would only fill the memory. */
const MAX_WAITING = 1_000;
/** These stay open as long as the client likes, so their end is not awaited. */
const lasting: ReadonlySet<string> = new Set(["subscriptions/listen"]);

/** The unanswered requests of a client, by the JSON text of the id: those of the server, and those that wait for one. */
class OpenRequests {
  /** Kept whole if it is a greeting. */
  readonly #calls = new PendingRequests<Buffer | undefined, string>();
  readonly #lasting = new PendingRequests<undefined, string>();
  readonly #waiting = new Map<string, Buffer>();

  get size(): number {
    return this.#calls.size + this.#lasting.size + this.#waiting.size;
  }

  /** The server has received the request. */
  add({ rawId, method }: MessageKind, bytes: Buffer): void {
    if (lasting.has(method)) this.#lasting.add(rawId, undefined);
    else this.#calls.add(rawId, method === "initialize" ? bytes : undefined);
  }

  /** Keeps the request for the next process; false if too many wait. */
  wait({ rawId }: MessageKind, bytes: Buffer): boolean {
    if (this.#waiting.size >= MAX_WAITING) return false;
    this.#waiting.set(rawId, bytes);
    return true;
  }

  /** The request was answered, or cancelled and gets no answer. */
  answered(rawId: string): void {
    this.#calls.take(rawId);
    this.#lasting.take(rawId);
    this.#waiting.delete(rawId);
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
    for (const [rawId, greeting] of [...this.#calls.takeAll(), ...this.#lasting.takeAll()]) {
      if (greeting === undefined) refused.push(rawId);
      else this.#waiting.set(rawId, greeting);
    }
    return refused;
  }

  /** Resolves when the server has answered its requests, or when the time is over. */
  async settled(limitMs: number): Promise<void> {
    await this.#calls.idle(limitMs);
  }
}
