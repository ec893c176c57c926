// Values that break careless tools, by the type that a schema asks for. None does harm by itself: every place or
// command they name is bait, and everything long, deep or numerous has a limit.

import { numberAt } from "../../../core/schema/json-schema.ts";
import { resolveSchema, typesOf } from "../../check/probe/arguments/resolve-schema.ts";
import type { Change } from "../../check/probe/arguments/vary-arguments.ts";
import { type JsonObject, type JsonValue, setOwn } from "../../../core/json/json-value.ts";
import type { BaitText } from "./bait.ts";

const MAX_TEXT = 100_000;
/** The longest text without a space. */
const MAX_WORD = 20_000;
const MAX_ITEMS = 1_000;
/** The deepest arguments that the contract accepts; it refuses deeper ones itself. */
const MAX_DEPTH = 500;

/** The property that appears if keys of arguments get into a prototype. */
export const POLLUTED_KEY = "waybill_fuzz";

/** An object with its own keys that have a meaning in JavaScript, as a parsed message has them. */
function objectOf(...entries: readonly (readonly [key: string, value: JsonValue])[]): JsonObject {
  const made: Record<string, JsonValue> = {};
  for (const [key, value] of entries) setOwn(made, key, value);
  return made;
}

const poison: JsonObject = { [POLLUTED_KEY]: "polluted" };

function nested(depth: number, wrap: (inner: JsonValue) => JsonValue): JsonValue {
  let value: JsonValue = "deep";
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}

type Hostile = readonly [value: JsonValue, why: string];

const names: readonly Hostile[] = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  `__proto__.${POLLUTED_KEY}`,
  `constructor.prototype.${POLLUTED_KEY}`,
  `__proto__[${POLLUTED_KEY}]`,
].map((name) => [name, "a name that every object has"] as const);

const texts: readonly Hostile[] = [
  ...names,
  ["", "an empty text"],
  [" ", "a blank"],
  ["\n", "a line end"],
  ["a\0b", "a null byte"],
  ["\u0001\u001b[31m", "control characters"],
  ["\ud800", "half of a character"],
  ["a\udc00b", "half of a character"],
  ["\u202eabc\u200b", "hidden characters"],
  [`e${"\u0301".repeat(500)}`, "many accents on one letter"],
  ["👩‍👩‍👧‍👦İßﬁ", "letters that change their length"],
  ["a word ".repeat(MAX_TEXT / 7), "a huge text"],
  ["a".repeat(MAX_WORD), "a huge word"],
  ["🚢".repeat(MAX_WORD / 4), "a text of many wide characters"],
  ["\n".repeat(MAX_WORD), "a text of many lines"],
  ["(".repeat(2_000), "a text that opens many brackets"],
  [`${"[".repeat(2_000)}${"]".repeat(2_000)}`, "JSON that is nested deep"],
  ['{"__proto__":{"waybill_fuzz":"polluted"}}', "JSON with a key that every object has"],
  ["{", "broken JSON"],
  ["null", "a text that is a word of a language"],
  ["undefined", "a text that is a word of a language"],
  ["NaN", "a text that is no number"],
  ["-1", "a number as text"],
  ["1e999", "a huge number as text"],
  ["9007199254740993", "a number as text that is not exact"],
  ["2026-02-30", "a day that does not exist"],
  ["+275760-09-14", "a day that no Date has"],
  ["http://[", "a broken address"],
  ["javascript:0", "an address that is code"],
  ["'\"`;--", "quotes"],
  ["a\\", "a backslash"],
  ["%s%d%n%", "signs of a format"],
  ["%", "a broken escape"],
  ["${7*7}{{7*7}}", "signs of a template"],
  ["<b onclick=1>&amp;", "signs of HTML"],
  ["[", "a broken pattern"],
  ["*", "a broken pattern"],
  ["$&$1", "signs of a replacement"],
  ["-waybill-fuzz", "a text that reads like an option"],
];

const numbers: readonly Hostile[] = [
  [0, "zero"],
  [-1, "a number below zero"],
  [-0.5, "a fraction below zero"],
  [0.1, "a fraction"],
  [1_000_000, "a large number"],
  [2 ** 31, "a number over 31 bits"],
  [2 ** 32, "a number over 32 bits"],
  [2 ** 53, "a number that is not exact"],
  [-(2 ** 53), "a number that is not exact"],
  [1e21, "a number that is written with an exponent"],
  [1.7e308, "a huge number"],
  [5e-324, "a tiny number"],
];

const objects: readonly Hostile[] = [
  [objectOf(["__proto__", poison]), "a key that every object has"],
  [objectOf(["a", objectOf(["__proto__", poison])]), "a key that every object has, deeper"],
  [{ constructor: { prototype: poison } }, "a key that every object has"],
  [objectOf(["toString", 1], ["valueOf", 1], ["toJSON", 1], ["then", 1], ["length", -1]), "names of methods"],
  [{ "": "" }, "an empty key"],
  [nested(MAX_DEPTH, (inner) => ({ a: inner })), "objects in objects"],
  [nested(MAX_DEPTH, (inner) => [inner]), "lists in lists"],
  [Object.fromEntries(Array.from({ length: MAX_ITEMS }, (_, at) => [`k${at}`, at])), "many keys"],
];

/** One value of each type, for places that expect another type. */
const others: readonly Hostile[] = [
  [null, "null"],
  [true, "true"],
  [42, "a number"],
  ["text", "a text"],
  [[], "an empty list"],
  [{}, "an empty object"],
  [[null], "a list of nothing"],
];

/** The forms that a schema offers; the schema itself if it offers none. */
function formsOf(root: JsonValue, schema: JsonObject): readonly JsonObject[] {
  const forms = [schema["anyOf"], schema["oneOf"]].flatMap((each) => (Array.isArray(each) ? each : []));
  if (forms.length === 0) return [schema];
  return (forms as readonly JsonValue[]).map((form) => resolveSchema(root, form));
}

export interface HostileTexts {
  readonly bait: readonly BaitText[];
}

function textsFor(schema: JsonObject, { bait }: HostileTexts): readonly Hostile[] {
  // If only some words are allowed, every other text is refused for the same reason.
  if (schema["enum"] !== undefined || schema["const"] !== undefined) return names.slice(0, 2);
  const longest = numberAt(schema, "maxLength") ?? MAX_TEXT;
  const all = [...bait.map(({ text, why }): Hostile => [text, why]), ...texts];
  return all.filter(([text]) => typeof text !== "string" || text.length <= longest);
}

function listsFor(root: JsonValue, schema: JsonObject, use: HostileTexts, depth: number): readonly Hostile[] {
  const item = resolveSchema(root, schema["items"]);
  const items = hostileValues(root, item, use, depth + 1);
  const [first = ["a", ""] as Hostile] = items;
  return [
    [[], "an empty list"],
    [Array.from({ length: MAX_ITEMS }, () => first[0]), "many items"],
    ...items.map(([value, why]): Hostile => [[value], `${why}${IN_LIST}`]),
  ];
}

/** Hostile values for a place; for nested lists only one level. */
function hostileValues(
  root: JsonValue,
  schema: JsonObject,
  use: HostileTexts,
  depth = 0,
): readonly Hostile[] {
  const found: Hostile[] = [];
  for (const form of formsOf(root, schema)) {
    const types = typesOf(form);
    const isFree = types.length === 0 && form["enum"] === undefined && form["const"] === undefined;
    if (isFree || types.includes("string")) found.push(...textsFor(form, use));
    if (isFree || types.includes("number") || types.includes("integer")) found.push(...numbers);
    if (isFree || types.includes("object")) found.push(...objects);
    if (depth === 0 && types.includes("array")) found.push(...listsFor(root, form, use, depth));
  }
  return [...found, ...others];
}

const IN_LIST = ", in a list";

/** The values that find the most; each place gets these first. */
const urgent: ReadonlySet<string> = new Set([
  "a path that leads out of its folder",
  "an absolute path",
  "a command",
  "a piece of code",
  "a name that every object has",
  "a key that every object has",
  "an empty text",
  "a null byte",
  "half of a character",
  "a huge text",
  "a number below zero",
  "null",
]);

export function isUrgent({ keyword }: Pick<Change, "keyword">): boolean {
  return urgent.has(keyword.replace(IN_LIST, ""));
}

/** The values each property may change to. The keyword is the reason, so that one of each comes before a second. */
export function hostileChanges(
  root: JsonValue,
  use: HostileTexts,
): (schema: JsonObject) => readonly Change[] {
  return (schema) => hostileValues(root, schema, use).map(([value, why]) => ({ value, why, keyword: why }));
}

/** Unexpected arguments beside good ones. */
export function strayArguments(good: JsonObject): readonly JsonObject[] {
  const beside = (...entries: readonly (readonly [string, JsonValue])[]): JsonObject =>
    objectOf(...Object.entries(good), ...entries);
  return [
    beside(["__proto__", poison]),
    beside(["constructor", { prototype: poison }]),
    beside(["toString", 1], ["then", 1], ["toJSON", 1]),
    beside(["", ""]),
    beside(["deep", nested(MAX_DEPTH, (inner) => ({ a: inner }))]),
    // Deeper than any contract accepts.
    beside(["deeper", nested(3 * MAX_DEPTH, (inner) => [inner])]),
    beside(...Array.from({ length: MAX_ITEMS }, (_, at) => [`waybill_fuzz_${at}`, at] as const)),
  ];
}
