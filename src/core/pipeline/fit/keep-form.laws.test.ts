import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { countCodePoints, countLines } from "../../text/code-points.ts";
import { codeBlocksIn } from "../../text/fences.ts";
import { orderLines } from "../../text/forms/order-lines.ts";
import type { KnownForm } from "../../text/forms/recognise-form.ts";
import { type FormKind, lineStartsOf } from "../../text/forms/text-form.ts";
import { rankPassages } from "../../text/passages.ts";
import { partWeigher } from "./cut-text.ts";
import { counter } from "./fit-bench.fixture.ts";
import { gapsIn } from "./gaps-in.fixture.ts";
import { keepForm } from "./keep-form.ts";
import { MAX_RANKED } from "./known-text.ts";
import type { KeptLines } from "./mark-gaps.ts";
import { makeTextWeigher } from "./weigh-parcel.ts";

const gauge = makeTextWeigher({
  budget: { tokens: 100_000, bytes: "off" },
  byteLength: (text) => Buffer.byteLength(text),
  counter,
});

const said = fc.oneof(
  { weight: 4, arbitrary: fc.lorem({ maxCount: 12 }) },
  fc.lorem({ maxCount: 300 }),
  fc.constantFrom("", "valve", "[… lines 3-9]", "数据行 🚚", "a\r", "```ts", "```", "  - link"),
  fc.string({ unit: "binary", maxLength: 60 }).map((text) => text.replaceAll("\n", " ")),
);
/** A line with what a reader might know of it: how far up its parent is, its rank, how far up its like. */
const line = fc.record({
  said,
  up: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12 })),
  rank: fc.integer({ min: 0, max: 3 }),
  alike: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20 })),
});

interface Drawn {
  readonly text: string;
  readonly form: KnownForm;
  readonly room: number;
  readonly isBare: boolean;
  readonly words: string;
}

const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    lines: fc.array(line, { minLength: 2, maxLength: 160, size: "max" }),
    isClosed: fc.boolean(),
    kind: fc.constantFrom<FormKind>("tree", "log", "table", "code"),
    noun: fc.constantFrom(undefined, "rows"),
    room: fc.integer({ min: 20, max: 900 }),
    isBare: fc.boolean(),
    words: fc.constantFrom("", "valve", "dolor amet", "never there"),
  })
  .map(({ lines, isClosed, kind, noun, room, isBare, words }) => {
    const text = lines.map((one) => one.said).join("\n") + (isClosed ? "\n" : "");
    const lineStarts = lineStartsOf(text);
    const known = lines.slice(0, lineStarts.length);
    const sameAs = new Int32Array(known.length);
    for (const [at, { alike }] of known.entries())
      sameAs[at] = alike === 0 || alike > at ? at : (sameAs[at - alike] ?? at);
    const form: KnownForm = {
      kind,
      lineStarts,
      parents: Int32Array.from(known, ({ up }, at) => (up === 0 || up > at ? -1 : at - up)),
      ranks: Uint8Array.from(known, ({ rank }) => rank),
      ...(kind === "log" ? { sameAs } : {}),
      ...(noun === undefined ? {} : { noun }),
    };
    return { text, form, room, isBare, words };
  });

function keep({ text: whole, form, room, isBare, words }: Drawn): KeptLines | undefined {
  return keepForm(whole, room, {
    weigh: partWeigher(gauge, isBare),
    lengths: { codePoints: countCodePoints(whole), lines: countLines(whole) },
    blocks: codeBlocksIn(whole),
    ranked: () => (words === "" ? [] : rankPassages(whole, words, MAX_RANKED)),
    form,
    order: orderLines(form),
  });
}

/** The whole with the marks of its gaps, as far as the kept text agrees with it; a mark may have a note. */
function marked({ text: whole, form }: Drawn, kept: KeptLines): string {
  const points = Array.from(whole);
  const gaps = gapsIn(whole, kept, form.kind === "tree");
  let [shown, at] = ["", 0];
  for (const [index, [from, to]] of kept.runs.entries()) {
    const { mark = "" } = gaps[index] ?? {};
    shown += points.slice(at, from).join("");
    const end = mark.indexOf("]\n", mark.indexOf("[… "));
    const words = mark.slice(0, Math.max(0, end));
    const [note = ""] =
      /^(?:: (?:(?:all )?like line \d+|\d+ [a-z]+(?: kept lines| line \d+(?:, \d+ like line \d+)*)?))?/.exec(
        kept.value.slice(shown.length + words.length),
      ) ?? [];
    shown += words + note + mark.slice(Math.max(0, end));
    at = to;
  }
  return shown + points.slice(at).join("");
}

describe("lines kept of a form", () => {
  test("are the text again together with what was left out, in its order, and a mark names the lines of each gap", () => {
    let most = 0;
    fc.assert(
      fc.property(drawn, (given) => {
        const found = keep(given);
        if (found === undefined) return;
        most = Math.max(most, found.runs.length);
        expect(found.value).toBe(marked(given, found));
        expect(found.rest).toEqual(gapsIn(given.text, found).map(({ rest }) => rest));
      }),
      { ...lawRuns(1_000), endOnFailure: true },
    );
    expect(most).toBeGreaterThan(4);
  });

  test("bring the lines that give them their meaning", () => {
    fc.assert(
      fc.property(drawn, (given) => {
        const lines = keep(given)?.lines;
        if (lines === undefined) return;
        const isKept = (at: number): boolean =>
          at >= 0 && !lines.runs.some(([first, last]) => at + 1 >= first && at + 1 <= last);
        const orphans = [...given.form.parents.entries()].filter(
          ([at, parent]) => isKept(at) && parent >= 0 && !isKept(parent),
        );
        expect(orphans).toEqual([]);
      }),
      { ...lawRuns(1_000), endOnFailure: true },
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
      { ...lawRuns(1_000), endOnFailure: true },
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
