// What holds of every reader of a form, whatever it is given.
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { readCode } from "./code-form.ts";
import { readDiff } from "./diff-form.ts";
import { readHtml } from "./html-form.ts";
import { readLog } from "./log-form.ts";
import { recogniseForm } from "./recognise-form.ts";
import { readSnapshot } from "./snapshot-form.ts";
import { readTable } from "./table-form.ts";
import { type TextForm, lineStartsOf } from "./text-form.ts";
import { readTrace } from "./trace-form.ts";
import { readYaml } from "./yaml-form.ts";

const fixture = (name: string): string =>
  readFileSync(new URL(`../../../../test/fixtures/forms/${name}`, import.meta.url), "utf8");
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const samples = [
  fixture("dpkg.log"),
  fixture("access.log"),
  fixture("files.csv"),
  fixture("commits.tsv"),
  read("./log-form.ts"),
  read("../../../../docs/reference/readers.md"),
  read("../../../../docs/fit.md"),
  fixture("page-snapshot.txt"),
  read("../../../../deploy/kubernetes.yaml"),
  fixture("git-diff.txt"),
  fixture("node-trace.txt"),
  fixture("python-trace.txt"),
  fixture("java-trace.txt"),
  fixture("page.html"),
];

const readers = {
  readTable,
  readLog,
  readCode,
  readSnapshot,
  readYaml,
  readDiff,
  readTrace,
  readHtml,
} as const;

/** Lines that readers look for, among noise. */
const line = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }).map((text) => text.replaceAll("\n", " ")),
  fc.constantFrom(
    "",
    "  ",
    "}",
    "a,b,c",
    '1,"2',
    '",3',
    "| a | b |",
    "|---|---|",
    "|",
    "2026-11-19 03:55:16 ERROR x",
    "[error] at 1",
    '{"level":50,"msg":"x"}',
    "export function f(): void {",
    "  return 1;",
    "def f(x):",
    "\tconst a = 1;",
    "import {",
    "---",
    "key:",
    "  - key: |",
    '- link "x" [ref=e1]:',
    "  - /url: /",
    "diff --git a b",
    "@@ -1,2 +1,2 @@",
    "+x",
    "Traceback (most recent call last):",
    '  File "x.py", line 1',
    "Error: x",
    "    at f (a.js:1:2)",
    '<a href="',
    "<script>",
    "</script>",
    "<!--",
  ),
);
const noise = fc.array(line, { maxLength: 200, size: "max" }).map((lines) => lines.join("\n"));
/** Parts of real texts, one after the other. */
const mixed = fc
  .array(fc.tuple(fc.constantFrom(...samples), fc.nat(20_000), fc.nat(6_000)), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map(([text, from, length]) => text.slice(from, from + length)).join("\n"));
const repeated = fc
  .tuple(line, fc.integer({ min: 1, max: 60 }))
  .map(([one, times]) => `${one}\n`.repeat(times));

/** What is wrong with what is said of the lines. */
function faultsIn(text: string, form: TextForm): readonly string[] {
  const lines = lineStartsOf(text).length;
  const { parents, ranks, sameAs = Int32Array.from(parents.keys()) } = form;
  const isLong = [parents, ranks, sameAs].every(({ length }) => length === lines);
  const isAbove = parents.every((parent, at) => parent >= -1 && parent < at);
  // The first of the lines that say the same says so of itself.
  const isFirst = sameAs.every((first, at) => first <= at && sameAs[first] === first);
  return [
    ...(isLong ? [] : ["not a value for each line"]),
    ...(isAbove ? [] : ["a parent below its line"]),
    ...(ranks.every((rank) => rank <= 3) ? [] : ["no rank"]),
    ...(isFirst ? [] : ["not the first"]),
  ];
}

describe.each(Object.entries(readers))("%s", (_, reader) => {
  it("gives a parent before each line, a rank, and the first of what says the same, or nothing", () => {
    fc.assert(
      fc.property(fc.oneof(noise, mixed, repeated), (text) => {
        const form = reader(text, lineStartsOf(text));
        expect(form === undefined ? [] : faultsIn(text, form)).toEqual([]);
      }),
      { ...lawRuns(1_000), endOnFailure: true },
    );
  });

  it.each([
    [
      "of noise",
      () => Array.from({ length: 40_000 }, (__, at) => ((at * 7_919) % 997).toString(36)).join(" \n"),
    ],
    ["of one line", () => "a,1 ".repeat(250_000)],
    ["of spaces", () => " ".repeat(1_000_000)],
    ["of line ends", () => "\n".repeat(1_000_000)],
    ["of quotes", () => `a,b,c\n${'"x\n'.repeat(300_000)}`],
    ["of open brackets", () => "function f(\n".repeat(80_000)],
    [
      "of ever deeper lines",
      () => Array.from({ length: 1_400 }, (__, at) => `${" ".repeat(at)}def f():`).join("\n"),
    ],
    ["of a letter", () => "a".repeat(1_000_000)],
    // What a search could follow to the end of the text, again and again.
    ["of tags that do not end", () => `<!doctype html>${'<a href="'.repeat(110_000)}`],
    ["of comments that do not end", () => `<!doctype html>${"<!--".repeat(250_000)}`],
    ["of elements that do not end", () => `<html>${"<object><svg>".repeat(80_000)}`],
    ["of a name", () => `- link "${'a "['.repeat(250_000)}`],
    ["of items in items", () => "  - ".repeat(250_000)],
    [
      "of ever deeper items",
      () => Array.from({ length: 1_400 }, (__, at) => `${" ".repeat(at)}- a:`).join("\n"),
    ],
    ["of frames", () => `${"    at f (a.js:1:2)\n".repeat(9)}${"    at ((a.b(:1: in \n".repeat(50_000)}`],
    ["of names of errors", () => `${"    at f (a.js:1:2)\n".repeat(9)}${"A.b:\\".repeat(200_000)}`],
    ["of heads of hunks", () => `--- a\n+++ b\n${"@@ -1,9 +1,9 @@\n".repeat(60_000)}`],
    ["of one table rule", () => `| a |\n|${"-".repeat(1_000_000)}`],
  ])("reads a megabyte %s", (__, make) => {
    const text = make();
    const form = reader(text, lineStartsOf(text));
    expect(form === undefined ? [] : faultsIn(text, form)).toEqual([]);
  });
});

describe("a text", () => {
  it("has at most one form, which half of it has too", () => {
    const kinds = samples.map((text) => recogniseForm(text)?.kind);
    const ofLines = ["log", "log", "table", "table", "code", "table", undefined];
    const ofPrograms = ["tree", "tree", "diff", "trace", "trace", "trace", "html"];
    expect(kinds).toEqual([...ofLines, ...ofPrograms]);
    expect(samples.map((text) => recogniseForm(text.slice(0, text.length / 2))?.kind)).toEqual(kinds);
  });
});
