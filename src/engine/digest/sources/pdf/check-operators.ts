import { tooLarge } from "../unreadable.ts";
import { contentStreams } from "./pdf-streams.ts";

/** The PDF standard lets a page nest saved states 28 deep; the time of pdf.js is quadratic in the depth. */
const MAX_SAVED_STATES = 1_000;
/** The limit for one stream. A crowded map has some hundred thousand. */
const MAX_OPERATORS = 2_000_000;

const SPACE: ReadonlySet<number> = new Set([0, 9, 10, 12, 13, 32]);
const SAVE = 0x71;
const RESTORE = 0x51;

/**
 * Refuses a PDF with a page that would keep pdf.js busy for minutes. It is for runtimes without a worker that
 * can be ended: there nothing else stops a page that has begun. It sees plain and deflated streams.
 */
export async function checkOperators(bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
  for (const parts of contentStreams(bytes)) {
    const counter = new OperatorCounter();
    for await (const part of parts) {
      signal?.throwIfAborted();
      counter.read(part);
      if (counter.operators > MAX_OPERATORS || counter.deepest > MAX_SAVED_STATES) throw tooMany();
    }
  }
}

function tooMany(): Error {
  return tooLarge("A page of the PDF has more drawing operators than can be read in a reasonable time", {
    reason: "too_many_operators",
    remediation: "Do not trust this file. Ask where it came from for one that was exported again.",
  });
}

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}

/** Counts words that begin with a letter after white space, as operators do, and how deep states are saved. */
class OperatorCounter {
  operators = 0;
  deepest = 0;
  #depth = 0;
  /** The last two bytes; a stream may come in any parts. */
  #before = 32;
  #beforeThat = 0;

  read(part: Uint8Array): void {
    for (const byte of part) {
      const isEnd = SPACE.has(byte);
      if (SPACE.has(this.#before) && isLetter(byte)) this.operators++;
      // A single letter: white space, the letter, white space.
      if (isEnd && SPACE.has(this.#beforeThat)) this.#count(this.#before);
      this.#beforeThat = this.#before;
      this.#before = byte;
    }
  }

  #count(word: number): void {
    if (word === SAVE) this.#depth++;
    else if (word === RESTORE && this.#depth > 0) this.#depth--;
    if (this.#depth > this.deepest) this.deepest = this.#depth;
  }
}
