import { isUnsafeInteger } from "./unsafe-integers.ts";
import { setOwn, type JsonValue } from "./json-value.ts";
import { appendPointer } from "./pointer.ts";

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

interface WrittenJson {
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

export interface NonJson {
  readonly pointer: string;
  readonly reason: NonJsonReason;
  readonly message: string;
}

interface Frame {
  readonly node: Readonly<Record<string, unknown>>;
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/** Walks in document order, knows the ancestors of each value, and names the first part that JSON cannot carry. */
function locateNonJson(root: unknown, maxDepth: number): NonJson | undefined {
  const frames: Frame[] = [];
  const ancestors = new Set<object>();
  const rootReason = primitiveReason(root);
  if (rootReason !== undefined) return found(rootReason, frames, root, maxDepth);
  if (typeof root !== "object" || root === null) return undefined;
  const rootFault = enter(root, frames, ancestors, maxDepth);
  if (rootFault !== undefined) return found(rootFault, frames, root, maxDepth);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (frame.next === frame.length) {
      frames.pop();
      ancestors.delete(frame.node);
      continue;
    }
    const item = frame.node[keyAt(frame, frame.next++)];
    // JSON.stringify leaves such a property out, so it counts as absent.
    if (item === undefined && frame.keys !== undefined) continue;
    const reason =
      typeof item === "object" && item !== null
        ? enter(item, frames, ancestors, maxDepth)
        : primitiveReason(item);
    if (reason !== undefined) return found(reason, frames, item, maxDepth);
  }
  return undefined;
}

function primitiveReason(value: unknown): NonJsonReason | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "not-finite";
  if (typeof value === "function") return "function";
  if (typeof value === "symbol") return "symbol";
  if (typeof value === "bigint") return "bigint";
  return value === undefined ? "undefined" : undefined;
}

function enter(
  node: object,
  frames: Frame[],
  ancestors: Set<object>,
  maxDepth: number,
): NonJsonReason | undefined {
  if (ancestors.has(node)) return "circular";
  if (frames.length >= maxDepth) return "too-deep";
  if (!isItself(node)) return "not-plain";
  const keys = Array.isArray(node) ? undefined : Object.keys(node);
  const length = Array.isArray(node) ? node.length : (keys?.length ?? 0);
  frames.push({ node: node as Frame["node"], keys, length, next: 0 });
  ancestors.add(node);
  return undefined;
}

/** A plain object of this realm or another (a `vm` context, an iframe), sent as itself. */
function isItself(node: object): boolean {
  if (typeof (node as { toJSON?: unknown }).toJSON === "function") return false;
  const prototype: unknown = Object.getPrototypeOf(node);
  if (Array.isArray(node)) {
    if (prototype === Array.prototype) return true;
    return Array.isArray(prototype) && Object.hasOwn(prototype, "concat");
  }
  if (prototype === Object.prototype || prototype === null) return true;
  if (typeof prototype !== "object") return false;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "hasOwnProperty");
}

function keyAt(frame: Frame, index: number): string {
  return frame.keys === undefined ? String(index) : (frame.keys[index] ?? "");
}

function found(reason: NonJsonReason, frames: readonly Frame[], value: unknown, maxDepth: number): NonJson {
  const pointers = [""];
  for (const frame of frames)
    pointers.push(appendPointer(pointers.at(-1) ?? "", keyAt(frame, frame.next - 1)));
  const pointer = pointers.at(-1) ?? "";
  const where = pointer === "" ? "The value" : `The value at ${pointer}`;
  if (reason === "not-plain") return { pointer, reason, message: `${where} is ${describeNotPlain(value)}` };
  const ancestor = pointers[frames.findIndex((frame) => frame.node === value)];
  return { pointer, reason, message: `${where} ${describeNonJson(reason, value, maxDepth, ancestor)}` };
}

type NonJsonReason =
  | "function"
  | "symbol"
  | "bigint"
  | "undefined"
  | "not-finite"
  | "too-deep"
  | "circular"
  | "not-plain";

const BYTES = "its bytes as a base64 string";
/** What to send instead of an object of a built-in class. */
const BUILT_INS: Readonly<Record<string, string>> = {
  Date: "date.toISOString()",
  Map: "Object.fromEntries(map)",
  Set: "[...set]",
  Error: "{ message: error.message }",
  RegExp: "regexp.source",
  URL: "url.href",
  URLSearchParams: "String(params)",
  ArrayBuffer: BYTES,
  SharedArrayBuffer: BYTES,
  DataView: BYTES,
};
const BOXED = ["String", "Number", "Boolean"];

/** Says what an object that is not plain is, and what to send instead. */
function describeNotPlain(value: unknown): string {
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  const named = `${/^[AE]/.test(tag) ? "an" : "a"} ${tag}`;
  if (Object.hasOwn(BUILT_INS, tag)) return `${named}: send ${BUILT_INS[tag]}.`;
  if (BOXED.includes(tag)) return `a boxed ${tag}: send the plain ${tag.toLowerCase()}, ${tag}(value).`;
  if (tag === "Promise") return `${named}: await it and send its result.`;
  if (ArrayBuffer.isView(value)) return `${named}: send Array.from(values), or ${BYTES}.`;
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") {
    return "an object with a toJSON method, which is sent as something else: send value.toJSON().";
  }
  if (Array.isArray(value)) return "an array of a subclass: send Array.from(value).";
  return `an instance of ${className(value)}: send a plain object, such as { ...instance }.`;
}

function className(value: unknown): string {
  const constructor: unknown = (value as { constructor?: unknown }).constructor;
  const name = typeof constructor === "function" ? constructor.name : "";
  return typeof name === "string" && name !== "" && name !== "Object" ? name : "a class";
}

/** Says what is wrong with a value for any other reason, and what to do about it. */
function describeNonJson(
  reason: Exclude<NonJsonReason, "not-plain">,
  value: unknown,
  maxDepth: number,
  ancestor: string | undefined,
): string {
  const messages: Readonly<Record<typeof reason, string>> = {
    function: "is a function, which JSON cannot carry: call it and send its result, or leave it out.",
    symbol: "is a symbol, which JSON cannot carry: send symbol.description, or leave it out.",
    bigint: "is a bigint, which JSON cannot carry: send String(value).",
    undefined: "is undefined, which JSON cannot carry: send null, or leave it out.",
    "not-finite": `is ${reason === "not-finite" ? String(value) : ""}, which JSON cannot carry: send null or a string.`,
    "too-deep": `is nested deeper than ${maxDepth} levels: flatten it, or send that part as text.`,
    circular: `refers back to ${ancestor === "" ? "the whole value" : ancestor}, which encloses it: send an id in its place.`,
  };
  return messages[reason];
}

/**
 * A deeply frozen copy of a JSON value. The original stays as it is: its owner may keep it and change it. The caller
 * has checked that the value is JSON and not too deep.
 */
export function frozenCopy<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as Value;
  const copy: Record<string, JsonValue> = {};
  for (const [key, child] of Object.entries(value)) setOwn(copy, key, frozenCopy(child as JsonValue));
  return Object.freeze(copy) as Value;
}
