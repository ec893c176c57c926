// Dates, URLs, decimals and buffers say themselves how they are written: by `toJSON`. What they give is sent, as
// `JSON.stringify` would send it; everything else that is not plain stays what it is, and is refused by others.

import { setOwn } from "./json-value.ts";

interface Walk {
  /** What the walk is inside of, with its copy: a cycle stays one in the copy, where it is found and named. */
  readonly copies: Map<object, object>;
  readonly maxDepth: number;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The value that stands for one with `toJSON`; what that gives is not asked again, as in `JSON.stringify`. */
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
    // In a list JSON has null for what is left out of an object.
    copy.push(said === undefined && isObject(item) ? null : said);
  }
}

function copyMembers(node: object, copy: Record<string, unknown>, walk: Walk): void {
  for (const [key, item] of Object.entries(node)) setOwn(copy, key, write(item, key, walk));
}

/** Thrown at once: values that make ever new ones with each `toJSON` would keep the walk busy for ever. */
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

/** A copy with every `toJSON` applied; the value itself where it is nested too deep for one. */
export function applyToJson(value: unknown, maxDepth: number): unknown {
  try {
    return write(value, "", { copies: new Map(), maxDepth });
  } catch (error) {
    if (error instanceof TooDeep) return value;
    throw error;
  }
}
