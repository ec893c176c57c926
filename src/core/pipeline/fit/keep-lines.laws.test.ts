import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { countCodePoints, countLines } from "../../text/code-points.ts";
import { partWeigher } from "./cut-text.ts";
import { counter } from "./fit-bench.fixture.ts";
import { type Gap, gapsIn } from "./gaps-in.fixture.ts";
import { codeBlocksIn } from "../../text/fences.ts";
import { rankPassages } from "../../text/passages.ts";
import { MAX_RANKED } from "./known-text.ts";
import { keepLines } from "./keep-lines.ts";
import type { KeptLines } from "./mark-gaps.ts";
import { makeTextWeigher } from "./weigh-parcel.ts";

const gauge = makeTextWeigher({
  budget: { tokens: 100_000, bytes: "off" },
  byteLength: (text) => Buffer.byteLength(text),
  counter,
});

const line = fc.oneof(
  { weight: 4, arbitrary: fc.lorem({ maxCount: 12 }) },
  fc.lorem({ maxCount: 300 }),
  fc.string({ unit: "binary", minLength: 900, maxLength: 1_500 }).map((text) => text.replaceAll("\n", " ")),
  fc.constantFrom(
    "",
    "valve",
    "[… lines 3-9]",
    "数据行 🚚",
    "a\r",
    "```ts",
    "```",
    "~~~~ sh",
    '{"id": 1, "name": "x"},',
  ),
  fc.string({ unit: "binary", maxLength: 60 }).map((text) => text.replaceAll("\n", " ")),
);
const text = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 160, size: "max" }), fc.boolean())
  .map(([lines, isClosed]) => lines.join("\n") + (isClosed ? "\n" : ""));

interface Drawn {
  readonly text: string;
  readonly room: number;
  readonly isBare: boolean;
  readonly words: string;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  text,
  room: fc.integer({ min: 20, max: 800 }),
  isBare: fc.boolean(),
  words: fc.constantFrom("", "valve", "dolor amet", "id name", "never there"),
});

function keep({ text: whole, room, isBare, words }: Drawn): KeptLines | undefined {
  return keepLines(whole, room, {
    weigh: partWeigher(gauge, isBare),
    lengths: { codePoints: countCodePoints(whole), lines: countLines(whole) },
    blocks: codeBlocksIn(whole),
    ranked: () => (words === "" ? [] : rankPassages(whole, words, MAX_RANKED)),
  });
}

/** The whole with a mark in place of every gap but one at its end. */
function marked(whole: string, { runs }: KeptLines, gaps: readonly Gap[]): string {
  const points = Array.from(whole);
  let [shown, at] = ["", 0];
  for (const [index, [from, to]] of runs.entries()) {
    shown += points.slice(at, from).join("") + (gaps[index]?.mark ?? "");
    at = to;
  }
  return shown + points.slice(at).join("");
}

describe("lines kept from several places of a text", () => {
  test("are the text again together with what was left out, and every gap is marked by its lines", () => {
    let kinds = new Set<number>();
    fc.assert(
      fc.property(drawn, (given) => {
        const kept = keep(given) ?? { value: given.text, runs: [], rest: [], lines: undefined };
        kinds = kinds.add(kept.runs.length);
        const gaps = gapsIn(given.text, kept);
        expect(kept.value).toBe(marked(given.text, kept, gaps));
        expect(kept.rest).toEqual(gaps.map(({ rest }) => rest));
        const lines = gaps.map((gap) => gap.lines);
        expect(kept.lines?.runs).toEqual(gaps.length === 0 || lines.includes(undefined) ? undefined : lines);
      }),
      lawRuns(1_000),
    );
    expect([...kinds]).toEqual(expect.arrayContaining([0, 1, 2]));
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
