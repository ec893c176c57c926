import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { anyOutcome } from "../../../test/arbitrary/outcomes.ts";
import { dialectIds } from "../contract/dialect-id.ts";
import { profiles } from "../contract/profile.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { getByPointer } from "../json/pointer.ts";
import { advertiseOutput } from "./envelope-schema.ts";
import { renderResult } from "./rendered-result.fixture.ts";
import { toolCases } from "./tool-schemas.fixture.ts";

const words = [
  ..."type enum const pattern format minLength maxItems minItems contains uniqueItems required".split(" "),
  ..."properties patternProperties additionalProperties propertyNames unevaluatedProperties items".split(" "),
  ..."prefixItems additionalItems allOf anyOf oneOf not if then else dependentSchemas dependentRequired".split(
    " ",
  ),
  ..."$ref $dynamicRef $recursiveRef $id $anchor $dynamicAnchor $defs definitions $schema id nullable".split(
    " ",
  ),
  ..."examples deprecated maximum maxLength contentEncoding maxContains minProperties dependencies".split(
    " ",
  ),
  ..."$async $data minimum exclusiveMinimum multipleOf default title description x-note __proto__ a b".split(
    " ",
  ),
];
const texts = [
  ..."object array string integer null #/$defs/a #/properties/a #/definitions/b # #a a b ^a [ (?<".split(" "),
  ..."https://example.com/a.json https://example.com/a.json#/$defs/a #/allOf/0 #/%zz date-time".split(" "),
];

/** What a hostile server might call a schema: the right words in the wrong places. */
const { schema: anySchema } = fc.letrec<{ value: JsonValue; schema: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: "medium" },
    fc.oneof(fc.constantFrom<JsonValue>(...texts, true, false, null, 0, -1, 1.5), fc.constant({})),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("schema"),
  ),
  schema: fc.dictionary(fc.constantFrom(...words), tie("value"), { maxKeys: 5, noNullPrototype: true }),
}));

const one = new Set(["items", "additionalProperties"]);
const lists = new Set(["allOf", "anyOf", "prefixItems"]);
const maps = new Set(["properties", "patternProperties", "dependentSchemas", "$defs"]);
const forbidden = [
  ..."oneOf not if contains minItems uniqueItems unevaluatedProperties unevaluatedItems propertyNames".split(
    " ",
  ),
  ..."$id $anchor $dynamicRef $schema definitions id nullable $async".split(" "),
];

function* subschemas(schema: JsonValue): Generator<JsonValue> {
  yield schema;
  if (!isJsonObject(schema)) return;
  for (const [key, value] of Object.entries(schema)) {
    if (one.has(key)) yield* subschemas(value);
    if (lists.has(key) || maps.has(key))
      for (const child of Object.values(value ?? {})) yield* subschemas(child as JsonValue);
  }
}

function faultsOf(root: JsonObject): string[] {
  return [...subschemas(root)].flatMap((schema) => {
    if (!isJsonObject(schema)) return [`no object: ${JSON.stringify(schema)}`];
    const ref = schema["$ref"] as string | undefined;
    const isLost = ref !== undefined && getByPointer(root, ref.slice(1)) === undefined;
    return [...(isLost ? [`lost ref ${ref}`] : []), ...forbidden.filter((key) => Object.hasOwn(schema, key))];
  });
}

const options = { strict: false, logger: false } as const;
const judges = [new Ajv(options), new Ajv2020(options)];

describe("the advertised schema", () => {
  it("is valid, compiles and has no broken word, whatever the tool's schema says", () => {
    const law = fc.property(anySchema, fc.subarray([...dialectIds], { minLength: 1 }), (schema, dialects) => {
      for (const each of [["response-v2"] as const, dialects]) {
        const output = advertiseOutput(schema, { dialects: each });
        if (output === undefined) continue;
        expect(output["type"]).toBe("object");
        expect(faultsOf(output)).toEqual([]);
        for (const ajv of judges) {
          expect(ajv.validateSchema(output)).toBe(true);
          ajv.compile(output)({ success: true, data: { a: [{ a: 1 }], b: null }, error: null, meta: {} });
          ajv.removeSchema(output);
        }
      }
    });
    fc.assert(law, lawRuns(2_000));
  });

  const advertised = toolCases.flatMap(({ schema }) =>
    dialectIds.flatMap((dialect) => {
      const output = advertiseOutput(schema, { dialects: [dialect] });
      return output === undefined ? [] : [{ dialect, isValid: new Ajv2020(options).compile(output) }];
    }),
  );

  it("accepts every failure", () => {
    const failure = anyOutcome.filter(({ ok }) => !ok);
    const profile = fc.constantFrom(...Object.values(profiles));
    const law = fc.property(failure, profile, fc.constantFrom(...advertised), (outcome, profile, tool) => {
      const { structuredContent } = renderResult(tool.dialect, outcome, { profile });
      expect(structuredContent === undefined || tool.isValid(structuredContent)).toBe(true);
    });
    fc.assert(law, lawRuns(2_000));
  });
});
