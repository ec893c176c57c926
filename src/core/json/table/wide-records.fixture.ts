import * as fc from "fast-check";
import type { JsonObject, JsonValue } from "../json-value.ts";

const word = fc.constantFrom(
  "ann",
  "ben",
  "-",
  "--",
  "",
  "{id}",
  "a.b",
  "é",
  "𝒳",
  "\ud800",
  "1",
  "a b",
  "%41",
);
const number = fc.oneof(fc.nat(9), fc.constantFrom(-0, 1e21, 0.5));
const scalar = fc.oneof(word, number, fc.constantFrom(null, true, false), fc.string({ maxLength: 12 }));
const oddKeys = ["__proto__", "a.b", "10", "", "$table", "rows", "constructor", "name", "login", "id"];

function toObject(pairs: readonly (readonly [string, JsonValue])[]): JsonObject {
  const object = {};
  for (const [key, value] of pairs)
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  return object;
}

function linkTo(name: string, id: number): string {
  const isWhole = !/[\ud800-\udfff]/.test(name) && id % 2 === 0;
  return `https://example.test/things/${isWhole ? encodeURIComponent(name) : name}`;
}

/** Objects that are met again and again: things with a name, of which some share it though they differ. */
const things = fc
  .array(
    fc.record({
      name: fc.oneof({ weight: 5, arbitrary: word }, { weight: 1, arbitrary: scalar }),
      id: fc.nat(6),
      url: fc.boolean(),
      more: fc.option(fc.record({ kind: word, tags: fc.array(scalar, { maxLength: 2 }) }), {
        nil: undefined,
      }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((list) =>
    list.map(({ name, id, url, more }, index): JsonObject => {
      const link = url ? linkTo(String(name), id) : index;
      return {
        id: id + index,
        name,
        link,
        description: "the same words in each",
        ...(more === undefined ? {} : { more }),
      };
    }),
  );

interface Shape {
  readonly rows: number;
  readonly width: number;
  readonly keys: readonly string[];
  readonly things: readonly JsonObject[];
  readonly picks: readonly number[];
  readonly values: readonly JsonValue[];
}

const shape: fc.Arbitrary<Shape> = fc.record({
  rows: fc.integer({ min: 2, max: 9 }),
  width: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 30 }) },
    { weight: 1, arbitrary: fc.integer({ min: 257, max: 420 }) },
  ),
  keys: fc.uniqueArray(fc.oneof(fc.constantFrom(...oddKeys), fc.string({ maxLength: 5 })), {
    minLength: 1,
    maxLength: 6,
  }),
  things,
  picks: fc.array(fc.nat(), { minLength: 16, maxLength: 16 }),
  values: fc.array(scalar, { minLength: 7, maxLength: 7 }),
});

/** What a place of the record holds: some are the same in all rows, some absent, some repeat, some lie deeper. */
function valueAt(
  { things: known, picks, values, keys }: Shape,
  row: number,
  place: number,
): JsonValue | undefined {
  const pick = (picks[(row * 5 + place) % picks.length] ?? 0) + row;
  const value = values[(pick + place) % values.length] ?? null;
  const thing = known[pick % known.length] ?? null;
  const [first = "k"] = keys;
  switch ((picks[place % picks.length] ?? 0) % 11) {
    case 0:
      return `constant ${place}`;
    case 1:
      return pick % 3 === 0 ? undefined : value;
    case 2:
    case 3:
      return thing;
    case 4:
      return [thing, known[(pick + 1) % known.length] ?? null].slice(0, pick % 3);
    case 5:
      return toObject([
        [first, value],
        ["thing", thing],
        ["deep", { thing, row }],
      ]);
    case 6:
      return pick % 4 === 0 ? null : toObject(keys.map((key) => [key, value]));
    case 7:
      return { thing: known[0] ?? null, fixed: { list: [1, { a: known[0] ?? null }], empty: {} } };
    case 8:
      return pick % 5 === 0 ? thing : value;
    case 9:
      return toObject([[`map ${pick}`, value]]);
    default:
      return value;
  }
}

/** Lists of records: wide, nested, sparse, with objects that repeat inside. */
export const wideRecords: fc.Arbitrary<JsonValue> = shape.map((spec) =>
  Array.from({ length: spec.rows }, (_, row) =>
    toObject(
      Array.from({ length: spec.width }, (_unused, place) => {
        const key = place < spec.keys.length ? (spec.keys[place] ?? "") : `key ${place}`;
        return [key, valueAt(spec, row, place)] as const;
      }).filter((pair): pair is readonly [string, JsonValue] => pair[1] !== undefined),
    ),
  ),
);
