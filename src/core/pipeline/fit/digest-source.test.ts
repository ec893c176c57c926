import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { type Source, readSource } from "../../contract/response-error.ts";
import { digestDocument } from "../../../engine/digest/digest-document.ts";
import {
  countDigestChars,
  serializePayload,
  validatePayload,
} from "../../../engine/digest/payload/serialize-payload.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { defineTool } from "../../../engine/settings/tool-definition.ts";
import { runTool } from "../../../doors/testing/run-tool.ts";
import * as z from "zod";

const report = readFileSync(new URL("../../../../docs/server.md", import.meta.url), "utf8");
const { payload } = await digestDocument(report, {
  query: "How are tools and budgets set?",
  maxSnippets: 8,
  maxKeyPoints: 8,
});
if (payload === undefined) throw new Error("the report has a digest");
const source: Source = {
  id: "s1",
  title: "The mills",
  content_type: "digest/v1",
  content: serializePayload(payload),
};

async function send(data: JsonObject, tokens: number) {
  const tool = defineTool(
    "sources",
    { description: "Digested sources", inputSchema: z.object({}) },
    () => data,
  );
  const { envelope } = await runTool(tool, {}, { contract: { budget: { tokens } } });
  return envelope as unknown as { readonly data: JsonObject; readonly meta: JsonObject };
}

/** Whether a source in a result still is a digest: valid, counted right, with quotes of the whole one only. */
async function check(sent: Source): Promise<{ quotes: number; points: number }> {
  const read = await readSource(sent);
  if (read.kind !== "digest") throw new Error("not a digest");
  const left = validatePayload(JSON.parse(sent.content));
  expect(left.digest_chars).toBe(countDigestChars(left));
  expect(payload?.evidence_snippets.slice(0, left.evidence_snippets.length)).toEqual(left.evidence_snippets);
  expect(payload?.key_points.slice(0, left.key_points.length)).toEqual(left.key_points);
  // Key points go only after the last quote.
  const lostPoints = (payload?.key_points.length ?? 0) - left.key_points.length;
  expect(Math.min(lostPoints, left.evidence_snippets.length)).toBe(0);
  return { quotes: left.evidence_snippets.length, points: left.key_points.length };
}

describe("a digest over the budget", () => {
  // shows 001.109
  it("loses whole quotes, then key points, and stays a valid digest", async () => {
    const whole = await check(source);
    const seen = new Set<string>();
    for (const tokens of [1_500, 1_200, 1_000, 900, 800, 700, 600]) {
      const { data } = await send({ source } as unknown as JsonObject, tokens);
      const sent = data["source"] as unknown as Source | undefined;
      if (sent === undefined) continue;
      expect(sent).toMatchObject({ id: "s1", title: "The mills", content_type: "digest/v1" });
      const { quotes, points } = await check(sent);
      seen.add(`${quotes} ${points}`);
      expect(quotes + points).toBeLessThanOrEqual(whole.quotes + whole.points);
    }
    expect(seen.size).toBeGreaterThan(2);
  });

  // shows 001.109
  it("is left out whole where not even its summary fits", async () => {
    const { data, meta } = await send({ source } as unknown as JsonObject, 260);
    expect(JSON.stringify(data)).not.toContain("digest/v1");
    expect(meta["content_fidelity"]).toMatch(/summary|reference_only/);
  });

  it("is shortened as an object too, with its figures counted anew", async () => {
    const { data, meta } = await send({ digest: payload } as unknown as JsonObject, 900);
    const left = validatePayload(data["digest"]);
    expect(left.evidence_snippets.length).toBeLessThan(payload.evidence_snippets.length);
    expect(left.digest_chars).toBe(countDigestChars(left));
    expect(JSON.stringify(meta["dropped_content_ids"])).toContain("/digest/evidence_snippets");
  });

  it("law: whatever the budget, every source that is sent reads as a digest", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 200, max: 6_000 }),
        fc.integer({ min: 1, max: 6 }),
        async (tokens, count) => {
          const sources = Array.from({ length: count }, (_, index) => ({ ...source, id: `s${index}` }));
          const { data } = await send({ sources, note: "x".repeat(700) }, tokens);
          for (const sent of (data["sources"] ?? []) as unknown as readonly Source[]) {
            const { quotes } = await check(sent);
            expect(quotes).toBeLessThanOrEqual(payload.evidence_snippets.length);
          }
        },
      ),
      lawRuns(1_000, 60),
    );
  });
});
