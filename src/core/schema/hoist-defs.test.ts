import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json/json-value.ts";
import { advertiseOutput } from "./envelope-schema.ts";
import { hoistDefs } from "./open-schema.ts";

function hoist(schema: JsonObject): { schema?: JsonObject; defs?: JsonObject; notes: string[] } {
  const notes: string[] = [];
  return { ...hoistDefs(schema, (note) => notes.push(note)), notes };
}

const string = { type: "string" };

describe("hoistDefs", () => {
  it("moves $defs, definitions and nested $defs into one list", () => {
    const schema = {
      properties: {
        a: { $ref: "#/$defs/A" },
        b: { $ref: "#/definitions/B" },
        c: { $ref: "#/properties/c/$defs/A", $defs: { A: { type: "number" } } },
      },
      $defs: { A: string, Unused: true },
      definitions: { B: { items: { $ref: "#/$defs/A" } } },
    };
    expect(hoist(schema)).toEqual({
      schema: {
        properties: { a: { $ref: "#/$defs/A" }, b: { $ref: "#/$defs/B" }, c: { $ref: "#/$defs/A_2" } },
      },
      defs: { A: string, B: { items: { $ref: "#/$defs/A" } }, A_2: { type: "number" } },
      notes: [],
    });
  });

  it("leads refs into the tree to one shared definition", () => {
    const schema = { properties: { a: { properties: { x: string } }, b: { $ref: "#/properties/a" } } };
    expect(hoist(schema)).toEqual({
      schema: { properties: { a: { $ref: "#/$defs/a" }, b: { $ref: "#/$defs/a" } } },
      defs: { a: { properties: { x: string } } },
      notes: [],
    });
  });

  it("takes names, constants and values for what they are, not for refs", () => {
    const schema = {
      properties: { $ref: { type: "string" }, $defs: { type: "array" }, not: { type: "null" } },
      default: { $ref: "#/nowhere" },
      required: ["$ref"],
    };
    expect(hoist(schema)).toEqual({ schema, defs: {}, notes: [] });
  });

  it("reads escaped and encoded pointers", () => {
    const schema = { properties: { a: { $ref: "#/$defs/a~1b%20c" } }, $defs: { "a/b c": string } };
    expect(hoist(schema)).toEqual({
      schema: { properties: { a: { $ref: "#/$defs/a_1b_20c" } } },
      defs: { a_1b_20c: string },
      notes: [],
    });
  });

  it("follows anchors, embedded documents and refs without a choice of target", () => {
    const schema = {
      $id: "https://example.com/root.json",
      properties: {
        a: { $ref: "#word" },
        b: { $ref: "item.json" },
        c: { $ref: "https://example.com/item.json#/$defs/Deep" },
        d: { $dynamicRef: "#word" },
      },
      $defs: {
        Word: { $anchor: "word", type: "string" },
        Item: {
          $id: "item.json",
          properties: { x: { $ref: "#/$defs/Deep" } },
          $defs: { Deep: { type: "null" } },
        },
        Deep: { type: "number" },
      },
    };
    expect(hoist(schema)).toEqual({
      schema: {
        properties: {
          a: { $ref: "#/$defs/word" },
          b: { $ref: "#/$defs/item.json" },
          c: { $ref: "#/$defs/Deep" },
          d: { $ref: "#/$defs/word" },
        },
      },
      defs: {
        word: string,
        "item.json": { properties: { x: { $ref: "#/$defs/Deep" } } },
        Deep: { type: "null" },
      },
      notes: [],
    });
  });

  it.each([
    "https://example.com/other.json",
    "#/$defs/Gone",
    "#gone",
    "other.json#/a",
    "#/%zz",
    "#/$defs/List/0/1",
  ])("opens the ref %s, which leads nowhere, and says so", ($ref) => {
    const { schema, defs, notes } = hoist({
      properties: { a: { $ref, description: "kept" } },
      $defs: { List: [[]] },
    });
    expect({ schema, defs }).toEqual({ schema: { properties: { a: { description: "kept" } } }, defs: {} });
    expect(notes).toEqual([`The ref ${JSON.stringify($ref)} leads nowhere and was opened.`]);
  });

  it("opens dynamic refs that more than one document answers", () => {
    const schema = {
      $dynamicAnchor: "node",
      properties: { a: { $dynamicRef: "#node" }, b: { $recursiveRef: "#" } },
      $defs: { Other: { $id: "other", $dynamicAnchor: "node" } },
    };
    expect(hoist(schema).schema).toEqual({ properties: { a: {}, b: {} } });
  });

  it("reads $recursiveRef as the root it names", () => {
    const { schema, defs } = hoist({ items: { $recursiveRef: "#" } });
    expect({ schema, defs }).toEqual({
      schema: { $ref: "#/$defs/self" },
      defs: { self: { items: { $ref: "#/$defs/self" } } },
    });
  });

  it("opens definitions that a validator would follow forever", () => {
    const { defs, notes } = hoist({
      properties: { a: { $ref: "#/$defs/A" }, b: { $ref: "#/$defs/C" } },
      $defs: {
        A: { allOf: [{ anyOf: [{ $ref: "#/$defs/B" }] }] },
        B: { $ref: "#/$defs/A" },
        C: { items: { $ref: "#/$defs/C" } },
      },
    });
    expect(defs).toMatchObject({ A: {}, C: { items: { $ref: "#/$defs/C" } } });
    expect(notes).toEqual(['The definition "A" refers to itself in place and was opened.']);
  });

  it("never grows, however its definitions are nested in each other", () => {
    let schema: JsonObject = { title: "x".repeat(100) };
    const refs: JsonObject[] = [];
    for (let level = 1; level <= 40; level += 1) {
      schema = { properties: { a: schema } };
      refs.push({ $ref: `#/properties/t${"/properties/a".repeat(level)}` });
    }
    const text = JSON.stringify(hoist({ properties: { t: schema }, allOf: refs }));
    expect(text.length).toBeLessThan(10_000);
  });
});

describe("the limits", () => {
  const notesOf = (schema: JsonObject): { output: JsonObject | undefined; notes: string[] } => {
    const notes: string[] = [];
    const output = advertiseOutput(schema, { dialects: ["response-v2"], onNote: (note) => notes.push(note) });
    return { output, notes };
  };
  const unknown = advertiseOutput(undefined, { dialects: ["response-v2"] });

  function nested(levels: number): JsonObject {
    let schema: JsonObject = {};
    for (let level = 1; level < levels; level += 1) schema = { properties: { a: schema } };
    return { ...schema, type: "object" };
  }

  it("keep a schema of 100 levels and open a deeper one", () => {
    expect(notesOf(nested(100)).notes).toEqual([]);
    expect(notesOf(nested(5_000))).toEqual({
      output: unknown,
      notes: ["The tool's schema is deeper than 100 levels and was opened."],
    });
  });

  it("open a schema of more than 1 MiB", () => {
    expect(notesOf({ type: "object", description: "x".repeat(1024 * 1024) })).toEqual({
      output: unknown,
      notes: ["The tool's schema is larger than 1 MiB and was opened."],
    });
  });

  it("open a chain of refs that clients cannot follow", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`d${at}`, { items: { $ref: `#/$defs/d${at + 1}` } }]),
    );
    expect(notesOf({ type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs })).toEqual({
      output: unknown,
      notes: ["The tool's schema is too deep when its refs are followed and was opened."],
    });
  });
});
