import { describe, expect, it } from "vitest";
import { checkExpression } from "./check-expression.ts";
import { faultOf } from "./fault-of.fixture.ts";

async function refused(
  expression: string,
): Promise<{ message: string; position: unknown; example: unknown }> {
  const { code, message, remediation = "", details } = await faultOf(() => checkExpression(expression));
  expect([code, details]).toEqual(["INVALID_FORMAT", undefined]);
  const [, position] = / at character (\d+): /.exec(message) ?? [];
  const [, example] = /^Correct it, for example: (.+)$/s.exec(remediation) ?? [];
  return { message, position: position === undefined ? undefined : Number(position), example };
}

describe("checkExpression", () => {
  it.each([
    "@",
    "items[?state == 'open'].id",
    "items[?price > 10.5 && done == true] | [0]",
    "count_by(@, &state)",
    "let $x = a in b[?c == $x]",
    '{a: b, "c-d": `[1, 2]`}',
    "a-1 + 2-1",
    "*.a[].b[1:2]",
    "a ? b : c",
  ])("takes %s", (expression) => {
    expect(checkExpression(expression).text).toBe(expression);
  });

  it.each([
    ["items[?state == 'open'", 23, "items[?state == 'open']"],
    ["items[?state = 'open']", 14, "items[?state == 'open']"],
    ["items[?a == 'x' and b > 3]", 17, "items[?a == 'x' && b > 3]"],
    ["items[?a === 'x']", 12, "items[?a == 'x']"],
    ["sort_by(items, name)", 16, "sort_by(items, &name)"],
    ["length(&items)", 8, "length(items)"],
    ["count(items)", 1, "length(items)"],
    ["lenght(items)", 1, "length(items)"],
    ['.items[] | select(.state == "open") | .id', 1, "items[?state == 'open'].id"],
    ["items[?name == `abc`]", 16, "items[?name == 'abc']"],
    ["items[?name == ‘abc’]", 16, "items[?name == 'abc']"],
    ["items[?name == “abc”]", 16, "items[?name == 'abc']"],
    ["a..b", 3, "a.b"],
    ["items[?at > 2026-03-01].id", 13, "items[?at > '2026-03-01'].id"],
    ["items[?at > 2026-1-16]", 13, "items[?at > '2026-01-16']"],
    ["items[?at >= 2026-03]", 14, "items[?at >= '2026-03']"],
    ["items[?at<2026-03-01T10:00:00Z]", 11, "items[?at<'2026-03-01T10:00:00Z']"],
    ["items[?id == 010]", 14, "items[?id == '010']"],
    ["01", 1, "'01'"],
    ["items[?after(at, 'yesterday')]", 18, "items[?after(at, '2026-01-31')]"],
    ["count_by(items, 'state')", 17, "count_by(items, &state)"],
    ["count_by(items, &'state')", 18, "count_by(items, &state)"],
    ["top_by(@, 'time spent', 1)", 11, 'top_by(@, &"time spent", 1)'],
    ["a b c", 3, "items[?status == 'open'].name"],
  ])("refuses %s at character %i and shows %s", async (expression, position, example) => {
    expect(await refused(expression)).toMatchObject({ position, example });
  });

  it.each([
    ["", "it is empty"],
    ["frobnicate(@)", "there is no function frobnicate()"],
    ["constructor(@)", "there is no function constructor()"],
    ["__proto__(@)", "there is no function __proto__()"],
    ["length()", "takes 1 argument, and 0 were given"],
    ["split('a')", "takes 2 to 3 arguments, and 1 was given"],
    ["a = b", "to compare, write =="],
    ["&a", "& is written only in front of an argument"],
    ["$x", "$x is not known"],
    ["(let $x = a in $x) | $x", "$x is not known"],
    ["let $x a in b", "between `let` and `in` come variables"],
    ["a[::0]", "the step of a slice cannot be 0"],
    ["'a", "the text that begins with ' has no end"],
    ['"a', 'the key that begins with " has no end'],
    ["a.010", "does not fit there"],
    ["-01", "is written between single quotes"],
    ["a # b", 'the character "#" means nothing'],
  ])("says what is wrong with %j", async (expression, said) => {
    expect((await refused(expression)).message).toContain(said);
  });

  it.each([
    ["a".repeat(4_097), "too long"],
    ["a".repeat(1_000_000), "too long"],
    ["é".repeat(2_049), "too long"],
    ["[".repeat(2_000) + "]".repeat(2_000), "64 levels deep"],
    [`${"(".repeat(65)}@${")".repeat(65)}`, "64 levels deep"],
    [`${"!".repeat(4_000)}@`, "64 levels deep"],
    ["[*]".repeat(1_300), "64 levels deep"],
    [`${"a?b:".repeat(1_000)}c`, "64 levels deep"],
    [`${"let $a = b in ".repeat(200)}c`, "64 levels deep"],
  ])("refuses what is too long or too deep (%#)", async (expression, said) => {
    expect((await faultOf(() => checkExpression(expression))).message).toContain(said);
  });

  it.each([`${"(".repeat(60)}@${")".repeat(60)}`, `a${"||a".repeat(1_000)}`, `a${".a".repeat(1_500)}`])(
    "takes what is within the limits (%#)",
    (expression) => {
      expect(checkExpression(expression).text).toBe(expression);
    },
  );
});
