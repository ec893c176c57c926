import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sourceIds, sourceRows, verdicts } from "./source-rows.ts";
import { marksIn, sourceMarks } from "./source-marks.ts";

const rows = sourceIds.flatMap(sourceRows);
const marks = sourceMarks();

describe("the statements of the sources", () => {
  it("are 329 of the first reading and those that it had missed", () => {
    expect(sourceIds.map((source) => sourceRows(source).length)).toEqual([35, 154, 38, 38, 93]);
  });

  it.each(sourceIds)("of source %s are numbered without a gap", (source) => {
    const ids = sourceRows(source).map(({ id }) => id);
    expect(ids).toEqual(ids.map((_, index) => `${source}.${index + 1}`));
  });

  it("have a note where they are not met as written", () => {
    expect(rows.filter(({ verdict, note }) => verdict !== "works" && note === undefined)).toEqual([]);
    expect(rows.filter(({ verdict }) => !verdicts.includes(verdict))).toEqual([]);
  });

  it("are never made up: their lines are lines of the documents", () => {
    const last = { "000": 86, "001": 476, "002": 154, "003": 231, "004": 490 };
    expect(sourceIds.filter((id) => sourceRows(id).some(({ line }) => line < 0 || line > last[id]))).toEqual(
      [],
    );
  });

  it("are each shown by a test that says so", () => {
    const shown = new Set(marks.flatMap(({ ids }) => ids));
    expect(rows.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
  });
});

describe("the marks of tests", () => {
  it("are above a test, and their row is in its table", () => {
    const faulty = marks.flatMap(({ file, line, fault }) =>
      fault === undefined ? [] : [`${file}:${line} ${fault}`],
    );
    expect(faulty).toEqual([]);
  });

  it("name statements that exist", () => {
    const known = new Set(rows.map(({ id }) => id));
    const unknown = marks.flatMap(({ file, line, ids }) =>
      ids.filter((id) => !known.has(id)).map((id) => `${file}:${line} ${id}`),
    );
    expect(unknown).toEqual([]);
  });

  it.each([
    ["// shows 001.3 and more", 'it("is a fact", () => {});', "cannot be read"],
    ["// shows 001.3", "const value = 1;", "is not above a test"],
    ["// shows 001.3 with blue", 'it.each(["red"])("%s is a colour", () => {});', "no table has: blue"],
  ])("are refused: %s above %s", (mark, below, why) => {
    expect(marksIn("colours.test.ts", `${mark}\n${below}`, "")).toMatchObject([
      { line: 1, fault: expect.stringContaining(why) as string },
    ]);
  });
});

const shared = new URL("../../../shared/", import.meta.url);
const audit = new URL("facts/source-audit.md", shared);

describe("the audit of the sources", () => {
  it.runIf(existsSync(audit))("has no item that is not a statement at the same line", () => {
    const items = [...readFileSync(audit, "utf8").matchAll(/^\| (\d{3}\.\d+) \| (\d+) \|/gm)];
    const known = new Set(rows.map(({ id, line }) => `${id} ${line}`));
    expect(items.map(([, id, line]) => `${id} ${line}`).filter((item) => !known.has(item))).toEqual([]);
    expect(items).toHaveLength(329);
  });
});
