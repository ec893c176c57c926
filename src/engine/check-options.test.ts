import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { defaultSettings } from "../config/settings.ts";
import { ContractError } from "../contract/contract-error.ts";
import { runTool } from "../testing/run-tool.ts";
import { createContract, withContract } from "../server/create-contract.ts";
import { defineTool } from "./tool-definition.ts";

describe("createContract", () => {
  it.each([
    [{ dialect: "scalpl" }, /Unknown dialect "scalpl"/],
    [{ allow: { dialects: ["drff"] } }, /Unknown dialect "drff"/],
    [{ dialct: "drf" }, /no option "dialct". Did you mean "dialect"/],
    [{ delivery: "pigeon" }, /Unknown delivery "pigeon"/],
    [{ budget: 8000 }, /budget is 8000: give \{ tokens, bytes \}/],
    [{ budget: null }, /budget is null/],
    [{ fit: { strategy: "tail" } }, /fit.strategy is "tail": choose one of head, relevance/],
    [{ fit: { maxBlobBytes: -1 } }, /fit.maxBlobBytes is -1: give a whole number of bytes/],
    [{ fit: { withoutEnvelope: true } }, /fit.withoutEnvelope is true: choose one of auto, always, never/],
    [
      { fit: { counter: "p50k_base" } },
      /fit.counter is not a counter: give one of o200k_base, cl100k_base, or an object/,
    ],
    [{ fit: { counter: null } }, /fit.counter is not a counter/],
    [{ fit: { counter: { encoding: "x", count: async () => 3 } } }, /fit.counter does not give a number/],
    [{ fit: { counter: { encoding: "x", count: () => Number.NaN } } }, /fit.counter does not give a number/],
    [{ fit: { strategi: "head" } }, /fit has no "strategi". Did you mean "strategy"\?/],
    [{ budget: { token: 2000 } }, /budget has no "token". Did you mean "tokens"\?/],
    [{ store: 5 }, /store is not a store: give memoryStore\(\)/],
    [{ store: {} }, /store is not a store/],
    [{ store: "" }, /The store is not named/],
    [{ store: "http://x" }, /The store "http:" is unknown/],
    [{ encoding: "csv" }, /Unknown encoding "csv": choose one of json, table/],
  ])("refuses %j", (options, message) => {
    expect(() => createContract(options as never)).toThrow(message);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 1.5, 2 ** 60, "8000", "of", null, true, {}, []])(
    "refuses a budget of %o in tokens or bytes, wherever it is given",
    (limit) => {
      const tool = { description: "T" };
      const run = (): object => ({});
      for (const unit of ["tokens", "bytes"]) {
        const budget = { [unit]: limit } as never;
        const refused = expect.objectContaining({
          code: "INVALID_OPTION",
          message: expect.stringMatching(
            new RegExp(`budget\\.${unit} is .*: give a whole number of ${unit}`),
          ),
        }) as Error;
        expect(() => createContract({ budget })).toThrow(refused);
        expect(() => defineTool("t", { ...tool, budget }, run)).toThrow(refused);
        const server = withContract(new McpServer({ name: "t", version: "1.0.0" }));
        expect(() => server.registerTool("t", { ...tool, budget }, run)).toThrow(refused);
      }
    },
  );

  it.each([1, 256, 8_000, "off", undefined])("takes a budget of %s", (limit) => {
    const budget = { tokens: limit, bytes: limit } as never;
    expect(createContract({ budget }).options.budget).toBe(budget);
    expect(defineTool("t", { description: "T", budget }, () => ({})).config.budget).toBe(budget);
  });

  it("says whose budget it refuses", () => {
    const make = (): unknown =>
      defineTool("big_list", { description: "T", budget: { tokens: Number.NaN } }, () => ({}));
    expect(make).toThrow(ContractError);
    expect(make).toThrow(/^big_list: budget.tokens is NaN/);
  });

  it("answers with an envelope where settings made by hand cannot be read", async () => {
    const tool = defineTool("t", { description: "T" }, () => ({ secret: 1 }));
    const override = {
      includeOnly: ["tasks[0.id"],
      exclude: [],
      includeOnError: [],
      excludeWhenTier: {},
      budget: {},
    };
    const config = { ...defaultSettings, tools: { t: override } };
    const { result, outcome } = await runTool(tool, {}, { contract: { config } });
    expect(outcome).toMatchObject({ ok: false, fault: { code: "INTERNAL_ERROR" } });
    expect(JSON.stringify(result)).not.toContain("tasks[0");
  });
});
