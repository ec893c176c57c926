// How much one question may make. A short expression can ask for lists and texts that double with every step,
// so every function that makes something takes it from this meter first. Time and memory of the worker have
// separate limits.

import { ReadNotes } from "./read-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import type { ExpressionNode, NodeOf } from "./expression-node.ts";

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

/** A key of the question that no object had, and where it was first missing. */
export interface MissedKey {
  readonly node: NodeOf<"Field">;
  /** The first object without the key, or a list, a text or a number, which have no keys at all. */
  readonly where: JsonObject | readonly JsonValue[] | string | number | boolean;
  /** True if the expression handles a missing key: conditions, `||`, not_null(). */
  readonly isCondition: boolean;
  /** True in an expression for a function, which reads every record. */
  readonly isForEach: boolean;
  /** The key alone is one side of a comparison, as a text without its quotes would be. */
  readonly isCompared: boolean;
}

/** What models write for the constants of JSON; as keys they are rare, and an existing key wins. */
export const CONSTANTS: ReadonlyMap<string, JsonValue> = new Map([
  ["true", true],
  ["True", true],
  ["TRUE", true],
  ["false", false],
  ["False", false],
  ["FALSE", false],
  ["null", null],
  ["NULL", null],
  ["None", null],
]);

/** One use of a key in an expression, and whether the key was ever found. */
export class KeyUse {
  readonly #node: NodeOf<"Field">;
  readonly #place: Pick<MissedKey, "isCondition" | "isForEach">;
  readonly #fallback: JsonValue;
  #isFound: boolean;
  #isCompared = false;
  #where: MissedKey["where"] | undefined;

  /** `constant` is the meaning of the name if no object has such a key. */
  constructor(
    node: NodeOf<"Field">,
    constant: JsonValue | undefined,
    place: Pick<MissedKey, "isCondition" | "isForEach">,
  ) {
    this.#node = node;
    this.#place = place;
    this.#fallback = constant ?? null;
    this.#isFound = constant !== undefined;
  }

  read(value: JsonValue): JsonValue {
    const { name } = this.#node;
    if (!isJsonObject(value)) {
      if (value !== null && !this.#isFound) this.#where ??= value;
      return this.#fallback;
    }
    if (Object.hasOwn(value, name)) {
      this.#isFound = true;
      return value[name] ?? null;
    }
    // An object without the key says more than a value that cannot have keys.
    if (!this.#isFound && !isJsonObject(this.#where)) this.#where = value;
    return this.#fallback;
  }

  /** Remembers that this key is one side of a comparison. */
  noteCompared(side: ExpressionNode): void {
    if (this.#node === side) this.#isCompared = true;
  }

  missed(): MissedKey | undefined {
    if (this.#isFound || this.#where === undefined) return undefined;
    return { node: this.#node, where: this.#where, isCompared: this.#isCompared, ...this.#place };
  }
}

export type List = readonly JsonValue[];
/** An expression given to a function: `&key`. */
export type Evaluator = (value: JsonValue) => JsonValue;

/**
 * The implementation of a function. Its arguments were checked against its signature, so each function
 * declares its own types for them.
 */
export type FunctionCall = (meter: Meter, ...args: never[]) => JsonValue;

/** Thrown by a function if an argument has the right type but cannot be used. The text is for the model. */
export class WrongArgument extends Error {
  override readonly name = "WrongArgument";
}
