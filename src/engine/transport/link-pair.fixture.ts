import type { Link, LinkListener, OversizedMessage } from "./link.ts";

/** One end of a pair in memory. What the other end sends is heard in the next turn, in its order. */
export interface LinkEnd extends Link {
  /** Everything that was heard here so far, parsed; it is filled whether or not somebody listens. */
  readonly heard: unknown[];
  /** The same as text, byte by byte. */
  readonly heardRaw: string[];
  /** What this end sends, as if the line had been too long for its reader. */
  sendOversized(message: OversizedMessage): void;
  readonly closedBy: string | undefined;
}

class MemoryEnd implements LinkEnd {
  readonly heard: unknown[] = [];
  readonly heardRaw: string[] = [];
  other: MemoryEnd | undefined;
  closedBy: string | undefined;
  #isOpen = true;
  #listener: LinkListener | undefined;
  readonly #early: ((listener: LinkListener) => void)[] = [];

  send(message: Uint8Array | string): void {
    const bytes = Buffer.from(message as string);
    if (this.#isOpen) setImmediate(() => this.other?.take(bytes));
  }

  sendOversized(message: OversizedMessage): void {
    setImmediate(() => this.other?.tell((listener) => listener.oversized(message)));
  }

  listen(listener: LinkListener): void {
    this.#listener = listener;
    for (const event of this.#early.splice(0)) event(listener);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    setImmediate(() => this.other?.lose("the other end closed"));
  }

  take(bytes: Buffer): void {
    if (!this.#isOpen) return;
    this.heardRaw.push(bytes.toString());
    try {
      this.heard.push(JSON.parse(bytes.toString()));
    } catch {
      this.heard.push(undefined);
    }
    this.tell((listener) => listener.message(bytes));
  }

  lose(why: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.closedBy = why;
    this.tell((listener) => listener.closed(why));
  }

  tell(event: (listener: LinkListener) => void): void {
    if (this.#listener === undefined) this.#early.push(event);
    else event(this.#listener);
  }
}

/** Two links that are the two ends of one connection. */
export function linkPair(): readonly [LinkEnd, LinkEnd] {
  const left = new MemoryEnd();
  const right = new MemoryEnd();
  left.other = right;
  right.other = left;
  return [left, right];
}
