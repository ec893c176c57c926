import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import type { DigestPayload } from "../../../core/contract/digest-payload.ts";
import {
  PayloadError,
  type PayloadIssue,
  deserializePayload,
  serializePayload,
  validatePayload,
} from "./serialize-payload.ts";

const seed = JSON.parse(
  readFileSync(
    new URL("../../../../test/fixtures/seeds/001-L350-digest-payload.json", import.meta.url),
    "utf8",
  ),
) as DigestPayload;

const small: DigestPayload = {
  version: "1.0",
  content_type: "digest/v1",
  query_hash: "e3b0c442",
  summary: 'Über "alles"\n😀',
  key_points: [],
  evidence_snippets: [{ text: "q", locator: "char:0-1", relevance_score: 1 }],
  original_chars: 100,
  digest_chars: 0,
  compression_ratio: 0,
  source_text_hash: `sha256:${"0".repeat(64)}`,
};

function issuesOf(value: unknown): readonly PayloadIssue[] {
  try {
    validatePayload(value);
    return [];
  } catch (error) {
    return error instanceof PayloadError ? error.issues : [];
  }
}

describe("serializePayload", () => {
  // shows 001.137
  it("writes compact JSON with the keys in the seed's order, whatever order they came in", () => {
    const shuffled = Object.fromEntries(Object.entries(small).reverse()) as unknown as DigestPayload;
    expect(serializePayload(shuffled)).toBe(JSON.stringify(small));
  });

  it("writes further keys behind, by their names", () => {
    const more = { zeta: 1, ...small, alpha: 2 } as DigestPayload;
    expect(serializePayload(more).endsWith(`,"alpha":2,"zeta":1}`)).toBe(true);
  });

  it("writes what the system of the seed writes: sorted keys, spaced separators, floats with a point", () => {
    expect(serializePayload({ ...small, key_points: ["a", "b"] }, { compat: "foundry" })).toBe(
      `{"compression_ratio": 0.0, "content_type": "digest/v1", "digest_chars": 0, "evidence_snippets": ` +
        `[{"locator": "char:0-1", "relevance_score": 1.0, "text": "q"}], "key_points": ["a", "b"], ` +
        `"original_chars": 100, "query_hash": "e3b0c442", "source_text_hash": "sha256:${"0".repeat(64)}", ` +
        `"summary": "Über \\"alles\\"\\n😀", "version": "1.0"}`,
    );
  });

  it.each([
    [0.85, "0.85"],
    [0.0001, "0.0001"],
    [0.00005, "5e-05"],
    [0.0000123, "1.23e-05"],
    [1e-12, "1e-12"],
  ])("writes a score of %d as Python does", (score, text) => {
    const [snippet] = small.evidence_snippets;
    const evidence_snippets = [{ text: "q", locator: "char:0-1", ...snippet, relevance_score: score }];
    const written = serializePayload({ ...small, evidence_snippets }, { compat: "foundry" });
    expect(written).toContain(`"relevance_score": ${text},`);
  });

  it("refuses to write what is not a payload", () => {
    expect(() => serializePayload({ ...small, query_hash: "x" })).toThrow(PayloadError);
  });
});

describe("deserializePayload", () => {
  // shows 001.138
  it("reads back what was written, in both forms", () => {
    expect(deserializePayload(serializePayload(seed))).toEqual(seed);
    expect(deserializePayload(serializePayload(seed, { compat: "foundry" }))).toEqual(seed);
  });

  it.each([
    ["", "is empty, not JSON"],
    ["  ", "is empty, not JSON"],
    ["{", "is no JSON"],
    ["[]", "is a list, not an object"],
    ["7", "is 7, not an object"],
  ])("says of %j that it %s", (text, says) => {
    expect(() => deserializePayload(text)).toThrow(new RegExp(`^The digest payload is invalid: ${says}`));
  });

  it("ends every text in a payload or a PayloadError", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (text) => {
        expect(() => deserializePayload(text)).toThrow(PayloadError);
      }),
      lawRuns(1_000),
    );
  });
});

describe("validatePayload", () => {
  // shows 001.139
  it("gives the payload itself back", () => {
    expect(validatePayload(seed)).toBe(seed);
  });

  // shows 001.120 with compression_ratio
  // shows 001.143 with evidence_snippets[0].relevance_score
  // shows 001.142 with key_points[1]
  // shows 001.140 with query_hash
  // shows 001.141 with summary
  it.each([
    ["query_hash", { query_hash: "XYZ" }, "is not exactly 8 lower-case hex digits"],
    ["summary", { summary: "s".repeat(2001) }, "is longer than 2000 characters"],
    ["key_points[1]", { key_points: ["k", "k".repeat(501)] }, "is longer than 500 characters"],
    ["key_points", { key_points: undefined }, "is missing"],
    [
      "evidence_snippets[0].relevance_score",
      { evidence_snippets: [{ text: "q", locator: "char:0-1", relevance_score: 1.5 }] },
      "is 1.5, more than 1",
    ],
    ["compression_ratio", { compression_ratio: 0.3 }, "is 0.3, but 2500 of 25000 characters are 0.1"],
  ])("says what is wrong with %s", (path, change, message) => {
    expect(issuesOf({ ...seed, ...change })).toEqual([{ path, message }]);
  });

  // shows 001.144
  it("names every issue at once", () => {
    const issues = issuesOf({ ...seed, query_hash: "", source_text_hash: "md5:1" });
    expect(issues.map(({ path }) => path)).toEqual(["query_hash", "source_text_hash"]);
  });

  it("takes a ratio that was never rounded", () => {
    expect(issuesOf({ ...seed, digest_chars: 1, original_chars: 3, compression_ratio: 1 / 3 })).toEqual([]);
  });
});
