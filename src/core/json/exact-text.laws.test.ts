import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { exactTextOf, rememberText, readExactly } from "./exact-text.ts";
import type { JsonValue } from "./json-value.ts";

/** Numbers as servers write them: some of them no double keeps. */
const token = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.tuple(fc.nat(), fc.nat({ max: 500 })).map(([digits, exponent]) => `${digits}e${exponent}`),
  fc.tuple(fc.nat(), fc.nat()).map(([whole, rest]) => `${whole}.${rest}0`),
);
const space = fc.constantFrom("", " ", "\n  ");
const text = fc
  .tuple(fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "1"), token), { maxLength: 6 }), space)
  .map(
    ([members, gap]) => `{${members.map(([key, value]) => `${gap}"${key}":${gap}${value}`).join(",")}${gap}}`,
  );

/** Exact without a double: the digits without zeros at the ends, and the place of the last one. */
function decimalOf(written: string): string {
  const [mantissa = "", power = "0"] = written.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = BigInt(`${whole}${fraction}`);
  if (digits === 0n) return "0";
  const bare = String(digits).replace(/0+$/, "");
  return `${bare}e${Number(power) - fraction.length + String(digits).length - bare.length}`;
}

const membersOf = (json: string): readonly (readonly [string, string])[] =>
  [...json.matchAll(/"([abc1])":\s*([^,}\s]+)/g)].map(([, key = "", value = ""]) => [key, value]);

function isKept(json: string): boolean {
  const members = membersOf(json);
  if (new Set(members.map(([key]) => key)).size < members.length) return false;
  return members.every(([, value]) => {
    const read = Number(value);
    return Number.isFinite(read) && decimalOf(String(read)) === decimalOf(value);
  });
}

describe("the text behind a value", () => {
  it("is needed exactly where a number has another value or a key is there twice", () => {
    const law = fc.property(text, (json) => {
      const value = JSON.parse(json) as JsonValue & object;
      rememberText(value, () => json);
      expect(exactTextOf(value)).toBe(isKept(json) ? undefined : json);
    });
    fc.assert(law, lawRuns(1_000));
  });

  it("is looked for once, and only for values that somebody remembered", () => {
    let looked = 0;
    const value = JSON.parse('{"id":9007199254740993}') as JsonValue & object;
    expect(exactTextOf(value)).toBeUndefined();
    rememberText(value, () => {
      looked += 1;
      return '{"id":9007199254740993}';
    });
    expect([exactTextOf(value), exactTextOf(value), looked]).toEqual([
      '{"id":9007199254740993}',
      '{"id":9007199254740993}',
      1,
    ]);
  });
});

describe("readExactly", () => {
  it("gives every number its value, or the digits that it is written with", () => {
    const law = fc.property(text, (json) => {
      const { value } = readExactly(json);
      for (const [key, read] of Object.entries(value as Record<string, string | number>)) {
        const written = membersOf(json).findLast(([name]) => name === key)?.[1] ?? "";
        const expected = typeof read === "string" ? written : decimalOf(written);
        expect(typeof read === "string" ? read : decimalOf(String(read))).toBe(expected);
      }
    });
    fc.assert(law, lawRuns(1_000));
  });
});
