import { locateNonJson, type NonJson } from "./locate-non-json.ts";
import { isUnsafeInteger } from "./unsafe-integers.ts";
import { setOwn } from "./json-value.ts";

export type { NonJson } from "./locate-non-json.ts";

export const MAX_JSON_DEPTH = 1_000;

/** Deeper values take the slow walk, which knows its ancestors: here a cycle cannot fill the memory. */
const QUICK_DEPTH = 32;

type Properties = Readonly<Record<string, unknown>>;

/** The first part, in document order, that JSON cannot carry unchanged; undefined if JSON can carry all of it. */
export function findNonJson(value: unknown, options: { maxDepth?: number } = {}): NonJson | undefined {
  return lookThrough(value, options.maxDepth ?? MAX_JSON_DEPTH, { hasUnsafeInteger: false });
}

/** What else the walk noticed, so that one walk is enough. */
interface Seen {
  hasUnsafeInteger: boolean;
}

function lookThrough(value: unknown, maxDepth: number, seen: Seen): NonJson | undefined {
  if (typeof value === "object" && value !== null) {
    if (isSurelyJson(value, Math.min(maxDepth, QUICK_DEPTH), false, seen)) return undefined;
  } else if (typeof value === "number" && isUnsafeInteger(value)) seen.hasUnsafeInteger = true;
  return locateNonJson(value, maxDepth);
}

/** Whether a value is nested deeper than Waybill reads. The check itself goes no deeper than that. */
export function isTooDeep(value: unknown, levels: number = MAX_JSON_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (isTooDeep(value[index], levels - 1)) return true;
    return false;
  }
  for (const key in value) if (isTooDeep((value as Properties)[key], levels - 1)) return true;
  return false;
}

export interface WrittenJson {
  readonly value: unknown;
  /** The first part that JSON cannot carry; undefined if it can carry all. */
  readonly problem: NonJson | undefined;
  /**
   * The value has whole numbers beyond 2^53, which JavaScript may have rounded. Not determined for deeply nested
   * values.
   */
  readonly hasUnsafeInteger: boolean;
}

/**
 * The value as `JSON.stringify` would write it: itself if it is already JSON, else with every `toJSON` applied.
 * Anything that is left out or silently changed is the problem.
 */
export function writeJson(value: unknown): WrittenJson {
  const seen: Seen = { hasUnsafeInteger: false };
  let problem = lookThrough(value, MAX_JSON_DEPTH, seen);
  let said = value;
  if (problem?.reason === "not-plain") {
    said = applyToJson(value, MAX_JSON_DEPTH);
    problem = said === undefined ? undefined : lookThrough(said, MAX_JSON_DEPTH, seen);
  }
  return { value: said, problem, hasUnsafeInteger: seen.hasUnsafeInteger };
}

/**
 * True only for values that JSON text would return unchanged: nothing `findNonJson` reports, and no undefined property.
 * False does not prove the opposite.
 */
export function isCleanJson(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    isSurelyJson(value, QUICK_DEPTH, true, { hasUnsafeInteger: false })
  );
}

/**
 * True only for values without any finding; false does not prove the opposite. Recursive, because that is fastest for a
 * bounded depth; `levels` is how much deeper it may go.
 */
function isSurelyJson(node: object, levels: number, isStrict: boolean, seen: Seen): boolean {
  if (levels === 0) return false;
  if (Array.isArray(node)) return isSurelyJsonArray(node, levels, isStrict, seen);
  const prototype: unknown = Object.getPrototypeOf(node);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in node) {
    const item = (node as Properties)[key];
    if (typeof item === "string") continue;
    if (typeof item === "object") {
      if (item !== null && !isSurelyJson(item, levels - 1, isStrict, seen)) return false;
    } else if (typeof item === "number") {
      // Only a finite number minus itself is zero; cheaper than Number.isFinite.
      if (item - item !== 0) return false;
      if (isUnsafeInteger(item)) seen.hasUnsafeInteger = true;
    } else if (typeof item !== "boolean" && (isStrict || item !== undefined)) return false;
  }
  return true;
}

function isSurelyJsonArray(node: readonly unknown[], levels: number, isStrict: boolean, seen: Seen): boolean {
  // An object's own toJSON shows up among its keys as a function; an array's does not.
  if (Object.getPrototypeOf(node) !== Array.prototype || "toJSON" in node) return false;
  for (let index = 0; index < node.length; index++) {
    const item = node[index];
    if (typeof item === "string") continue;
    if (typeof item === "object") {
      if (item !== null && !isSurelyJson(item, levels - 1, isStrict, seen)) return false;
    } else if (typeof item === "number") {
      if (item - item !== 0) return false;
      if (isUnsafeInteger(item)) seen.hasUnsafeInteger = true;
    } else if (typeof item !== "boolean") return false;
  }
  return true;
}

// Dates, URLs, decimals and buffers define by `toJSON` how they are written. Its value is sent, as `JSON.stringify`
// would send it; everything else that is not plain stays unchanged, and is refused elsewhere.

interface Walk {
  /**
   * The values around the current one, with their copies: a cycle stays a cycle in the copy, where it is found and
   * named.
   */
  readonly copies: Map<object, object>;
  readonly maxDepth: number;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The result of a value's `toJSON`; the `toJSON` of that result is not called, as in `JSON.stringify`. */
function written(value: unknown, key: string): unknown {
  if (!isObject(value)) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === "function" ? (toJSON.call(value, key) as unknown) : value;
}

function isPlain(node: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(node);
  return prototype === Object.prototype || prototype === null;
}

function copyItems(list: readonly unknown[], copy: unknown[], walk: Walk): void {
  for (const [index, item] of list.entries()) {
    const said = write(item, String(index), walk);
    // What JSON leaves out of an object is null in a list.
    copy.push(said === undefined && isObject(item) ? null : said);
  }
}

function copyMembers(node: object, copy: Record<string, unknown>, walk: Walk): void {
  for (const [key, item] of Object.entries(node)) setOwn(copy, key, write(item, key, walk));
}

/** Thrown at once: if each `toJSON` returned a new object with `toJSON`, the walk would never end. */
class TooDeep extends Error {}

function write(value: unknown, key: string, walk: Walk): unknown {
  const { copies, maxDepth } = walk;
  const said = written(value, key);
  if (!isObject(said) || !(Array.isArray(said) || isPlain(said))) return said;
  const known = copies.get(said);
  if (known !== undefined) return known;
  if (copies.size >= maxDepth) throw new TooDeep();
  const copy = Array.isArray(said) ? [] : {};
  copies.set(said, copy);
  if (Array.isArray(copy)) copyItems(said as readonly unknown[], copy, walk);
  else copyMembers(said, copy, walk);
  copies.delete(said);
  return copy;
}

/** A copy with every `toJSON` applied; the value itself if it is nested too deep for one. */
export function applyToJson(value: unknown, maxDepth: number): unknown {
  try {
    return write(value, "", { copies: new Map(), maxDepth });
  } catch (error) {
    if (error instanceof TooDeep) return value;
    throw error;
  }
}
