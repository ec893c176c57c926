import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { anySpec, judges } from "./any-spec.fixture.ts";
import { slimSchema } from "./slim-schema.ts";

const tool = { name: "put_item", description: "Puts an item.\n\nArgs:\n    a: The first one.\n" };

// A tree with all that is dropped, moved or joined, in the places where it must not be mistaken.

const texts = [
  "",
  "a",
  "The a",
  "A (optional)",
  "Default: 1.",
  "Required. Put b here",
  "  two\n\n\n  lines  ",
];
const said = fc.record(
  {
    title: fc.constantFrom("A", "The Title", "put_itemArguments"),
    description: fc.constantFrom(...texts),
    default: fc.constantFrom<JsonValue>(null, 1, "a"),
    examples: fc.constantFrom<JsonValue>([1, 2], [], ["a"]),
    $comment: fc.constant("for people"),
    deprecated: fc.boolean(),
    uniqueItems: fc.boolean(),
    minLength: fc.nat(1),
    minItems: fc.nat(1),
    minProperties: fc.nat(1),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const types = ["string", "number", "integer", "boolean", "array", "null", "object"];
const keys = fc.constantFrom("a", "b", "title", "default", "$ref", "$defs", "description", "__proto__");
const values = fc.constantFrom<JsonValue>(1, "a", null, [1], { a: 1 });

const { schema: anyTree } = fc.letrec<{ schema: JsonValue; object: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 5, depthSize: "medium" },
    fc.boolean(),
    tie("object"),
    tie("object"),
    tie("object"),
  ),
  object: fc
    .tuple(
      said,
      fc.oneof(
        fc.constantFrom(...types).map((type): JsonObject => ({ type })),
        fc.constantFrom("T0", "T1", "T2").map((name): JsonObject => ({ $ref: `#/$defs/${name}` })),
        fc.constant<JsonObject>({ $ref: "#" }),
        fc
          .tuple(fc.constantFrom("enum", "const"), values)
          .map(([word, value]): JsonObject => (word === "enum" ? { enum: [value] } : { const: value })),
        fc.constant<JsonObject>({
          type: "object",
          properties: { a: { type: "string", title: "A" } },
          required: ["a"],
        }),
        fc
          .tuple(
            fc.constantFrom("anyOf", "oneOf", "allOf", "prefixItems"),
            fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
          )
          .map(([word, list]): JsonObject => ({ [word]: list })),
        fc
          .subarray(types, { minLength: 1, maxLength: 3 })
          .map((some): JsonObject => ({ anyOf: some.map((type) => ({ type })) })),
        fc
          .tuple(
            fc.constantFrom("items", "not", "if", "contains", "propertyNames", "additionalProperties"),
            tie("schema"),
          )
          .map(([word, inner]): JsonObject => ({ [word]: inner })),
        fc
          .tuple(
            fc.dictionary(keys, tie("schema"), { maxKeys: 3, noNullPrototype: true }),
            fc.constantFrom<JsonObject>(
              {},
              { unevaluatedProperties: false },
              { additionalProperties: false },
              { additionalProperties: true },
            ),
          )
          .map(([properties, closing]): JsonObject => ({
            type: "object",
            properties,
            required: Object.keys(properties).slice(0, 1),
            ...closing,
          })),
      ),
    )
    .map(([words, schema]): JsonObject => ({ ...words, ...schema })),
}));

const drafts = fc.constantFrom<JsonObject>(
  {},
  {},
  { $schema: "http://json-schema.org/draft-07/schema#" },
  { $id: "https://example.com/a.json" },
);
const anyRoot = fc
  .tuple(
    drafts,
    fc.dictionary(keys, anyTree, { maxKeys: 4, noNullPrototype: true }),
    fc.array(anyTree, { minLength: 3, maxLength: 3 }),
    said,
  )
  .map(([draft, properties, [T0 = true, T1 = true, T2 = true], words]): JsonObject => ({
    ...draft,
    ...words,
    type: "object",
    properties,
    required: Object.keys(properties).slice(0, 1),
    $defs: { T0, T1, T2, a: { type: "string" } },
  }));

type Verdict = boolean | undefined;

/** What each judge makes of values; undefined where it cannot read the schema. */
function verdicts(schema: JsonObject, values: readonly JsonValue[]): readonly (readonly Verdict[])[] {
  const { $schema: _draft, ...rest } = schema;
  return judges.map((ajv) => {
    try {
      const isValid = ajv.compile(rest);
      return values.map((value) => isValid(value));
    } catch {
      return values.map(() => undefined);
    } finally {
      ajv.removeSchema();
    }
  });
}

describe("slimSchema", () => {
  it("accepts and refuses what the schema does, whatever the schema says", () => {
    const law = fc.property(
      anyRoot,
      fc.array(fc.dictionary(keys, fc.oneof(values, fc.dictionary(keys, values)), { maxKeys: 3 }), {
        maxLength: 6,
      }),
      (schema, given) => {
        const slim = slimSchema(schema, tool);
        const args = [{}, ...given] as JsonValue[];
        const after = verdicts(slim, args);
        // What no client could read may become readable: an unused definition may be wrong.
        for (const [judge, before] of verdicts(schema, args).entries())
          expect(before.map((each, at) => each ?? after[judge]?.[at])).toEqual(after[judge]);
        expect(JSON.stringify(slim).length).toBeLessThanOrEqual(JSON.stringify(schema).length + 1);
        expect(Object.keys((slim["properties"] ?? {}) as JsonObject)).toEqual(
          Object.keys(schema["properties"] as JsonObject),
        );
      },
    );
    fc.assert(law, lawRuns(2_000, 100));
  });

  it("accepts every instance of a schema, whole or cut, as the schema does", () => {
    const law = fc.property(
      anySpec.chain((spec) => fc.tuple(fc.constant(spec), fc.array(spec.instance, { maxLength: 3 }))),
      ([{ schema, defs }, instances]) => {
        const root = {
          type: "object",
          properties: { a: schema, b: schema, c: { ...schema, title: "C" } },
          $defs: defs,
        };
        const slim = slimSchema(root, tool);
        const args = instances.flatMap(({ value, cut }) => [{ a: value }, { b: cut }, { c: value, a: cut }]);
        expect(verdicts(slim, args)).toEqual(verdicts(root, args));
      },
    );
    fc.assert(law, lawRuns(1_000, 100));
  });

  it("is the same when it is done twice", () => {
    const law = fc.property(anyRoot, (schema) => {
      const once = slimSchema(schema, tool);
      expect(JSON.stringify(slimSchema(once, tool)).length).toBeLessThanOrEqual(JSON.stringify(once).length);
    });
    fc.assert(law, lawRuns(1_000));
  });
});
