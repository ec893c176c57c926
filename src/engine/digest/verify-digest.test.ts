import { describe, expect, it } from "vitest";
import type { DigestPayload, EvidenceSnippet } from "../../core/contract/digest-payload.ts";
import { canonicalPages, canonicalText, hashQuery, hashText } from "./canonical-text.ts";
import { digestDocument } from "./digest-document.ts";
import type { CanonicalDocument } from "./document.ts";
import { buildPayload, countDigestChars, ratioOf, serializePayload } from "./payload/serialize-payload.ts";
import { type VerifyReport, verifyDigest } from "./verify-digest.ts";

const original = "First 😀 line.\r\n\r\n\r\nThe  river runs.\tIt is  long.";

async function payloadOf(
  document: Pick<CanonicalDocument, "text" | "pages">,
  ...quotes: readonly string[]
): Promise<DigestPayload> {
  return buildPayload({
    document,
    queryHash: await hashQuery("river"),
    textHash: await hashText(document.text),
    summary: "s",
    keyPoints: ["k"],
    evidence: quotes.map((quote) => {
      const start = document.text.indexOf(quote);
      return { start, end: start + quote.length, score: 0.5 };
    }),
  });
}

const text = canonicalText(original);
const payload = await payloadOf({ text }, "The river runs.", "First 😀 line.");
const [river, face] = payload.evidence_snippets;
/** The payload with other evidence, counted anew. */
function withEvidence(given: DigestPayload, ...evidence_snippets: readonly EvidenceSnippet[]): DigestPayload {
  const other = { ...given, evidence_snippets };
  const digest_chars = countDigestChars(other);
  return {
    ...other,
    digest_chars,
    compression_ratio: Math.min(1, ratioOf(digest_chars, other.original_chars)),
  };
}
const withLocator = (locator: string): DigestPayload =>
  withEvidence(payload, { text: river?.text ?? "", relevance_score: 1, locator });
const says = ({ problems }: VerifyReport): readonly string[] =>
  problems.map(({ check, path, message }) => `${check} ${path} ${message}`);

describe("verifyDigest", () => {
  it("checks the digest of a Markdown file by its bytes or its text, with and without the file's name", async () => {
    const markdown = "The [mill](a.md) burned down in the year. ".repeat(40);
    const { payload: made } = await digestDocument(markdown, { contentType: "text/markdown" });
    for (const source of [markdown, new TextEncoder().encode(markdown)]) {
      expect(await verifyDigest(made, source)).toMatchObject({ valid: true });
    }
    const bytes = new TextEncoder().encode(markdown);
    expect(await verifyDigest(made, bytes, { name: "mill.md" })).toMatchObject({ valid: true });
  });

  // shows 001.127
  it("counts locators in code points", () => {
    expect(river?.locator).toBe("char:15-30");
    expect(face?.locator).toBe("char:0-13");
  });

  it.each([
    ["the canonical text", text, "as_given"],
    ["the original", original, "canonical"],
  ] as const)("takes %s", async (_, source, form) => {
    expect(await verifyDigest(payload, source)).toEqual({
      valid: true,
      problems: [],
      quotes: { exact: 2, total: 2 },
      summary: { found: 1, total: 1 },
      keyPoints: { found: 0, total: 1 },
      pagesChecked: false,
      form,
    });
  });

  it("takes what the system of the seed made of a page of HTML", async () => {
    const html = "<p>Tom &amp; Jerry</p>";
    const foundry = await payloadOf({ text: canonicalText(html, { compat: "foundry" }) }, "Tom & Jerry");
    expect(await verifyDigest(foundry, html)).toMatchObject({ valid: true, form: "foundry" });
  });

  it("says where a quote differs for the first time, and where it is instead", async () => {
    expect(says(await verifyDigest(withLocator("char:16-31"), text))).toEqual([
      `quote evidence_snippets[0].text differs at character 16: the digest has "The river runs.", the document ` +
        `"he river runs. ". It is at char:15-30.`,
    ]);
  });

  it("says when a quote is nowhere", async () => {
    const [first = { text: "", locator: "", relevance_score: 0 }] = payload.evidence_snippets;
    const forged = withEvidence(payload, { ...first, text: "The river rums." });
    expect(says(await verifyDigest(forged, text))).toEqual([
      `quote evidence_snippets[0].text differs at character 27: the digest has "ms.", the document "ns.". ` +
        "It is nowhere in the document.",
    ]);
  });

  it("says when a locator ends behind the text", async () => {
    expect(says(await verifyDigest(withLocator("char:40-60"), text))).toEqual([
      "locator evidence_snippets[0].locator char:40-60 ends after the text of 42 characters",
    ]);
  });

  it("says when the document is another one", async () => {
    const report = await verifyDigest(payload, `${text} More.`);
    expect(report).toMatchObject({ valid: false, quotes: { exact: 2, total: 2 } });
    expect(report.problems.map(({ check }) => check)).toEqual(["hash", "length"]);
    expect(report.problems[0]?.message).toContain(payload.source_text_hash);
  });

  it("says when the digest was made longer or shorter", async () => {
    const report = await verifyDigest({ ...payload, summary: "Another summary." }, text);
    const longer = payload.digest_chars + 15;
    expect(says(report)).toEqual([
      `size digest_chars is ${payload.digest_chars}, but the payload has ${longer} characters`,
    ]);
  });

  it("says how much of summary and key points is in the document", async () => {
    const other = {
      ...payload,
      summary: "The river runs. It is short!",
      key_points: ["It is long.", "Never said."],
    };
    expect(await verifyDigest(other, text)).toMatchObject({
      summary: { found: 1, total: 2 },
      keyPoints: { found: 1, total: 2 },
    });
  });

  it("takes the payload's own text, and the document's bytes", async () => {
    const bytes = new TextEncoder().encode(original);
    expect(await verifyDigest(serializePayload(payload), bytes)).toMatchObject({ valid: true });
    expect(says(await verifyDigest("{", bytes))).toEqual(["payload  is no JSON"]);
  });

  it("says what is wrong with something that is not a payload", async () => {
    const report = await verifyDigest({ ...payload, query_hash: 7 }, text);
    expect(says(report)).toEqual(["payload query_hash is 7, not a string"]);
  });
});

describe("verifyDigest with pages", () => {
  const raw = ["First page. ", "", "Second page, with a river.", "Third."];
  const document = canonicalPages(raw);

  it("checks page numbers, from canonical places or from the pages' texts", async () => {
    const paged = await payloadOf(document, "with a river.", "Third.");
    expect(paged.evidence_snippets.map(({ locator }) => locator)).toEqual([
      "page:3:char:26-39",
      "page:4:char:41-47",
    ]);
    expect(await verifyDigest(paged, document)).toMatchObject({ valid: true, pagesChecked: true });
    expect(await verifyDigest(paged, { pages: raw })).toMatchObject({ valid: true, pagesChecked: true });
    expect(await verifyDigest(paged, document.text)).toMatchObject({ valid: true, pagesChecked: false });
  });

  it.each([
    ["page:1:char:26-39", "says page 1, but it is on page 3"],
    ["page:9:char:26-39", "says page 9, but it is on page 3"],
  ])("refuses %s", async (locator, message) => {
    const paged = await payloadOf(document, "with a river.");
    const forged = withEvidence(paged, { text: "with a river.", locator, relevance_score: 1 });
    expect(says(await verifyDigest(forged, document))).toEqual([
      `page evidence_snippets[0].locator ${message}`,
    ]);
  });

  it("refuses a quote across two pages", async () => {
    const quote = "river.\n\nThird.";
    const paged = await payloadOf(document, quote);
    expect(says(await verifyDigest(paged, document))).toEqual([
      "page evidence_snippets[0].locator says page 3, but it is not on one page",
    ]);
  });
});
