// Arguments for a tool: some that its schema allows, some at the edges of what it allows, some wrong in one place, and some
// wrong anywhere. The same seed gives the same arguments.

import { type JsonObject, type JsonValue, isJsonObject } from "../../src/core/json/json-value.ts";
import { propertiesOf } from "../../src/core/schema/json-schema.ts";
import {
  type Fullness,
  type Random,
  pick,
  randomFrom,
  sampleValue,
  seedFor,
} from "../../src/doors/check/probe/arguments/sample-value.ts";
import { edgeArguments, faultyArguments } from "../../src/doors/check/probe/arguments/vary-arguments.ts";

const MAX_DEPTH = 4;
const strayTexts = [
  "",
  "a",
  "1",
  "true",
  "hello world",
  "2026-01-15",
  "https://example.com/",
  "x".repeat(300),
];
const strayNumbers = [0, -1, 1, 1.5, 1e21, 2 ** 60];
const strays: readonly JsonValue[] = [
  ...strayTexts,
  ...strayNumbers,
  true,
  false,
  null,
  [],
  {},
  [null],
  ["a", 1],
  { a: 1 },
  { "": [] },
];

export function argumentSets(
  schema: JsonObject,
  name: string,
  count: number,
  seed: number,
): readonly JsonObject[] {
  const random = randomFrom(seedFor(seed, name));
  const sample = (fullness: Fullness): JsonObject => {
    const made = sampleValue(schema, "", { root: schema, fullness, random, usesExamples: random() < 0.5 });
    return isJsonObject(made) ? made : {};
  };
  const base = sample("all");
  const planned = [
    sample("least"),
    base,
    ...[...edgeArguments(schema, base), ...faultyArguments(schema, base)].map((each) => each.arguments),
  ];
  const sets = planned.slice(0, Math.ceil(count / 2));
  const names = [...Object.keys(propertiesOf(schema).properties), "unknown_name"];
  while (sets.length < count) {
    const some = sample("some");
    const kind = random();
    if (kind < 0.25) sets.push(some);
    else if (kind < 0.75) sets.push(stray(random() < 0.5 ? some : base, random) as JsonObject);
    else
      sets.push(
        Object.fromEntries(
          names.filter(() => random() < 0.5).map((key) => [key, pick(random, strays) ?? null]),
        ),
      );
  }
  return sets;
}

/** The value with one place changed: a member replaced, removed or added. */
function stray(value: JsonValue, random: Random, depth = 0): JsonValue {
  if (typeof value !== "object" || value === null || (depth > 0 && random() < 0.3) || depth > MAX_DEPTH)
    return depth === 0 ? value : (pick(random, strays) ?? null);
  const keys = Object.keys(value);
  const key = pick(random, [...keys, ""]) ?? "";
  if (!isJsonObject(value)) {
    const items = value;
    return key === ""
      ? [...items, pick(random, strays) ?? null]
      : items.map((item, at) => (String(at) === key ? stray(item, random, depth + 1) : item));
  }
  if (key === "") return { ...value, [random() < 0.5 ? "unknown_name" : "a"]: pick(random, strays) ?? null };
  if (random() < 0.2) return Object.fromEntries(Object.entries(value).filter(([each]) => each !== key));
  return { ...value, [key]: stray(value[key] ?? null, random, depth + 1) };
}
