import * as fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { definitionCosts } from "../../scripts/generate/definition-costs.ts";
import { resultCosts } from "../../scripts/generate/result-costs.ts";
import { savedTokens } from "../../scripts/generate/saved-tokens.ts";
import { profiles } from "../../src/core/contract/profile.ts";
import { dialects } from "../../src/core/pipeline/dialect/dialects.ts";
import { lawRuns } from "../arbitrary/law-runs.ts";
import { anyJson, objectOf } from "../arbitrary/outcomes.ts";

/** Every figure that is above its limit. */
function over(cost: object, limit: object): readonly string[] {
  const limits = new Map<string, number>(Object.entries(limit));
  return Object.entries(cost).flatMap(([column, tokens]: [string, number]) =>
    tokens <= (limits.get(column) ?? -1) ? [] : [`${column}: ${tokens}`],
  );
}

describe("the minimal profile of document 002", () => {
  it("saves 150 to 200 tokens of what is sent, on the document's own example", async () => {
    const saved = (await savedTokens()).map(({ counted, minimal, debug }) => [
      counted,
      ...debug.map((tokens, at) => tokens - (minimal[at] ?? 0)),
    ]);
    expect(saved).toEqual([
      ["one envelope", 74, 76],
      ["text and structure", 148, 152],
      ["the whole result", 209, 212],
    ]);
  });
});

describe("the tokens that the contract adds", () => {
  it("to a result are within the limits of docs/token-costs.md, in every dialect and profile", async () => {
    const costs = await resultCosts();
    expect(costs).toHaveLength(21);
    for (const { dialect, profile, cost, limit } of costs)
      expect([dialect, profile, over(cost, limit)]).toEqual([dialect, profile, []]);
  });

  it("to a list of twenty tools are within the limits of docs/token-costs.md", async () => {
    for (const { setting, cost, limit } of await definitionCosts())
      expect([setting, over(cost, limit)]).toEqual([setting, []]);
  });

  it("to an object in the minimal profile of response-v2 are at most 20, whatever is in it", () => {
    const countOf = (json: unknown): number => countTokens(JSON.stringify(json));
    const law = fc.property(objectOf(anyJson), (data) => {
      const envelope = dialects["response-v2"].render(
        { ok: true, data, notes: {} },
        { profile: profiles.minimal, requestIdFrom: "server" },
      );
      expect(countOf(envelope) - countOf(data)).toBeLessThanOrEqual(20);
    });
    fc.assert(law, lawRuns(1_000));
  });
});
