import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sourceIds, sourceRows, verdicts } from "./source-rows.ts";
import { hasCase, titlesOf } from "./test-titles.ts";

const rows = sourceIds.flatMap(sourceRows);

describe("the statements of the sources", () => {
  it("are 329 of the first reading and those that it had missed", () => {
    expect(sourceIds.map((source) => sourceRows(source).length)).toEqual([35, 154, 38, 38, 93]);
  });

  it.each(sourceIds)("of source %s are numbered without a gap", (source) => {
    const ids = sourceRows(source).map(({ id }) => id);
    expect(ids).toEqual(ids.map((_, index) => `${source}.${index + 1}`));
  });

  it("have a note where they are not met as they stand", () => {
    expect(rows.filter(({ verdict, note }) => verdict !== "works" && note === undefined)).toEqual([]);
    expect(rows.filter(({ verdict }) => !verdicts.includes(verdict))).toEqual([]);
  });

  it("are never made up: their lines are lines of the documents", () => {
    const last = { "000": 86, "001": 476, "002": 154, "003": 231, "004": 490 };
    expect(sourceIds.filter((id) => sourceRows(id).some(({ line }) => line < 0 || line > last[id]))).toEqual(
      [],
    );
  });

  it("each name a test that exists, and a case that it has", () => {
    const lost = rows.flatMap(({ id, shownBy }) =>
      shownBy
        .filter(
          ({ file, test, case: name }) =>
            !titlesOf(file)?.includes(test) || (name !== undefined && !hasCase(file, name)),
        )
        .map((shown) => ({ id, ...shown })),
    );
    expect(lost).toEqual([]);
    expect(rows.filter(({ shownBy }) => shownBy.length === 0)).toEqual([]);
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
