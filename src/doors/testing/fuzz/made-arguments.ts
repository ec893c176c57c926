// The arguments that a tool is called with: good, at an edge, just beyond it, and hostile, in turns, so that a few
// calls cover all kinds. The same seed gives the same arguments.

import {
  type Fullness,
  type Random,
  pick,
  randomFrom,
  sampleValue,
  seedFor,
} from "../../check/probe/arguments/sample-value.ts";
import { jsonTypeOf, propertiesOf } from "../../../core/schema/json-schema.ts";
import { resolveSchema } from "../../check/probe/arguments/resolve-schema.ts";
import {
  type Variant,
  edgeArguments,
  faultyArguments,
  shuffled,
  spread,
  varyArguments,
} from "../../check/probe/arguments/vary-arguments.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../../../core/json/json-value.ts";
import { parsePointer } from "../../../core/json/pointer.ts";
import type { FuzzOrigin } from "./fuzz-report.ts";
import {
  type HostileTexts,
  POLLUTED_KEY,
  hostileChanges,
  isUrgent,
  strayArguments,
} from "./hostile-values.ts";

export interface MadeCall {
  readonly origin: FuzzOrigin;
  readonly arguments: JsonObject;
}

export interface MakerOptions {
  readonly name: string;
  readonly schema: JsonObject;
  readonly given: readonly JsonObject[];
  readonly seed: number;
  readonly use: HostileTexts;
  /** A read-only tool may be asked for any place; other tools must not change a place that exists. */
  readonly isReadOnly: boolean;
  /** Whether the tool's own schema accepts arguments. */
  readonly accepts: (args: JsonObject) => Promise<boolean>;
}

/** The most good arguments that others are varied from. */
const MAX_BASES = 5;
const ATTEMPTS = 12;
/** The longest small value, in characters of JSON. */
const MAX_SMALL = 5_000;
/** After this many repeats in a row a source is exhausted. */
const MAX_REPEATS = 50;

const turns = ["valid", "hostile", "boundary", "hostile", "invalid", "hostile"] as const;

function mapStrings(value: JsonValue, name: string, map: (text: string, name: string) => string): JsonValue {
  if (typeof value === "string") return map(value, name);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => mapStrings(item, name, map));
  return isJsonObject(value) ? mapObject(value, (inner, key) => mapStrings(inner, key, map)) : value;
}

/** Replaces generated addresses by ones that lead nowhere: a test must not call a foreign server. */
function nowhere(args: JsonObject): JsonObject {
  return mapStrings(args, "", (text) => text.replaceAll("example.com", "example.invalid")) as JsonObject;
}

const placeName = /path|file|dir|folder|root|cwd|glob|target|source|dest/i;
const wholePlaces: ReadonlySet<string> = new Set(["", " ", ".", "*"]);

/** A tool that may change a place gets no place that exists: an empty text or a dot can mean a whole folder. */
export function harmless(args: JsonObject): JsonObject {
  return mapStrings(args, "", (text, name) =>
    wholePlaces.has(text) && placeName.test(name) ? "waybill-fuzz-missing" : text,
  ) as JsonObject;
}

/** The values that find the most once in each place, then all others. */
function urgentFirst(variants: readonly Variant[], random: Random): readonly Variant[] {
  const met = new Set<string>();
  const isFirst = (variant: Variant): boolean =>
    isUrgent(variant) && met.size < met.add(`${variant.path} ${variant.keyword}`).size;
  const first: Variant[] = [];
  const rest: Variant[] = [];
  for (const variant of shuffled(variants, random)) (isFirst(variant) ? first : rest).push(variant);
  return [...spread(first, random), ...spread(rest, random)];
}

function argumentsOf({ arguments: args }: Variant): JsonObject {
  return args;
}

/** The argument that a variant changes, or changes a part of. */
function changedIn({ path, arguments: args }: Variant): JsonValue | undefined {
  const [name = ""] = parsePointer(path);
  return Object.hasOwn(args, name) ? args[name] : undefined;
}

function isSmall(variant: Variant): boolean {
  const value = changedIn(variant) ?? null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= MAX_SMALL;
}

/** Equal for equal arguments; of long arguments only the ends are compared. */
function keyOf(args: JsonObject): string {
  const key = JSON.stringify(args);
  return key.length <= MAX_SMALL ? key : `${key.length} ${key.slice(0, 200)} ${key.slice(-200)}`;
}

/** If a schema names no arguments, the handler decides; then the given arguments show which ones may exist. */
function withGiven(schema: JsonObject, given: readonly JsonObject[]): JsonObject {
  const [first] = given;
  if (first === undefined || Object.keys(propertiesOf(resolveSchema(schema, schema)).properties).length > 0)
    return schema;
  const properties = mapObject(first, (value) => ({ type: jsonTypeOf(value), examples: [value] }));
  return { type: "object", properties, required: Object.keys(first) };
}

class Maker {
  readonly #options: MakerOptions;
  readonly #random: Random;

  constructor(given: MakerOptions) {
    const options = { ...given, schema: withGiven(given.schema, given.given) };
    this.#options = options;
    this.#random = randomFrom(seedFor(options.seed, options.name));
  }

  sample(fullness: Fullness, usesExamples = true): JsonObject {
    const { schema } = this.#options;
    const made = sampleValue(schema, "", { root: schema, fullness, random: this.#random, usesExamples });
    return isJsonObject(made) ? nowhere(made) : {};
  }

  /** A few arguments that the tool accepts, the caller's first; if none are found, any that can be made. */
  async bases(): Promise<readonly JsonObject[]> {
    const { given, accepts } = this.#options;
    const made = Array.from({ length: ATTEMPTS }, (_, at) => this.sample("some", at % 2 === 0));
    const all = [...given, this.sample("all"), this.sample("least"), ...made];
    const good = new Map<string, JsonObject>();
    for (const args of all) {
      if (good.size >= MAX_BASES) break;
      const key = JSON.stringify(args);
      if (!good.has(key) && (await accepts(args))) good.set(key, args);
    }
    return good.size > 0 ? [...good.values()] : [this.sample("all"), {}];
  }

  *valid(bases: readonly JsonObject[]): Generator<JsonObject> {
    yield* bases;
    for (let at = 0; ; at += 1) yield this.sample("some", at % 2 === 0);
  }

  *hostile(bases: readonly JsonObject[]): Generator<JsonObject> {
    const { schema, use } = this.#options;
    const changesOf = hostileChanges(schema, use);
    const [first = {}, ...others] = bases;
    const all = varyArguments(schema, first, changesOf);
    const small = all.filter(isSmall);
    const texts = small.map(changedIn).filter((value) => typeof value === "string");
    const strays = [...this.#pairs(first), ...strayArguments(first)];
    const singles = urgentFirst(all, this.#random).map(argumentsOf).reverse();
    // Mostly single changes; but a wide schema has so many of them that the other kinds must come in between.
    for (let at = 0; singles.length + strays.length + small.length > 0; at += 1) {
      const turn = at % 4;
      const known = turn === 1 ? (strays.shift() ?? singles.pop()) : turn < 3 ? singles.pop() : undefined;
      if (known !== undefined) yield known;
      else if (small.length > 0) yield this.#several(this.#base(bases), small, texts);
      const other = singles.length === 0 ? others.shift() : undefined;
      // A huge value is just as huge beside other arguments.
      if (other !== undefined)
        singles.push(
          ...spread(varyArguments(schema, other, changesOf).filter(isSmall), this.#random).map(argumentsOf),
        );
    }
  }

  /** Arguments known to be good, or new ones, which may reach other code in the tool. */
  #base(bases: readonly JsonObject[]): JsonObject {
    const known = this.#random() < 0.5 ? pick(this.#random, bases) : undefined;
    return known ?? this.sample("some");
  }

  /** A property name that every object has in one text, a key in all others: for tools that set `a[b] = c`. */
  #pairs(base: JsonObject): readonly JsonObject[] {
    const { schema } = this.#options;
    const { properties } = propertiesOf(resolveSchema(schema, schema));
    const texts = Object.keys(properties).filter((name) => typeof base[name] === "string");
    if (texts.length < 2) return [];
    const others = Object.fromEntries(texts.map((name) => [name, POLLUTED_KEY]));
    return texts.map((name) => ({ ...base, ...others, [name]: "__proto__" }));
  }

  /** Several hostile values at once, and texts composed of several. */
  #several(base: JsonObject, variants: readonly Variant[], texts: readonly string[]): JsonObject {
    const random = this.#random;
    const count = 1 + Math.floor(random() * 3);
    return Array.from({ length: count }, () => pick(random, variants)).reduce<JsonObject>((args, variant) => {
      const [name = ""] = parsePointer(variant?.path ?? "");
      const value = variant === undefined ? undefined : changedIn(variant);
      if (value === undefined) return args;
      const mixed =
        typeof value === "string"
          ? `${value}${pick(random, texts) ?? ""}${pick(random, texts) ?? ""}`
          : value;
      return { ...args, [name]: mixed };
    }, base);
  }

  boundary(bases: readonly JsonObject[]): Iterable<JsonObject> {
    const { schema } = this.#options;
    return spread(
      bases.flatMap((base) => edgeArguments(schema, base)),
      this.#random,
    ).map(argumentsOf);
  }

  invalid(bases: readonly JsonObject[]): Iterable<JsonObject> {
    const { schema } = this.#options;
    return spread(
      bases.flatMap((base) => faultyArguments(schema, base)),
      this.#random,
    ).map(argumentsOf);
  }
}

/** Yields arguments as long as new ones can be made. */
export async function makeArguments(options: MakerOptions): Promise<Iterable<MadeCall>> {
  const maker = new Maker(options);
  const bases = await maker.bases();
  const sources = {
    valid: maker.valid(bases)[Symbol.iterator](),
    hostile: maker.hostile(bases)[Symbol.iterator](),
    boundary: maker.boundary(bases)[Symbol.iterator](),
    invalid: maker.invalid(bases)[Symbol.iterator](),
  };
  const sent = new Set<string>();
  const isNew = (args: JsonObject): boolean => sent.size < sent.add(keyOf(args)).size;
  const next = (origin: keyof typeof sources): JsonObject | undefined => {
    for (let repeats = 0; repeats < MAX_REPEATS; repeats += 1) {
      const { value, done } = sources[origin].next();
      if (done === true) return undefined;
      const args = options.isReadOnly ? value : harmless(value);
      if (isNew(args)) return args;
    }
    return undefined;
  };
  return calls(options.given.filter(isNew), next);
}

function* calls(
  given: readonly JsonObject[],
  next: (origin: (typeof turns)[number]) => JsonObject | undefined,
): Generator<MadeCall> {
  for (const args of given) yield { origin: "given", arguments: args };
  for (let isAny = true; isAny;) {
    isAny = false;
    for (const origin of turns) {
      const args = next(origin);
      if (args === undefined) continue;
      isAny = true;
      yield { origin, arguments: args };
    }
  }
}
