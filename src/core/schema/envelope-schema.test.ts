import { Ajv } from "ajv";
import * as formats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { type DialectId, dialectIds } from "../contract/dialect-id.ts";
import { profiles } from "../contract/profile.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { RenderOptions } from "../pipeline/dialect/dialect.ts";
import { advertiseOutput, withoutRequired } from "./envelope-schema.ts";
import {
  type RenderedResult,
  digestStub,
  failures,
  renderResult,
  stub,
  success,
} from "./rendered-result.fixture.ts";
import { toolCases } from "./tool-schemas.fixture.ts";

describe("withoutRequired", () => {
  it("asks for no field at any depth, and keeps a property of that name", () => {
    const schema = {
      type: "object",
      required: ["tasks"],
      properties: {
        required: { type: "boolean" },
        tasks: {
          type: "array",
          items: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
        },
      },
    };
    expect(withoutRequired(schema)).toEqual({
      type: "object",
      properties: {
        required: { type: "boolean" },
        tasks: { type: "array", items: { type: "object", properties: { id: { type: "string" } } } },
      },
    });
  });
});

const clientOptions = { strict: false, validateSchema: false, allErrors: true } as const;

function validators(schema: JsonObject): ((value: JsonValue) => boolean)[] {
  return [new Ajv(clientOptions), new Ajv2020(clientOptions)].map((ajv) => {
    formats.default.default(ajv);
    return ajv.compile(schema);
  });
}

/** A failure may come without structured content; clients accept that, and nothing else without it. */
function verdicts(check: ((value: JsonValue) => boolean)[], result: RenderedResult): boolean[] {
  const { structuredContent, isError } = result;
  return check.map((isValid) =>
    structuredContent === undefined ? isError === true : isValid(structuredContent),
  );
}

const renderings: readonly RenderOptions[] = [
  ...Object.values(profiles).map((profile) => ({ profile })),
  { profile: profiles.standard, metadata: "data", emitEmpty: true },
  { profile: profiles.minimal, fill: "null" },
];

const advertisements = toolCases.flatMap((tool) =>
  dialectIds.map((dialect) => ({
    ...tool,
    dialect,
    output: advertiseOutput(tool.schema, { dialects: [dialect] }),
  })),
);
const advertised = advertisements.flatMap(({ output, ...rest }) =>
  output === undefined ? [] : [{ ...rest, output }],
);

describe("advertiseOutput", () => {
  it.each(advertised)(
    "describes every $dialect result of the $name tool",
    ({ dialect, output, values, cuts }) => {
      const outcomes = [...[...values, ...cuts].map(success), ...failures];
      const check = validators(output);
      for (const options of renderings) {
        for (const outcome of outcomes) {
          expect(verdicts(check, renderResult(dialect, outcome, options))).toEqual([true, true]);
        }
      }
    },
  );

  const cuttable: readonly DialectId[] = ["response-v2", "response-v2-draft", "scalpel"];

  it.each(advertised.filter(({ dialect }) => cuttable.includes(dialect)))(
    "describes the Stub of the $name tool in $dialect",
    ({ dialect, output }) => {
      for (const cut of [stub, digestStub]) {
        const { structuredContent = {} } = renderResult(dialect, cut, { profile: profiles.standard });
        expect(validators(output).map((isValid) => isValid(structuredContent))).toEqual([true, true]);
      }
    },
  );

  it("leaves the Stub out when results are never cut", () => {
    const output = advertiseOutput(toolCases[0]?.schema, { dialects: ["response-v2"], stub: false });
    expect(JSON.stringify(output)).not.toContain("omitted");
  });

  it("says nothing where some result carries no structured content", () => {
    const silent = advertisements.filter(({ output }) => output === undefined);
    const always = ["array", "scalar", "mixed union", "several types", "any JSON", "nullable", "none"];
    expect(silent.filter(({ dialect }) => dialect === "drf")).toHaveLength(toolCases.length);
    for (const dialect of ["plain", "response-v1"]) {
      expect(silent.filter((each) => each.dialect === dialect).map(({ name }) => name)).toEqual(always);
    }
    expect(silent.filter(({ dialect }) => cuttable.includes(dialect))).toEqual([]);
  });

  it("rejects a success whose data is neither the tool's, a fault nor a Stub", () => {
    const output = advertiseOutput(toolCases[0]?.schema, { dialects: ["response-v2"] }) ?? {};
    const envelope = { success: true, data: { tasks: 1, total: 2 }, error: null, meta: {} };
    expect(validators(output).map((isValid) => isValid(envelope))).toEqual([false, false]);
  });
});

describe("the schema of several dialects", () => {
  const tool = toolCases[0];
  const every: readonly DialectId[] = ["response-v2", "response-v2-draft", "scalpel", "response-v1", "plain"];

  it("describes the results of each, and the tool's schema once", () => {
    const output = advertiseOutput(tool?.schema, { dialects: every }) ?? {};
    const check = validators(output);
    for (const dialect of every) {
      for (const outcome of [...(tool?.values ?? []).map(success), ...failures]) {
        const result = renderResult(dialect, outcome, { profile: profiles.debug });
        expect(verdicts(check, result)).toEqual([true, true]);
      }
    }
    expect(output["type"]).toBe("object");
    expect(JSON.stringify(output).split('"tasks"').length - 1).toBe(2);
  });

  it("is absent when one of them can have no schema", () => {
    expect(advertiseOutput(tool?.schema, { dialects: ["response-v2", "drf"] })).toBeUndefined();
    expect(advertiseOutput({ type: "array" }, { dialects: ["plain", "response-v2"] })).toBeUndefined();
    expect(advertiseOutput(tool?.schema, { dialects: [] })).toBeUndefined();
  });

  it("is that of one dialect when it is named twice", () => {
    expect(advertiseOutput(tool?.schema, { dialects: ["plain", "plain"] })).toEqual(
      advertiseOutput(tool?.schema, { dialects: ["plain"] }),
    );
  });
});

describe("the response-v2 envelope", () => {
  const own = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { id: { type: "string" }, tags: { type: "array", items: { type: "string" }, minItems: 1 } },
    required: ["id", "tags"],
    additionalProperties: false,
  };

  it("is pinned", () => {
    expect(advertiseOutput(own, { dialects: ["response-v2"] })).toEqual({
      type: "object",
      properties: {
        success: { type: "boolean" },
        data: {
          type: "object",
          anyOf: [
            {
              type: "object",
              properties: { id: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
              required: ["id", "tags"],
            },
            { required: ["error_code", "error_type"] },
            { required: ["omitted"] },
          ],
        },
        error: { type: ["string", "null"] },
        meta: { type: "object" },
      },
      required: ["success", "data", "error", "meta"],
    });
  });

  it("says only that it is one beside the plain form, which describes the data", () => {
    expect(advertiseOutput(own, { dialects: ["plain", "response-v2"] })).toEqual({
      type: "object",
      anyOf: [
        {
          type: "object",
          properties: { id: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
          required: ["id", "tags"],
        },
        {
          properties: { success: { type: "boolean" }, data: { type: "object" } },
          required: ["success", "data", "error", "meta"],
        },
      ],
    });
  });

  const cost = (
    schema: JsonObject | undefined,
    dialects: readonly DialectId[] = ["response-v2"],
    more: { readonly tables?: boolean; readonly select?: boolean } = {},
  ): number => {
    const tokens = (value: unknown): number => (value === undefined ? 0 : countTokens(JSON.stringify(value)));
    return tokens(advertiseOutput(schema, { dialects, ...more })) - tokens(schema);
  };

  it("costs 67 tokens above an open object schema, less what opening removes", () => {
    const open = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    expect(cost(open)).toBe(67);
    expect(cost({ ...open, additionalProperties: false })).toBeLessThan(67);
    expect(cost(undefined)).toBe(48);
  });

  it("costs 36 tokens beside the plain form of an object", () => {
    const open = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    const asZodWrites = {
      $schema: "http://json-schema.org/draft-07/schema#",
      ...open,
      additionalProperties: false,
    };
    expect(cost(open, ["plain", "response-v2"])).toBe(36);
    expect(cost(asZodWrites, ["plain", "response-v2"])).toBeLessThan(20);
  });

  it.each(toolCases)("costs at most 130 tokens above the schema of the $name tool", ({ schema }) => {
    expect(cost(schema)).toBeLessThanOrEqual(130);
    // Where plain results come too, as under auto.
    const choices: readonly DialectId[][] = [["response-v2"], ["plain", "response-v2"], ["scalpel"]];
    for (const dialects of choices)
      for (const tables of [false, true])
        for (const select of [false, true])
          expect(cost(schema, dialects, { tables, select })).toBeLessThanOrEqual(130);
  });
});

describe("the data of response-v1", () => {
  it("may sit under result only where the tool can return nothing but an error", () => {
    const roots = (schema: JsonObject): JsonValue | undefined =>
      advertiseOutput(schema, { dialects: ["response-v1"] })?.["anyOf"];
    expect(roots({ type: "object", required: ["id"] })).toHaveLength(2);
    expect(roots({ type: "object", required: ["error"] })).toHaveLength(3);
  });
});
