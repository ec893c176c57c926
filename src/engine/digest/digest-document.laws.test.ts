import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countCodePoints } from "../../core/text/code-points.ts";
import { digestPayloadSchema, parseLocator } from "../../core/contract/digest-payload.ts";
import { digestLimits } from "../../core/contract/choices.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { digestDocument } from "./digest-document.ts";
import type { DigestOptions } from "./digest-options.ts";
import type { DigestResult } from "./digest-result.ts";
import { serializePayload } from "./payload/serialize-payload.ts";
import { verifyDigest } from "./verify-digest.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const runs = lawRuns(1_000);

const word = fc.constantFrom(
  ..."river lantern Über straße 東京都 に住む 你好 мир 😀 👩‍👩‍👧 e\u0301 ประเทศไทย नमस्ते 3.14 Dr. <b> &amp; # | ``` \ud83d".split(
    " ",
  ),
);
const ending = fc.constantFrom(". ", "! ", "。", "\n", "\n\n", " ", "; ", "？", "।", "\t", ".");
const sentence = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 12 }), ending)
  .map(([words, end]) => words.join(" ") + end);
const text = fc.oneof(
  { weight: 4, arbitrary: fc.array(sentence, { maxLength: 60 }).map((parts) => parts.join("")) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 3_000 }) },
  { weight: 1, arbitrary: fc.tuple(word, fc.nat(4_000)).map(([one, times]) => one.repeat(times)) },
);
const query = fc.option(
  fc.oneof(
    fc.array(word, { maxLength: 4 }).map((words) => words.join(" ")),
    fc.string({ unit: "binary" }),
    fc.constantFrom("the of and", "🎉", "?!"),
  ),
  { nil: undefined },
);
const sizes = fc.record(
  {
    maxSnippets: fc.nat(10),
    snippetChars: fc.integer({ min: 40, max: 500 }),
    summaryChars: fc.nat(2_000),
    maxKeyPoints: fc.nat(10),
  },
  { requiredKeys: [] },
);

/** A digest, or nothing for a document that cannot be one. */
async function tryDigest(given: string, options: DigestOptions): Promise<DigestResult | undefined> {
  try {
    return await digestDocument(given, { policy: "always", contentType: "text/plain", ...options });
  } catch (error) {
    if (ToolFault.isInstance(error)) return undefined;
    throw error;
  }
}

const anyDigest = (
  facts: (result: DigestResult, given: string, options: DigestOptions) => Promise<void> | void,
) =>
  fc.assert(
    fc.asyncProperty(text, query, sizes, async (given, asked, limits) => {
      const options = { ...limits, ...(asked === undefined ? {} : { query: asked }) };
      const result = await tryDigest(given, options);
      if (result !== undefined) await facts(result, given, options);
    }),
    runs,
  );

describe("digestDocument, for any text and query", () => {
  // shows 001.122, 001.129, 001.154
  it("quotes exactly what is at each locator, in code points", () =>
    anyDigest(({ payload, document }) => {
      const points = Array.from(document?.text ?? "");
      for (const { text: quote, locator } of payload?.evidence_snippets ?? []) {
        const { start, end } = parseLocator(locator) ?? { start: -1, end: -1 };
        expect(points.slice(start, end).join("")).toBe(quote);
      }
    }));

  // shows 001.121
  it("verifies against the text as it was given", () =>
    anyDigest(async ({ payload }, given) => {
      const report = payload === undefined ? { problems: [] } : await verifyDigest(payload, given);
      expect(report.problems).toEqual([]);
    }));

  it("quotes summary and key points from where their spans say", () =>
    anyDigest(({ payload, document, spans }) => {
      const points = Array.from(document?.text ?? "");
      const at = (locator: string): string => {
        const { start, end } = parseLocator(locator) ?? { start: -1, end: -1 };
        return points.slice(start, end).join("");
      };
      expect(spans?.summary.map(at).join(" ")).toBe(payload?.summary);
      expect(spans?.key_points.map(at)).toEqual(payload?.key_points);
    }));

  it("stays within the seed's limits and the asked ones, and is smaller than its document", () =>
    anyDigest(({ payload }, _, options) => {
      if (payload === undefined) return;
      expect(digestPayloadSchema.safeParse(payload).success).toBe(true);
      const { maxSnippets = 10, snippetChars = 500, summaryChars = 2_000, maxKeyPoints = 10 } = options;
      expect(payload.evidence_snippets.length).toBeLessThanOrEqual(maxSnippets);
      expect(payload.key_points.length).toBeLessThanOrEqual(maxKeyPoints);
      expect(countCodePoints(payload.summary)).toBeLessThanOrEqual(
        Math.min(summaryChars, digestLimits.summary),
      );
      for (const { text: quote } of payload.evidence_snippets) {
        expect(countCodePoints(quote)).toBeLessThanOrEqual(snippetChars);
      }
      expect(payload.digest_chars).toBeLessThan(payload.original_chars);
    }));

  it("counts what is really sent", () =>
    anyDigest(({ payload }) => {
      if (payload === undefined) return;
      const sent = serializePayload({ ...payload, digest_chars: 0, compression_ratio: 0 });
      expect(payload.digest_chars).toBe(countCodePoints(sent));
    }));

  it("gives equal bytes for equal input", () =>
    anyDigest(async (result, given, options) => {
      const again = await tryDigest(given, options);
      const bytes = (one: DigestResult | undefined): string =>
        JSON.stringify({ ...one, durationMs: 0, document: one?.document?.text });
      expect(bytes(again)).toBe(bytes(result));
    }));
});
