import { describe, expect, it } from "vitest";
import { defaultSettings } from "../config/default-settings.ts";
import { runTool } from "../testing/run-tool.ts";
import { createContract } from "./create-contract.ts";
import { defineTool } from "./tool-definition.ts";

describe("createContract", () => {
  it.each([
    [{ dialect: "scalpl" }, /Unknown dialect "scalpl"/],
    [{ allow: { dialects: ["drff"] } }, /Unknown dialect "drff"/],
    [{ dialct: "drf" }, /no option "dialct". Did you mean "dialect"/],
    [{ delivery: "pigeon" }, /Unknown delivery "pigeon"/],
    [{ encoding: "csv" }, /Unknown encoding "csv": choose one of json, table/],
  ])("refuses %j", (options, message) => {
    expect(() => createContract(options as never)).toThrow(message);
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
