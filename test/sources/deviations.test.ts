import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { metaSchema } from "../../src/contract/meta.ts";
import { placeOf, sourceIds, sourceRows } from "./source-rows.ts";

const page = readFileSync(new URL("../../docs/deviations.md", import.meta.url), "utf8");
const rows = sourceIds.flatMap(sourceRows);

/** The places that the first cell of a row names, such as `001:375`. */
const places = page
  .split("\n")
  .flatMap((line) => [...(/^\| ([^|]*) \|/.exec(line)?.[1] ?? "").matchAll(/\b\d{3}:\d+\b/g)])
  .map(([place]) => place);

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
  it("has every statement that is met differently", () => {
    const different = rows.filter(({ verdict }) => verdict === "different").map(placeOf);
    expect(different.length).toBeGreaterThan(0);
    expect(different.filter((place) => !places.includes(place))).toEqual([]);
  });

  it("names only places that the list of statements has", () => {
    const known = new Set(rows.map(placeOf));
    expect(places.filter((place) => !known.has(place))).toEqual([]);
    expect(places.length).toBeGreaterThan(20);
  });

  it("names every key that is added to meta", () => {
    const added = page.slice(page.indexOf("## Added keys"));
    const keys = Object.keys(metaSchema.shape).filter((key) => !keysOfSource001.includes(key));
    expect(keys.length).toBeGreaterThan(3);
    expect(keys.filter((key) => !added.includes(`\`${key}\``))).toEqual([]);
  });
});
