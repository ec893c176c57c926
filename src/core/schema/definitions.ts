import type { JsonValue } from "../json/json-value.ts";

const PREFIX = "#/$defs/";

function baseOf(ref: string): string {
  const last = ref.split(/[/#]/).pop() ?? "";
  const plain = last.replaceAll(/[^\w.-]+/g, "_").slice(0, 64);
  if (plain === "") return "self";
  // `__proto__` and similar keys must not be set on an object.
  return plain in {} ? `${plain}_def` : plain;
}

/**
 * Gives each definition a unique name under `$defs`, after its ref's last word. The names need no escaping in a pointer
 * or an address.
 */
export function createNamer(names: Iterable<string> = []): (ref: string) => string {
  const taken = new Set(names);
  const copies = new Map<string, number>();
  return (ref) => {
    const base = baseOf(ref);
    let copy = (copies.get(base) ?? 0) + 1;
    while (taken.has(copy === 1 ? base : `${base}_${copy}`)) copy += 1;
    const name = copy === 1 ? base : `${base}_${copy}`;
    copies.set(base, copy);
    taken.add(name);
    return name;
  };
}

export function defRef(name: string): string {
  return PREFIX + name;
}

/** The name in a ref that `defRef` made. */
export function defOf(ref: unknown): string | undefined {
  return typeof ref === "string" && ref.startsWith(PREFIX) ? ref.slice(PREFIX.length) : undefined;
}

/** Called with one sentence for each part of a tool's schema that could not be advertised. */
export type OnNote = (note: string) => void;

/** A schema level is at most two JSON levels: the keyword's value, and the schema in it. */
const MAX_JSON_DEPTH = 200;
const MAX_SIZE = 1024 * 1024;

/**
 * Ajv compiles one level a few dozen calls deep and overflows between 300 and 400 levels, refs included; in an SDK
 * client that fails the whole list.
 */
export const MAX_LEVELS_THROUGH_REFS = 200;

/** Why a schema is not read at all; undefined if it is within bounds. Linear, and stops at the first bound. */
export function schemaExcess(schema: JsonValue): string | undefined {
  const pending: { value: JsonValue; depth: number }[] = [{ value: schema, depth: 1 }];
  let size = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    size += typeof value === "string" ? value.length + 2 : 2;
    if (size > MAX_SIZE) return "larger than 1 MiB";
    if (typeof value !== "object" || value === null) continue;
    if (depth > MAX_JSON_DEPTH) return "deeper than 100 levels";
    for (const [key, child] of Object.entries(value)) {
      size += Array.isArray(value) ? 1 : key.length + 4;
      pending.push({ value: child, depth: depth + 1 });
    }
  }
  return undefined;
}
