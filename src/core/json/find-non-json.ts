import { applyToJson } from "./apply-to-json.ts";
import { locateNonJson } from "./locate-non-json.ts";
import type { NonJson } from "./locate-non-json.ts";
import { isUnsafeInteger } from "./unsafe-integers.ts";

export type { NonJson } from "./locate-non-json.ts";

export const MAX_JSON_DEPTH = 1_000;

/** Deeper values take the slow walk, which knows its ancestors: a cycle cannot fill the memory here. */
const QUICK_DEPTH = 32;

type Properties = Readonly<Record<string, unknown>>;

/** The first part, in document order, that JSON cannot carry as it is; undefined when JSON can carry all of it. */
export function findNonJson(value: unknown, options: { maxDepth?: number } = {}): NonJson | undefined {
  return lookThrough(value, options.maxDepth ?? MAX_JSON_DEPTH, { hasUnsafeInteger: false });
}

/** What else a walk met, since one walk is enough. */
interface Seen {
  hasUnsafeInteger: boolean;
}

function lookThrough(value: unknown, maxDepth: number, seen: Seen): NonJson | undefined {
  if (typeof value === "object" && value !== null) {
    if (isSurelyJson(value, Math.min(maxDepth, QUICK_DEPTH), false, seen)) return undefined;
  } else if (typeof value === "number" && isUnsafeInteger(value)) seen.hasUnsafeInteger = true;
  return locateNonJson(value, maxDepth);
}

/** Whether a value is nested deeper than anything here looks through. It goes down no further than that itself. */
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
  /** The first part that JSON cannot carry; undefined when it can carry all. */
  readonly problem: NonJson | undefined;
  /** It has whole numbers beyond 2^53, which JavaScript may have rounded. Of values nested deeply nothing is said. */
  readonly hasUnsafeInteger: boolean;
}

/**
 * The value as `JSON.stringify` would write it: itself where it is JSON already, else with every `toJSON` applied.
 * What that leaves out, or changes without being told to, is the problem.
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
 * True only for values that JSON text would give back as they are: nothing `findNonJson` reports, and no undefined
 * property. A false may still turn out fine.
 */
export function isCleanJson(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    isSurelyJson(value, QUICK_DEPTH, true, { hasUnsafeInteger: false })
  );
}

/**
 * True only for values without any finding; a false may still turn out fine. Recursive, since a bounded depth is
 * the fastest way down; `levels` says how much further it may go.
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
