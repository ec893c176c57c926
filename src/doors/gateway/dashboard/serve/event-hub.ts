// The open pages, and what they are told: server-sent events. One text is made for all of them. A page that does not read
// what it is sent is let go, and comes back by itself.

import type { ServerResponse } from "node:http";
import type { EventData } from "../protocol/traffic.ts";

/** What may wait for one page before it is let go: 4 MiB. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** Pages that are open at once. */
const MAX_PAGES = 32;
const ALIVE_MS = 15_000;

/** An event as it is written. Data is JSON, which has no line ends. */
export function eventText<Name extends keyof EventData>(
  name: Name,
  data: EventData[Name],
  id?: string,
): string {
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

  /** Takes a page, with what it hears first. */
  open(response: ServerResponse, first: string): void {
    // One that left meanwhile would never say so.
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
