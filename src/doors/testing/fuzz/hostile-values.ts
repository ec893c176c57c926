// Values that break careless tools, by the type that a schema asks for. None does harm by itself: every place or
// command they name is bait, and everything long, deep or numerous has a limit.

import { numberAt } from "../../../core/schema/json-schema.ts";
import { resolveSchema, typesOf } from "../../check/probe/arguments/resolve-schema.ts";
import type { Change } from "../../check/probe/arguments/vary-arguments.ts";
import { type JsonObject, type JsonValue, setOwn } from "../../../core/json/json-value.ts";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";

// What a tool must not reach: a file outside every folder it knows, a command, a piece of code. Hostile texts name
// nothing else on this machine, so a careless tool reads, changes or creates only a bait file.

/** More steps up than any folder is deep. */
const STEPS_UP = 20;
/** The property that the bait code sets if it is run. */
const MARK = "waybillFuzzRan";

interface BaitText {
  readonly text: string;
  readonly why: string;
}

function readOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

export class Bait {
  readonly #folder = mkdtempSync(join(tmpdir(), "waybill-fuzz-"));
  readonly #file = join(this.#folder, "secret.txt");
  /** The file that the bait command creates if it is run. */
  readonly #made = join(this.#folder, "made");
  readonly #secret = `waybill-fuzz-${randomBytes(12).toString("hex")}`;

  constructor() {
    writeFileSync(this.#file, this.#secret);
  }

  /** Texts that lead a careless tool to the bait. */
  texts(): readonly BaitText[] {
    const below = relative(sep, this.#file).split(sep).join("/");
    const up = `${"../".repeat(STEPS_UP)}${below}`;
    const touch = `touch ${this.#made}`;
    return [
      { text: up, why: "a path that leads out of its folder" },
      { text: `/${up}`, why: "a path that leads out of its folder" },
      { text: `a/${up}`, why: "a path that leads out of a folder" },
      { text: up.replaceAll("../", "..%2f"), why: "an encoded path that leads out of its folder" },
      { text: up.replaceAll("../", "..\\"), why: "a path with backslashes that leads out of its folder" },
      { text: up.replaceAll("../", "....//"), why: "a path that leads out once `../` is taken from it" },
      { text: this.#file, why: "an absolute path" },
      { text: `${up}\0.json`, why: "a path with a null byte" },
      { text: pathToFileURL(this.#file).href, why: "the address of a file" },
      { text: `$(${touch})`, why: "a command" },
      { text: `\`${touch}\``, why: "a command" },
      { text: `; ${touch} #`, why: "a command" },
      { text: `'; ${touch} #`, why: "a command behind a quote" },
      { text: `"; ${touch} #`, why: "a command behind a quote" },
      { text: `| ${touch}`, why: "a command" },
      { text: `globalThis.${MARK}=1`, why: "a piece of code" },
      { text: `'+(globalThis.${MARK}=1)+'`, why: "a piece of code behind a quote" },
      { text: `"+(globalThis.${MARK}=1)+"`, why: "a piece of code behind a quote" },
    ];
  }

  /** Whether a text contains the content of the bait file. */
  isToldIn(text: string): boolean {
    return text.includes(this.#secret);
  }

  /** Reports what a call has done to the bait, and undoes it. */
  undo(): readonly string[] {
    const done: string[] = [];
    if (readOf(this.#file) !== this.#secret) {
      const what = existsSync(this.#file) ? "changes" : "removes";
      done.push(`It ${what} a file that is outside its folder`);
      this.#restore();
    }
    if (existsSync(this.#made)) {
      done.push("It runs a text of its arguments as a command");
      rmSync(this.#made, { recursive: true, force: true });
    }
    if (Object.hasOwn(globalThis, MARK)) {
      done.push("It runs a text of its arguments as code");
      Reflect.deleteProperty(globalThis, MARK);
    }
    return done;
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Restores the file, whatever is in its place now: another file, a folder, or nothing, not even its folder. */
  #restore(): void {
    rmSync(this.#file, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(this.#file, this.#secret);
  }
}

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
