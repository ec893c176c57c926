import { describe, expect, it } from "vitest";
import { describeChange } from "../commands/demo.ts";
import {
  alignRows,
  formatBytes,
  formatDuration,
  oneLineJson,
  printable,
  shortJson,
} from "./format-values.ts";

describe("printable", () => {
  it("keeps letters of any script and escapes what a terminal acts on", () => {
    expect(printable("naïve 日本語 🎉")).toBe("naïve 日本語 🎉");
    expect(printable("a\u001b[31m\u009b\u007f\n\u202eb")).toBe("a\\u001b[31m\\u009b\\u007f\\u000a\\u202eb");
  });
});

describe("alignRows", () => {
  it("pads every column but the last", () => {
    expect(
      alignRows([
        ["a", "bb", "c"],
        ["aaa", "b", "ccc"],
      ]),
    ).toEqual(["a    bb  c", "aaa  b   ccc"]);
  });

  it("counts an emoji as one, and takes rows of different length", () => {
    expect(alignRows([["🎉", "x"], ["ab"]])).toEqual(["🎉   x", "ab"]);
  });
});

describe("describeChange", () => {
  it("says that nothing changed", () => {
    expect(describeChange({ a: [1] }, { a: [1] })).toBe("nothing changed");
  });

  it("names a place in a list once", () => {
    const before = {
      tasks: [
        { id: 1, log: "x" },
        { id: 2, log: "y" },
      ],
    };
    expect(describeChange(before, { tasks: [{ id: 1 }, { id: 2 }] })).toBe("removed /tasks/*/log");
  });

  it("names what came and what went", () => {
    expect(describeChange({ a: 1, list: [1, 2] }, { b: 1, list: [1] })).toBe("removed /a, /list/*; added /b");
  });

  it("says that only values changed", () => {
    expect(describeChange({ a: 1 }, { a: 2 })).toBe("values changed");
  });
});

describe("shortJson", () => {
  it("keeps short values on one line", () => {
    expect(shortJson({ a: [1, 2, 3], b: null, c: {} })).toBe('{ "a": [1, 2, 3], "b": null, "c": {} }');
  });

  it("cuts long texts and says how long they are", () => {
    expect(shortJson("x".repeat(100))).toBe(`"${"x".repeat(60)}…" (100 characters)`);
  });

  it("cuts lists after two items and says how many more there are", () => {
    const list = Array.from({ length: 5 }, (_, id) => ({ id }));
    expect(shortJson(list)).toBe('[\n  { "id": 0 },\n  { "id": 1 },\n  … 3 more\n]');
  });

  it("breaks what does not fit on a line", () => {
    expect(shortJson({ a: "x".repeat(50), b: "y".repeat(50) })).toMatch(
      /^\{\n {2}"a": "x+",\n {2}"b": "y+"\n\}$/,
    );
  });
});

describe("formatDuration", () => {
  it("names the largest unit, rounded down", () => {
    const lengths = [-5, 999, 61_000, 3 * 3_600_000 + 1, 6.9 * 86_400_000];
    expect(lengths.map(formatDuration)).toEqual(["0 s", "0 s", "1 min", "3 h", "6 d"]);
  });
});

describe("formatBytes", () => {
  it("names the largest unit with one digit behind the point", () => {
    const sizes = [0, 1023, 1024, 1536 * 1024, 2 ** 30, 2 ** 60];
    expect(sizes.map(formatBytes)).toEqual([
      "0 bytes",
      "1023 bytes",
      "1 KiB",
      "1.5 MiB",
      "1 GiB",
      "1048576 TiB",
    ]);
  });
});

describe("oneLineJson", () => {
  it("cuts where an ellipsis says so, never inside a character", () => {
    expect(oneLineJson({ a: 1 }, 7)).toBe('{"a":1}');
    expect(oneLineJson("😀😀😀😀", 4)).toBe('"😀😀…');
  });
});
