// The open pages, and what they are told: server-sent events. One text is made for all of them. A page that does not read
// what it is sent is let go, and comes back by itself.

import type { ServerResponse } from "node:http";
import type { TellPages } from "../dashboard-parts.ts";
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
  id: string,
): string {
  return `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}

export class EventHub {
  readonly #pages = new Set<ServerResponse>();
  readonly #id: () => string;
  #alive: NodeJS.Timeout | undefined;

  /** `id` says what a page that hears the next event knows; it hands it back when it connects again. */
  constructor(id: () => string) {
    this.#id = id;
  }

  get size(): number {
    return this.#pages.size;
  }

  /** Takes a page, with the events it hears first. False where too many are open. */
  open(response: ServerResponse, first: readonly string[]): boolean {
    if (this.#pages.size >= MAX_PAGES) return false;
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "x-accel-buffering": "no",
    });
    response.on("close", () => this.#left(response));
    this.#pages.add(response);
    this.#alive ??= setInterval(() => this.#write(": alive\n\n"), ALIVE_MS).unref();
    response.write(`retry: 1000\n\n${first.join("")}`);
    return true;
  }

  readonly tell: TellPages = (name, data) => {
    if (this.#pages.size > 0) this.#write(eventText(name, data, this.#id()));
  };

  close(): void {
    for (const page of this.#pages) page.end();
    this.#pages.clear();
    this.#stop();
  }

  #write(text: string): void {
    for (const page of this.#pages) {
      page.write(text);
      if (page.writableLength > MAX_WAITING_BYTES) page.destroy();
    }
  }

  #left(page: ServerResponse): void {
    this.#pages.delete(page);
    if (this.#pages.size === 0) this.#stop();
  }

  #stop(): void {
    clearInterval(this.#alive);
    this.#alive = undefined;
  }
}
