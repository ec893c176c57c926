import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { readDiff } from "./diff-form.ts";
import { readSample } from "./forms.fixture.ts";
import { readHtml } from "./html-form.ts";
import { readSnapshot } from "./snapshot-form.ts";
import { DECORATION, type ReadForm, lineStartsOf } from "./text-form.ts";
import { readTrace } from "./trace-form.ts";
import { readYaml } from "./yaml-form.ts";

const readers: readonly (readonly [string, ReadForm])[] = [
  ["snapshot", readSnapshot],
  ["yaml", readYaml],
  ["diff", readDiff],
  ["trace", readTrace],
  ["html", readHtml],
];

const samples = [
  ...[
    "page-snapshot.txt",
    "page.html",
    "git-diff.txt",
    "node-trace.txt",
    "python-trace.txt",
    "java-trace.txt",
  ].map((name) => readSample(`test/fixtures/forms/${name}`)),
  readSample("deploy/kubernetes.yaml"),
  readSample("README.md"),
];
const sampleLines = samples.map((sample) => sample.split("\n"));

/** A run of lines of one sample, perhaps cut within its lines. */
const piece = fc
  .record({
    sample: fc.nat(samples.length - 1),
    from: fc.nat(200),
    lines: fc.integer({ min: 1, max: 60 }),
    lost: fc.nat(30),
  })
  .map(({ sample, from, lines, lost }) => {
    const taken = (sampleLines[sample] ?? []).slice(from, from + lines).join("\n");
    return taken.slice(lost % 7 === 0 ? lost : 0);
  });

/** What the readers look for, in any order. */
const bits = fc.constantFrom(
  ...'- |  |\n|\t|"|\'|:|: |[ref=e1]|link|- link "|<|>|</|<!--|-->|<script>|="|@@ -1,2 +1,2 @@|+|-|diff --git a b|    at f (|:1:2)|File "|", line 1|Traceback (most recent call last):|Error: |#|---|[|]|{|}|, ||\\|\r\n|é|𝒳'.split(
    "|",
  ),
);
const noise = fc
  .array(fc.oneof(bits, fc.string({ maxLength: 8 })), { maxLength: 300 })
  .map((parts) => parts.join(""));

const text = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join("\n")),
  noise,
  fc.tuple(piece, noise).map(([sample, rest]) => `${sample}\n${rest}`),
);

/** What is wrong with the form of a text. */
function faultsOf(read: ReadForm, given: string): readonly string[] {
  const starts = lineStartsOf(given);
  const form = read(given, starts);
  if (form === undefined) return [];
  const { parents, ranks, sameAs = new Int32Array() } = form;
  const rules: Readonly<Record<string, boolean>> = {
    "a line has no parent or rank": parents.length === starts.length && ranks.length === starts.length,
    "a parent does not stand before its line": parents.every((parent, line) => parent >= -1 && parent < line),
    "a rank is unknown": ranks.every((rank) => rank <= DECORATION),
    "a repeat is not of a first": sameAs.every((first, line) => first <= line && sameAs[first] === first),
  };
  return Object.keys(rules).filter((rule) => rules[rule] === false);
}

describe.each(readers)("the reader %s", (_, read) => {
  test("law: gives every line a rank and a parent that stands before it, or nothing", () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(faultsOf(read, given)).toEqual([]);
      }),
      lawRuns(1_000),
    );
  });

  // Each could lead a search to the end of the text again and again, which would take hours.
  test.each(
    [
      '<a href="',
      "<!--",
      "<script ",
      "<object>",
      '- link "',
      " [",
      '" [',
      'a: "',
      "  - ",
      "\n- a:",
      "\n    at ",
      "\n  at (",
      "x.y:",
      "#0 ",
      "\n@@ -1,9 +1,9 @@",
      "\n ",
      "'",
      "A.",
      ":\\",
    ].map((seed) => [JSON.stringify(seed), seed] as const),
  )("goes through a megabyte of %s once", (_name, seed) => {
    for (const begin of ["", "<!doctype html>", "- link [ref=e1]\n", "    at f (a.js:1:2)\n".repeat(9)]) {
      const given = begin + seed.repeat(Math.ceil(1_000_000 / seed.length));
      expect(faultsOf(read, given)).toEqual([]);
    }
  });
});
