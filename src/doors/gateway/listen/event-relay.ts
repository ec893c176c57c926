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
  /** Of the request that opened the stream. */
  readonly handover: Handover;
  readonly reply: ClientReply;
  readonly maxBytes: number;
  readonly stray: Stray;
  readonly oversized: (event: OversizedEvent) => void;
}

/**
 * One stream of the server's events on its way to a client, in order. An event that is not rewritten leaves as its
 * bytes. While one is being rewritten, the server's stream rests.
 */
export class EventRelay {
  readonly #use: RelayUse;
  readonly #reader: SseReader;
  #source: Readable | undefined;
  /** Events behind one that is being rewritten; undefined while none is. */
  #behind: SseEvent[] | undefined;
  #whenDone: (() => void) | undefined;
  /** The client can ask for what follows the last event, on another stream. */
  canResume = false;

  constructor(use: RelayUse) {
    this.#use = use;
    this.#reader = new SseReader(use.maxBytes, {
      event: (event) => this.#take(event),
      oversized: use.oversized,
    });
  }

  /** The body that the chunks come from. */
  from(source: Readable): void {
    this.#source = source;
  }

  chunk(chunk: Buffer): void {
    this.#reader.take(chunk);
  }

  /** No more comes; `done` runs when everything that came has left. */
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

/** The event, or one for each message that it brings in a list. */
function eventsIn(event: SseEvent): readonly SseEvent[] {
  const data = messageOf(event);
  const messages = data === undefined ? [] : messagesIn(data);
  if (data === undefined || messages[0] === data) return [event];
  return messages.map((one) => ({ ...event, data: one, raw: Buffer.from(withData(event, one.toString())) }));
}
