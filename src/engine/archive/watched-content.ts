import type { ArchiveContent } from "./archive-store.ts";

/** Content that remembers how reading it went. Each reading starts from the beginning, if that is possible. */
export class WatchedContent implements Iterable<string | Uint8Array> {
  hasFailed = false;
  private hasStarted = false;
  private readonly content: ArchiveContent;

  constructor(content: ArchiveContent) {
    this.content = content;
  }

  /** A generator gives what it has once: a second reader would get the rest, or nothing, and take it for the whole. */
  get canBeReadAgain(): boolean {
    const isOneShot = (this.content[Symbol.iterator]() as unknown) === this.content;
    return !isOneShot || !this.hasStarted;
  }

  *[Symbol.iterator](): Generator<string | Uint8Array> {
    this.hasStarted = true;
    const chunks = this.content[Symbol.iterator]();
    let isDone = false;
    try {
      for (;;) {
        const next = this.step(chunks);
        isDone = next.done === true;
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      if (!isDone && !this.hasFailed) chunks.return?.();
    }
  }

  private step(chunks: Iterator<string | Uint8Array>): IteratorResult<string | Uint8Array> {
    try {
      return chunks.next();
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }
}
