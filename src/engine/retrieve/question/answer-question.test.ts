import { describe, expect, it } from "vitest";
import { someOf } from "../../../../test/arbitrary/law-runs.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { answerQuestion } from "./answer-question.ts";
import { faultOf } from "./fault-of.fixture.ts";

const parse = (text: string): JsonValue => JSON.parse(text) as JsonValue;
const ask = (value: JsonValue, expression: string): JsonValue => answerQuestion(value, expression, 0).value;

describe("answerQuestion", () => {
  it("treats __proto__ and constructor as names like any other", () => {
    const data = parse(
      '[{"k": "__proto__", "__proto__": 1}, {"k": "constructor", "__proto__": 2}, {"k": "__proto__"}]',
    );
    expect(JSON.stringify(ask(data, "count_by(@, &k)"))).toBe('{"__proto__":2,"constructor":1}');
    expect(JSON.stringify(ask(data, "group_by(@, &k).__proto__[*].k"))).toBe('["__proto__","__proto__"]');
    expect(ask(data, "[*].__proto__")).toEqual([1, 2]);
    expect(JSON.stringify(ask(data, '{"__proto__": [0].k, a: length(@)}'))).toBe(
      '{"__proto__":"__proto__","a":3}',
    );
    expect(JSON.stringify(ask(data, "merge([0], {a: [1].k})"))).toBe(
      '{"k":"__proto__","__proto__":1,"a":"constructor"}',
    );
  });

  it("sees nothing of an object but its own keys", async () => {
    for (const key of ["constructor", "toString", "__proto__", "hasOwnProperty"])
      expect((await faultOf(() => ask({ a: 1 }, key))).details).toMatchObject({ missing: key });
    expect(ask({ a: 1 }, "[a, constructor || 'none']")).toEqual([1, "none"]);
  });

  it("orders numbers by size and texts by code points", () => {
    expect(ask([10, 9, 1, 100], "sort(@)")).toEqual([1, 9, 10, 100]);
    expect(ask(["\u{1F600}", "\uFF5E", "a"], "sort(@)")).toEqual(["a", "\uFF5E", "\u{1F600}"]);
    expect(ask([{ n: "b" }, { n: "c" }, { n: "a" }], "max_by(@, &n).n")).toBe("c");
    expect(
      ask(
        Array.from({ length: 300_000 }, (_, index) => index),
        "max(@)",
      ),
    ).toBe(299_999);
  });

  it("computes from left to right, with the usual precedence", () => {
    expect(ask({ a: 12, b: 3 }, "a / b * 2 - 1")).toBe(7);
    expect(ask({ a: 12, b: 3 }, "a - b-1")).toBe(8);
    expect(ask({ a: 12, b: 3 }, "a % 5 * b + 1.5")).toBe(7.5);
    expect(ask({ a: [1, 2] }, "a[*]")).toEqual([1, 2]);
    expect(ask({ a: { x: 1 } }, "a.*")).toEqual([1]);
  });

  it("keeps a variable in sight of the expressions of functions", () => {
    expect(ask({ a: [1, 2], b: 0 }, "let $x = a[0], $no = b in map(&(@ == $x || $no), a)")).toEqual([
      true,
      0,
    ]);
  });

  it("takes the constants of Python and SQL, unless there is such a key", () => {
    const data = [
      { id: 1, done: true, at: null },
      { id: 2, done: false, at: 5 },
    ];
    expect(ask(data, "[?done == True].id")).toEqual([1]);
    expect(ask(data, "[?done == FALSE || at == None].id")).toEqual([1, 2]);
    expect(answerQuestion(data, "[?at != NULL].id", 0)).toMatchObject({ value: [2], note: undefined });
    expect(ask([{ None: 3 }], "[0].[None]")).toEqual([3]);
  });

  it("notes an escape between single quotes, where it is no escape, and takes it between backticks", () => {
    const { value, note } = answerQuestion("a\nb", String.raw`split(@, '\n')`, 0);
    expect(value).toEqual(["a\nb"]);
    expect(note).toContain('write `"\\n"` for the one character');
    expect(answerQuestion("a\nb", 'split(@, `"\\n"`)', 0)).toMatchObject({
      value: ["a", "b"],
      note: undefined,
    });
    expect(answerQuestion("a\nb", String.raw`matches(@, 'a\nb')`, 0)).toMatchObject({
      value: true,
      note: undefined,
    });
  });

  it("goes on where a record has no such field", () => {
    const data = parse('[{"t": "Crash", "n": 3}, {"t": null}, {"n": 1}]');
    expect(ask(data, "[?contains(lower(t), 'crash')].n")).toEqual([3]);
    expect(ask(data, "sort_by(@, &n)[*].n")).toEqual([1, 3]);
    expect(ask(data, "[max_by(@, &n).n, min_by(@, &n).n, sum_by(@, &n)]")).toEqual([3, 1, 4]);
  });

  it("counts the records it was put to", () => {
    expect(answerQuestion({ total: 2, items: [{ a: 1 }, { a: 2 }] }, "total", 0).records).toBe(2);
    expect(answerQuestion({ total: 2 }, "total", 0).records).toBe(1);
  });

  it("opens the wrapper of a list, and still knows its key", () => {
    const wrapped = { result: [{ id: 1 }, { id: 2 }] };
    expect(ask(wrapped, "[*].id")).toEqual([1, 2]);
    expect(ask(wrapped, "result[*].id")).toEqual([1, 2]);
    expect(ask({ result: { id: 1 } }, "result.id")).toBe(1);
  });

  it.each([
    ["length(items)", 2],
    ["length(content.items)", 2],
    ["content.items[1].id", "b"],
    ["{n: length(content.items)}", { n: 2 }],
    ["keys(@)", ["items"]],
    ["keys(content)", ["items"]],
    ["content", { items: [{ id: "a" }, { id: "b" }] }],
  ])("asks the JSON in the only field of an object: %s", (expression, answer) => {
    const content = JSON.stringify({ items: [{ id: "a" }, { id: "b" }] });
    expect(ask({ content }, expression)).toEqual(answer);
  });

  it.each([
    ["content[?type=='file'].name", ["a"]],
    ["[?type=='file'].name", ["a"]],
    ["content[].name", ["a", "b"]],
    ["content[-1].name", "b"],
    ["length(content)", 2],
    ["length(@)", 2],
    ["count_by(content, &type)", { file: 1, directory: 1 }],
  ])("asks a list that is the only field of an object: %s", (expression, answer) => {
    const list = [
      { name: "a", type: "file" },
      { name: "b", type: "directory" },
    ];
    expect(ask({ content: JSON.stringify(list, null, 2) }, expression)).toEqual(answer);
  });

  it("opens a text beside others only where a key, an item or a list is asked of it", () => {
    const data = {
      name: "x",
      tags: '["b","a"]',
      body: '{"a":{"b":[1,2]},"c":"{\\"d\\":3}"}',
      note: "[draft]",
    };
    expect(ask(data, "body.a.b[1]")).toBe(2);
    expect(ask(data, "body.c.d")).toBe(3);
    expect(ask(data, "[body.a.*, tags[0], tags[*], sort(tags)]")).toEqual([
      [[1, 2]],
      "b",
      ["b", "a"],
      ["a", "b"],
    ]);
    expect(ask(data, "[body, length(tags), note[0], starts_with(note, '[')]")).toEqual([
      data.body,
      9,
      null,
      true,
    ]);
    expect(ask(data, "from_json(body).a.b")).toEqual([1, 2]);
    expect(ask(data, "[from_json(note), from_json('3'), from_json(name || `1`), from_json(`[1]`)]")).toEqual([
      null,
      3,
      null,
      [1],
    ]);
  });

  it("explains a key that is not there, with those that are and their types", async () => {
    const data = { items: [{ id: 1, name: "a", tags: ["x"] }], total: 1 };
    const fault = await faultOf(() => ask(data, "items[*].nmae"));
    expect(fault.message).toBe(
      'The expression does not fit the result at character 10: there is no key "nmae"; did you mean name?',
    );
    expect(fault.details).toMatchObject({
      keys: { id: "number", name: "text", tags: "list of 1 text" },
      example: "items[*].name",
    });
  });

  it("explains a key that is asked of a list", async () => {
    const data = { items: [{ name: "a" }] };
    const fault = await faultOf(() => ask(data, "items.name"));
    expect(fault.message).toContain("a list has no keys");
    expect(fault.details).toMatchObject({ value: "list of 1 object", example: "items[*].name" });
    expect((await faultOf(() => ask(data.items, "name"))).details).toMatchObject({ example: "[*].name" });
  });

  it.each([
    ["sum(items[*].name)", "argument 1 of sum(numbers) must be a list of numbers, and it is list of 2 texts"],
    ["lower(total)", "argument 1 of lower(string) must be text, and it is number"],
    ["length(itms)", 'there is no key "itms"; did you mean items?'],
    ["count_by(items, &stat)", 'there is no key "stat"'],
    ["total / 0", "not a number, as after a division by zero"],
    ["total + name", 'computes with numbers only; there is no key "name"'],
    ["count_by(items, &@)", "groups by text, numbers or booleans"],
    ["sort_by(items, &mixed)", "its keys must all be numbers or all be text"],
    ["matches('a', '(')", "not a regular expression"],
    ["pad_left('a', 2.5)", "the width must be a whole number"],
    ["from_items([[1, 2]])", "a list of two"],
  ])("explains %s", async (expression, said) => {
    const data = {
      items: [
        { name: "a", mixed: 1 },
        { name: "b", mixed: "x" },
      ],
      total: 3,
    };
    const fault = await faultOf(() => ask(data, expression));
    expect(fault.code).toBe("INVALID_FORMAT");
    expect(fault.message).toContain(said);
  });

  it("answers where a missing key may be meant, and says that it is missing", () => {
    const data = { items: [{ state: "open" }] };
    expect(answerQuestion(data, "items[?error]", 0)).toMatchObject({
      value: [],
      note: expect.stringContaining('no key "error"') as string,
    });
    expect(answerQuestion(data, "items[?state == open]", 0).note).toContain("single quotes");
    expect(answerQuestion(data, "{a: length(items), b: total}", 0)).toMatchObject({
      value: { a: 1, b: null },
    });
    expect(answerQuestion(data, "items[?state == 'shut']", 0)).toEqual({
      value: [],
      records: 1,
      note: undefined,
    });
  });

  const bombs: readonly (readonly [string, string])[] = [
    [`[@,@]${"|[@,@][]".repeat(23)}`, "too_many_values"],
    [`'aaaaaaaaaa'${"|join('',[@,@,@,@,@,@,@,@])".repeat(12)}`, "long_text"],
    ["pad_left('a', 1000000000)", "long_text"],
    [`to_string([@,@]${"|[@,@]".repeat(26)})`, "too_many_values"],
    [`unique([@,@]${"|[@,@]".repeat(26)})`, "too_many_values"],
  ];
  it.each(someOf(bombs, 2))("stops %s", async (expression, reason) => {
    const fault = await faultOf(() => ask({ text: "x".repeat(1_000) }, expression));
    expect(fault).toMatchObject({ code: "TOO_LARGE", details: { reason } });
  });

  it("reads dates of every form alike", () => {
    const same = [
      "2026-02-01T10:30:00Z",
      "2026-02-01T12:30:00+02:00",
      "2026-02-01 10:30",
      "2026-02-01T05:30:00.000-0500",
      1769941800,
      1769941800000,
    ];
    expect(new Set(ask(same, "map(&date(@), @)") as number[]).size).toBe(1);
    expect(ask(["2026-02-30x", "yesterday", "12"], "map(&date(@), @)")).toEqual([null, null, null]);
    expect(ask(["2026-02-29", "2026-04-31T10:00:00Z", "2026-13"], "map(&date(@), @)")).toEqual([
      null,
      null,
      null,
    ]);
    expect(ask("2028-02-29", "date(@)")).toBe(Date.UTC(2028, 1, 29));
  });
});
