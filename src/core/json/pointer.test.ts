import { describe, expect, it, test } from "vitest";
import type { JsonValue } from "./json-value.ts";
import { appendPointer, getByPointer, parsePointer, resolvePath } from "./pointer.ts";

describe("appendPointer", () => {
  it("escapes the tilde and the slash", () => {
    expect(appendPointer("/a", "m~n/o")).toBe("/a/m~0n~1o");
    expect(appendPointer("", 3)).toBe("/3");
    expect(appendPointer("/a", "")).toBe("/a/");
  });
});

describe("parsePointer", () => {
  it("reads what appendPointer writes", () => {
    expect(parsePointer("/a/m~0n~1o/")).toEqual(["a", "m~n/o", ""]);
    expect(parsePointer("/~01")).toEqual(["~1"]);
    expect(parsePointer("")).toEqual([]);
  });

  it.each(["a", "a/b", "/~", "/~2", "/a~"])("throws a SyntaxError on %j", (pointer) => {
    expect(() => parsePointer(pointer)).toThrow(SyntaxError);
  });
});

describe("getByPointer", () => {
  const value = JSON.parse('{"a":[{"b":1},null],"":2,"__proto__":{"c":3}}') as JsonValue;

  it("finds values at any depth", () => {
    expect(getByPointer(value, "")).toBe(value);
    expect(getByPointer(value, "/a/0/b")).toBe(1);
    expect(getByPointer(value, "/a/1")).toBeNull();
    expect(getByPointer(value, "/")).toBe(2);
    expect(getByPointer(value, "/__proto__/c")).toBe(3);
  });

  it.each(["/a/00", "/a/-", "/a/2", "/a/-1", "/a/1.0", "/a/length", "/toString", "/a/0/b/c", "/a/1/x"])(
    "finds nothing at %s",
    (pointer) => {
      expect(getByPointer(value, pointer)).toBeUndefined();
    },
  );

  it("ignores inherited properties of an empty object", () => {
    expect(getByPointer({}, "/__proto__")).toBeUndefined();
  });
});

const item = { user: { login: "ada" }, labels: [{ name: "bug" }], "a.b": 1, a: { b: 2 }, "": 3 };

describe("resolvePath", () => {
  test.each([
    ["user.login", "ada"],
    ["/user/login", "ada"],
    ["labels.0.name", "bug"],
    ["a.b", 1],
    ["/a/b", 2],
    ["", item],
    ["labels.length", undefined],
    ["labels.00.name", undefined],
    ["user.login.length", undefined],
    ["toString", undefined],
    ["user.none.more", undefined],
  ])("%j", (path, value) => {
    expect(resolvePath(item, path)).toEqual(value);
  });

  test("a broken pointer is a syntax error", () => {
    expect(() => resolvePath(item, "/~2")).toThrow(SyntaxError);
  });
});
