import type { JsonValue } from "./json-value.ts";

/** How many properties a value has in all its objects together. */
export function countKeys(root: JsonValue): number {
  if (typeof root !== "object" || root === null) return 0;
  const nodes: object[] = [root];
  const inherits = hasInheritedKeys();
  let count = 0;
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (Array.isArray(node)) {
      for (let index = 0; index < node.length; index++) {
        const item: unknown = node[index];
        if (typeof item === "object" && item !== null) nodes.push(item);
      }
      continue;
    }
    for (const key in node) {
      if (inherits && !Object.hasOwn(node, key)) continue;
      count++;
      const item = (node as Readonly<Record<string, unknown>>)[key];
      if (typeof item === "object" && item !== null) nodes.push(item);
    }
  }
  return count;
}

/** Something may have added an enumerable property to Object.prototype, which for-in would count. */
function hasInheritedKeys(): boolean {
  for (const _ in {}) return true;
  return false;
}
