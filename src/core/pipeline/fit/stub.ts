// The stub in place of data that is left out whole: `{"omitted": {…}}`. One shape for two levels: a summary says what
// the whole contains, a reference only names it.

import { firstCodePoints, countCodePoints } from "../../text/code-points.ts";
import { type WrittenValue, jsonChunks, keysOf } from "../../json/json-chunks.ts";
import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../../json/json-value.ts";
import { mainCollection } from "../../json/main-collection.ts";
import { appendPointer } from "../../json/pointer.ts";
import { decodeTables } from "../../json/table/decode-tables.ts";
import type { FitContext } from "../pipeline-context.ts";
import { type CutTools, fitValue } from "./cut-value.ts";
import { longText, cutText, looksEncoded } from "./cut-text.ts";
import type { Omission, OmittedItems } from "./omission.ts";
import { rootPlace } from "./cut-place.ts";
import type { NamingScope } from "./name-omissions.ts";
import { headingsOf } from "../../text/outline.ts";
import type { TextWeigher } from "./weigh-parcel.ts";

const MAX_KEYS = 32;
const MAX_KEY_LENGTH = 64;
/** The share of the remaining room that each part of a summary may take. */
const FIELDS_SHARE = 0.5;
const FIRST_SHARE = 0.5;
const LAST_SHARE = 0.9;
const OUTLINE_SHARE = 0.5;

/** A description of data that is left out whole; measured once, because it needs a pass over everything. */
export interface Whole {
  readonly count: number;
  /** The name of what is counted: the items of the main list, else the keys. */
  readonly noun: string;
  readonly keys: readonly string[];
  readonly bytes: number;
  readonly first: JsonValue | undefined;
  /** Undefined if there is at most one item. */
  readonly last: JsonValue | undefined;
  readonly fields: readonly SurveyedField[];
  /** The text that makes up most of the data. */
  readonly text: string | undefined;
  /** The main list; a reference names its items. */
  readonly list: OmittedItems | undefined;
}

export function surveyWhole(
  data: JsonValue,
  byteLength: FitContext["byteLength"],
  written: WrittenValue | undefined,
): Whole {
  // The description of a list is the same in both forms of the list.
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
    // Without a list, the object itself is the only record.
    fields: surveyFields(main === undefined ? [plain] : items),
    text: longText(plain)?.text,
    list: main === undefined ? undefined : allOf({ pointer, name, items }),
  };
}

function allOf({ pointer, name, items }: Omit<OmittedItems, "kind" | "runs">): OmittedItems {
  return { kind: "items", pointer, name, items, runs: [[0, items.length - 1]], isAll: true };
}

/** Fills an object: each part gets a share of the room that those before it left. */
class Filling {
  readonly #gauge: CutTools["gauge"];
  #left: number;

  constructor(room: number, gauge: CutTools["gauge"]) {
    this.#left = room;
    this.#gauge = gauge;
  }

  /** The value for a key within a share of the room; undefined leaves the key out. */
  add(key: string, share: number, make: (room: number) => JsonValue | undefined): JsonObject {
    const room = Math.floor(this.#left * share) - this.#gauge.weigh(`"${key}":,`);
    const value = room > 0 ? make(room) : undefined;
    if (value === undefined) return {};
    this.#left -= this.#gauge.weigh(`"${key}":${JSON.stringify(value)},`);
    return { [key]: value };
  }
}

/** The level `summary`: how much there is, and as much of its description as fits. */
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

/** True if a summary says anything of what the whole holds, and not only how much it is. */
export function condenses({ omitted }: JsonObject): boolean {
  return isJsonObject(omitted) && ["fields", "first", "last", "outline"].some((key) => key in omitted);
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

/** For an item that is too large: its first scalar fields, as far as they fit. */
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

/** The level `reference_only`: how much there is, as many names as fit, and where it is kept. */
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

/** The first names that fit. A long name ends the list: with names after it, the list would look complete. */
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

/** Everything the data had, by its first keys; a list by the ids of its items, if they have unique ones. */
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

/** The same in as few words as possible, to find the weight of the envelope around the data. */
export function placedWhole(data: JsonValue): readonly Omission[] {
  return omittedWhole(data).map((one) =>
    one.kind === "items" ? { kind: "part", id: `${one.pointer}/*` } : one,
  );
}

// A description of omitted data, computed from all of it: the contents of a list's fields, the headings of a text. It
// takes one pass, and little memory however large the data is.

/** More fields than this are a map, not a record. */
const MAX_FIELDS = 32;
/** If there are more different values than this, a range or the length says more. */
const MAX_VALUES = 8;
const MAX_VALUE_LENGTH = 40;
const MAX_FIELD_NAME = 64;

/** Dates of one form, so that their order as text is their order in time. */
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z?)?$/;

type Scalar = string | number | boolean | null;
type Kind = "number" | "date" | "text" | "list" | "object" | "other";

function kindOf(value: JsonValue): Kind {
  if (typeof value === "number") return "number";
  if (typeof value === "string")
    return value.length <= MAX_VALUE_LENGTH && DATE.test(value) ? "date" : "text";
  if (Array.isArray(value)) return "list";
  return isJsonObject(value) ? "object" : "other";
}

/** The smallest and the largest value seen. */
class Range<Value extends string | number> {
  #min: Value | undefined;
  #max: Value | undefined;

  add(value: Value): void {
    if (this.#min === undefined || value < this.#min) this.#min = value;
    if (this.#max === undefined || value > this.#max) this.#max = value;
  }

  named(of = ""): JsonValue {
    return { [`min${of}`]: this.#min ?? null, [`max${of}`]: this.#max ?? null };
  }
}

/** The contents of one field in all items that have it. */
class FieldSurvey {
  readonly #kinds = new Set<Kind>();
  /** All different values, as long as they are few and short. */
  #values: Set<Scalar> | undefined = new Set();
  readonly #figures = new Range<number>();
  readonly #dates = new Range<string>();

  add(value: JsonValue): void {
    this.#note(value);
    if (value === null) return;
    const kind = kindOf(value);
    this.#kinds.add(kind);
    if (kind === "date") this.#dates.add(value as string);
    else if (typeof value === "number") this.#figures.add(value);
    else if (typeof value === "string") this.#figures.add(countCodePoints(value));
    else if (Array.isArray(value)) this.#figures.add(value.length);
  }

  #note(value: JsonValue): void {
    if (this.#values === undefined) return;
    const isShort =
      typeof value === "string"
        ? value.length <= MAX_VALUE_LENGTH
        : typeof value !== "object" || value === null;
    if (isShort) this.#values.add(value as Scalar);
    if (!isShort || this.#values.size > MAX_VALUES) this.#values = undefined;
  }

  says(): JsonValue {
    if (this.#values !== undefined) return [...this.#values];
    const [kind = "other", ...more] = this.#kinds;
    if (more.length > 0) return "mixed";
    if (kind === "number") return this.#figures.named();
    if (kind === "date") return this.#dates.named();
    if (kind === "text") return this.#figures.named("_length");
    return kind === "list" ? this.#figures.named("_items") : kind;
  }
}

/** A field's name, and a description of its values in all items. */
type SurveyedField = readonly [name: string, says: JsonValue];

/**
 * The fields of records: all different values if they are few and short, else the range of numbers and dates, the
 * lengths of texts and lists.
 */
export function surveyFields(items: readonly JsonValue[]): readonly SurveyedField[] {
  const fields = new Map<string, FieldSurvey>();
  for (const item of items) {
    if (!isJsonObject(item)) continue;
    for (const key of keysOf(item)) {
      const known = fields.get(key);
      if (known === undefined && fields.size >= MAX_FIELDS) continue;
      const survey = known ?? new FieldSurvey();
      if (known === undefined) fields.set(key, survey);
      survey.add(item[key] ?? null);
    }
  }
  return [...fields].map(([name, survey]) => [firstCodePoints(name, MAX_FIELD_NAME), survey.says()]);
}

/** The headings of a text that fit; if it has no headings, its first sentences. */
export function outlineOf(text: string, room: number, gauge: TextWeigher): readonly string[] {
  if (looksEncoded(text)) return [];
  const headings = headingsOf(text).map(({ text: heading }) => heading);
  if (headings.length < 2) {
    const lead = cutText(text.trimStart(), room, gauge)?.trimEnd() ?? "";
    return lead === "" ? [] : [lead];
  }
  const kept: string[] = [];
  let left = room;
  for (const heading of headings) {
    left -= gauge.weigh(`${JSON.stringify(heading)},`, left);
    if (left < 0) break;
    kept.push(heading);
  }
  return kept;
}
