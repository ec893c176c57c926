import { describe, expect, it } from "vitest";
import type { JsonValue } from "./json-value.ts";
import { countKeys, parseJson } from "./parse-json.ts";

describe("countKeys", () => {
  it("counts the properties of all objects, __proto__ too", () => {
    const value = JSON.parse('{"a":[{"b":1},{"__proto__":{"c":null}}],"d":{}}') as JsonValue;
    expect(countKeys(value)).toBe(5);
    expect(countKeys("x")).toBe(0);
  });

  it("ignores what somebody added to Object.prototype", () => {
    Reflect.defineProperty(Object.prototype, "polluted", { value: 1, enumerable: true, configurable: true });
    const count = countKeys({ a: {} });
    Reflect.deleteProperty(Object.prototype, "polluted");
    expect(count).toBe(1);
  });
});

function findings(text: string): [string, string, number][] {
  return parseJson(text).findings.map(({ kind, pointer, offset }) => [kind, pointer, offset]);
}

function refusal(text: string): string | undefined {
  const parsed = parseJson(text);
  return parsed.ok ? undefined : parsed.findings[0].message;
}

describe("parseJson", () => {
  it.each([
    '{"a":[1,-2.5e3,"x\\n\\u00e9",true,false,null,{}],"b":{"c":[]}}',
    " 1 ",
    '"\\\\"',
    "-0",
    "[1.0,1e2]",
    '"😀"',
    '"\\ud83d\\ude00"',
  ])("parses %s without findings", (text) => {
    const value: unknown = JSON.parse(text);
    expect(parseJson(text)).toEqual({
      ok: true,
      value,
      findings: [],
      truncated: false,
      reordersKeys: false,
      isDense: expect.any(Boolean),
    });
  });

  it("reports numbers that a double cannot hold", () => {
    expect(
      findings('{"a":1e400,"b":[1,12345678901234567890],"c":0.1234567890123456789012,"d":1e-400}'),
    ).toEqual([
      ["number-range", "/a", 5],
      ["number-precision", "/b/1", 18],
      ["number-precision", "/c", 44],
      ["number-precision", "/d", 73],
    ]);
  });

  it("reports duplicate keys after unescaping, in each object on its own", () => {
    expect(findings('{"a":1,"b":{"a":2},"\\u0061":3}')).toEqual([["duplicate-key", "/a", 19]]);
    expect(findings('[{"x":{"k":1}},{"x":1,"x":{"k":1}}]')).toEqual([["duplicate-key", "/1/x", 22]]);
    expect(findings('{"__proto__":1,"__proto__":2}')).toEqual([["duplicate-key", "/__proto__", 15]]);
    expect(findings('{"a":{"a":1},"c":[{"a":2}]}')).toEqual([]);
  });

  it("reports lone surrogates, raw and escaped, in keys too", () => {
    expect(findings('["\\ud800","\uD800","\\udc00x"]')).toEqual([
      ["lone-surrogate", "/0", 1],
      ["lone-surrogate", "/1", 10],
      ["lone-surrogate", "/2", 14],
    ]);
    expect(findings('{"\\uD800":1}')).toEqual([["lone-surrogate", "/\uD800", 1]]);
    expect(findings('"\\\\ud800\\udc00"')).toEqual([["lone-surrogate", "", 0]]);
    expect(findings('"\\\\ud800"')).toEqual([]);
    expect(findings('"\uD83D\\ude00"')).toEqual([]);
  });

  it("gives lines and columns from 1", () => {
    const text = '{\n  "a": 1,\r\n  "b": 1e400\n}';
    expect(parseJson(text).findings[0]).toMatchObject({ line: 3, column: 8, offset: text.indexOf("1e400") });
  });

  it("says what changes and what to do", () => {
    expect(parseJson('{"id":12345678901234567890}').findings[0]?.message).toBe(
      "The number 12345678901234567890 at /id would become 12345678901234567000: write it as a string.",
    );
  });

  it("keeps __proto__ as a key", () => {
    const parsed = parseJson('{"__proto__":{"a":1}}');
    expect(parsed.ok && Object.keys(parsed.value as object)).toEqual(["__proto__"]);
  });

  it.each([
    ['{"b":1,"1":2}', true],
    ['{"2":1,"1":2}', true],
    ['{"b":1,"\\u0031":2}', true],
    ['{"1":1,"2":2,"b":3}', false],
    ['{"b":1,"01":2,"1a":3,"4294967295":4}', false],
    ['{"1":1,"b":2,"1":3}', false],
    ['["1",{"a":"1"}]', false],
  ])("tells of %s whether keys are reordered: %s", (text, reordersKeys) => {
    expect(parseJson(text)).toMatchObject({ ok: true, reordersKeys });
  });

  it("lists at most 100 findings and says that there are more", () => {
    const parsed = parseJson(`[${Array.from({ length: 150 }, () => "1e400").join()}]`);
    expect(parsed).toMatchObject({ ok: true, truncated: true });
    expect(parsed.findings).toHaveLength(100);
    expect(parseJson("[1e400,1e400]", { maxFindings: 1 })).toMatchObject({ truncated: true });
    expect(parseJson("[1e400,1e400]", { maxFindings: 2 })).toMatchObject({ truncated: false });
  });

  it("refuses what is nested deeper than the limit", () => {
    expect(parseJson(`${"[".repeat(1_000)}${"]".repeat(1_000)}`).ok).toBe(true);
    const deep = parseJson(`${"[".repeat(1_001)}${"]".repeat(1_001)}`);
    expect(deep).toMatchObject({ ok: false, findings: [{ kind: "depth", offset: 1_000, column: 1_001 }] });
    expect(parseJson('{"a":[[]]}', { maxDepth: 2 }).findings).toMatchObject([
      { kind: "depth", pointer: "/a/0" },
    ]);
    expect(parseJson("[".repeat(3_000_000)).findings).toMatchObject([{ kind: "depth" }]);
  });

  it.each([
    ["", "Line 1, column 1: The text is empty: send a JSON value."],
    ["\uFEFF{}", "Line 1, column 1: The text starts with a byte order mark (U+FEFF): remove it."],
    [
      '{"a":1,}',
      'Line 1, column 8: Expected a key in double quotes after the comma, found "}". Remove the comma before it.',
    ],
    ["[1,]", 'Line 1, column 4: Expected a value after the comma, found "]". Remove the comma before it.'],
    [
      "{'a':1}",
      'Line 1, column 2: Expected a key in double quotes or "}", found "\'". Write strings in double quotes.',
    ],
    ['{"a" 1}', 'Line 1, column 6: Expected ":" after the key, found "1".'],
    ['{"a":1\n "b":2}', 'Line 2, column 2: Expected "," or "}", found a double quote.'],
    ["[1 2]", 'Line 1, column 4: Expected "," or "]", found "2".'],
    ["1 2", 'Line 1, column 3: Expected nothing more after the value, found "2".'],
    ["[01]", 'Line 1, column 3: Expected "," or "]", found "1". Remove the leading zero.'],
    ["[-]", 'Line 1, column 3: Expected a digit, found "]".'],
    ["[nul]", 'Line 1, column 5: Expected true, false or null, found "]".'],
    [
      "[NaN]",
      'Line 1, column 2: Expected a value or "]", found "N". Write true, false, null, a finite number or a string.',
    ],
    [
      "[-Infinity]",
      'Line 1, column 3: Expected a digit, found "I". Write true, false, null, a finite number or a string.',
    ],
    ["// x", 'Line 1, column 1: Expected a value, found "/". Remove comments.'],
    [
      '"abc',
      "Line 1, column 5: Expected a closing double quote, found the end of the text. The text may be cut off: send all of it.",
    ],
    [
      '"a\nb"',
      "Line 1, column 3: Expected a control character in a string to be escaped, found U+000A. Write it as \\n.",
    ],
    ['"\\x41"', 'Line 1, column 3: Expected an escape such as \\n, \\" or \\u0041, found "x".'],
    [
      '{"a":[1,{"b":',
      "Line 1, column 14: Expected a value, found the end of the text. The text may be cut off: send all of it.",
    ],
  ])("refuses %j in its own words", (text, message) => {
    expect(refusal(text)).toBe(message);
  });

  it("points at the place of a syntax error", () => {
    expect(findings('{"a":[1,{"b":x}]}')).toEqual([["syntax", "/a/1/b", 13]]);
    expect(findings('{"a":1,"b":[true,"x\ny"]}')).toEqual([["syntax", "/b/1", 19]]);
    expect(findings('{"a":1, b:2}')).toEqual([["syntax", "", 8]]);
  });
});
