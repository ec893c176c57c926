// A value that fits a JSON Schema, as far as is possible without a search. The schema decides whether it really fits.

import { type JsonObject, type JsonValue, setOwn } from "../../../../core/json/json-value.ts";
import { numberAt, propertiesOf } from "../../../../core/schema/json-schema.ts";
import { resolveSchema, typesOf } from "./resolve-schema.ts";

/** How many of the optional parts are included. */
export type Fullness = "least" | "all" | "some";

export interface Sampling {
  /** The document that local references point into. */
  readonly root: JsonValue;
  readonly fullness: Fullness;
  readonly random: Random;
  /** Prefer values that the schema itself names; otherwise values are generated. Default: true. */
  readonly usesExamples?: boolean | undefined;
}

/** Below this depth only required parts are made, so that schemas that contain themselves end. */
const FULL_DEPTH = 3;
const MAX_DEPTH = 10;
const MAX_ITEMS = 20;
const MAX_LENGTH = 10_000;

const formats: Readonly<Record<string, string>> = {
  date: "2026-01-15",
  "date-time": "2026-01-15T10:30:00Z",
  time: "10:30:00Z",
  duration: "PT1H",
  email: "someone@example.com",
  "idn-email": "someone@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  "uri-reference": "/a",
  iri: "https://example.com/",
  uuid: "3f2a9c01-b7de-4c55-9d3a-6a1f0c2b7e11",
  "json-pointer": "/a",
  regex: "a",
};

/** The likely value of a text, by the name of its property. */
const byName: readonly (readonly [RegExp, string])[] = [
  [/url|uri|link|href/i, "https://example.com/"],
  [/e-?mail/i, "someone@example.com"],
  [/path|file|dir|folder/i, "."],
  [/date|day/i, "2026-01-15"],
  [/time|since|until/i, "2026-01-15T10:30:00Z"],
  [/lang|locale/i, "en"],
  [/country/i, "DE"],
  [/city|location|place/i, "Berlin"],
  [/query|search|text|message|prompt|q$/i, "hello"],
];

function fitLength(text: string, schema: JsonObject): string {
  const least = Math.min(numberAt(schema, "minLength") ?? 0, MAX_LENGTH);
  const most = numberAt(schema, "maxLength") ?? Number.POSITIVE_INFINITY;
  return text.padEnd(least, "a").slice(0, Math.max(most, 0));
}

function sampleText(schema: JsonObject, name: string, { random, fullness }: Sampling): string {
  const { format, pattern } = schema;
  if (typeof pattern === "string") return samplePattern(pattern) ?? "a";
  const formatted = typeof format === "string" ? formats[format] : undefined;
  if (formatted !== undefined) return formatted;
  const likely = byName.find(([words]) => words.test(name))?.[1];
  const made = fullness === "some" ? pick(random, ["a", "alpha", "hello world", "42", "Ünïcode"]) : undefined;
  return fitLength(likely ?? made ?? "a", schema);
}

function sampleNumber(schema: JsonObject, isWhole: boolean, { random, fullness }: Sampling): number {
  const step = numberAt(schema, "multipleOf") ?? (isWhole ? 1 : undefined);
  const above = numberAt(schema, "exclusiveMinimum");
  const below = numberAt(schema, "exclusiveMaximum");
  const gap = step ?? 0.5;
  const least = numberAt(schema, "minimum") ?? (above === undefined ? undefined : above + gap);
  const most = numberAt(schema, "maximum") ?? (below === undefined ? undefined : below - gap);
  const wanted = fullness === "some" ? between(random, 1, 9) : 1;
  const value = Math.max(
    least ?? Number.NEGATIVE_INFINITY,
    Math.min(most ?? Number.POSITIVE_INFINITY, wanted),
  );
  if (step === undefined) return value;
  const rounded = Math.ceil(value / step) * step;
  return most !== undefined && rounded > most ? Math.floor(most / step) * step : rounded;
}

function sampleList(schema: JsonObject, name: string, sampling: Sampling, depth: number): JsonValue {
  const { prefixItems, items } = schema;
  const fixed: readonly JsonValue[] = Array.isArray(prefixItems) ? prefixItems : [];
  const least = Math.min(numberAt(schema, "minItems") ?? 0, MAX_ITEMS);
  const isShort = sampling.fullness === "least" || depth > FULL_DEPTH;
  const wanted = Math.max(least, fixed.length, isShort ? 0 : 1);
  const length = Math.min(wanted, numberAt(schema, "maxItems") ?? MAX_ITEMS);
  const made = Array.from({ length }, (_, at) =>
    sampleValue(fixed[at] ?? items ?? true, name, sampling, depth + 1),
  );
  if (schema["uniqueItems"] !== true) return made;
  return made.map((item, at) => distinct(item, at));
}

/** Makes items differ; this is possible only for texts and numbers. */
function distinct(item: JsonValue, at: number): JsonValue {
  if (at === 0) return item;
  if (typeof item === "string") return `${item}${at}`;
  return typeof item === "number" ? item + at : item;
}

function sampleObject(schema: JsonObject, sampling: Sampling, depth: number): JsonObject {
  const { properties, required } = propertiesOf(schema);
  const { fullness, random } = sampling;
  const made: Record<string, JsonValue> = {};
  for (const name of new Set([...Object.keys(properties), ...required])) {
    const isOptional = !required.has(name);
    if (isOptional && (fullness === "least" || depth > FULL_DEPTH)) continue;
    if (isOptional && fullness === "some" && random() < 0.5) continue;
    setOwn(made, name, sampleValue(properties[name] ?? true, name, sampling, depth + 1));
  }
  return made;
}

/** A value that the schema itself names. */
function namedIn(
  schema: JsonObject,
  { random, fullness, usesExamples = true }: Sampling,
): JsonValue | undefined {
  const { const: fixed, enum: allowed, examples, default: usual } = schema;
  if (fixed !== undefined) return fixed;
  const choose = (items: readonly JsonValue[]): JsonValue | undefined =>
    fullness === "some" ? pick(random, items) : items[0];
  if (Array.isArray(allowed) && allowed.length > 0) return choose(allowed);
  if (!usesExamples) return undefined;
  if (Array.isArray(examples) && examples.length > 0) return choose(examples);
  return usual;
}

/** One of several forms: the first, or any. */
function formOf(schema: JsonObject, { random, fullness }: Sampling): JsonValue | undefined {
  const forms = [schema["anyOf"], schema["oneOf"]].find((each) => Array.isArray(each) && each.length > 0);
  if (!Array.isArray(forms)) return undefined;
  const given = forms as readonly JsonValue[];
  return fullness === "some" ? pick(random, given) : given[0];
}

export function sampleValue(
  given: JsonValue | undefined,
  name: string,
  sampling: Sampling,
  depth = 0,
): JsonValue {
  const schema = resolveSchema(sampling.root, given);
  const named = namedIn(schema, sampling);
  if (named !== undefined) return named;
  if (depth > MAX_DEPTH) return null;
  const form = formOf(schema, sampling);
  if (form !== undefined) {
    const { anyOf: _any, oneOf: _one, ...beside } = schema;
    const whole = { ...beside, ...resolveSchema(sampling.root, form) };
    const both = propertiesOf(beside);
    const chosen = propertiesOf(whole);
    const properties = { ...both.properties, ...chosen.properties };
    const required = [...both.required, ...chosen.required];
    const joined = Object.keys(properties).length === 0 ? whole : { ...whole, properties, required };
    return sampleValue(joined, name, sampling, depth + 1);
  }
  const types = typesOf(schema);
  switch (types.find((type) => type !== "null") ?? types[0] ?? "string") {
    case "object":
      return sampleObject(schema, sampling, depth);
    case "array":
      return sampleList(schema, name, sampling, depth);
    case "integer":
      return sampleNumber(schema, true, sampling);
    case "number":
      return sampleNumber(schema, false, sampling);
    case "boolean":
      return sampling.fullness === "some" ? sampling.random() < 0.5 : false;
    case "null":
      return null;
    default:
      return sampleText(schema, name, sampling);
  }
}

// A text that a regular expression matches. The expression is only parsed, never run: a foreign expression may run
// forever. The parser understands what schemas commonly use; for anything else it returns no text. The schema decides
// whether the text is right.

const MAX_PATTERN = 2_000;
const MAX_TEXT = 2_000;

const classes: Readonly<Record<string, string>> = {
  d: "0",
  w: "a",
  s: " ",
  D: "a",
  W: "-",
  S: "a",
  t: "\t",
  n: "\n",
  r: "\r",
  p: "a",
  P: "0",
  u: "a",
};
/** Tried in this order for a negated character class. */
const candidates = ["a", "0", "A", "-", "_", " ", ".", "x", "1", "Z", ",", ";", ":", "/"];

class UnknownPattern extends Error {}

class PatternReader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** The first alternative that yields a text. */
  alternatives(): string {
    let chosen = this.#sequence();
    while (this.#peek() === "|") {
      this.#at += 1;
      const other = this.#sequence();
      if (chosen === "") chosen = other;
    }
    return chosen;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#pattern.length;
  }

  #peek(): string {
    return this.#pattern.charAt(this.#at);
  }

  #sequence(): string {
    let text = "";
    while (!this.isAtEnd && this.#peek() !== "|" && this.#peek() !== ")") {
      const atom = this.#atom();
      text += atom.repeat(Math.min(this.#times(), MAX_TEXT));
      if (text.length > MAX_TEXT) throw new UnknownPattern();
    }
    return text;
  }

  #atom(): string {
    const character = this.#peek();
    this.#at += 1;
    if (character === "^" || character === "$") return "";
    if (character === ".") return "a";
    if (character === "(") return this.#group();
    if (character === "[") return this.#class();
    if (character === "\\") return this.#escape();
    return character;
  }

  #group(): string {
    const opening = /^\?(?::|<[A-Za-z]\w*>)/.exec(this.#pattern.slice(this.#at));
    if (opening !== null) this.#at += opening[0].length;
    else if (this.#peek() === "?") throw new UnknownPattern();
    const text = this.alternatives();
    if (this.#peek() !== ")") throw new UnknownPattern();
    this.#at += 1;
    return text;
  }

  #escape(): string {
    const letter = this.#peek();
    this.#at += 1;
    if (letter === "b" || letter === "B") return "";
    if (letter === "p" || letter === "P") {
      const name = /^\{[^}]*\}/.exec(this.#pattern.slice(this.#at));
      this.#at += name?.[0].length ?? 0;
    }
    if (/[1-9kuxc]/.test(letter)) throw new UnknownPattern();
    return classes[letter] ?? letter;
  }

  #class(): string {
    const isNegated = this.#peek() === "^";
    if (isNegated) this.#at += 1;
    const allowed: string[] = [];
    for (let isFirst = true; isFirst || this.#peek() !== "]"; isFirst = false) {
      if (this.isAtEnd) throw new UnknownPattern();
      const character = this.#peek();
      this.#at += 1;
      allowed.push(character === "\\" ? this.#escape() : character);
      // The start of a range is enough, and its end must not be taken for a member.
      const isRange = this.#peek() === "-" && this.#pattern.charAt(this.#at + 1) !== "]";
      if (isRange) this.#at += this.#pattern.charAt(this.#at + 1) === "\\" ? 3 : 2;
    }
    this.#at += 1;
    if (!isNegated) return allowed.find((each) => /[A-Za-z0-9]/.test(each)) ?? allowed[0] ?? "";
    return candidates.find((each) => !allowed.includes(each)) ?? "~";
  }

  /** How often the preceding atom is repeated: as rarely as the expression allows, but once rather than never. */
  #times(): number {
    const found = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.#pattern.slice(this.#at));
    if (found === null) return 1;
    this.#at += found[0].length;
    return found[1] === undefined ? 1 : Number(found[1]);
  }
}

/** A text that the pattern should match; undefined if this parser does not understand the pattern. */
export function samplePattern(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  try {
    const reader = new PatternReader(pattern);
    const text = reader.alternatives();
    return reader.isAtEnd ? text : undefined;
  } catch (error) {
    if (error instanceof UnknownPattern || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A source of numbers from 0 to 1; the same seed gives the same numbers. */
export type Random = () => number;

/** The 32-bit generator "mulberry32": small, fast, and good enough to choose among examples. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Each tool has its own seed, so that adding or removing a tool does not change the others. */
export function seedFor(seed: number, name: string): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

export function pick<Item>(random: Random, items: readonly Item[]): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

/** Whole numbers, both ends included. */
function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}
