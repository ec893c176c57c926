import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hardBits } from "./hard-texts.fixture.ts";
import { MAX_SHORT_BYTES, RankHeap, mergeLong, mergeShort } from "./piece-counter.ts";
import { PieceCounter } from "./piece-counter.ts";
import { findVocabulary } from "./read-counter.ts";
import { NO_RANK, Vocabulary } from "./vocabulary.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const vocabulary = new Vocabulary(readFileSync(findVocabulary("o200k_base")));
const pieces = fc
  .array(fc.constantFrom(...hardBits), { minLength: 1, maxLength: 40 })
  .map((bits) => Buffer.from(bits.join("")).toString("utf8"))
  .map((text) => Buffer.from(text));

describe("merging a piece", () => {
  it("gives the same count in both ways", () => {
    fc.assert(
      fc.property(pieces, (piece) => {
        const bytes = piece.subarray(0, MAX_SHORT_BYTES);
        expect(mergeLong(vocabulary, bytes, 0, bytes.length)).toBe(
          mergeShort(vocabulary, bytes, 0, bytes.length),
        );
      }),
      lawRuns(3_000),
    );
  });

  it("gives the same count between seams as over the whole", () => {
    const counter = new PieceCounter(vocabulary);
    fc.assert(
      fc.property(pieces, (piece) => {
        const isToken = vocabulary.rankOf(piece, 0, piece.length) !== NO_RANK;
        const whole = isToken ? 1 : mergeLong(vocabulary, piece, 0, piece.length);
        expect(counter.count(piece, 0, piece.length)).toBe(whole);
      }),
      lawRuns(3_000),
    );
  });
});

describe("the heap of ranks", () => {
  it("gives back what was pushed by rank, then by position", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(20))), (entries) => {
        const heap = new RankHeap(1);
        for (const [rank, position] of entries) heap.push(rank, position);
        const popped: [number, number][] = [];
        while (heap.size > 0) {
          popped.push([heap.rank, heap.position]);
          heap.pop();
        }
        expect(popped).toEqual(entries.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]));
      }),
      lawRuns(2_000),
    );
  });
});
