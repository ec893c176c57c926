import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import { keysOf } from "../../../core/json/json-chunks.ts";
import { type Collection, mainCollection } from "../../../core/json/main-collection.ts";
import { appendPointer, getByPointer, parsePointer } from "../../../core/json/pointer.ts";
import type { MissingPlace } from "../../../core/pipeline/pipeline-context.ts";

/** How many records are examined: the first ones represent all. */
const SAMPLE = 50;
/** A longer key or value is not a good example. */
export const MAX_LENGTH = 40;

/** A key as written in an expression: without quotes if possible, else between double quotes. */
export function writeKey(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key);
}

/** A pointer as written in an expression; empty for the value itself. */
export function pathTo(pointer: string): string {
  return expressionPath(parsePointer(pointer));
}

export function expressionPath(parts: readonly string[]): string {
  return parts
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : `${index === 0 ? "" : "."}${writeKey(part)}`))
    .join("");
}

/** The key whose values form the fewest groups, but more than one: the list is counted by it. */
function groupingKey(records: readonly JsonObject[]): string | undefined {
  let best: string | undefined;
  let fewest = Math.max(2, records.length * 0.7);
  for (const key of Object.keys(records[0] ?? {})) {
    if (key.length > MAX_LENGTH) continue;
    const values = records.map((record) => record[key]);
    if (!values.every((value) => typeof value === "string" && value.length <= MAX_LENGTH)) continue;
    const groups = new Set(values).size;
    if (groups > 1 && groups < fewest) [best, fewest] = [key, groups];
  }
  return best;
}

/**
 * An expression that fits a value, made of its own keys; undefined if nothing can be asked about the value. If
 * only parts of it are missing, it asks about those.
 */
export function exampleQuestion(value: JsonValue, missing: readonly MissingPlace[] = []): string | undefined {
  const main = mainCollection(value);
  const mainPlace = missing.find(({ pointer }) => pointer === main?.pointer);
  if (main !== undefined && main.items.length > 0 && (missing.length === 0 || mainPlace !== undefined))
    return exampleOfList(main, mainPlace?.run);
  const place = missing.find(({ run }) => run !== undefined) ?? missing[0];
  if (place === undefined) return exampleOfObject(value);
  const items = getByPointer(value, place.pointer);
  return place.run !== undefined && Array.isArray(items)
    ? exampleOfList({ pointer: place.pointer, items: items as readonly JsonValue[] }, place.run)
    : pathIn(value, parsePointer(place.pointer));
}

/** How many items an example asks for. */
const SHOWN = 10;

function exampleOfList(
  { pointer, items }: Pick<Collection, "pointer" | "items">,
  run: MissingPlace["run"],
): string | undefined {
  if (parsePointer(pointer).some((part) => part.length > MAX_LENGTH)) return undefined;
  const list = pathTo(pointer) || "@";
  const records = items.slice(0, SAMPLE).filter(isJsonObject);
  const [first] = records;
  const group = groupingKey(records);
  if (group !== undefined) return `count_by(${list}, &${writeKey(group)})`;
  const keys = Object.keys(first ?? {}).filter((key) => key.length <= MAX_LENGTH && key !== "");
  const plain = keys.filter((key) => typeof first?.[key] !== "object");
  const shown = (plain.length > 0 ? plain : keys).slice(0, 2).map(writeKey);
  const [from, to] = run ?? [0, SHOWN - 1];
  const slice = `${list === "@" ? "" : list}[${from || ""}:${Math.min(to + 1, from + SHOWN)}]`;
  if (shown.length > 0) return `${slice}.[${shown.join(", ")}]`;
  return from === 0 ? `length(${list})` : slice;
}

function exampleOfObject(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const first = keysOf(value).find((key) => key.length <= MAX_LENGTH && key !== "");
  return first === undefined ? undefined : writeKey(first);
}

/** A place as an expression; undefined if nothing is there, or a key on the way is no good example. */
function pathIn(value: JsonValue, parts: readonly string[]): string | undefined {
  let path = "";
  let at: JsonValue | undefined = value;
  for (const part of parts) {
    if (part === "" || part.length > MAX_LENGTH) return undefined;
    path += Array.isArray(at) ? `[${part}]` : `${path === "" ? "" : "."}${writeKey(part)}`;
    at = getByPointer(at, appendPointer("", part));
    if (at === undefined) return undefined;
  }
  return path === "" ? undefined : path;
}
