import type { JsonValue } from "../../../core/json/json-value.ts";
import { isLongText } from "./compare-values.ts";
import type { NodeOf } from "./expression-node.ts";
import { typeOf } from "./value-kinds.ts";

/** Two values of a comparison that could not be compared as intended. */
export interface UnlikePair {
  readonly node: NodeOf<"Comparator">;
  readonly left: JsonValue;
  readonly right: JsonValue;
}

const NUMERIC = /^\s*-?\d+(?:\.\d+)?\s*$/;

export function isNumericText(value: JsonValue): value is string {
  return typeof value === "string" && NUMERIC.test(value) && !isLongText(value);
}

/**
 * Watches the types in one comparison: `price > 900` is false for every record if prices are text, and the
 * empty answer would look like a real one. Null means a missing value, and is ignored.
 */
export class ComparedTypes {
  readonly #node: NodeOf<"Comparator">;
  readonly #isOrder: boolean;
  #wasLike = false;
  #first: UnlikePair | undefined;

  constructor(node: NodeOf<"Comparator">) {
    this.#node = node;
    this.#isOrder = node.name !== "EQ" && node.name !== "NE";
  }

  see(left: JsonValue, right: JsonValue): void {
    if (this.#wasLike || left === null || right === null) return;
    // Numbers written as text have another order than numbers: "1000" is before "900".
    const areNumbersAsText = this.#isOrder && isNumericText(left) && isNumericText(right);
    const isLong =
      (isLongText(left) && typeof right === "number") || (isLongText(right) && typeof left === "number");
    if ((isLong || typeOf(left) === typeOf(right)) && !areNumbersAsText) this.#wasLike = true;
    else this.#first ??= { node: this.#node, left, right };
  }

  /** The first two values; undefined if two values of one type met at least once. */
  unlike(): UnlikePair | undefined {
    return this.#wasLike ? undefined : this.#first;
  }
}
