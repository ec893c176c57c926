import { describe, expect, test } from "vitest";
import { resolvePath } from "./resolve-path.ts";

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
