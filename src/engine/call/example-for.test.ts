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

const numbered = Array.from({ length: 1_000 }, (_, id) => ({ id, name: `Row number ${id}` }));

/** The example in a cut's warning, and the data that was sent. */
async function cutOf(
  value: JsonValue,
  contract: ContractOptions = {},
): Promise<{ readonly or: JsonObject | undefined; readonly sent: JsonValue }> {
  const { hint, sent } = await runCut(value, contract);
  return { or: hint?.["or"] as JsonObject | undefined, sent };
}

/** The call that a cut's warning shows, and what it shows beside it. */
async function hintOf(...given: Parameters<typeof runCut>): Promise<JsonObject | undefined> {
  return (await runCut(...given)).hint;
}

async function runCut(
  value: JsonValue,
  contract: ContractOptions = {},
  config: object = {},
): Promise<{ readonly hint: JsonObject | undefined; readonly sent: JsonValue }> {
  const tool = defineTool("list", { description: "Lists", ...config }, () => value);
  const { outcome } = await runTool(tool, {}, { contract: { budget: { tokens: 2_000 }, ...contract } });
  expect(outcome.notes.fidelity?.level ?? "full").not.toBe("full");
  const hints = (outcome.notes.warnings ?? []).map(({ context }) => context?.["retrieve"]);
  return { hint: hints.find(isJsonObject), sent: outcome.ok ? outcome.data : null };
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
    ["a text", "Step fine.\n".repeat(9_000), {}],
    ["a text under a key", { id: 7, content: "Schritt für Schritt 😀.\n".repeat(9_000) }, {}],
    [
      "a word in a text",
      { content: `${"Step fine.\n".repeat(9_000)}ERROR here` },
      { grep: { pattern: "(?i)error" } },
    ],
  ] as const)("names the first lines that are missing: %s", async (_, value, example) => {
    const { or, sent } = await cutOf(value);
    const { content, result = content } = sent as { readonly content?: string; readonly result?: string };
    const text = result ?? "";
    const first = text.split("\n").length;
    expect(first).toBeGreaterThan(100);
    const lines = "grep" in example ? `${first}-` : `${first}-${first + 80}`;
    expect(or).toEqual({ archive: expect.any(String), ...example, lines });
  });

  it("asks a text that is not sent at all from its beginning", async () => {
    const { or } = await cutOf("All steps are fine today.\n".repeat(9_000), { fit: { strategy: "digest" } });
    expect(or).toMatchObject({ lines: "100-180" });
  });

  it.each([
    ["a list under a key", { rows: numbered, total: 1_000 }, "rows", ".[id, name]"],
    ["a list alone", numbered, "", ".[id, name]"],
    ["a list without records", { rows: numbered.map(({ name }) => name) }, "rows", ""],
  ] as const)("names the first items that are missing: %s", async (_, value, list, fields) => {
    const { or, sent } = await cutOf(value);
    const { rows, result = rows } = sent as { readonly rows?: JsonValue[]; readonly result?: JsonValue[] };
    const kept = result ?? [];
    expect(kept.length).toBeGreaterThan(10);
    expect(or?.["select"]).toBe(`${list}[${kept.length}:${kept.length + 10}]${fields}`);
  });

  it("asks for what is missing, not for a list that is sent whole", async () => {
    const value = { rows: numbered.slice(0, 3), notes: { long: "word ".repeat(20_000) } };
    expect((await cutOf(value)).or?.["select"]).toBe("notes.long");
  });

  it.each(["response-v2", "response-v1", "drf", "scalpel"] as const)(
    "names the call from 350 tokens on, and the archive under any budget: %s",
    async (dialect) => {
      const tool = defineTool("list", { description: "Lists" }, () => ({ rows: numbered }));
      const named = async (tokens: number): Promise<unknown> => {
        const contract = { dialect, profile: "standard", budget: { tokens } } as const;
        const { notes } = (await runTool(tool, {}, { contract })).outcome;
        expect(Object.keys(notes.fidelity?.archives ?? {})).toHaveLength(1);
        const [said] = (notes.warnings ?? []).map(({ context }) => context?.["retrieve"]);
        return isJsonObject(said) ? said["tool"] : undefined;
      };
      expect(await Promise.all([256, 300].map(named))).toHaveLength(2);
      expect(await Promise.all([350, 500].map(named))).toEqual(["waybill_retrieve", "waybill_retrieve"]);
    },
  );

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
