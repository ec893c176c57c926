// What open pages hear by themselves: new calls as they come, the figures once a second while they change, and how the
// servers are doing. Without an open page nothing of it runs.

import type { ServerResponse } from "node:http";
import type { TellPages } from "../dashboard-parts.ts";
import type { CallBatch, Hello } from "../protocol/traffic.ts";
import type { Traffic } from "../traffic/traffic.ts";
import { sendRefusal } from "./api-answer.ts";
import { EventHub, eventText } from "./event-hub.ts";

const FIGURES_MS = 1_000;

export class LiveFeed {
  readonly #traffic: Traffic;
  readonly #figuresMs: number;
  readonly #hello: () => Hello;
  /** Tells ids of this gateway from those of one that ran before: its numbers mean other calls. */
  readonly #run: string;
  readonly #hub = new EventHub(() => this.#rest());
  #stopRows: (() => void) | undefined;
  #ticker: NodeJS.Timeout | undefined;
  /** What pages were told last. */
  #toldHello = "";
  #toldSeq = 0;

  constructor(traffic: Traffic, hello: () => Hello, figuresMs = FIGURES_MS) {
    this.#figuresMs = figuresMs;
    this.#traffic = traffic;
    this.#hello = hello;
    this.#run = String(hello().startedAtMs);
  }

  /** Takes a page; `knownId` is the last id that it heard before it lost its connection. */
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
    this.#toldSeq = this.#traffic.newestSeq;
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
    const { newestSeq } = this.#traffic;
    if (newestSeq !== this.#toldSeq) this.tell("overview", this.#traffic.overview());
    this.#toldSeq = newestSeq;
  }
}
