import { firstCodePoints } from "../../contract/code-points.ts";
import { type WrittenValue, jsonChunks } from "../../json/json-chunks.ts";
import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../../json/json-value.ts";
import { mainCollection } from "../../json/main-collection.ts";
import { keysOf } from "../../json/object-keys.ts";
import { appendPointer } from "../../json/pointer.ts";
import type { FitContext } from "../parcel.ts";
import { type CutTools, fitValue } from "./cut-value.ts";
import type { Omission } from "./omission.ts";
import { rootPlace } from "./cut-place.ts";

const MAX_KEYS = 32;
const MAX_KEY_LENGTH = 64;
/** The sample may take this share of the room, so that it stays small. */
const SAMPLE_SHARE = 0.5;

/** What is said of data that is left out whole; measured once, since it needs a pass over everything. */
export interface Whole {
  readonly count: number;
  /** What is counted: the items of its main list, else its keys. */
  readonly noun: string;
  readonly keys: readonly string[];
  readonly bytes: number;
  readonly first: JsonValue | undefined;
}

export function surveyWhole(
  data: JsonValue,
  byteLength: FitContext["byteLength"],
  written: WrittenValue | undefined,
): Whole {
  const main = mainCollection(data);
  const keys = isJsonObject(data) ? keysOf(data) : [];
  let bytes = 0;
  for (const chunk of jsonChunks(data, undefined, written)) bytes += byteLength(chunk);
  const count = main?.items.length ?? keys.length;
  return {
    count,
    noun: main?.pointer === "/result" ? "items" : (main?.name ?? "keys"),
    keys,
    bytes,
    first: main?.items[0],
  };
}

/** The level `summary`: how much there is, its keys, and one item as a sample. */
export function summaryStub({ count, keys, bytes, first }: Whole, room: number, tools: CutTools): JsonObject {
  const named = keys.slice(0, MAX_KEYS).map((key) => firstCodePoints(key, MAX_KEY_LENGTH));
  const bare = { omitted: { count, keys: named, bytes } };
  if (first === undefined) return bare;
  const left = Math.floor((room - tools.gauge.weigh(JSON.stringify(bare))) * SAMPLE_SHARE);
  if (left <= 0) return bare;
  const sample = fitValue(first, left, rootPlace(), tools)?.value ?? scalarsOf(first, left, tools);
  return sample === undefined ? bare : { omitted: { count, keys: named, sample, bytes } };
}

/** Of an item that is too large: its first fields that are no structure, as far as there is room. */
export function scalarsOf(item: JsonValue, room: number, { gauge }: CutTools): JsonObject | undefined {
  if (!isJsonObject(item)) return undefined;
  const kept: Record<string, JsonValue> = {};
  let left = room - gauge.weigh("{}");
  for (const key of keysOf(item)) {
    const value = item[key];
    if (value === undefined || (typeof value === "object" && value !== null)) continue;
    left -= gauge.weigh(`${JSON.stringify(key)}:${JSON.stringify(value)},`, left);
    if (left < 0) break;
    setOwn(kept, key, value);
  }
  return Object.keys(kept).length > 0 ? kept : undefined;
}

/** The level `reference_only`: only how much there is; the archive's hash says where. */
export function referenceStub({ count, bytes }: Whole): JsonObject {
  return { omitted: { count, keys: [], bytes } };
}

/** Everything there was, by its first keys. */
export function omittedWhole(data: JsonValue): readonly Omission[] {
  const keys = isJsonObject(data) ? keysOf(data) : [];
  if (keys.length === 0 || keys.length > MAX_KEYS) return [{ kind: "part", id: "/*" }];
  return keys.map((key) => {
    const value = isJsonObject(data) ? data[key] : undefined;
    const pointer = appendPointer("", key);
    return { kind: "part", id: Array.isArray(value) && value.length > 0 ? `${pointer}/*` : pointer };
  });
}
