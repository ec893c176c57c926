import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isDigest, readSource } from "./response-error.ts";

const seed = readFileSync(
  new URL("../../../test/fixtures/seeds/001-L350-digest-payload.json", import.meta.url),
  "utf8",
);
const payload = JSON.parse(seed) as {
  readonly summary: string;
  readonly key_points: readonly string[];
  readonly evidence_snippets: readonly { readonly text: string; readonly locator: string }[];
};
const digested = (content: string) => ({ id: "src-1", content_type: "digest/v1", content });

describe("readSource", () => {
  // shows 001.134, 001.136
  it("gives a digest's summary, points and quotes, and what they cost by a quarter of its characters", async () => {
    const [snippet] = payload.evidence_snippets;
    expect(await readSource(digested(seed))).toEqual({
      kind: "digest",
      context: payload.summary,
      highlights: payload.key_points,
      citations: [{ text: snippet?.text, locator: "char:1500-1650" }],
      estimatedTokens: 625,
      payload,
    });
  });

  // shows 001.135
  it("rounds the estimate down", async () => {
    const content = JSON.stringify({ ...payload, digest_chars: 2_503 });
    expect(await readSource(digested(content))).toMatchObject({ estimatedTokens: 625 });
  });

  it("keeps the summary word for word, whatever its length", async () => {
    const summary = "word ".repeat(400).trim();
    const read = await readSource(digested(JSON.stringify({ ...payload, summary })));
    expect(read).toMatchObject({ context: summary });
  });

  // shows 001.136
  it("gives any other content as it is, even a digest's text under another type", async () => {
    const source = { id: "src-1", content_type: "text/markdown", content: seed };
    expect(await readSource(source)).toEqual({ kind: "content", content: seed });
  });

  // shows 001.132
  it.each([
    ["no JSON", "{", "is no JSON"],
    ["a text", '"digest"', ""],
    ["a wrong hash", JSON.stringify({ ...payload, query_hash: "AB" }), "query_hash"],
    ["no snippets", JSON.stringify({ ...payload, evidence_snippets: undefined }), "evidence_snippets"],
    [
      "a locator that runs backwards",
      JSON.stringify({
        ...payload,
        evidence_snippets: [{ text: "q", locator: "char:9-1", relevance_score: 1 }],
      }),
      "evidence_snippets.0.locator",
    ],
    ["another version", JSON.stringify({ ...payload, version: "2.0" }), "version"],
  ])("refuses a digest that is %s", async (_what, content, says) => {
    await expect(readSource(digested(content))).rejects.toMatchObject({
      name: "ResponseError",
      code: "INVALID_DIGEST",
      retryRule: "never",
      message: expect.stringContaining(`The digest of src-1 is invalid: ${says}`),
      details: { source_id: "src-1" },
    });
  });
});

describe("isDigest", () => {
  // shows 001.110, 001.131
  it("goes by the content type alone", () => {
    expect(isDigest(digested("{"))).toBe(true);
    expect(isDigest({ content_type: "digest/v2" })).toBe(false);
    expect(isDigest({})).toBe(false);
  });
});
