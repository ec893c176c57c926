// The stub that stands for data of which nothing is sent: `{"omitted": {…}}`. One shape for two levels: a summary says
// what the whole holds, a reference only names it.

import { firstCodePoints } from "../../contract/code-points.ts";
import { type WrittenValue, jsonChunks } from "../../json/json-chunks.ts";
import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../../json/json-value.ts";
import { mainCollection } from "../../json/main-collection.ts";
import { keysOf } from "../../json/object-keys.ts";
import { appendPointer } from "../../json/pointer.ts";
import { decodeTables } from "../../json/table/decode-tables.ts";
import type { FitContext } from "../parcel.ts";
import { type SurveyedField, outlineOf, surveyFields } from "./condense.ts";
import { type CutTools, fitValue } from "./cut-value.ts";
import { longText } from "./long-text.ts";
import type { Omission, OmittedItems } from "./omission.ts";
import { rootPlace } from "./cut-place.ts";
import type { NamingScope } from "./name-omissions.ts";
import type { TextWeigher } from "./weigh-text.ts";

const MAX_KEYS = 32;
const MAX_KEY_LENGTH = 64;
/** What each part of a summary may take of the room that is left when its turn comes. */
const FIELDS_SHARE = 0.5;
const FIRST_SHARE = 0.5;
const LAST_SHARE = 0.9;
const OUTLINE_SHARE = 0.5;

/** What is said of data that is left out whole; measured once, since it needs a pass over everything. */
export interface Whole {
  readonly count: number;
  /** What is counted: the items of its main list, else its keys. */
  readonly noun: string;
  readonly keys: readonly string[];
  readonly bytes: number;
  readonly first: JsonValue | undefined;
  /** Undefined where there is one item or none. */
  readonly last: JsonValue | undefined;
  readonly fields: readonly SurveyedField[];
  /** The text that it is mostly made of. */
  readonly text: string | undefined;
  /** Its main list, of whose items a reference gives the names. */
  readonly list: OmittedItems | undefined;
}

export function surveyWhole(
  data: JsonValue,
  byteLength: FitContext["byteLength"],
  written: WrittenValue | undefined,
): Whole {
  // What is said of a list holds however it is written.
  const plain = decodeTables(data);
  const main = mainCollection(plain);
  const keys = isJsonObject(plain) ? keysOf(plain) : [];
  let bytes = 0;
  for (const chunk of jsonChunks(data, undefined, written)) bytes += byteLength(chunk);
  const items = main?.items ?? [];
  const { pointer = "", name = "keys" } = main ?? {};
  return {
    count: main === undefined ? keys.length : items.length,
    noun: main === undefined || pointer !== "/result" ? name : "items",
    keys,
    bytes,
    first: items[0],
    last: items.length > 1 ? items.at(-1) : undefined,
    // Without a list the object itself is the one record.
    fields: surveyFields(main === undefined ? [plain] : items),
    text: longText(plain)?.text,
    list: main === undefined ? undefined : allOf({ pointer, name, items }),
  };
}

function allOf({ pointer, name, items }: Omit<OmittedItems, "kind" | "runs">): OmittedItems {
  return { kind: "items", pointer, name, items, runs: [[0, items.length - 1]], isAll: true };
}

/** Parts of an object, each in a share of the room that those before it left. */
class Filling {
  readonly #gauge: CutTools["gauge"];
  #left: number;

  constructor(room: number, gauge: CutTools["gauge"]) {
    this.#left = room;
    this.#gauge = gauge;
  }

  /** What there is to say under a key, in a share of the room; undefined leaves the key out. */
  add(key: string, share: number, make: (room: number) => JsonValue | undefined): JsonObject {
    const room = Math.floor(this.#left * share) - this.#gauge.weigh(`"${key}":,`);
    const value = room > 0 ? make(room) : undefined;
    if (value === undefined) return {};
    this.#left -= this.#gauge.weigh(`"${key}":${JSON.stringify(value)},`);
    return { [key]: value };
  }
}

/** The level `summary`: how much there is, and as much as has room of what the whole of it holds. */
export function summaryStub(whole: Whole, room: number, tools: CutTools): JsonObject {
  const { count, keys, bytes, fields, first, last, text } = whole;
  const { gauge } = tools;
  const named = keys.slice(0, MAX_KEYS).map((key) => firstCodePoints(key, MAX_KEY_LENGTH));
  const bare = { count, keys: named, bytes };
  const filling = new Filling(room - gauge.weigh(JSON.stringify({ omitted: bare })), gauge);
  const sample = (item: JsonValue | undefined) => (left: number) =>
    item === undefined
      ? undefined
      : (fitValue(item, left, rootPlace(), tools)?.value ?? scalarsOf(item, left, tools));
  const outline = filling.add("outline", OUTLINE_SHARE, (left) => {
    const lines = text === undefined ? [] : outlineOf(text, left, gauge);
    return lines.length > 0 ? lines : undefined;
  });
  const said = {
    ...filling.add("fields", FIELDS_SHARE, (left) => fieldsIn(fields, left, tools)),
    ...filling.add("first", FIRST_SHARE, sample(first)),
    ...filling.add("last", LAST_SHARE, sample(last)),
  };
  return { omitted: { ...bare, ...said, ...outline } };
}

/** The fields that have room, in their order. */
function fieldsIn(
  fields: readonly SurveyedField[],
  room: number,
  { gauge }: CutTools,
): JsonObject | undefined {
  const said: Record<string, JsonValue> = {};
  let left = room - gauge.weigh("{}");
  for (const [name, says] of fields) {
    left -= gauge.weigh(`${JSON.stringify(name)}:${JSON.stringify(says)},`, left);
    if (left < 0) break;
    setOwn(said, name, says);
  }
  return Object.keys(said).length > 0 ? said : undefined;
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

/** The level `reference_only`: how much there is, the names of what has room to be named, and where it is kept. */
export function referenceStub(
  { count, bytes }: Whole,
  ids: readonly string[] = [],
  archive?: string,
): JsonObject {
  return {
    omitted: {
      count,
      keys: [],
      bytes,
      ...(ids.length > 0 ? { ids } : {}),
      ...(archive === undefined ? {} : { archive }),
    },
  };
}

/** The names of what was left out, one by one: the ids of a list's items, or the places of an object's members. */
export function* namesOf({ list, keys }: Whole, scope: NamingScope): Generator<string> {
  if (list === undefined) {
    for (const key of keys) yield appendPointer("", key);
    return;
  }
  for (const index of list.items.keys()) {
    const id = scope.idOf(list, index);
    if (id !== undefined) yield id;
  }
}

/** The first names that have room. A long one ends the list: those after it would look like all there are. */
export function namesWithin(names: Iterable<string>, room: number, gauge: TextWeigher): readonly string[] {
  const kept: string[] = [];
  let left = room;
  for (const name of names) {
    left -= gauge.weigh(`${JSON.stringify(name)},`, left);
    if (left < 0) break;
    kept.push(name);
  }
  return kept;
}

/** Everything there was, by its first keys; a list by the ids of its items, where they can be named so. */
export function omittedWhole(data: JsonValue): readonly Omission[] {
  const keys = isJsonObject(data) ? keysOf(data) : [];
  if (keys.length === 0 || keys.length > MAX_KEYS) return [{ kind: "part", id: "/*" }];
  return keys.map((key) => {
    const value = isJsonObject(data) ? data[key] : undefined;
    const pointer = appendPointer("", key);
    if (!Array.isArray(value) || value.length === 0) return { kind: "part", id: pointer };
    return allOf({ pointer, name: key, items: value as readonly JsonValue[] });
  });
}

/** The same in as few words as possible, to see what the words around the data take. */
export function placedWhole(data: JsonValue): readonly Omission[] {
  return omittedWhole(data).map((one) =>
    one.kind === "items" ? { kind: "part", id: `${one.pointer}/*` } : one,
  );
}
