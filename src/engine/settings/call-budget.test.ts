import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { loadCounter } from "../../core/tokens/token-counter.ts";
import { runTool } from "../../doors/testing/run-tool.ts";
import { limitFor, settleBudget } from "./call-budget.ts";
import type { ContractOptions } from "./contract-options.ts";
import { type ToolConfig, defineTool } from "./tool-definition.ts";

const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `Record number ${id}` }));

async function call(
  contract: ContractOptions,
  config: Partial<ToolConfig> = {},
  { asked, args = {} }: { readonly asked?: unknown; readonly args?: JsonObject } = {},
) {
  const tool = defineTool("list", { description: "Many", ...config } as never, () => ({ rows }));
  const meta = asked === undefined ? {} : { "waybill/contract": { budget_tokens: asked as never } };
  const { result, outcome } = await runTool(tool, args, { contract, meta });
  const [{ text = "" } = {}] = result["content"] as readonly { text?: string }[];
  const codes = (outcome.notes.warnings ?? []).map(({ code }) => code);
  return { tokens: (await loadCounter()).count(text), codes, outcome, bytes: Buffer.byteLength(text) };
}

describe("the budget of a call", () => {
  test("is 8,000 tokens by default", async () => {
    const { tokens, codes } = await call({});
    expect(tokens).toBeLessThanOrEqual(8_000);
    expect(tokens).toBeGreaterThan(7_000);
    expect(codes).toContain("CONTENT_TRUNCATED");
  });

  test("comes from the request before the tool, from the tool before the contract", async () => {
    const contract = { budget: { tokens: 4_000 } };
    expect((await call(contract)).tokens).toBeGreaterThan(3_400);
    const own = await call(contract, { budget: { tokens: 2_000 } });
    expect(own.tokens).toBeLessThanOrEqual(2_000);
    expect(own.tokens).toBeGreaterThan(1_500);
    const asked = await call(contract, { budget: { tokens: 2_000 } }, { asked: 1_000 });
    expect(asked.tokens).toBeLessThanOrEqual(1_000);
    expect(asked.tokens).toBeGreaterThan(600);
  });

  test("holds in bytes too", async () => {
    const { bytes } = await call({ budget: { tokens: "off", bytes: 3_000 } });
    expect(bytes).toBeLessThanOrEqual(3_000);
    expect(bytes).toBeGreaterThan(2_000);
  });

  test.each([1, 255])("of %d tokens is raised to the floor, with a warning", async (asked) => {
    for (const { tokens, outcome } of [
      await call({ budget: { tokens: asked } }),
      await call({}, {}, { asked }),
    ]) {
      expect(tokens).toBeLessThanOrEqual(256);
      const said = JSON.stringify(outcome.notes.warnings);
      expect(said.includes("TOKEN_BUDGET_FLOORED") || said.includes("omitted due to token limits")).toBe(
        true,
      );
      expect(outcome.ok).toBe(true);
    }
  });

  test("below the floor says so in full where there is room for it", async () => {
    const tool = defineTool("small", { description: "S" }, () => ({ answer: 42 }));
    const { outcome } = await runTool(tool, {}, { contract: { budget: { tokens: 1, bytes: 1 } } });
    expect(outcome.notes.warnings).toMatchObject([
      { code: "TOKEN_BUDGET_FLOORED", severity: "warning", context: { asked: 1, used: 256 } },
      { code: "TOKEN_BUDGET_FLOORED", context: { asked: 1, used: 1_024 } },
    ]);
  });

  test.each([0, -1, 1.5, "2000", "of", true, null, [], {}])(
    "asked for as %j is refused with a warning, and the server's own holds",
    async (asked) => {
      const { tokens, codes } = await call({ budget: { tokens: 2_000 } }, {}, { asked });
      expect(tokens).toBeLessThanOrEqual(2_000);
      expect(tokens).toBeGreaterThan(1_500);
      expect(codes.includes("BUDGET_NOT_ALLOWED")).toBe(asked !== null);
    },
  );

  test("is turned off by a request only where the server allows it", async () => {
    const refused = await call({ budget: { tokens: 2_000 } }, {}, { asked: "off" });
    expect(refused.codes).toContain("BUDGET_NOT_ALLOWED");
    expect(refused.tokens).toBeLessThanOrEqual(2_000);
    const allowed = await call(
      { budget: { tokens: 2_000 }, allow: { budgetOff: true } },
      {},
      { asked: "off" },
    );
    expect(allowed.outcome).toMatchObject({ ok: true, data: { rows } });
    expect(allowed.codes).toEqual([]);
  });

  test("is lowered to what the server allows a request to ask for", async () => {
    const { tokens, codes } = await call({ allow: { maxBudgetTokens: 3_000 } }, {}, { asked: 50_000 });
    expect(tokens).toBeLessThanOrEqual(3_000);
    expect(codes).toContain("BUDGET_NOT_ALLOWED");
  });

  test("is what the model asks for in `_waybill`, where the tool takes it", async () => {
    const config = { waybillArgument: true };
    const args = { _waybill: { budget_tokens: 700 } };
    expect((await call({}, config, { args })).tokens).toBeLessThanOrEqual(700);
    const { tokens, outcome } = await call({}, config, { args: { _waybill: { budget_tokens: "lots" } } });
    expect(tokens).toBeGreaterThan(7_000);
    expect(JSON.stringify(outcome.notes.warnings)).toContain("_waybill.budget_tokens is not understood");
  });
});

describe("settleBudget", () => {
  const wide = { tokens: 50_000, bytes: "off" } as const;

  test.each([
    ["codex-mcp-client", { tokens: 10_000, bytes: 39_936 }],
    ["Claude Code", { tokens: 25_000, bytes: "off", characters: 50_000 }],
    ["claude-code", { tokens: 25_000, bytes: "off", characters: 50_000 }],
    ["github-copilot-cli", { tokens: 50_000, bytes: 10_000 }],
    ["ChatGPT", wide],
    ["opencode", { tokens: 50_000, bytes: 51_200 }],
    ["@cline/core", { tokens: 50_000, bytes: "off", characters: 8_000 }],
    ["qwen-cli-mcp-client-lab", { tokens: 50_000, bytes: "off", characters: 24_488 }],
    ["gemini-cli-mcp-client", { tokens: 50_000, bytes: "off", characters: 40_000 }],
    ["somebody else", wide],
    [undefined, wide],
  ])("lays the limits of %s over the budget, in the client's own unit", (client, budget) => {
    expect(settleBudget(wide, limitFor(true, client))).toMatchObject(budget);
    expect(settleBudget(wide, limitFor(false, client))).toMatchObject(wide);
  });

  test("never raises a budget to a client's limit", () => {
    expect(settleBudget({ tokens: 2_000, bytes: 4_000 }, limitFor(true, "codex"))).toMatchObject({
      tokens: 2_000,
      bytes: 4_000,
    });
  });

  test("takes a table of one's own", () => {
    const own = [{ name: "Mine", match: /^mine/, tokens: 500, factor: 1, says: "cuts" }] as const;
    expect(settleBudget(wide, limitFor(own, "mine 2.0"))).toMatchObject({ tokens: 500 });
    const both = [{ ...own[0], factor: 2 }] as const;
    expect(settleBudget(wide, limitFor(both, "mine 2.0"))).toMatchObject({ tokens: 256 });
  });
});

describe("the setting `reader`", () => {
  test("names the client for a connection whose own name says nothing", async () => {
    const { bytes } = await call({ reader: "cline" });
    // Both channels, and the escapes of JSON in JSON, have 8,000 characters together.
    expect(bytes).toBeLessThanOrEqual(4_000);
    expect(bytes).toBeGreaterThan(2_500);
  });

  test("cuts and folds nothing for a program, unless its request asks for a budget", async () => {
    const { outcome, codes } = await call({ reader: "program", encoding: "table" });
    expect(outcome).toMatchObject({ ok: true, data: { rows } });
    expect(codes).toEqual([]);
    expect((await call({ reader: "program" }, {}, { asked: 500 })).tokens).toBeLessThanOrEqual(500);
  });
});
