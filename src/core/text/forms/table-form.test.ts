import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { recogniseForm } from "./recognise-form.ts";
import { readTable } from "./table-form.ts";
import { FIRST, ORDINARY, STRUCTURE, lineStartsOf } from "./text-form.ts";

/** What `git ls-tree -l` and `git log` said of this repository, with a line of names above. */
const read = (name: string): string =>
  readFileSync(new URL(`../../../../test/fixtures/forms/${name}`, import.meta.url), "utf8");
const tableOf = (text: string) => readTable(text, lineStartsOf(text));
const rows = (count: number, row: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${row(at)}\n`).join("");

describe("a table", () => {
  it.each(["files.csv", "commits.tsv"])("is known by the columns of its rows: %s", (name) => {
    const form = recogniseForm(read(name));
    expect([form?.kind, form?.noun]).toEqual(["table", "rows"]);
    expect([form?.ranks[0], form?.ranks[1]]).toEqual([FIRST, ORDINARY]);
    expect(new Set(form?.parents.slice(1))).toEqual(new Set([0]));
  });

  it("may have line ends within quotes, and the lines of a row stay together", () => {
    const form = tableOf(`id;note;state\n${rows(9, (at) => `${at};"first\n;second ""line""";open`)}`);
    expect([...(form?.parents.slice(0, 5) ?? [])]).toEqual([-1, 0, 1, 0, 3]);
  });

  it("may have a row that is not whole, as where its end is missing", () => {
    expect(tableOf(`id,name,state\n${rows(40, (at) => `${at},x,open`)}41,"y`)?.kind).toBe("table");
  });

  it.each([
    ["sentences", rows(12, () => "First, it was late")],
    ["lists of words", `red,green\n${rows(12, () => "blue, and yellow")}`],
    ["rows of numbers without names", rows(12, (at) => `${at},2,3`)],
    ["lines of JSON", rows(12, (at) => `{"a":${at},"b":1,"c":2}`)],
    ["calls", rows(12, (at) => `run(${at}, "a", b);`)],
    ["rows of other lengths", `a,b,c\n${rows(12, (at) => "1,".repeat(at))}`],
    ["an open quote", `a,b,c\n"${rows(900, () => "1,2,3")}`],
  ])("is not %s", (_, text) => {
    expect(tableOf(text)).toBeUndefined();
  });

  it("of Markdown gives a row both lines of its header", () => {
    const form = tableOf(`# Readers\n\n| a | b |\n|---|:-:|\n${rows(20, (at) => `| ${at} | x |`)}\nEnd\n`);
    expect([...(form?.ranks.slice(0, 5) ?? [])]).toEqual([STRUCTURE, ORDINARY, FIRST, FIRST, ORDINARY]);
    expect([...(form?.parents.slice(2, 6) ?? [])]).toEqual([-1, 2, 3, 3]);
    expect(form?.parents.at(-1)).toBe(-1);
  });

  it("in a page of text leaves the page a text", () => {
    expect(tableOf(`| a | b |\n|---|---|\n| 1 | 2 |\n${rows(30, () => "Some words.")}`)).toBeUndefined();
    expect(
      recogniseForm(readFileSync(new URL("../../../../docs/fit.md", import.meta.url), "utf8")),
    ).toBeUndefined();
  });
});
