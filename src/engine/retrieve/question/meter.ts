// What one question may make. A short expression can ask for lists and texts that double with every step, so that
// whatever makes something takes it from here first. Time and memory have limits of their own around the worker.

import { ReadNotes } from "./read-json.ts";

/** Thrown when a question is over a limit; the reason becomes a part of the answer's details. */
export class OverLimit extends Error {
  override readonly name = "OverLimit";
  readonly reason: "too_many_values" | "long_text";

  constructor(reason: OverLimit["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

/** Values that any question may make, however small its data is. */
const VALUES = 10_000_000;
/** The longest text that a function may make. */
const MAX_TEXT_LENGTH = 16 * 1024 * 1024;
/** So much text counts as one value: both take about as much memory. */
const TEXT_PER_VALUE = 32;

export class Meter {
  /** How texts were read that the question opened. */
  readonly notes: ReadNotes;
  #left: number;

  /** Large data may be answered at length: one more value for each byte of it. */
  constructor(inputBytes: number, notes: ReadNotes = new ReadNotes()) {
    this.notes = notes;
    this.#left = VALUES + inputBytes;
  }

  /** Takes list items or members that are about to be made. */
  values(count: number): void {
    this.#left -= count;
    if (this.#left < 0) throw new OverLimit("too_many_values");
  }

  /** Takes a text that is about to be made. */
  text(length: number): void {
    if (length > MAX_TEXT_LENGTH) throw new OverLimit("long_text");
    this.values(Math.ceil(length / TEXT_PER_VALUE));
  }
}
