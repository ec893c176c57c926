import type { JsonValue } from "./json-value.ts";

type Properties = Readonly<Record<string, JsonValue | undefined>>;

/** Whether two values are the same JSON: key order is ignored, an undefined property counts as absent. */
export function jsonEqual(a: JsonValue, b: JsonValue): boolean {
  const pending: (JsonValue | undefined)[] = [a, b];
  while (pending.length > 0) {
    const right = pending.pop();
    const left = pending.pop();
    if (left === right) continue;
    if (typeof left !== "object" || left === null || typeof right !== "object" || right === null)
      return false;
    if (Array.isArray(left) || Array.isArray(right)) {
      if (!Array.isArray(left) || !Array.isArray(right)) return false;
      if (!pushItems(left, right, pending)) return false;
    } else if (!pushProperties(left as Properties, right as Properties, pending)) return false;
  }
  return true;
}

function pushItems(
  left: readonly JsonValue[],
  right: readonly JsonValue[],
  pending: (JsonValue | undefined)[],
): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) pending.push(left[index], right[index]);
  return true;
}

function pushProperties(left: Properties, right: Properties, pending: (JsonValue | undefined)[]): boolean {
  let balance = 0;
  for (const key of Object.keys(left)) {
    const value = left[key];
    if (value === undefined) continue;
    if (!Object.hasOwn(right, key) || right[key] === undefined) return false;
    pending.push(value, right[key]);
    balance++;
  }
  for (const key of Object.keys(right)) {
    if (right[key] !== undefined) balance--;
  }
  return balance === 0;
}
