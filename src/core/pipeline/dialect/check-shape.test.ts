import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { defineRules } from "../../contract/rule.ts";
import type { JsonValue } from "../../json/json-value.ts";
import { checkShape } from "./result-rules.ts";

const rules = defineRules("envelope", {
  "a/shape": { severity: "MUST", says: "It has a shape.", fix: "Shape it.", source: "test" },
  "a/time": { severity: "SHOULD", says: "It has a time.", fix: "Time it.", source: "test" },
});

function found(schema: z.ZodMiniType, value: JsonValue, path = "/a"): string[] {
  const violations = checkShape(rules["a/shape"], schema, value, path, { time: rules["a/time"] });
  return violations.map(({ rule, path, message }) => `${rule} at ${path}: ${message}`);
}

describe("checkShape", () => {
  it("finds nothing in a value of the shape", () => {
    expect(found(z.string(), "x")).toEqual([]);
  });

  it("says what is wrong, then the fix", () => {
    const count = z.looseObject({ n: z.int().check(z.minimum(1)) });
    expect(found(z.string(), 7, "")).toEqual(["a/shape at : The root is 7, not a string. Shape it."]);
    expect(found(count, {})).toEqual(["a/shape at /a/n: /a/n is missing. Shape it."]);
    expect(found(count, { n: 0 })).toEqual(["a/shape at /a/n: /a/n is 0, less than 1. Shape it."]);
    expect(found(z.enum(["x", "y"]), "z")).toEqual(['a/shape at /a: /a is not one of "x", "y". Shape it.']);
    expect(found(z.string().check(z.regex(/x/, { error: "is not x" })), "y")).toEqual([
      "a/shape at /a: /a is not x. Shape it.",
    ]);
  });

  it("names the finer rule of a property", () => {
    const timed = z.array(z.looseObject({ time: z.string() }));
    expect(found(timed, [{ time: 7 }])).toEqual([
      "a/time at /a/0/time: /a/0/time is 7, not a string. Time it.",
    ]);
  });

  it.each(["constructor", "toString", "hasOwnProperty"])("keeps its rule at a key named %s", (key) => {
    expect(found(z.record(z.string(), z.string()), { [key]: 7 })).toEqual([
      `a/shape at /a/${key}: /a/${key} is 7, not a string. Shape it.`,
    ]);
  });

  it("names a place once, though it breaks the shape twice", () => {
    const strict = z.string().check(z.minLength(3), z.regex(/^x/, { error: "is not x" }));
    expect(found(strict, "y")).toHaveLength(1);
  });

  it("escapes keys in the pointer", () => {
    expect(found(z.record(z.string(), z.string()), { "a/b~c": 7 })[0]).toMatch(/^a\/shape at \/a\/a~1b~0c: /);
  });
});
