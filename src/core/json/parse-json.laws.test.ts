import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonEqual } from "./canonical-json.ts";
import type { JsonValue } from "./json-value.ts";
import { parseJson } from "./parse-json.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const TOKENS =
  '{ } [ ] , : " \\ "a" "b" "1" "\\u0061" "__proto__" "\\ud800" \\u \\ud83d \\ude00 \uD83D \uDE00 é \uFEFF \' ' +
  "0 - 1 . e E+2 1e400 12345678901234567890 true null fals / \0";
const token = fc.constantFrom(" ", "\n", "\t", ...TOKENS.split(" "));
const soup = fc.array(token, { maxLength: 12 }).map((parts) => parts.join(""));

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
  fc.tuple(fc.integer(), fc.nat(), fc.integer({ min: -400, max: 400 })).map(([a, b, c]) => `${a}.${b}e${c}`),
);
const key = fc.constantFrom(
  "a",
  "b",
  "\\u0061",
  "__proto__",
  "1",
  "2",
  "\\u0031",
  "\\ud800",
  "4294967294",
  "4294967295",
);
const gap = fc.constantFrom("", "", " ", "\n  ", "\r\n\t");
const { text: valid } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      number,
      fc.json({ maxDepth: 1 }),
      fc.constantFrom("true", "null", "[]", "{}", '"\\ud83d\\ude00"', '"\uD83D"'),
    ),
    fc
      .tuple(gap, fc.array(tie("text"), { maxLength: 4 }))
      .map(([space, items]) => `[${space}${items.join(`${space},${space}`)}]`),
    fc
      .tuple(gap, fc.array(fc.tuple(key, tie("text")), { maxLength: 4 }))
      .map(
        ([space, pairs]) =>
          `{${space}${pairs.map(([k, v]) => `"${k}"${space}:${v}${space}`).join(`,${space}`)}}`,
      ),
  ),
}));

const mangled = fc.tuple(valid, fc.nat(), fc.nat({ max: 3 }), token).map(([text, at, cut, insert]) => {
  const offset = at % (text.length + 1);
  return text.slice(0, offset) + insert + text.slice(offset + cut);
});
const anyText = fc.oneof(fc.string({ unit: "binary" }), soup, valid, mangled);

function accepts(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("parseJson", () => {
  it("accepts exactly what JSON.parse accepts", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = parseJson(text);
        expect(parsed.ok).toBe(accepts(text));
        if (parsed.ok) return;
        const [finding] = parsed.findings;
        expect(finding.kind).toBe("syntax");
        expect(finding.offset).toBeLessThanOrEqual(text.length);
        const lines = text.slice(0, finding.offset).split("\n");
        expect([finding.line, finding.column]).toEqual([lines.length, (lines.at(-1) ?? "").length + 1]);
      }),
      lawRuns(10_000),
    );
  });

  it("names an offset before which the text is the start of valid JSON", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = parseJson(text);
        if (parsed.ok) return;
        const start = text.slice(0, parsed.findings[0].offset);
        const again = parseJson(start);
        expect(again.ok ? start.length : again.findings[0].offset).toBe(start.length);
      }),
      lawRuns(5_000),
    );
  });

  it("keeps the value through JSON.stringify when it finds nothing", () => {
    fc.assert(
      fc.property(valid, (text) => {
        const parsed = parseJson(text);
        if (!parsed.ok || parsed.findings.length > 0) return;
        expect(jsonEqual(JSON.parse(JSON.stringify(parsed.value)) as JsonValue, parsed.value)).toBe(true);
      }),
      lawRuns(5_000),
    );
  });

  it("finds duplicate keys exactly when a plain reader does", () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 6 }), (keys) => {
        const text = `{${keys.map((name, index) => `"${name}":${index}`).join()}}`;
        const names = keys.map((name) => JSON.parse(`"${name}"`) as string);
        const distinct = [...new Set(names)];
        const parsed = parseJson(text);
        const duplicates = parsed.findings.filter(({ kind }) => kind === "duplicate-key");
        expect(duplicates).toHaveLength(names.length - distinct.length);
        if (!parsed.ok) throw new Error(text);
        const reorders = Object.keys(parsed.value as object).join() !== distinct.join();
        expect(parsed.reordersKeys).toBe(reorders);
      }),
      lawRuns(5_000),
    );
  });

  it("honours any depth limit", () => {
    fc.assert(
      fc.property(fc.nat({ max: 60 }), fc.nat({ max: 60 }), (depth, maxDepth) => {
        const text = `${'[{"a":'.repeat(depth)}1${"}]".repeat(depth)}`;
        expect(parseJson(text, { maxDepth }).ok).toBe(2 * depth <= maxDepth);
      }),
      lawRuns(1_000),
    );
  });
});

describe("parseJson: whether a text is written densely", () => {
  it("says so only of a text that JSON.stringify would write unit for unit", () => {
    fc.assert(
      fc.property(fc.oneof(valid, fc.json()), (text) => {
        const parsed = parseJson(text);
        fc.pre(parsed.ok && parsed.isDense);
        expect(parsed.ok && JSON.stringify(parsed.value)).toBe(text);
      }),
      lawRuns(2_000),
    );
  });

  it("says so of everything that JSON.stringify wrote without escapes by number", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes("\\u") && !text.includes("\\/"));
        const parsed = parseJson(text);
        fc.pre(parsed.ok && parsed.findings.length === 0 && !parsed.reordersKeys);
        // A key that only may be an index is looked at more closely, and then nothing is promised.
        const hasIndex = /"(?:\d|[\d\\].*\d)":/s.test(text);
        expect(parsed.ok && (parsed.isDense || hasIndex)).toBe(true);
      }),
      lawRuns(2_000),
    );
  });

  it.each([
    "[1.0]",
    "[-0]",
    "[1e2]",
    "[0.0000001]",
    '["\\/"]',
    '["\\u0061"]',
    "[1, 2]",
    '{"a" :1}',
    " 1",
    "1 ",
    "[ ]",
  ])("does not say so of %s", (text) => {
    expect(parseJson(text)).toMatchObject({ ok: true, isDense: false });
  });
});
