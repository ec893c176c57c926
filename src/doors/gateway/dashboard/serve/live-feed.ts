// What open pages receive without asking: new calls as they come, the figures once a second while they change, and the
// state of the servers. Nothing of this runs without an open page.

import type { ServerResponse } from "node:http";
import type { TellPages } from "../dashboard-parts.ts";
import type { CallBatch, Hello, EventData } from "../protocol/traffic.ts";
import type { Traffic } from "../traffic/traffic.ts";
import { sendRefusal } from "./api-answer.ts";

const FIGURES_MS = 1_000;

export class LiveFeed {
  readonly #traffic: Traffic;
  readonly #figuresMs: number;
  readonly #hello: () => Hello;
  /** Distinguishes ids of this gateway from those of an earlier run, whose numbers mean other calls. */
  readonly #run: string;
  readonly #hub = new EventHub(() => this.#rest());
  #stopRows: (() => void) | undefined;
  #ticker: NodeJS.Timeout | undefined;
  /** What pages received last. */
  #toldHello = "";
  #toldRevision = 0;

  constructor(traffic: Traffic, hello: () => Hello, figuresMs = FIGURES_MS) {
    this.#figuresMs = figuresMs;
    this.#traffic = traffic;
    this.#hello = hello;
    this.#run = String(hello().startedAtMs);
  }

  /** Adds a page; `knownId` is the last id that it received before it lost its connection. */
  open(response: ServerResponse, knownId: string | undefined): void {
    if (!this.#hub.hasRoom)
      return sendRefusal(response, 503, "busy", "Too many pages are open.", "Close some of them.");
    this.#wake();
    const first = [
      this.#helloText(),
      eventText("overview", this.#traffic.overview()),
      this.#callsText(this.#traffic.newest(this.#seqIn(knownId))),
    ];
    return this.#hub.open(response, first.join(""));
  }

  readonly tell: TellPages = (name, data) => this.#hub.send(eventText(name, data));

  close(): void {
    this.#hub.close();
    this.#rest();
  }

  #callsText(batch: CallBatch): string {
    const seq = batch.rows.at(-1)?.seq ?? this.#traffic.newestSeq;
    return eventText("calls", batch, `${this.#run}.${seq}`);
  }

  #seqIn(knownId: string | undefined): number {
    const [run, seq = ""] = knownId?.split(".") ?? [];
    return run === this.#run && /^\d{1,15}$/.test(seq) ? Number(seq) : 0;
  }

  #helloText(): string {
    return eventText("hello", this.#hello());
  }

  #wake(): void {
    if (this.#ticker !== undefined) return;
    this.#toldRevision = this.#traffic.revision;
    this.#toldHello = this.#helloText();
    this.#stopRows = this.#traffic.onRows((batch) => this.#hub.send(this.#callsText(batch)));
    this.#ticker = setInterval(() => this.#tick(), this.#figuresMs).unref();
  }

  #rest(): void {
    clearInterval(this.#ticker);
    this.#ticker = undefined;
    this.#stopRows?.();
    this.#stopRows = undefined;
  }

  #tick(): void {
    const hello = this.#helloText();
    if (hello !== this.#toldHello) this.#hub.send(hello);
    this.#toldHello = hello;
    const { revision } = this.#traffic;
    if (revision !== this.#toldRevision) this.tell("overview", this.#traffic.overview());
    this.#toldRevision = revision;
  }
}

// The open pages and their server-sent events. One text is made for all pages. A page that does not read its events is
// disconnected, and reconnects by itself.

/** How much may wait for one page before it is disconnected: 4 MiB. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** Pages that are open at once. */
const MAX_PAGES = 32;
const ALIVE_MS = 15_000;

/** The text of an event. Data is JSON, which has no line ends. */
function eventText<Name extends keyof EventData>(name: Name, data: EventData[Name], id?: string): string {
  const line = id === undefined ? "" : `id: ${id}\n`;
  return `event: ${name}\n${line}data: ${JSON.stringify(data)}\n\n`;
}

export class EventHub {
  readonly #pages = new Set<ServerResponse>();
  readonly #onLast: () => void;
  #alive: NodeJS.Timeout | undefined;

  /** `onLast` is called when the last page has left. */
  constructor(onLast: () => void) {
    this.#onLast = onLast;
  }

  get hasRoom(): boolean {
    return this.#pages.size < MAX_PAGES;
  }

  /** Adds a page, with its first event. */
  open(response: ServerResponse, first: string): void {
    // A response that is already closed would never emit the end.
    if (response.destroyed) return;
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "x-accel-buffering": "no",
    });
    response.on("close", () => this.#left(response));
    this.#pages.add(response);
    this.#alive ??= setInterval(() => this.send(": alive\n\n"), ALIVE_MS).unref();
    response.write(`retry: 1000\n\n${first}`);
  }

  send(text: string): void {
    for (const page of this.#pages) {
      page.write(text);
      if (page.writableLength > MAX_WAITING_BYTES) page.destroy();
    }
  }

  close(): void {
    for (const page of this.#pages) page.end();
  }

  #left(page: ServerResponse): void {
    this.#pages.delete(page);
    if (this.#pages.size > 0) return;
    clearInterval(this.#alive);
    this.#alive = undefined;
    this.#onLast();
  }
}
