import { locateNonJson } from "./locate-non-json.ts";
import type { NonJson } from "./locate-non-json.ts";

export type { NonJson } from "./locate-non-json.ts";

export const MAX_JSON_DEPTH = 1_000;

/** Deeper values take the slow walk, which knows its ancestors: a cycle cannot fill the memory here. */
const QUICK_DEPTH = 32;

type Properties = Readonly<Record<string, unknown>>;

/** The first part, in document order, that JSON cannot carry as it is; undefined when there is none. */
export function findNonJson(value: unknown, options: { maxDepth?: number } = {}): NonJson | undefined {
  const maxDepth = options.maxDepth ?? MAX_JSON_DEPTH;
  if (typeof value === "object" && value !== null && isSurelyJson(value, Math.min(maxDepth, QUICK_DEPTH))) {
    return undefined;
  }
  return locateNonJson(value, maxDepth);
}

/** True only for values without any finding; a false may still turn out fine. */
function isSurelyJson(root: object, maxDepth: number): boolean {
  const nodes: object[] = [root];
  const depths: number[] = [1];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const depth = depths.pop() ?? 0;
    if (depth > maxDepth) return false;
    if ((node as Properties)["toJSON"] !== undefined) return false;
    if (Array.isArray(node)) {
      if (Object.getPrototypeOf(node) !== Array.prototype) return false;
      for (let index = 0; index < node.length; index++) {
        const item: unknown = node[index];
        if (typeof item === "string") continue;
        if (typeof item === "object") {
          if (item === null) continue;
          nodes.push(item);
          depths.push(depth + 1);
        } else if (typeof item === "number") {
          if (item - item !== 0) return false;
        } else if (typeof item !== "boolean") return false;
      }
      continue;
    }
    const prototype: unknown = Object.getPrototypeOf(node);
    if (prototype !== Object.prototype && prototype !== null) return false;
    for (const key in node) {
      const item = (node as Properties)[key];
      if (typeof item === "string") continue;
      if (typeof item === "object") {
        if (item === null) continue;
        nodes.push(item);
        depths.push(depth + 1);
      } else if (typeof item === "number") {
        // Only a finite number minus itself is zero; cheaper than Number.isFinite.
        if (item - item !== 0) return false;
      } else if (typeof item !== "boolean" && item !== undefined) return false;
    }
  }
  return true;
}
