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

interface Frame {
  readonly node: Readonly<Record<string, JsonValue | undefined>>;
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/** Compact JSON with keys sorted by code unit: the same text for every value that `jsonEqual` calls equal. */
export function stableStringify(value: JsonValue): string {
  const frames: Frame[] = [];
  let text = open(value, frames);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (frame.next === frame.length) {
      text += frame.keys === undefined ? "]" : "}";
      frames.pop();
      continue;
    }
    if (frame.next > 0) text += ",";
    const key = frame.keys === undefined ? String(frame.next) : (frame.keys[frame.next] ?? "");
    if (frame.keys !== undefined) text += `${JSON.stringify(key)}:`;
    frame.next++;
    // JSON.stringify writes a hole or undefined in an array as null.
    text += open(frame.node[key] ?? null, frames);
  }
  return text;
}

function open(value: JsonValue, frames: Frame[]): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const node = value as Frame["node"];
  if (Array.isArray(value)) {
    frames.push({ node, keys: undefined, length: value.length, next: 0 });
    return "[";
  }
  // The default sort compares code units, in every locale.
  const keys = Object.keys(node)
    .filter((key) => node[key] !== undefined)
    .sort();
  frames.push({ node, keys, length: keys.length, next: 0 });
  return "{";
}
