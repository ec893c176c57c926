// What is said of data that is left out, computed from all of it: what the fields of a list hold, the headings of a
// text. One pass, and little memory however much there is.

import { countCodePoints, firstCodePoints } from "../../contract/code-points.ts";
import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { keysOf } from "../../json/object-keys.ts";
import { cutText, looksEncoded } from "./cut-text.ts";
import type { TextWeigher } from "./weigh-text.ts";

/** More fields than this are a map, not a record. */
const MAX_FIELDS = 32;
/** With more different values than this, a range or the length says more. */
const MAX_VALUES = 8;
const MAX_VALUE_LENGTH = 40;
const MAX_FIELD_NAME = 64;

/** Of one form, so that their order as text is that of time. */
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

/** The least and the greatest of what was seen. */
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

/** What one field holds in all items that have it. */
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

/** A field's name, and what all items hold in it. */
export type SurveyedField = readonly [name: string, says: JsonValue];

/**
 * The fields of records: all different values where they are few and short, else the range of numbers and dates, the
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

const HEADING = /^#{1,6}[ \t]+\S.*$/gm;
const MAX_HEADINGS = 64;
const MAX_HEADING_LENGTH = 80;

function headingsOf(text: string): readonly string[] {
  const headings: string[] = [];
  for (const [line] of text.matchAll(HEADING)) {
    headings.push(firstCodePoints(line.trimEnd(), MAX_HEADING_LENGTH));
    if (headings.length >= MAX_HEADINGS) break;
  }
  return headings;
}

/** The headings of a text that have room; where it has none, its first sentences. */
export function outlineOf(text: string, room: number, gauge: TextWeigher): readonly string[] {
  if (looksEncoded(text)) return [];
  const headings = headingsOf(text);
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
