import type { JsonValue } from "./json-value.ts";

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
    // JSON.stringify writes an array's hole or undefined as null.
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
  // The default sort compares code units, whatever the locale.
  const keys = Object.keys(node)
    .filter((key) => node[key] !== undefined)
    .sort();
  frames.push({ node, keys, length: keys.length, next: 0 });
  return "{";
}
