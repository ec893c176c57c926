import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { metaSchema } from "../../src/core/contract/meta.ts";
import { sourceIds, sourceRows } from "./source-rows.ts";

const page = readFileSync(new URL("../../docs/deviations.md", import.meta.url), "utf8");
const rows = sourceIds.flatMap(sourceRows);

/** The ids that the first cells of a part of the page name, such as `001.30`. */
function idsOf(part: string): string[] {
  return Array.from(part.matchAll(/^\| (\d{3}\.\d+) \|/gm), ([, id = ""]) => id).toSorted();
}

const leftOpen = page.indexOf("## What the documents leave open");

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
  it("has every statement that is not met as it stands, and no other", () => {
    const differing = rows.filter(({ verdict }) => verdict !== "works").map(({ id }) => id);
    expect(differing.length).toBeGreaterThan(30);
    expect(idsOf(page.slice(0, leftOpen))).toEqual(differing.toSorted());
  });

  it("has apart what works, where a document leaves something open", () => {
    const open = rows.filter(({ verdict, note }) => verdict === "works" && note !== undefined);
    expect(idsOf(page.slice(leftOpen))).toEqual(open.map(({ id }) => id).toSorted());
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
