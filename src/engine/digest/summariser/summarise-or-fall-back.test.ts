import { describe, expect, it } from "vitest";
import { ContractError } from "../../../core/contract/contract-error.ts";
import {
  type SummariseOptions,
  type SummariseRequest,
  type Summariser,
  SummariserError,
  guardSummariser,
  summariseOrFallBack,
} from "./summariser.ts";
import { openAiSummariser } from "./open-ai-summariser.ts";
import { says, startStubEndpoint } from "./stub-endpoint.fixture.ts";

const extractive = { summary: "Bees dance.", keyPoints: ["They dance."] };

function setUp(summarise: Summariser["summarise"], more: Partial<SummariseOptions> = {}) {
  const summariser = { name: "own", summarise };
  const limits = { maxSummaryChars: 200, maxKeyPoints: 3, maxKeyPointChars: 50 };
  return summariseOrFallBack({ summariser, text: "Bees dance.", spans: [], extractive, ...limits, ...more });
}

describe("summariseOrFallBack", () => {
  it("gives the summariser's words within the limits, and no warning", async () => {
    const result = await setUp(async () => ({ summary: "Insects.", keyPoints: ["a", "b", "c", "d"] }));
    expect(result).toEqual({
      summary: "Insects.",
      keyPoints: ["a", "b", "c"],
      usedSummariser: true,
      warnings: [],
    });
  });

  it.each([
    [new SummariserError("timeout", "secret"), "timeout"],
    [new SummariserError("circuit_open", "secret"), "circuit_open"],
    [new SummariserError("invalid_answer", "secret"), "invalid_answer"],
    [new Error("secret at https://host/path"), "failed"],
    ["secret", "failed"],
  ])("gives the extractive summary for %s, and only says why", async (thrown, reason) => {
    const result = await setUp(() => Promise.reject(thrown));
    expect(result).toMatchObject({ ...extractive, usedSummariser: false });
    expect(result.warnings).toEqual([
      {
        code: "FALLBACK_USED",
        severity: "info",
        message: expect.stringMatching(/: summary and key points are sentences of the document$/),
        context: { summariser: "own", reason },
      },
    ]);
    expect(JSON.stringify(result)).not.toContain("secret");
  });

  it("gives the extractive summary for an invalid answer, or a summariser that throws at once", async () => {
    const wrong = await setUp(async () => ({ summary: 7 }) as never);
    expect(wrong.warnings[0]?.context).toEqual({ summariser: "own", reason: "invalid_answer" });
    const thrown = await setUp(() => {
      throw new TypeError("secret");
    });
    expect(thrown.warnings[0]?.context).toEqual({ summariser: "own", reason: "failed" });
  });

  it("falls back while an endpoint fails, without a word of what it said", async () => {
    const stub = await startStubEndpoint();
    stub.answer = says('{"error":"secret"}', 500);
    const summariser = guardSummariser(openAiSummariser({ baseUrl: stub.baseUrl, model: "small" }));
    const reasons: unknown[] = [];
    for (let call = 0; call < 4; call++) {
      const { warnings } = await setUp(async () => extractive, { summariser });
      reasons.push(warnings[0]?.context?.["reason"]);
      expect(JSON.stringify(warnings)).not.toMatch(/secret|127\.0\.0\.1/);
    }
    await stub.close();
    expect(reasons).toEqual(["failed", "failed", "failed", "circuit_open"]);
  });

  it("shows the summariser the whole of a short text, and of a long one what it takes", async () => {
    const seen: SummariseRequest[] = [];
    const summarise: Summariser["summarise"] = async (request) => {
      seen.push(request);
      return extractive;
    };
    const text = `${"It begins here. ".repeat(100)}The point. ${"It goes on. ".repeat(100)}`;
    const start = text.indexOf("The point.");
    const spans = [{ start, end: start + 10, score: 1 }];
    await setUp(summarise, { text, spans, query: "point?" });
    await setUp(summarise, { text, spans, summariser: { name: "own", maxInputChars: 200, summarise } });
    expect(seen[0]).toMatchObject({ text, query: "point?", maxSummaryChars: 200 });
    expect(seen[1]?.text).toMatch(/^It begins here\..*It begins here\.\n\n\[…\]\n\nThe point\.$/s);
    expect(seen[1]?.text.length).toBeLessThanOrEqual(200);
  });

  it("rejects with the caller's reason when the caller gives up, before or meanwhile", async () => {
    const caller = new AbortController();
    const meanwhile = setUp(
      async () => {
        caller.abort("enough");
        throw new Error("stopped");
      },
      { signal: caller.signal },
    );
    await expect(meanwhile).rejects.toBe("enough");
    const before = setUp(async () => extractive, { signal: AbortSignal.abort("gone") });
    await expect(before).rejects.toBe("gone");
  });

  it("does not hide a programmer's mistake behind a fallback", async () => {
    const call = setUp(() => Promise.reject(new ContractError("INVALID_OPTION", "Wrong.")));
    await expect(call).rejects.toThrow("Wrong.");
  });
});
