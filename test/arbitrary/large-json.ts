import * as fc from "fast-check";
import type { JsonValue } from "../../src/core/json/json-value.ts";
import { anyJson } from "./outcomes.ts";

const words = [
  "alpha",
  "beta",
  "gamma.",
  "delta\n",
  "Straße",
  "中文字",
  "😀",
  "naïve",
  "1234",
  "a_b",
  '"q"',
  "\\",
];

/** Texts of a few hundred to a few thousand characters, some without a single space. */
const longText = fc.oneof(
  fc.array(fc.constantFrom(...words), { minLength: 20, maxLength: 400 }).map((list) => list.join(" ")),
  fc.array(fc.constantFrom(...words), { minLength: 20, maxLength: 200 }).map((list) => list.join("")),
  fc.string({ minLength: 200, maxLength: 800, unit: "binary" }),
  fc.integer({ min: 300, max: 3_000 }).map((length) => "QUJD".repeat(Math.ceil(length / 4))),
);

const record = fc.record(
  {
    id: fc.oneof(fc.integer(), fc.uuid(), fc.constantFrom("a", "b", "/x", "")),
    title: fc.string({ maxLength: 60 }),
    body: longText,
    tags: fc.array(fc.string({ maxLength: 12 }), { maxLength: 6 }),
    more: anyJson,
  },
  { requiredKeys: [], noNullPrototype: true },
);

const records = fc.array(record, { minLength: 1, maxLength: 60, size: "max" });

/** JSON that is often larger than a small budget: lists at several depths, long texts, wide objects, anything. */
export const largeJson: fc.Arbitrary<JsonValue> = fc
  .oneof(
    records,
    fc.record({ items: records, total: fc.nat() }, { noNullPrototype: true }),
    fc.record(
      { findings: records, sources: records, nested: fc.record({ deep: records, note: longText }) },
      { requiredKeys: [], noNullPrototype: true },
    ),
    longText,
    fc.array(longText, { minLength: 1, maxLength: 12 }),
    fc.dictionary(fc.string({ maxLength: 20 }), anyJson, { maxKeys: 80, size: "max", noNullPrototype: true }),
    fc.array(
      fc.array(fc.array(fc.integer(), { maxLength: 40, size: "max" }), { maxLength: 20, size: "max" }),
      {
        maxLength: 12,
        size: "max",
      },
    ),
    anyJson,
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
