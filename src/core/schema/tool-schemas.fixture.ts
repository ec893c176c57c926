import type { JsonObject, JsonValue } from "../json/json-value.ts";

export interface ToolCase {
  readonly name: string;
  readonly schema: JsonObject | undefined;
  /** What the tool returns. */
  readonly values: readonly JsonValue[];
  /** The same after a cut; items are gone that the tool's own schema asks for. */
  readonly cuts: readonly JsonValue[];
}

const string = { type: "string" };
const node = {
  type: "object",
  properties: { name: string, children: { type: "array", items: { $ref: "#/$defs/Node" }, minItems: 1 } },
  required: ["name"],
  additionalProperties: false,
};

export const toolCases: readonly ToolCase[] = [
  {
    name: "object",
    schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "https://example.com/tasks.json",
      type: "object",
      properties: {
        tasks: {
          type: "array",
          items: {
            type: "object",
            properties: { id: string },
            required: ["id"],
            additionalProperties: false,
          },
          minItems: 2,
          uniqueItems: true,
          contains: { properties: { id: { const: "T-2" } } },
        },
        total: { type: "integer", minimum: 0 },
      },
      required: ["tasks", "total"],
      additionalProperties: false,
    },
    values: [{ tasks: [{ id: "T-1" }, { id: "T-2" }], total: 2 }],
    cuts: [
      { tasks: [{ id: "T-1" }], total: 2 },
      { tasks: [], total: 2 },
    ],
  },
  {
    name: "map",
    schema: { type: "object", additionalProperties: { type: "array", items: { type: "number" } } },
    values: [{}, { a: [1, 2], b: [] }],
    cuts: [{ a: [1], b: [] }],
  },
  {
    name: "array",
    schema: { type: "array", items: { type: "object", properties: { id: string } }, minItems: 1 },
    values: [[{ id: "a" }, { id: "b" }]],
    cuts: [[{ id: "a" }], []],
  },
  { name: "scalar", schema: { type: "number" }, values: [0, 1.5], cuts: [] },
  {
    name: "union",
    schema: {
      description: "One of two.",
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "a" }, list: { type: "array", minItems: 1 } },
          required: ["kind"],
        },
        { type: "object", properties: { kind: { const: "b" }, text: string }, required: ["kind", "text"] },
      ],
    },
    values: [
      { kind: "a", list: [1] },
      { kind: "b", text: "x" },
    ],
    cuts: [{ kind: "a", list: [] }],
  },
  {
    name: "mixed union",
    schema: {
      anyOf: [
        { type: "object", properties: { a: string }, required: ["a"] },
        { type: "array", items: string },
      ],
    },
    values: [{ a: "x" }, ["x"]],
    cuts: [[]],
  },
  {
    name: "several types",
    schema: { type: ["object", "array", "null"], items: string, properties: { a: string }, required: ["a"] },
    values: [{ a: "x" }, ["x"], null],
    cuts: [[]],
  },
  {
    name: "recursive definitions",
    schema: { ...node, $defs: { Node: node } },
    values: [{ name: "a", children: [{ name: "b", children: [{ name: "c" }] }] }],
    cuts: [{ name: "a", children: [{ name: "b", children: [] }] }],
  },
  {
    name: "recursive root",
    schema: {
      type: "object",
      properties: { name: string, children: { type: "array", items: { $ref: "#" } } },
      required: ["name"],
    },
    values: [{ name: "a", children: [{ name: "b" }] }],
    cuts: [{ name: "a", children: [] }],
  },
  {
    name: "any JSON",
    schema: {
      anyOf: [
        { type: ["string", "number", "boolean", "null"] },
        { type: "array", items: { $ref: "#" } },
        { type: "object", additionalProperties: { $ref: "#" } },
      ],
    },
    values: [null, "x", 1, [1, [2]], { a: { b: [true] } }],
    cuts: [[1, []], { a: { b: [] } }],
  },
  {
    name: "enums and constants",
    schema: {
      type: "object",
      properties: {
        level: { enum: ["low", "high"] },
        kind: { const: "report" },
        pair: { const: [1, 2] },
        id: { type: "string", pattern: "^[A-Z]-[0-9]+$", minLength: 3 },
        at: { type: "string", format: "date-time" },
      },
      required: ["level", "kind", "pair", "id", "at"],
    },
    values: [{ level: "low", kind: "report", pair: [1, 2], id: "T-1", at: "2026-11-15T00:00:00Z" }],
    cuts: [{ level: "low", kind: "report", pair: [1], id: "T-1", at: "2026-11-15T00:00:00Z" }],
  },
  {
    name: "nullable",
    schema: {
      anyOf: [
        { type: "object", properties: { a: { type: ["string", "null"] } }, required: ["a"] },
        { type: "null" },
      ],
    },
    values: [{ a: null }, { a: "x" }, null],
    cuts: [],
  },
  {
    name: "tuple",
    schema: {
      type: "object",
      properties: {
        point: {
          type: "array",
          prefixItems: [{ type: "number" }, string],
          items: { type: "boolean" },
          minItems: 2,
        },
        old: { type: "array", items: [{ type: "number" }, string], additionalItems: false },
      },
      required: ["point"],
    },
    values: [{ point: [1, "a", true], old: [1, "a"] }],
    cuts: [],
  },
  {
    name: "conditions",
    schema: {
      type: "object",
      properties: { list: { type: "array" }, note: true, never: false },
      not: { properties: { list: { maxItems: 0 } }, required: ["list"] },
      if: { properties: { list: { minItems: 1 } } },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ["list"] },
      else: { required: ["gone"] },
    },
    values: [{ list: [1, 2], note: {} }],
    cuts: [{ list: [] }],
  },
  {
    name: "only an error",
    schema: { type: "object", properties: { error: {} } },
    values: [{ error: { a: 1 } }, {}],
    cuts: [],
  },
  {
    name: "any object",
    schema: { type: "object", description: "Whatever." },
    values: [{}, { a: [1] }],
    cuts: [],
  },
  { name: "none", schema: undefined, values: [null, "x", [1], { a: 1 }], cuts: [] },
];
