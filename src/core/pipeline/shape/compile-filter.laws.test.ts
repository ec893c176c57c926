import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import type { Failure } from "../../contract/outcome.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { type FieldFilter, filterData } from "./compile-filter.ts";
import { type PathStep, parsePath } from "./parse-path.ts";
import { shapeOutcome } from "./shape.ts";

type Place = readonly (string | number)[];
interface Part {
  readonly place: Place;
  readonly value: JsonValue;
}

const runs = lawRuns(2_000);
const names = ["a", "b", "c", "a.b", "__proto__", "7", ""];
const quote = (name: string) => `["${name.replaceAll(/["\\]/g, String.raw`\$&`)}"]`;

const name = fc.constantFrom(...names);
const json: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue; object: JsonObject; array: JsonValue[] }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, 1, "s", false, ""),
      tie("object"),
      tie("object"),
      tie("array"),
    ),
    object: fc
      .uniqueArray(fc.tuple(name, tie("value")), { selector: ([key]) => key, maxLength: 5 })
      .map((entries) => Object.fromEntries(entries)),
    array: fc.array(tie("value"), { maxLength: 4 }),
  }),
).value;

const nameStep = fc.oneof(
  { weight: 5, arbitrary: name.map(quote) },
  { weight: 1, arbitrary: fc.constant(".*") },
);
const itemStep = fc.constantFrom("[*]", "[0]", "[1]");
const toPath = (steps: readonly string[]) => steps.join("").replace(/^\./, "");
const anyStep = fc.oneof({ weight: 4, arbitrary: nameStep }, { weight: 1, arbitrary: itemStep });
const path = fc.array(anyStep, { minLength: 1, maxLength: 4 }).map(toPath);
const namePath = fc
  .tuple(fc.array(anyStep, { maxLength: 3 }), nameStep)
  .map(([steps, last]) => toPath([...steps, last]));
const filter: fc.Arbitrary<FieldFilter> = fc.record(
  {
    includeOnly: fc.array(path, { maxLength: 4 }),
    exclude: fc.array(namePath, { maxLength: 3 }),
    includeOnError: fc.array(path, { maxLength: 2 }),
    excludeWhenTier: fc.record({ free: fc.array(namePath, { maxLength: 2 }) }),
    excludeFields: fc.array(name, { maxLength: 2 }),
    dropEmptyArrays: fc.boolean(),
    dropEmptyObjects: fc.boolean(),
    dropNulls: fc.boolean(),
  },
  { requiredKeys: [] },
);
const facts = fc.record({ failed: fc.boolean(), tier: fc.constantFrom("free", "pro") });

describe("the laws of a filter", () => {
  it("gives a part of the input: same places, same values, same order, arrays as long as before", () => {
    fc.assert(
      fc.property(json, filter, facts, (data, filter, facts) => {
        expect(isPartOf(filterData(data, filter, facts), data)).toBe(true);
      }),
      runs,
    );
  });

  it("leaves the input as it was", () => {
    fc.assert(
      fc.property(json, filter, facts, (data, filter, facts) => {
        const before = JSON.stringify(data);
        filterData(data, filter, facts);
        expect(JSON.stringify(data)).toBe(before);
      }),
      runs,
    );
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(json, filter, facts, (data, filter, facts) => {
        const once = filterData(data, filter, facts);
        expect(filterData(once, filter, facts)).toBe(once);
      }),
      runs,
    );
  });

  it("returns the same reference exactly when nothing changes, for every part", () => {
    fc.assert(
      fc.property(json, filter, facts, (data, filter, facts) => {
        const kept = filterData(data, filter, facts);
        const original = new Map(partsOf(data).map(({ place, value }) => [JSON.stringify(place), value]));
        const copied = partsOf(kept).filter(({ place, value }) => {
          const before = original.get(JSON.stringify(place));
          return before !== value && JSON.stringify(before) === JSON.stringify(value);
        });
        expect(copied).toEqual([]);
      }),
      runs,
    );
  });

  it("keeps everything when all top-level keys are included or the lists are empty", () => {
    const nothing: FieldFilter = { includeOnly: [], exclude: [], excludeFields: [], excludeWhenTier: {} };
    fc.assert(
      fc.property(json, (data) => {
        expect(filterData(data, { includeOnly: names.map(quote) })).toBe(data);
        expect(filterData(data, nothing)).toBe(data);
      }),
      runs,
    );
  });

  it("keeps a bare value exactly when it is included and not excluded", () => {
    fc.assert(
      fc.property(json, filter, facts, (data, filter, { tier }) => {
        const wanted = bareProperties(data).filter(
          (place) => isIncluded(place, filter) && !isExcluded(place, filter, tier),
        );
        expect(bareProperties(filterData(data, filter, { tier }))).toEqual(wanted);
      }),
      runs,
    );
  });

  it("loses in a failure only what is excluded and not included on error", () => {
    fc.assert(
      fc.property(json, filter, facts, (data, filter, { tier }) => {
        const wanted = bareProperties(data).filter(
          (place) => isWithinAny(place, filter.includeOnError) || !isExcluded(place, filter, tier),
        );
        expect(bareProperties(filterData(data, filter, { failed: true, tier }))).toEqual(wanted);
      }),
      runs,
    );
  });

  it("leaves all that an error says", () => {
    const object = json.filter((value): value is JsonObject => isObject(value));
    fc.assert(
      fc.property(object, object, filter, facts, (details, data, filter, { tier }) => {
        const fault = { message: "m", code: "NOT_FOUND", type: "not_found", remediation: "r", details, data };
        const outcome: Failure = { ok: false, fault, notes: {} };
        const shaped = shapeOutcome(outcome, filter, { tier }) as Failure;
        const { data: _, ...said } = fault;
        expect(shaped.fault).toMatchObject(said);
        expect(shaped.fault.details).toBe(details);
        expect(filterData({ ...data, details, error: "m" }, filter, { failed: true, tier })).toMatchObject({
          error: "m",
          details,
        });
      }),
      runs,
    );
  });
});

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPartOf(part: JsonValue, whole: JsonValue): boolean {
  if (typeof part !== "object" || part === null) return part === whole;
  if (typeof whole !== "object" || whole === null || Array.isArray(part) !== Array.isArray(whole))
    return false;
  if (Array.isArray(part) && part.length !== (whole as readonly JsonValue[]).length) return false;
  const keys = Object.keys(part);
  const inOrder = Object.keys(whole).filter((key) => Object.hasOwn(part, key));
  if (inOrder.join("\n") !== keys.join("\n")) return false;
  return keys.every((key) => isPartOf((part as JsonObject)[key] ?? null, (whole as JsonObject)[key] ?? null));
}

function partsOf(value: JsonValue, place: Place = []): Part[] {
  if (typeof value !== "object" || value === null) return [{ place, value }];
  const children = Array.isArray(value)
    ? value.flatMap((item: JsonValue, index) => partsOf(item, [...place, index]))
    : Object.entries(value).flatMap(([key, item]) => partsOf(item, [...place, key]));
  return [{ place, value }, ...children];
}

/** The places of values that stay only if they are wanted; items stay for the length of their array. */
function bareProperties(data: JsonValue): Place[] {
  return partsOf(data)
    .filter(({ value }) => typeof value !== "object")
    .map(({ place }) => place)
    .filter((place) => typeof place.at(-1) === "string");
}

function isIncluded(place: Place, { includeOnly = [] }: FieldFilter): boolean {
  return includeOnly.length === 0 || isWithinAny(place, includeOnly);
}

function isExcluded(place: Place, filter: FieldFilter, tier: string): boolean {
  const hasExcludedName = place.some(
    (token) => typeof token === "string" && filter.excludeFields?.includes(token),
  );
  return (
    hasExcludedName ||
    isWithinAny(place, filter.exclude) ||
    isWithinAny(place, filter.excludeWhenTier?.[tier])
  );
}

function isWithinAny(place: Place, paths: readonly string[] = []): boolean {
  return paths.some((path) => isWithin(place, path));
}

/** The model: a place is within a path when one of the places above it, or itself, is the path's. */
function isWithin(place: Place, path: string): boolean {
  const steps = parsePath(path);
  return place.some((_, index) => isAt(place.slice(0, index + 1), steps));
}

function isAt([token, ...tokens]: Place, [step, ...steps]: readonly PathStep[]): boolean {
  if (token === undefined || step === undefined) return token === undefined && step === undefined;
  const namesProperty = step.kind === "name" || step.kind === "any-name";
  if (typeof token === "number" && namesProperty) return isAt(tokens, [step, ...steps]);
  const fits =
    typeof token === "number"
      ? step.kind === "any-item" || (step.kind === "item" && step.index === token)
      : step.kind === "any-name" || (step.kind === "name" && step.name === token);
  return fits && isAt(tokens, steps);
}
