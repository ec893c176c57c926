import { describe, expect, it } from "vitest";
import type { JsonValue } from "./json-value.ts";
import { stableStringify } from "./stable-stringify.ts";

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
