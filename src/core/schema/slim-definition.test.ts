import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { slimDefinition } from "./slim-definition.ts";

/** The input schema that is left of one with these properties. */
function slim(properties: JsonObject, more: JsonObject = {}, description = "Finds."): JsonObject {
  const inputSchema = { type: "object", properties, ...more };
  return slimDefinition({ name: "find_items", description, inputSchema })["inputSchema"] as JsonObject;
}

function slimProperty(
  name: string,
  property: JsonObject,
  more: JsonObject = {},
  description?: string,
): JsonValue {
  return (slim({ [name]: property }, more, description)["properties"] as JsonObject)[name] ?? null;
}

describe("slimDefinition", () => {
  it("keeps names, order, annotations and what it does not know", () => {
    const tool = {
      name: "find_items",
      title: "Find items",
      description: "Finds.",
      inputSchema: {
        type: "object",
        properties: { z: { type: "string", "x-order": 2 }, a: { type: "number" } },
      },
      annotations: { readOnlyHint: true },
      _meta: { "a/b": 1 },
    };
    expect(JSON.stringify(slimDefinition(tool))).toBe(JSON.stringify(tool));
  });

  it("drops the draft, titles that repeat names, and keywords that say nothing", () => {
    const given = {
      $schema: "http://json-schema.org/draft-07/schema#",
      title: "find_itemsArguments",
      type: "object",
      properties: { max_results: { title: "Max Results", type: "integer", minLength: 0, deprecated: false } },
      required: [],
      additionalProperties: true,
    };
    const { inputSchema } = slimDefinition({ name: "find_items", inputSchema: given });
    expect(inputSchema).toEqual({ type: "object", properties: { max_results: { type: "integer" } } });
  });

  it("keeps a title that says more than name and description", () => {
    const code = { type: "string", title: "ISO 3166 country code" };
    expect(slimProperty("country", code)).toEqual(code);
    expect(slimProperty("country", { ...code, description: "The ISO 3166 code." })).toEqual({
      type: "string",
      description: "The ISO 3166 code.",
    });
  });

  it("keeps the draft where keywords mean another thing in it", () => {
    const $schema = "http://json-schema.org/draft-07/schema#";
    const tuple = { pair: { type: "array", items: [{ type: "string" }, { type: "number" }] } };
    expect(slim(tuple, { $schema })["$schema"]).toBe($schema);
    const other = "https://example.com/my-dialect";
    expect(slim({}, { $schema: other })["$schema"]).toBe(other);
  });

  it("keeps a closed object closed", () => {
    expect(slim({}, { additionalProperties: false })).toEqual({
      type: "object",
      properties: {},
      additionalProperties: false,
    });
  });

  it("writes a choice of types as a list of types, and drops a default of null that leaving out means too", () => {
    const optional = {
      anyOf: [{ type: "string", maxLength: 9 }, { type: "null" }],
      default: null,
      title: "Q",
    };
    expect(slimProperty("q", optional)).toEqual({ type: ["string", "null"], maxLength: 9 });
    expect(slimProperty("q", optional, { required: ["q"] })).toEqual({
      type: ["string", "null"],
      maxLength: 9,
      default: null,
    });
  });

  it.each<JsonObject>([
    { anyOf: [{ type: "integer" }, { type: "number" }] },
    { anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] },
    {
      anyOf: [
        { type: "string", description: "A name." },
        { type: "integer", description: "An id." },
      ],
    },
    { oneOf: [{ type: "string", format: "uuid" }, { type: "integer" }] },
  ])("keeps a choice that a list of types does not say: %j", (choice) => {
    expect(slimProperty("q", choice)).toEqual(choice);
  });

  it("keeps one example, and none of what is listed anyway", () => {
    expect(slimProperty("q", { type: "string", examples: ["a", "b"] })).toEqual({
      type: "string",
      examples: ["a"],
    });
    expect(slimProperty("q", { enum: ["a", "b"], examples: ["a"] })).toEqual({ enum: ["a", "b"] });
  });

  it("writes what is repeated once, in the definition that is there or in one named after its first place", () => {
    const address = {
      type: "object",
      properties: { street: { type: "string", description: "With the number." }, city: { type: "string" } },
      required: ["street"],
    };
    const ref = { $ref: "#/$defs/home" };
    expect(slim({ home: address, work: address, all: { type: "array", items: address } })).toEqual({
      type: "object",
      properties: { home: ref, work: ref, all: { type: "array", items: ref } },
      $defs: { home: address },
    });
    const known = { $ref: "#/definitions/Place" };
    expect(slim({ home: address, work: known }, { definitions: { Place: address } })).toEqual({
      type: "object",
      properties: { home: known, work: known },
      definitions: { Place: address },
    });
  });

  it("gives a definition a name that is free", () => {
    const long = { type: "object", properties: { a: { type: "string", description: "x".repeat(80) } } };
    const other = { type: "string", description: "Another one, which is used." };
    const { $defs, properties } = slim(
      { a: { $ref: "#/$defs/b" }, b: long, c: long },
      { $defs: { b: other } },
    );
    expect($defs).toEqual({ b: other, b_2: long });
    expect((properties as JsonObject)["c"]).toEqual({ $ref: "#/$defs/b_2" });
  });

  it("drops definitions that nothing refers to", () => {
    const tree = { type: "object", properties: { next: { $ref: "#/$defs/tree" } } };
    const { $defs } = slim(
      { a: { $ref: "#/$defs/tree" } },
      { $defs: { tree, gone: { $ref: "#/$defs/lost" }, lost: {} } },
    );
    expect($defs).toEqual({ tree });
  });

  it.each<JsonObject>([
    { properties: { a: { title: "A" }, b: { $ref: "#/properties/a" } } },
    { properties: { a: { title: "A", $id: "https://example.com/a" } } },
    { properties: { a: { title: "A", $anchor: "a" }, b: { $ref: "#a" } } },
    { properties: { a: { title: "A" }, b: { $ref: "https://example.com/b" } } },
    {
      properties: { a: { title: "A" } },
      $defs: { b: { $ref: "#/$defs/b" } },
      anyOf: [{ $ref: "#/$defs/b" }],
    },
  ])("leaves a schema whose parts are found by other addresses: %j", (inputSchema) => {
    expect(slimDefinition({ name: "t", inputSchema })["inputSchema"]).toBe(inputSchema);
  });
});

describe("the description of a field", () => {
  const field = { type: "integer", default: 10 };

  it.each([
    ["How many to return (default: 10)", "How many to return"],
    ["How many to return. Defaults to 10.", "How many to return."],
    ["How many to return, default 10", "How many to return"],
    ["Optional. How many to return", "How many to return"],
    ["[optional] How many to return (optional, default is 10).", "How many to return"],
    ["How many to return (default: 20)", "How many to return (default: 20)"],
    ["How many to return (required)", "How many to return (required)"],
    ["Optional limits: at most 10", "Optional limits: at most 10"],
    ["At most 100 (default: 10, up to 50)", "At most 100 (default: 10, up to 50)"],
  ])("loses only what the schema says: %s", (description, left) => {
    expect(slimProperty("limit", { ...field, description })).toEqual({ ...field, description: left });
  });

  it.each([
    ["limit", "The limit."],
    ["limit", "Limit (default: 10)"],
    ["maxItems", "max items value"],
    ["max_items", "The number of max items"],
    ["limit", "   "],
  ])("goes if it repeats the name %s: %s", (name, description) => {
    expect(slimProperty(name, { ...field, description })).toEqual(field);
  });

  it.each([
    ["price", "Price in $"],
    ["city", "The name of the city"],
    ["id", "The user's ID"],
    ["limit", "Limit: 10"],
  ])("stays if it says more than the name %s: %s", (name, description) => {
    expect(slimProperty(name, { type: "integer", description })).toEqual({ type: "integer", description });
  });

  it("goes if the tool's description has the same line about it, word for word", () => {
    const text = "How many to return at most.";
    const docstring = `Finds items.\n\nArgs:\n    limit (int): ${text}\n    other: Something.`;
    expect(slimProperty("limit", { ...field, description: text }, {}, docstring)).toEqual(field);
    expect(slimProperty("other", { ...field, description: text }, {}, docstring)).toEqual({
      ...field,
      description: text,
    });
  });

  it("loses the spaces of a docstring, and keeps its lines and their order", () => {
    const description = "\n    Finds items.   \n\n\n    Args:\n        a: One.\n    ";
    expect(slimDefinition({ name: "t", description })["description"]).toBe(
      "Finds items.\n\nArgs:\n    a: One.",
    );
  });
});
