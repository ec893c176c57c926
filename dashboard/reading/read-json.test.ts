import { describe, expect, it } from "vitest";
import { jsonLines } from "./json-lines.ts";
import { readJson } from "./read-json.ts";

const laidOut = (text: string): string[] | undefined => {
  const read = readJson(text);
  return read && jsonLines(read.node);
};

describe("readJson", () => {
  it("keeps numbers and repeated keys as they were written", () => {
    expect(laidOut('{"id":12345678901234567890,"rate":1.50,"id":1e3}')).toEqual([
      "{",
      '  "id": 12345678901234567890,',
      '  "rate": 1.50,',
      '  "id": 1e3',
      "}",
    ]);
  });

  it.each([
    "",
    "{]",
    "{a:1}",
    "[1,]",
    "[1 2]",
    '{"a" 1}',
    "truth",
    '"a" "b"',
    '"\u0001"',
    "01",
    "[".repeat(300),
  ])("takes %j for no JSON, or for the beginning of some", (text) => {
    const read = readJson(text);
    expect(read === undefined || read.isCut).toBe(true);
  });

  it("reads a text that breaks off, and says so", () => {
    expect(readJson('{"a":[1,2,{"b":"broken off\\u00')?.isCut).toBe(true);
    expect(laidOut('{"a":[1,2,{"b":"broken off\\u00')).toEqual([
      "{",
      '  "a": [',
      "    1,",
      "    2,",
      "    {",
      '      "b": "broken off"',
      "    }",
      "  ]",
      "}",
    ]);
  });

  it("puts short lists of scalars on one line", () => {
    expect(laidOut('{"tags":["a","b"],"none":[],"empty":{}}')).toEqual([
      "{",
      '  "tags": ["a", "b"],',
      '  "none": [],',
      '  "empty": {}',
      "}",
    ]);
  });
});
