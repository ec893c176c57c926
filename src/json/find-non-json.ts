import { applyToJson } from "./apply-to-json.ts";
import { locateNonJson } from "./locate-non-json.ts";
import type { NonJson } from "./locate-non-json.ts";

export type { NonJson } from "./locate-non-json.ts";

export const MAX_JSON_DEPTH = 1_000;

/** Deeper values take the slow walk, which knows its ancestors: a cycle cannot fill the memory here. */
const QUICK_DEPTH = 32;

type Properties = Readonly<Record<string, unknown>>;

/** The first part, in document order, that JSON cannot carry as it is; undefined when JSON can carry all of it. */
export function findNonJson(value: unknown, options: { maxDepth?: number } = {}): NonJson | undefined {
  const maxDepth = options.maxDepth ?? MAX_JSON_DEPTH;
  if (
    typeof value === "object" &&
    value !== null &&
    isSurelyJson(value, Math.min(maxDepth, QUICK_DEPTH), false)
  ) {
    return undefined;
  }
  return locateNonJson(value, maxDepth);
}

export interface WrittenJson {
  readonly value: unknown;
  /** The first part that JSON cannot carry; undefined when it can carry all. */
  readonly problem: NonJson | undefined;
}

/**
 * The value as `JSON.stringify` would write it: itself where it is JSON already, else with every `toJSON` applied.
 * What that leaves out, or changes without being told to, is the problem.
 */
export function writeJson(value: unknown): WrittenJson {
  const problem = findNonJson(value);
  if (problem?.reason !== "not-plain") return { value, problem };
  const said = applyToJson(value, MAX_JSON_DEPTH);
  return { value: said, problem: said === undefined ? undefined : findNonJson(said) };
}

/**
 * True only for values that JSON text would give back as they are: nothing `findNonJson` reports, and no undefined
 * property. A false may still turn out fine.
 */
export function isCleanJson(value: unknown): boolean {
  return typeof value === "object" && value !== null && isSurelyJson(value, QUICK_DEPTH, true);
}

/**
 * True only for values without any finding; a false may still turn out fine. Recursive, since a bounded depth is
 * the fastest way down; `levels` says how much further it may go.
 */
function isSurelyJson(node: object, levels: number, isStrict: boolean): boolean {
  if (levels === 0) return false;
  if (Array.isArray(node)) return isSurelyJsonArray(node, levels, isStrict);
  const prototype: unknown = Object.getPrototypeOf(node);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in node) {
    const item = (node as Properties)[key];
    if (typeof item === "string") continue;
    if (typeof item === "object") {
      if (item !== null && !isSurelyJson(item, levels - 1, isStrict)) return false;
    } else if (typeof item === "number") {
      // Only a finite number minus itself is zero; cheaper than Number.isFinite.
      if (item - item !== 0) return false;
    } else if (typeof item !== "boolean" && (isStrict || item !== undefined)) return false;
  }
  return true;
}

function isSurelyJsonArray(node: readonly unknown[], levels: number, isStrict: boolean): boolean {
  // An object's own toJSON shows up among its keys as a function; an array's does not.
  if (Object.getPrototypeOf(node) !== Array.prototype || "toJSON" in node) return false;
  for (let index = 0; index < node.length; index++) {
    const item = node[index];
    if (typeof item === "string") continue;
    if (typeof item === "object") {
      if (item !== null && !isSurelyJson(item, levels - 1, isStrict)) return false;
    } else if (typeof item === "number") {
      if (item - item !== 0) return false;
    } else if (typeof item !== "boolean") return false;
  }
  return true;
}
