import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../../core/json/json-value.ts";
import { judgeTexts } from "../../schema/judge-value.ts";
import { type Fullness, randomFrom, samplePattern, sampleValue } from "./sample-value.ts";

const schemas: Readonly<Record<string, JsonValue>> = {
  "nothing said": {},
  constant: { const: { a: [1] } },
  "one of a few": { enum: ["a", 2, null] },
  "a short text": { type: "string", minLength: 3, maxLength: 4 },
  "a format": { type: "string", format: "date-time" },
  "a pattern": { type: "string", pattern: "^P-[0-9]{3}$" },
  "a whole number in a range": { type: "integer", minimum: 10, maximum: 12 },
  "a number above another": { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
  "steps of five": { type: "integer", minimum: 7, multipleOf: 5 },
  "a list of at least two that differ": {
    type: "array",
    items: { type: "string" },
    minItems: 2,
    uniqueItems: true,
  },
  "a pair": { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], minItems: 2 },
  "text or nothing": { type: ["string", "null"] },
  "one of two forms": {
    type: "object",
    properties: { id: { type: "string" } },
    required: ["id"],
    oneOf: [
      { properties: { a: { type: "integer" } }, required: ["a"] },
      { required: ["b"], properties: { b: {} } },
    ],
  },
  "all of two": { allOf: [{ type: "object", required: ["a"] }, { properties: { a: { type: "boolean" } } }] },
  "a reference": { $ref: "#/$defs/name", $defs: { name: { type: "string", minLength: 2 } } },
  "one that contains itself": {
    type: "object",
    properties: { child: { $ref: "#" }, value: { type: "integer" } },
    required: ["value"],
  },
  "a required property that is not described": { type: "object", required: ["any"] },
  "a property named __proto__": JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
  ) as JsonValue,
};

describe("sampleValue", () => {
  it.each(Object.entries(schemas))("makes a value that fits: %s", (_, schema) => {
    const random = randomFrom(7);
    for (const fullness of ["least", "all", "some", "some", "some"] satisfies Fullness[]) {
      const value = sampleValue(schema, "", { root: schema, fullness, random });
      expect(judgeTexts(JSON.stringify(schema), JSON.stringify(value))).toEqual({ errors: [] });
    }
  });

  it("takes what the schema itself names first", () => {
    const sampling = { root: {}, fullness: "least", random: randomFrom(1) } as const;
    expect(sampleValue({ type: "string", examples: ["P-001"] }, "id", sampling)).toBe("P-001");
    expect(sampleValue({ type: "string", default: "all" }, "state", sampling)).toBe("all");
    expect(sampleValue({ type: "string" }, "homepage_url", sampling)).toBe("https://example.com/");
  });

  it("ends at a reference in a circle, and at one to another document", () => {
    const sampling = { root: { $ref: "#" }, fullness: "all", random: randomFrom(1) } as const;
    expect(sampleValue({ $ref: "#" }, "", sampling)).toBe("a");
    expect(sampleValue({ $ref: "https://example.com/schema.json" }, "", sampling)).toBe("a");
  });
});

describe("samplePattern", () => {
  it.each([
    "^[a-z]+$",
    "^P-\\d{3,5}$",
    "^(foo|bar)(-baz)?$",
    "^[^a0]{2}$",
    "^(?:a|b)\\.\\w{2}\\s$",
    "^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$",
    "^#[0-9A-Fa-f]{6}$",
    "^\\p{Ll}$|^x$",
  ])("makes a text that %s matches", (pattern) => {
    const made = samplePattern(pattern) ?? "";
    expect(made).toMatch(new RegExp(pattern, "u"));
  });

  it.each(["(?=a)b", "(a)\\1", "(", "a".repeat(3_000), "a{5000}{5000}"])("gives up on %s", (pattern) => {
    expect(samplePattern(pattern)).toBeUndefined();
  });

  it("never runs the pattern: one that would take for ever takes no time", () => {
    expect(samplePattern("^(a+)+$")).toBe("a");
  });
});
