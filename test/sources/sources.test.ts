import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sourceIds, sourceRows } from "./source-rows.ts";
import { hasCase, titlesOf } from "./test-titles.ts";

const rows = sourceIds.flatMap(sourceRows);

describe("the statements of the sources", () => {
  it("are 329, as many of each source as were found in it", () => {
    const counts = sourceIds.map((source) => sourceRows(source).length);
    expect(counts).toEqual([32, 144, 35, 36, 82]);
    expect(rows).toHaveLength(329);
  });

  it.each(sourceIds)("of source %s are numbered without a gap", (source) => {
    const ids = sourceRows(source).map(({ id }) => id);
    expect(ids).toEqual(ids.map((_, index) => `${source}.${index + 1}`));
  });

  it("work, or are different for a reason", () => {
    const odd = rows.filter(({ verdict, because }) =>
      verdict === "different" ? !because?.endsWith(".") : verdict !== "works" || because !== undefined,
    );
    expect(odd).toEqual([]);
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

const audit = new URL("../../../shared/facts/source-audit.md", import.meta.url);

describe("the audit of the sources", () => {
  it.runIf(existsSync(audit))("has the same items at the same lines", () => {
    const items = [...readFileSync(audit, "utf8").matchAll(/^\| (\d{3}\.\d+) \| (\d+) \|/gm)];
    expect(rows.map(({ id, line }) => `${id} ${line}`)).toEqual(items.map(([, id, line]) => `${id} ${line}`));
  });
});
