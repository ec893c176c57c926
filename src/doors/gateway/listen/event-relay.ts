import type { Readable } from "node:stream";
import type { Handover } from "../../../engine/request/call-request.ts";
import { messagesIn } from "../../../engine/transport/server-answers.ts";
import {
  SseReader,
  type OversizedEvent,
  type SseEvent,
  withData,
} from "../../../engine/transport/http/sse-reader.ts";
import type { ClientReply } from "./client-reply.ts";
import type { Passed, ProxySession, Stray } from "./proxy-session.ts";

export interface RelayUse {
  readonly session: ProxySession;
  /** The handover of the request that opened the stream. */
  readonly handover: Handover;
  readonly reply: ClientReply;
  readonly maxBytes: number;
  readonly stray: Stray;
  readonly oversized: (event: OversizedEvent) => void;
}

/**
 * One stream of the server's events on its way to a client, in order. An unchanged event is forwarded as its bytes.
 * While an event is being rewritten, the server's stream is paused.
 */
export class EventRelay {
  readonly #use: RelayUse;
  readonly #reader: SseReader;
  #source: Readable | undefined;
  /** Events after the one that is being rewritten; undefined if none is. */
  #behind: SseEvent[] | undefined;
  #whenDone: (() => void) | undefined;
  /** The client can request what follows the last event, on another stream. */
  canResume = false;

  constructor(use: RelayUse) {
    this.#use = use;
    this.#reader = new SseReader(use.maxBytes, {
      event: (event) => this.#take(event),
      oversized: use.oversized,
    });
  }

  /** Sets the body that the chunks come from. */
  from(source: Readable): void {
    this.#source = source;
  }

  chunk(chunk: Buffer): void {
    this.#reader.take(chunk);
  }

  /** The stream has ended; `done` runs when all events are sent. */
  end(done: () => void): void {
    if (this.#behind === undefined) done();
    else this.#whenDone = done;
  }

  #take(event: SseEvent): void {
    for (const one of eventsIn(event)) this.#takeOne(one);
  }

  #takeOne(event: SseEvent): void {
    if (event.id !== undefined && event.id !== "") this.canResume = true;
    if (this.#behind !== undefined) return void this.#behind.push(event);
    const passed = this.#pass(event);
    if (!(passed instanceof Promise)) return this.#write(event, passed);
    this.#behind = [];
    this.#source?.pause();
    void passed.then(
      (ready) => this.#goOn(event, ready),
      () => this.#goOn(event, "nothing"),
    );
  }

  #goOn(event: SseEvent, passed: Passed): void {
    const behind = this.#behind ?? [];
    this.#behind = undefined;
    this.#source?.resume();
    this.#write(event, passed);
    for (const next of behind) this.#takeOne(next);
    if (this.#behind === undefined) this.#whenDone?.();
  }

  #pass(event: SseEvent): Passed | Promise<Passed> {
    const data = messageOf(event);
    return data === undefined ? "same" : this.#use.session.pass(data, this.#use.handover, this.#use.stray);
  }

  #write(event: SseEvent, passed: Passed): void {
    if (passed === "nothing") return;
    this.#use.reply.write(passed === "same" ? event.raw : withData(event, passed.text), this.#source);
  }
}

function messageOf({ data, type }: SseEvent): Buffer | undefined {
  const isMessage = type === undefined || type === "" || type === "message";
  return isMessage && data !== undefined && data.length > 0 ? data : undefined;
}

/** The event, or one event for each message if it contains a list. */
function eventsIn(event: SseEvent): readonly SseEvent[] {
  const data = messageOf(event);
  const messages = data === undefined ? [] : messagesIn(data);
  if (data === undefined || messages[0] === data) return [event];
  return messages.map((one) => ({ ...event, data: one, raw: Buffer.from(withData(event, one.toString())) }));
}
