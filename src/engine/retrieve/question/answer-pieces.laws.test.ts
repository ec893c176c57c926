import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { PieceJoiner, piecesOf } from "./answer-pieces.ts";

function joined(value: JsonValue): { readonly value: JsonValue | undefined; readonly pieces: number } {
  const joiner = new PieceJoiner();
  let whole: JsonValue | undefined;
  let pieces = 0;
  for (const piece of piecesOf(value)) {
    expect(whole).toBe(undefined);
    whole = joiner.add(piece);
    pieces++;
  }
  return { value: whole, pieces };
}

const long = "x".repeat(200_000);
const records = Array.from({ length: 5_000 }, (_, index) => ({
  id: index,
  text: `record ${index} `.repeat(5),
}));

describe("pieces of an answer", () => {
  it.each<[string, JsonValue]>([
    ["a list of records", records],
    ["an object of many keys", Object.fromEntries(records.map((record) => [`key ${record.id}`, record]))],
    ["a long text", long],
    ["long texts inside", { a: [long, 1, { b: long, c: [] }], d: {}, e: null }],
    ["lists in lists", [[records], [[records, 1], []]]],
    [
      "__proto__",
      JSON.parse(`{"__proto__": ${JSON.stringify(records)}, "a": {"__proto__": 1}}`) as JsonValue,
    ],
    ["a short value", [1, "a", null]],
  ])("give back %s", (_, value) => {
    expect(JSON.stringify(joined(value).value)).toBe(JSON.stringify(value));
  });

  it("are many where the answer is long", () => {
    expect(joined(records).pieces).toBeGreaterThan(3);
  });

  it("give back any value", () => {
    const part = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(part, fc.nat(3), (value, kind) => {
        const whole = [value, [long, value], { long, value }, [[value, records], value]][kind] as JsonValue;
        expect(JSON.stringify(joined(whole).value)).toBe(JSON.stringify(whole));
      }),
      lawRuns(1_000, 20),
    );
  });
});
