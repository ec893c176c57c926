import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { metaSchema } from "../../src/core/contract/meta.ts";
import { sourceIds, sourceRows } from "./source-rows.ts";

const read = (path: string): string => readFileSync(new URL(`../../docs/${path}`, import.meta.url), "utf8");
const page = read("deviations.md");
const statements = read("reference/statements.md");
const rows = sourceIds.flatMap(sourceRows);

/** The ids that the first cells of rows with so many cells name, such as `001.30, 001.31`. */
function idsOf(text: string, cells: number): string[] {
  return text
    .split("\n")
    .filter((line) => /^\| \d{3}\.\d+/.test(line) && line.split(/(?<!\\)\|/).length === cells + 2)
    .flatMap((line) => line.slice(2, line.indexOf(" |")).split(", "))
    .toSorted();
}

/** What source 001 has in `meta`; everything else there was added. */
const keysOfSource001 = [
  "version",
  "request_id",
  "warnings",
  "warning_details",
  "pagination",
  "rate_limit",
  "telemetry",
  "content_fidelity",
  "content_fidelity_schema_version",
  "dropped_content_ids",
  "content_archive_hashes",
];

describe("docs/deviations.md", () => {
  // shows 000.24, 001.101
  it("has every statement that is not met as written, and no other", () => {
    const differing = rows.filter(({ verdict }) => verdict !== "works").map(({ id }) => id);
    expect(differing.length).toBeGreaterThan(30);
    expect(idsOf(page, 5)).toEqual(differing.toSorted());
  });

  it("gives a reason for each", () => {
    const empty = rows.filter(
      ({ note }) => note !== undefined && Object.values(note).some((text) => text === ""),
    );
    expect(empty).toEqual([]);
  });

  // shows 000.23, 001.100
  it("names every key that is added to meta", () => {
    const added = page.slice(page.indexOf("## Added keys"));
    const keys = Object.keys(metaSchema.shape).filter((key) => !keysOfSource001.includes(key));
    expect(keys.length).toBeGreaterThan(3);
    expect(keys.filter((key) => !added.includes(`\`${key}\``))).toEqual([]);
  });
});

describe("docs/reference/statements.md", () => {
  it("has every statement", () => {
    expect(idsOf(statements, 4)).toEqual(rows.map(({ id }) => id).toSorted());
  });

  it("has apart what works, where a document leaves something open", () => {
    const open = rows.filter(({ verdict, note }) => verdict === "works" && note !== undefined);
    expect(idsOf(statements, 5)).toEqual(open.map(({ id }) => id).toSorted());
  });
});
