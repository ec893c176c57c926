// How much one question may make. A short expression can ask for lists and texts that double with every step,
// so every function that makes something takes it from this meter first. Time and memory of the worker have
// separate limits.

import { ReadNotes } from "./read-json.ts";

/** Thrown if a question exceeds a limit; the reason becomes part of the fault's details. */
export class OverLimit extends Error {
  override readonly name = "OverLimit";
  readonly reason: "too_many_values" | "long_text";

  constructor(reason: OverLimit["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

/** Values that any question may make, even with little data. */
const VALUES = 10_000_000;
/** The longest text that a function may make. */
const MAX_TEXT_LENGTH = 16 * 1024 * 1024;
/** This much text counts as one value: both take about the same memory. */
const TEXT_PER_VALUE = 32;

export class Meter {
  /** How the texts that the question opened were parsed. */
  readonly notes: ReadNotes;
  #left: number;

  /** Large data may have long answers: one more value for each byte of data. */
  constructor(inputBytes: number, notes: ReadNotes = new ReadNotes()) {
    this.notes = notes;
    this.#left = VALUES + inputBytes;
  }

  /** Counts list items or members before they are made. */
  values(count: number): void {
    this.#left -= count;
    if (this.#left < 0) throw new OverLimit("too_many_values");
  }

  /** Counts a text before it is made. */
  text(length: number): void {
    if (length > MAX_TEXT_LENGTH) throw new OverLimit("long_text");
    this.values(Math.ceil(length / TEXT_PER_VALUE));
  }
}
