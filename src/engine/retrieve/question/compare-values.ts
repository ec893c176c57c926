import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import type { ExpressionNode, NodeOf } from "./expression-node.ts";
import type { Evaluator } from "./meter.ts";
import { typeOf } from "./function-signatures.ts";

/** Equal as JSON: the order of an object's keys does not count. */
export function isEqual(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    const other = right as readonly JsonValue[];
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isEqual(item as JsonValue, other[index] ?? null))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key] ?? null, right[key] ?? null));
}

/** JMESPath's truth: null, false, "", [] and {} are false; every number is true. */
export function isTrue(value: JsonValue): boolean {
  if (value === null || value === false || value === "") return false;
  if (typeof value !== "object") return true;
  if (Array.isArray(value)) return value.length > 0;
  return hasKeys(value as JsonObject);
}

function hasKeys(object: JsonObject): boolean {
  // Not Object.keys: it would list all keys to find out that there is one.
  for (const key in object) if (Object.hasOwn(object, key)) return true;
  return false;
}

const SURROGATE = /[\uD800-\uDFFF]/;

/**
 * The order of code points, which is the order of UTF-8. JavaScript compares code units, which differs beyond
 * U+FFFF.
 */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  if (!SURROGATE.test(left) && !SURROGATE.test(right)) return left < right ? -1 : 1;
  const end = Math.min(left.length, right.length);
  for (let index = 0; index < end; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rankOf(a) - rankOf(b);
  }
  return left.length - right.length;
}

/** Surrogates encode the characters after U+FFFF. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Numbers by size, texts by code points; undefined if two values have no order. */
export function compareValues(left: JsonValue, right: JsonValue): number | undefined {
  if (typeof left === "number" && typeof right === "number") return left - right;
  const [first, second] = [wholeNumber(left), wholeNumber(right)];
  if (first !== undefined && second !== undefined) return first < second ? -1 : first > second ? 1 : 0;
  if (typeof left === "string" && typeof right === "string") return compareText(left, right);
  return undefined;
}

const LONG_NUMBER = /^-?[1-9]\d{15,99}$/;

/** A text that is a number too long for a double: such numbers are parsed as text, to stay exact. */
function isLongText(value: JsonValue): value is string {
  return typeof value === "string" && value.length > 15 && LONG_NUMBER.test(value);
}

/** The value as which a number, or a text that is a too long number, is compared. */
function wholeNumber(value: JsonValue): bigint | number | undefined {
  if (typeof value === "number") return value;
  return isLongText(value) ? BigInt(value) : undefined;
}

/** Thrown if a computation gets a value that is not a number. */
export class NotANumber extends Error {
  override readonly name = "NotANumber";
  readonly node: ExpressionNode;

  constructor(node: ExpressionNode, message: string) {
    super(message);
    this.node = node;
  }
}

function numberFor(node: ExpressionNode, value: JsonValue): number {
  if (typeof value === "number") return value;
  throw new NotANumber(node, "it computes with numbers only");
}

/** A sign in front of a value. */
export function negation(node: NodeOf<"Unary">, operand: Evaluator): Evaluator {
  const sign = node.operator === "Minus" ? -1 : 1;
  return (value) => sign * numberFor(node, operand(value));
}

/** A result that JSON cannot write, such as a division by zero, is a failure and never becomes null. */
export function computation(node: NodeOf<"Arithmetic">, left: Evaluator, right: Evaluator): Evaluator {
  const compute = operations[node.operator];
  return (value) => {
    const result = compute(numberFor(node, left(value)), numberFor(node, right(value)));
    if (!Number.isFinite(result))
      throw new NotANumber(node, "the result is not a number, as after a division by zero");
    return result;
  };
}

type Operator = NodeOf<"Arithmetic">["operator"];

const operations: Record<Operator, (left: number, right: number) => number> = {
  Plus: (left, right) => left + right,
  Minus: (left, right) => left - right,
  Multiply: (left, right) => left * right,
  Star: (left, right) => left * right,
  Divide: (left, right) => left / right,
  Modulo: (left, right) => left % right,
  Div: (left, right) => Math.floor(left / right),
};

/** Orders numbers and, beyond JMESPath, texts: models compare dates with it. */
export function comparison(
  name: NodeOf<"Comparator">["name"],
  types: ComparedTypes,
  left: Evaluator,
  right: Evaluator,
): Evaluator {
  if (name === "EQ" || name === "NE")
    return (value) => {
      const [first, second] = [left(value), right(value)];
      types.see(first, second);
      return isEqual(first, second) === (name === "EQ");
    };
  const holds = orders[name];
  return (value) => {
    const [first, second] = [left(value), right(value)];
    types.see(first, second);
    const order = compareValues(first, second);
    return order === undefined ? null : holds(order);
  };
}

const orders = {
  GT: (order: number) => order > 0,
  GTE: (order: number) => order >= 0,
  LT: (order: number) => order < 0,
  LTE: (order: number) => order <= 0,
} as const;

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
