import { describe, expect, it } from "vitest";
import { ContractError } from "../../contract/contract-error.ts";
import { parsePath } from "./parse-path.ts";

const name = (text: string) => ({ kind: "name", name: text });

describe("parsePath", () => {
  it.each([
    ["functions", [name("functions")]],
    ["tasks.id", [name("tasks"), name("id")]],
    ["tasks[*].id", [name("tasks"), { kind: "any-item" }, name("id")]],
    ["[*].name", [{ kind: "any-item" }, name("name")]],
    ["rows[3][0]", [name("rows"), { kind: "item", index: 3 }, { kind: "item", index: 0 }]],
    ["a.*.b", [name("a"), { kind: "any-name" }, name("b")]],
    ["*", [{ kind: "any-name" }]],
    ["first name.x-y", [name("first name"), name("x-y")]],
    ["__proto__.a", [name("__proto__"), name("a")]],
    ["items.3", [name("items"), name("3")]],
  ])("reads %s", (path, steps) => {
    expect(parsePath(path)).toEqual(steps);
  });

  it.each([
    ['["a.b"]', [name("a.b")]],
    ["x['a.b'].c", [name("x"), name("a.b"), name("c")]],
    ["'a.b'.c", [name("a.b"), name("c")]],
    ['x."[0]"', [name("x"), name("[0]")]],
    ['["*"]', [name("*")]],
    ['[""]', [name("")]],
    [String.raw`["a\"b\\c"]`, [name(String.raw`a"b\c`)]],
    ["don't", [name("don't")]],
  ])("reads the quoted key in %s", (path, steps) => {
    expect(parsePath(path)).toEqual(steps);
  });

  it.each([
    ["", 0, "a name is missing here"],
    ["a..b", 2, "a name is missing here"],
    [".a", 0, "a name is missing here"],
    ["a.", 2, "a name is missing here"],
    ["a.[*]", 2, "a name is missing here"],
    ["a[", 1, '"[" is never closed'],
    ["a[]", 1, 'brackets hold "*", an index such as 3, or a quoted key'],
    ["a[-1]", 1, 'brackets hold "*", an index such as 3, or a quoted key'],
    ["a[01]", 1, 'brackets hold "*", an index such as 3, or a quoted key'],
    ["a]", 1, '"." or "[" is expected here'],
    ["a[*]b", 4, '"." or "[" is expected here'],
    ['["a', 1, "the quoted key is never closed"],
    [String.raw`["a\"]`, 1, "the quoted key is never closed"],
    ['["a"', 4, '"]" is missing after the quoted key'],
    ["**.id", 0, '"**" does not exist: excludeFields drops a name at every depth'],
    ["a.b*", 3, '"*" must be a whole name: quote a key that contains it'],
    ["a. b", 2, "a name has a blank at its edge: remove it, or quote the key"],
    ["$.a", 0, '"$" is not needed: a path starts at data. Quote a key of that name: ["$"]'],
  ])("refuses %j and says where", (path, position, problem) => {
    const refusal = refusalOf(() => parsePath(path, "exclude"));
    expect(refusal.code).toBe("INVALID_OPTION");
    expect(refusal.details).toEqual({ option: "exclude", path, position });
    expect(refusal.message).toBe(
      `Bad path ${JSON.stringify(path)} in exclude, position ${position}: ${problem}.`,
    );
  });
});

function refusalOf(act: () => unknown): ContractError {
  try {
    act();
  } catch (error) {
    if (ContractError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
