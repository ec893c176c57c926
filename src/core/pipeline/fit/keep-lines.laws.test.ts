import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { countCodePoints, countLines } from "../../contract/code-points.ts";
import { partWeigher } from "./cut-text.ts";
import { counter } from "./fit-bench.fixture.ts";
import { type KeptLines, keepLines, rankPassages } from "./keep-lines.ts";
import { makeTextWeigher } from "./weigh-parcel.ts";

const gauge = makeTextWeigher({
  budget: { tokens: 100_000, bytes: "off" },
  byteLength: (text) => Buffer.byteLength(text),
  counter,
});

const line = fc.oneof(
  { weight: 4, arbitrary: fc.lorem({ maxCount: 12 }) },
  fc.constantFrom("", "valve", "[… lines 3-9]", "数据行 🚚", "a\r", "```ts", '{"id": 1, "name": "x"},'),
  fc.string({ unit: "binary", maxLength: 60 }).map((text) => text.replaceAll("\n", " ")),
);
const text = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 400 }), fc.boolean())
  .map(([lines, isClosed]) => lines.join("\n") + (isClosed ? "\n" : ""));

interface Drawn {
  readonly text: string;
  readonly room: number;
  readonly isBare: boolean;
  readonly words: string;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  text,
  room: fc.integer({ min: 20, max: 2_000 }),
  isBare: fc.boolean(),
  words: fc.constantFrom("", "valve", "dolor amet", "id name", "never there"),
});

function keep({ text: whole, room, isBare, words }: Drawn): KeptLines | undefined {
  return keepLines(whole, room, {
    weigh: partWeigher(gauge, isBare),
    lengths: { codePoints: countCodePoints(whole), lines: countLines(whole) },
    ranked: words === "" ? [] : rankPassages(whole, words),
  });
}

/** The whole again: what was kept and what was left out, in turn, and every mark between says the right lines. */
function expectWhole(whole: string, { value, runs, rest, lines }: KeptLines): void {
  let [shown, at, line] = [0, 0, 1];
  for (const [index, gap] of rest.entries()) {
    const from = whole.indexOf(gap, at);
    const run = runs[index] ?? [0, 0];
    expect([...whole].slice(...run).join("")).toBe(gap);
    const start = [...whole].slice(0, run[0]).join("").length;
    expect(from).toBeGreaterThanOrEqual(0);
    const kept = whole.slice(at, start);
    expect(value.slice(shown, shown + kept.length)).toBe(kept);
    [shown, line, at] = [shown + kept.length, line + countLines(kept), start + gap.length];
    const last = line + countLines(gap) - 1;
    expect(lines?.runs[index]).toEqual([line, last]);
    if (at < whole.length) {
      const mark = `[… ${line === last ? `line ${line}` : `lines ${line}-${last}`}]\n`;
      expect(value.slice(shown, shown + mark.length)).toBe(mark);
      shown += mark.length;
    }
    line = last + 1;
  }
  expect(value.slice(shown)).toBe(whole.slice(at));
}

describe("lines kept from several places of a text", () => {
  test("are the text again together with what was left out, and every gap is marked by its lines", () => {
    fc.assert(
      fc.property(drawn, (given) => {
        const kept = keep(given);
        if (kept !== undefined) expectWhole(given.text, kept);
      }),
      lawRuns(2_000),
    );
  });

  test("weigh no more than their room, but for what joining them adds", () => {
    fc.assert(
      fc.property(drawn, (given) => {
        const kept = keep(given);
        if (kept === undefined) return;
        const weigh = partWeigher(gauge, given.isBare);
        expect(weigh(kept.value, 1e6)).toBeLessThanOrEqual(given.room + 4 * (kept.runs.length + 2));
      }),
      lawRuns(1_000),
    );
  });

  test("are the same for the same text", () => {
    fc.assert(
      fc.property(drawn, (given) => {
        expect(keep(given)).toEqual(keep(given));
      }),
      lawRuns(200),
    );
  });
});
