import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { MAX_JSON_DEPTH, findNonJson } from "./find-non-json.ts";

class Point {
  x = 1;
}

function nest(depth: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

describe("findNonJson", () => {
  it.each([
    ["primitives", "x"],
    ["null", null],
    ["nested values", { a: [1, "x", true, null, { b: {} }], c: -0 }],
    ["an undefined property", { a: undefined }],
    ["an object without a prototype", Object.assign(Object.create(null) as object, { a: 1 })],
    ["__proto__ as a key", JSON.parse('{"__proto__":{"a":1}}')],
    ["toJSON as a key with data", { toJSON: "x", a: { toJSON: 1 } }],
    ["an object and an array of another realm", runInNewContext("({ a: [1, { b: 2 }] })")],
  ])("finds nothing in %s", (_, value) => {
    expect(findNonJson(value)).toBeUndefined();
  });

  it("finds nothing in a shared reference", () => {
    const shared = { a: [1] };
    expect(findNonJson([shared, shared, { shared }])).toBeUndefined();
  });

  it.each([
    ["function", () => 1],
    ["symbol", Symbol("x")],
    ["bigint", 1n],
    ["not-finite", Number.NaN],
    ["not-finite", Number.NEGATIVE_INFINITY],
    ["not-plain", new Point()],
    ["not-plain", new Date(0)],
    ["not-plain", new (class extends Array {})()],
    ["not-plain", { toJSON: () => 1 }],
    ["not-plain", Object.assign([], { toJSON: () => 1 })],
    ["not-plain", Object.create({ a: 1 })],
    ["not-plain", runInNewContext("new Map()")],
  ])("reports %s at the root, in an object and in an array", (reason, value) => {
    expect(findNonJson(value)).toMatchObject({ reason, pointer: "" });
    expect(findNonJson({ ok: 1, "a/b": value })).toMatchObject({ reason, pointer: "/a~1b" });
    expect(findNonJson({ rows: [1, { v: value }] })).toMatchObject({ reason, pointer: "/rows/1/v" });
  });

  it("reports undefined at the root, in an array and in a hole", () => {
    expect(findNonJson(undefined)).toMatchObject({ reason: "undefined", pointer: "" });
    expect(findNonJson({ a: [1, undefined] })).toMatchObject({ reason: "undefined", pointer: "/a/1" });
    // oxlint-disable-next-line no-sparse-arrays
    expect(findNonJson([1, , 2])).toMatchObject({ reason: "undefined", pointer: "/1" });
  });

  it("reports a toJSON that hides on an array", () => {
    const value = Object.defineProperty([1], "toJSON", { value: () => 1 });
    expect(findNonJson({ value })).toMatchObject({ reason: "not-plain", pointer: "/value" });
  });

  it("reports the first finding in the order of the text", () => {
    expect(findNonJson({ a: [{ b: 1n }], c: Number.NaN })).toMatchObject({ pointer: "/a/0/b" });
  });

  it("allows a depth of 1,000 and reports the level below", () => {
    expect(MAX_JSON_DEPTH).toBe(1_000);
    expect(findNonJson(nest(1_000))).toBeUndefined();
    const found = findNonJson(nest(1_001));
    expect(found?.reason).toBe("too-deep");
    expect(found?.pointer.split("/")).toHaveLength(1_001);
    expect(findNonJson(nest(200_000))).toMatchObject({ reason: "too-deep" });
  });

  it("takes another depth limit", () => {
    expect(findNonJson([[]], { maxDepth: 2 })).toBeUndefined();
    expect(findNonJson([[]], { maxDepth: 1 })).toMatchObject({ reason: "too-deep", pointer: "/0" });
    expect(findNonJson(1, { maxDepth: 0 })).toBeUndefined();
    expect(findNonJson(nest(5_000), { maxDepth: 5_000 })).toBeUndefined();
  });

  it("reports where a circle closes, and what it refers to", () => {
    const parent: Record<string, unknown> = { name: "p" };
    parent["children"] = [{ parent }];
    expect(findNonJson(parent)).toMatchObject({ reason: "circular", pointer: "/children/0/parent" });
    expect(findNonJson({ root: parent })?.message).toBe(
      "The value at /root/children/0/parent refers back to /root, which encloses it: send an id in its place.",
    );
  });

  it("ends on a wide circle without filling the memory", () => {
    const rows: unknown[] = [];
    for (let index = 0; index < 50_000; index++) rows.push({ rows });
    expect(findNonJson(rows)).toMatchObject({ reason: "circular", pointer: "/0/rows" });
  });

  it.each([
    [new Date(0), "The value is a Date: send date.toISOString()."],
    [new Map(), "The value is a Map: send Object.fromEntries(map)."],
    [new Set(), "The value is a Set: send [...set]."],
    [new TypeError("x"), "The value is an Error: send { message: error.message }."],
    [Promise.resolve(), "The value is a Promise: await it and send its result."],
    [
      new Uint8Array(1),
      "The value is a Uint8Array: send Array.from(values), or its bytes as a base64 string.",
    ],
    [new URL("https://a.example"), "The value is a URL: send url.href."],
    [Object("x"), "The value is a boxed String: send the plain string, String(value)."],
    [new Point(), "The value is an instance of Point: send a plain object, such as { ...instance }."],
    [
      { toJSON: () => 1 },
      "The value is an object with a toJSON method, which is sent as something else: send value.toJSON().",
    ],
    [Number.NaN, "The value is NaN, which JSON cannot carry: send null or a string."],
    [1n, "The value is a bigint, which JSON cannot carry: send String(value)."],
  ])("says what to do about %o", (value, message) => {
    expect(findNonJson(value)?.message).toBe(message);
  });
});
