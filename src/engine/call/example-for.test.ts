import { describe, expect, it } from "vitest";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { openQuestions } from "../retrieve/question/open-questions.ts";
import { runTool } from "../../doors/testing/run-tool.ts";
import type { ContractOptions } from "../settings/contract-options.ts";
import { defineTool } from "../settings/tool-definition.ts";

const records = Array.from({ length: 1_000 }, (_, at) => ({
  id: `r-${at}`,
  state: at % 3 === 0 ? "late" : "fine",
  note: `Record number ${at}`,
}));

/** The call that a cut's warning shows, and what it shows beside it. */
async function hintOf(
  value: JsonValue,
  contract: ContractOptions = {},
  config: object = {},
): Promise<JsonObject | undefined> {
  const tool = defineTool("list", { description: "Lists", ...config }, () => value);
  const { outcome } = await runTool(tool, {}, { contract: { budget: { tokens: 2_000 }, ...contract } });
  expect(outcome.notes.fidelity?.level ?? "full").not.toBe("full");
  const hints = (outcome.notes.warnings ?? []).map(({ context }) => context?.["retrieve"]);
  return hints.find(isJsonObject);
}

async function answerTo(hint: JsonObject | undefined, value: JsonValue): Promise<JsonValue | undefined> {
  const { select } = (hint?.["or"] ?? {}) as { readonly select?: string };
  expect(select).toEqual(expect.any(String));
  const questions = await openQuestions();
  return (await questions?.ask({ value }, select ?? ""))?.value;
}

describe("the warning of a cut", () => {
  it.each([
    ["a list under a key", { records, total: 1_000 }, {}],
    ["a list alone", records, {}],
    ["a list written as a table", { records }, { encoding: "table" }],
  ] as const)("shows a question that its own data answers: %s", async (_, value, config) => {
    const hint = await hintOf(value, {}, config);
    expect(hint).toMatchObject({
      tool: "waybill_retrieve",
      or: { archive: ((hint?.["arguments"] ?? {}) as JsonObject)["archive"] },
    });
    expect(await answerTo(hint, value)).not.toBeNull();
  });

  it("shows it under auto too, where the profile is minimal", async () => {
    const hint = await hintOf({ records }, { dialect: "auto" });
    expect(await answerTo(hint, { records })).not.toBeNull();
  });

  it.each([
    ["by lines", "Step fine.\n".repeat(9_000), { lines: "100-180" }],
    ["for a word", { content: `${"Step fine.\n".repeat(9_000)}ERROR here` }, { grep: "(?i)error" }],
  ] as const)("shows how to look into a text: %s", async (_, value, example) => {
    const hint = await hintOf(value);
    expect(hint?.["or"]).toEqual({ archive: expect.any(String), ...example });
  });

  it.each([
    ["of a text in one line", "word ".repeat(20_000), {}],
    ["where the budget is small", { records }, { budget: { tokens: 400 } }],
    ["where nothing is kept", { records }, { store: false }],
    ["of keys that are no words", { [`k${"x".repeat(500)}`]: records }, {}],
  ] as const)("shows none %s", async (_, value, contract) => {
    const hint = await hintOf(value, contract);
    expect(hint?.["or"]).toBeUndefined();
  });
});
