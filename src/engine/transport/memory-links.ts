import type { Link, LinkListener } from "./link.ts";

/** Events before `listen` are kept and delivered then. */
class MemoryLink implements Link {
  #other: MemoryLink | undefined;
  #listener: LinkListener | undefined;
  readonly #early: ((listener: LinkListener) => void)[] = [];
  #isOpen = true;

  join(other: MemoryLink): void {
    this.#other = other;
  }

  send(message: Uint8Array | string): void {
    if (!this.#isOpen) return;
    const bytes = Buffer.from(message as string);
    // In the next turn, so that `send` returns before the other side reacts.
    setImmediate(() => this.#other?.hear((listener) => listener.message(bytes)));
  }

  listen(listener: LinkListener): void {
    this.#listener = listener;
    for (const event of this.#early.splice(0)) event(listener);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    setImmediate(() => this.#other?.lose("the other end closed"));
  }

  hear(event: (listener: LinkListener) => void): void {
    if (!this.#isOpen) return;
    if (this.#listener === undefined) this.#early.push(event);
    else event(this.#listener);
  }

  lose(why: string): void {
    this.hear((listener) => listener.closed(why));
    this.#isOpen = false;
  }
}

/** The two ends of one connection inside this process. */
export function memoryLinks(): readonly [Link, Link] {
  const left = new MemoryLink();
  const right = new MemoryLink();
  left.join(right);
  right.join(left);
  return [left, right];
}
