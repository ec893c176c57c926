import { describe, expect, it } from "vitest";
import { jsonEqual, stableStringify } from "./canonical-json.ts";
import type { JsonValue } from "./json-value.ts";

const parse = (text: string): JsonValue => JSON.parse(text) as JsonValue;

function nest(depth: number, leaf: JsonValue): JsonValue {
  let value = leaf;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

describe("jsonEqual", () => {
  it("ignores the order of keys and minds the order of items", () => {
    expect(jsonEqual({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
    expect(jsonEqual([1, 2], [2, 1])).toBe(false);
  });

  it("treats an undefined property as absent, on either side", () => {
    const loose = { a: 1, b: undefined } as unknown as JsonValue;
    expect(jsonEqual(loose, { a: 1 })).toBe(true);
    expect(jsonEqual({ a: 1 }, loose)).toBe(true);
    expect(jsonEqual(loose, { a: 1, b: null })).toBe(false);
    expect(jsonEqual({ a: 1, c: 2 }, loose)).toBe(false);
  });

  it("compares __proto__ as a key", () => {
    expect(jsonEqual(parse('{"__proto__":{"a":1}}'), parse('{"__proto__":{"a":1}}'))).toBe(true);
    expect(jsonEqual(parse('{"__proto__":{}}'), {})).toBe(false);
    expect(jsonEqual({}, parse('{"__proto__":{}}'))).toBe(false);
  });

  it("keeps arrays, objects, null and primitives apart", () => {
    const values: JsonValue[] = [[], {}, null, 0, "", false, "0", [null], { 0: null }];
    for (const [i, a] of values.entries()) {
      for (const [j, b] of values.entries()) expect(jsonEqual(a, b)).toBe(i === j);
    }
  });

  it("calls 0 and -0 equal, as JSON writes both the same", () => {
    expect(jsonEqual(0, -0)).toBe(true);
  });

  it("compares values of any depth", () => {
    expect(jsonEqual(nest(50_000, 1), nest(50_000, 1))).toBe(true);
    expect(jsonEqual(nest(50_000, 1), nest(50_000, 2))).toBe(false);
  });
});

describe("stableStringify", () => {
  it("sorts keys by code unit, not by locale or by number", () => {
    expect(stableStringify({ b: 1, a: 2, B: 3, "10": 4, "9": 5, é: 6, "😀": 7, "\uFFFD": 8 })).toBe(
      '{"10":4,"9":5,"B":3,"a":2,"b":1,"é":6,"😀":7,"\uFFFD":8}',
    );
  });

  it("writes nested values compactly", () => {
    expect(stableStringify({ z: [1, [], {}, null, "x\n"], a: { d: true, c: -0 } })).toBe(
      '{"a":{"c":0,"d":true},"z":[1,[],{},null,"x\\n"]}',
    );
    expect(stableStringify("x")).toBe('"x"');
  });

  it("keeps __proto__ and drops undefined properties", () => {
    expect(stableStringify(JSON.parse('{"a":1,"__proto__":{"b":2}}') as JsonValue)).toBe(
      '{"__proto__":{"b":2},"a":1}',
    );
    expect(stableStringify({ a: undefined, b: 1 } as unknown as JsonValue)).toBe('{"b":1}');
  });

  it("writes values of any depth", () => {
    let value: JsonValue = 1;
    for (let level = 0; level < 50_000; level++) value = [value];
    expect(stableStringify(value)).toBe(`${"[".repeat(50_000)}1${"]".repeat(50_000)}`);
  });
});
