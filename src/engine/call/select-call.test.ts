import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createContract, stateOf } from "../../doors/server/create-contract.ts";
import { isJsonObject, type JsonObject } from "../../core/json/json-value.ts";
import { faults } from "../../core/contract/faults.ts";
import type { Outcome } from "../../core/contract/outcome.ts";
import { type RunToolOptions, runTool } from "../../doors/testing/run-tool.ts";
import type { ContractOptions } from "../settings/contract-options.ts";
import { retrieveTool } from "./retrieve-tool.ts";
import type { ToolContext } from "../settings/tool-context.ts";
import { type ToolConfig, defineTool } from "../settings/tool-definition.ts";

const issues = Array.from({ length: 300 }, (_, id) => ({
  id,
  title: `Issue number ${id} about the parser`,
  state: id % 3 === 0 ? "open" : "closed",
}));
const outputSchema = z.object({
  issues: z.array(z.object({ id: z.number(), title: z.string(), state: z.string() })),
});

type Handler = (args: unknown, context: ToolContext<never, true>) => unknown;

/** A tool that counts its runs. */
function counted(handler: Handler, config: Partial<ToolConfig> = {}) {
  const seen: unknown[] = [];
  const tool = defineTool(
    "list_issues",
    { description: "Lists issues", ...(config as Omit<ToolConfig<undefined, undefined>, "errors">) },
    (args: unknown, context: ToolContext<never, true>) => {
      seen.push(args);
      return handler(args, context);
    },
  );
  return { tool, seen };
}

async function askedOf(
  handler: Handler,
  select: unknown,
  contract: ContractOptions = {},
  config: Partial<ToolConfig> = {},
) {
  const { tool, seen } = counted(handler, config);
  const args = { _waybill_select: select } as JsonObject;
  const run = await runTool(tool, args, { contract: { select: true, ...contract } });
  return { ...run, seen };
}

function warningsOf({ notes }: Outcome): readonly (string | undefined)[] {
  return (notes.warnings ?? []).map(({ code }) => code);
}

const list: Handler = () => ({ issues });
const open = "issues[?state=='open'] | length(@)";

describe("a call with _waybill_select", () => {
  it("gets the answer in the place of the data", async () => {
    const { outcome, seen } = await askedOf(list, "issues[:2].{id: id, state: state}");
    expect(outcome).toMatchObject({
      ok: true,
      data: {
        result: [
          { id: 0, state: "open" },
          { id: 1, state: "closed" },
        ],
      },
    });
    expect(seen).toEqual([{}]);
  });

  it.each([
    ["response-v2", { selected: 100 }],
    ["response-v2-draft", { selected: 100 }],
    ["response-v1", { selected: 100 }],
    ["scalpel", { selected: 100 }],
    ["drf", { selected: 100 }],
    ["plain", { selected: 100 }],
    ["auto", { selected: 100 }],
  ] as const)("gets it under `selected` in %s where the tool has an output schema", async (dialect, data) => {
    // Every result is held against the contract and against the schema that the list shows.
    const { outcome } = await askedOf(list, open, { dialect }, { outputSchema });
    expect(outcome).toMatchObject({ ok: true, data });
  });

  it("gets nothing but the answer: no budget is needed for what was not asked", async () => {
    const { result, outcome } = await askedOf(list, open, { budget: { tokens: 256 }, profile: "minimal" });
    expect(outcome.notes.fidelity).toBeUndefined();
    expect(JSON.stringify(result["structuredContent"])).toBe(
      '{"success":true,"data":{"result":100},"error":null,"meta":{"version":"response-v2"}}',
    );
  });

  it.each([undefined, null, "", "  "])(
    "asks nothing with %j, and the tool does not see it",
    async (select) => {
      const inputSchema = z.strictObject({});
      const { outcome, seen } = await askedOf(() => ({ a: 1 }), select, {}, { inputSchema });
      expect(outcome).toMatchObject({ ok: true, data: { a: 1 } });
      expect(warningsOf(outcome)).toEqual([]);
      expect(seen).toEqual([{}]);
    },
  );

  it.each([
    ["that is wrong", "issues[?"],
    ["that is no text", { path: "issues" }],
    ["that is longer than any question", `a${".a".repeat(500_000)}`],
  ])("is refused before the tool runs for a question %s", async (_, select) => {
    const { outcome, seen } = await askedOf(list, select);
    expect(outcome).toMatchObject({ ok: false, fault: { code: "INVALID_FORMAT", type: "validation" } });
    expect(warningsOf(outcome)).toEqual([]);
    expect(seen).toEqual([]);
  });

  it("gets the whole result, and why, where the question cannot be answered", async () => {
    const { outcome, seen } = await askedOf(() => ({ a: 1 }), "sum(a)", {}, {});
    expect(outcome).toMatchObject({ ok: true, data: { a: 1 } });
    expect(warningsOf(outcome)).toEqual(["SELECT_FAILED"]);
    expect(outcome.notes.warnings?.[0]?.message).toContain("this is the whole result");
    expect(seen).toHaveLength(1);
  });

  it("gets the whole result as far as the budget goes, where that is over it", async () => {
    const { outcome } = await askedOf(list, "sum(issues)", { budget: { tokens: 600 } }, { outputSchema });
    expect(outcome.notes.fidelity?.level).toBe("partial");
    expect(warningsOf(outcome)).toEqual(expect.arrayContaining(["SELECT_FAILED", "CONTENT_TRUNCATED"]));
  });

  it("shows an answer of null as one, and keeps the whole, which can be asked again", async () => {
    const contract = createContract({ select: true, logLevel: "silent" });
    const { tool, seen } = counted(list, { outputSchema });
    // The list is not the root.
    const { outcome } = await runTool(tool, { _waybill_select: "[].title" }, { contract });
    expect(outcome).toMatchObject({
      ok: true,
      data: { selected: null },
      notes: { fidelity: { level: "full" } },
    });
    const said = outcome.notes.warnings?.[0]?.message ?? "";
    const again =
      /^The answer is null\. The whole result is kept: ask it again with waybill_retrieve (\{.*\})$/;
    const args = JSON.parse(again.exec(said)?.[1] ?? "{}") as JsonObject;
    const { outcome: asked } = await runTool(retrieveTool(stateOf(contract)), args, { contract });
    expect(asked).toMatchObject({ ok: true, data: { verified: true, selected: { open: 100, closed: 200 } } });
    expect(seen).toHaveLength(1);
  });

  it.each([
    ["issues[?state=='Open'].title", []],
    ["length(issues[?state=='Open'])", 0],
    ["count_by(issues[?state=='Open'], &state)", {}],
    ["contains(issues[*].state, 'Open')", false],
    ["join('', issues[?state=='Open'].title)", ""],
  ])("keeps the whole beside an empty answer: %s", async (select, answer) => {
    const contract = createContract({ select: true, logLevel: "silent" });
    const { tool, seen } = counted(list, { outputSchema });
    const { outcome } = await runTool(tool, { _waybill_select: select }, { contract });
    expect(outcome).toMatchObject({ ok: true, data: { selected: answer } });
    const said = outcome.notes.warnings?.[0]?.message ?? "";
    const call = /The whole result is kept: ask it again with waybill_retrieve (\{.*\})$/.exec(said)?.[1];
    const { archive = null } = JSON.parse(call ?? "{}") as JsonObject;
    const args = { archive, select: "length(issues[?state=='open'])" };
    const { outcome: asked } = await runTool(retrieveTool(stateOf(contract)), args, { contract });
    expect(asked).toMatchObject({ ok: true, data: { verified: true, selected: 100 } });
    expect(seen).toHaveLength(1);
  });

  it("gives an empty answer alone where nothing is kept", async () => {
    const { outcome } = await askedOf(list, "length(issues[?state=='Open'])", { store: false });
    expect(outcome).toMatchObject({ ok: true, data: { result: 0 } });
    expect(warningsOf(outcome)).toEqual([]);
  });

  it.each([
    ["without a budget", { budget: { tokens: "off" } }],
    ["without a store", { store: false }],
  ] as const)("gets the whole with an answer of null %s", async (_, more) => {
    const { outcome } = await askedOf(() => ({ owner: null }), "owner", more);
    expect(outcome).toMatchObject({ ok: true, data: { owner: null } });
    expect(warningsOf(outcome)).toEqual(["SELECT_FAILED"]);
  });

  it.each([
    ["names a key that is not there", list, "isues[].title", "did you mean issues"],
    ["looks for keys in a text", () => "All is well.", "issues[0]", "It is a text"],
  ] as const)("gets the whole result where it %s", async (_, handler, select, says) => {
    const { outcome, seen } = await askedOf(handler, select);
    expect(outcome.ok).toBe(true);
    expect(warningsOf(outcome)).toContain("SELECT_FAILED");
    expect(outcome.notes.warnings?.[0]?.message).toContain(says);
    expect(seen).toHaveLength(1);
  });

  it.each([
    ["records", { issues }, "isues[].title", { selected: issues.map(({ title }) => title) }],
    ["a text", "All is well.\nOne error was mended.\n", "issues[0]", { matched: 1 }],
    ["a file", { content: "first\nsecond\nthird" }, "length(items)", { total_lines: 3 }],
  ] as const)(
    "is told how %s can be asked again without running the tool",
    async (_, value, select, data) => {
      const contract = createContract({ select: true, logLevel: "silent", budget: { tokens: 20_000 } });
      const { tool, seen } = counted(() => value);
      const { outcome } = await runTool(tool, { _waybill_select: select }, { contract });
      expect(warningsOf(outcome)).toEqual(["SELECT_FAILED"]);
      const said = outcome.notes.warnings?.[0]?.message ?? "";
      expect(said).not.toContain("Correct it");
      const call = /The tool has run and need not run again: ask with waybill_retrieve (\{.*\})$/.exec(said);
      const args = JSON.parse(call?.[1] ?? "{}") as JsonObject;
      const asked = await runTool(retrieveTool(stateOf(contract)), args, { contract });
      expect(asked.outcome).toMatchObject({ ok: true, data: { verified: true, ...data } });
      expect(seen).toHaveLength(1);
    },
  );

  it("is told of a question that fits, and of no second run, where nothing is kept", async () => {
    const { outcome } = await askedOf(list, "isues[].title", { store: false, budget: { tokens: "off" } });
    expect(outcome.notes.warnings?.[0]?.message).toMatch(/A question that fits: issues\[\]\.title$/);
    expect(outcome.notes.warnings?.[0]?.message).not.toContain("ask again");
  });

  it("is told the code of a failed question under auto too, where the profile is minimal", async () => {
    const { outcome, result } = await askedOf(list, "nope.x", { dialect: "auto" });
    expect(warningsOf(outcome)).toContain("SELECT_FAILED");
    expect(JSON.stringify(result)).toContain("SELECT_FAILED");
  });

  it("is told of a key in a condition that no record has", async () => {
    const { outcome } = await askedOf(list, "issues[?sate=='open'].id");
    expect(outcome).toMatchObject({ ok: true, data: { result: [] } });
    expect(outcome.notes.warnings?.[0]?.message).toContain("did you mean state");
  });

  it("keeps a failure as it is", async () => {
    const fail: Handler = () => {
      throw faults.notFound("project", "p1");
    };
    const { outcome } = await askedOf(fail, open);
    expect(outcome).toMatchObject({ ok: false, fault: { code: "NOT_FOUND" } });
    expect(warningsOf(outcome)).toEqual(["SELECT_FAILED"]);
  });

  it("keeps an image as it is", async () => {
    const image = { type: "image", data: "aGk=", mimeType: "image/png" };
    const { result, outcome } = await askedOf(() => ({ content: [image] }), "length(@)");
    expect(result["content"]).toEqual(expect.arrayContaining([image]));
    expect(warningsOf(outcome)).toEqual(["SELECT_FAILED"]);
  });

  it("keeps images beside an answer, but no text that may say everything again", async () => {
    const image = { type: "image", data: "aGk=", mimeType: "image/png" };
    const text = { type: "text", text: "All issues in words" };
    const { result } = await askedOf(() => ({ content: [image, text], structuredContent: { issues } }), open);
    expect(result["content"]).toEqual([expect.objectContaining({ type: "text" }), image]);
    expect(JSON.stringify(result)).not.toContain("in words");
  });

  it("cuts an answer over the budget, and keeps all of the answer", async () => {
    const contract = createContract({ select: true, budget: { tokens: 500 }, logLevel: "silent" });
    const { tool } = counted(list, { outputSchema });
    const question = { _waybill_select: "issues[].title" };
    const { outcome } = await runTool(tool, question, { contract });
    const { fidelity } = outcome.notes;
    expect(fidelity?.level).toBe("partial");
    expect(fidelity?.dropped[0]).toMatch(/^\/selected\/\d+\.\.299$/);
    const shown = outcome.ok && isJsonObject(outcome.data) ? outcome.data["selected"] : [];
    expect((shown as string[])[0]).toBe(issues[0]?.title);
  });

  it("looks at what is left after filters and masks", async () => {
    const leaky: Handler = () => ({ issues: [{ id: 1, token: "ghp_abcdefghijklmnopqrstuvwxyz0123456789" }] });
    const filtered = await askedOf(leaky, "issues[0]", {}, { exclude: ["issues[*].token"] });
    expect(filtered.outcome).toMatchObject({ data: { id: 1 } });
    expect(JSON.stringify(filtered.result)).not.toContain("token");
    const masked = await askedOf(leaky, "issues[0].token", { redact: { successes: true } });
    expect(JSON.stringify(masked.result)).not.toContain("ghp_");
  });

  it("writes an answer as a table where results come so", async () => {
    const { outcome, result } = await askedOf(list, "issues[:20]", { encoding: "table" });
    expect(outcome.ok).toBe(true);
    expect(JSON.stringify(result).length).toBeLessThan(JSON.stringify(issues.slice(0, 20)).length * 2);
    expect(JSON.stringify(result)).not.toContain('"id":3');
  });

  it("answers about the page that the tool gave, and keeps its cursor", async () => {
    const page: Handler = (_, context) =>
      context.page({
        path: "issues",
        key: (item) => (item as { id: number }).id,
        fetch: ({ after, limit }) => issues.filter(({ id }) => id > (after ?? -1)).slice(0, limit),
      });
    const contract = { budget: { tokens: 300 }, cursorKeys: "k".repeat(32), profile: "minimal" };
    const { outcome } = await askedOf(page, "{issues: issues[].[title, title]}", contract, { paging: true });
    expect(outcome.notes.pagination).toMatchObject({ has_more: true });
    // The page is not made shorter: its items are not those of the answer.
    expect(outcome.notes.fidelity?.level).toBe("partial");
  });
});

describe("where it is taken", () => {
  it("is nowhere by default: the argument is the tool's", async () => {
    const { tool, seen } = counted(list);
    await runTool(tool, { _waybill_select: "x" }, {});
    expect(seen).toEqual([{ _waybill_select: "x" }]);
  });

  it("is a tool that says so", async () => {
    const { tool } = counted(list, { select: true });
    const { outcome } = await runTool(tool, { _waybill_select: open }, {});
    expect(outcome).toMatchObject({ data: { result: 100 } });
  });

  it("is not a tool with an argument of that name, or with an envelope of its own", async () => {
    const inputSchema = z.object({ _waybill_select: z.string() });
    const own = await askedOf((said) => ({ said }), "x", {}, { inputSchema });
    expect(own.outcome).toMatchObject({ data: { said: { _waybill_select: "x" } } });
    const envelope = z.object({
      success: z.boolean(),
      data: z.object({ a: z.number() }),
      error: z.null(),
      meta: z.looseObject({ version: z.string() }),
    });
    const sent = { success: true, data: { a: 1 }, error: null, meta: { version: "response-v2" } };
    const { outcome } = await askedOf(() => sent, "a", {}, { outputSchema: envelope });
    expect(outcome).toMatchObject({ ok: true, data: { a: 1 } });
  });

  it("is `select` in `_waybill` where that is on", async () => {
    const { tool, seen } = counted(list);
    const contract: RunToolOptions["contract"] = { select: true, waybillArgument: true };
    const asked = await runTool(tool, { _waybill: { select: open } }, { contract });
    expect(asked.outcome).toMatchObject({ data: { result: 100 } });
    const silent = await runTool(tool, { _waybill: { select: " " } }, { contract });
    expect(warningsOf(silent.outcome)).not.toContain("SELECT_FAILED");
    const off = await runTool(tool, { _waybill: { select: open } }, { contract: { waybillArgument: true } });
    expect(off.outcome.notes.warnings?.map(({ message }) => message)).toContain(
      "_waybill.select is not understood and was ignored",
    );
    expect(seen).toEqual([{}, {}, {}]);
  });
});

describe("a question under another name", () => {
  it.each([{ waybill_select: open }, { select: open }, { _waybill: { select: open } }])(
    "is told the right one: %j",
    async (args) => {
      const { tool } = counted(list, { inputSchema: z.object({ page: z.number().optional() }) });
      const { outcome } = await runTool(tool, args, { contract: { select: true } });
      expect(outcome).toMatchObject({ ok: true, data: { issues: expect.any(Array) } });
      expect(outcome.notes.warnings).toContainEqual(
        expect.objectContaining({
          code: "SELECT_FAILED",
          message: expect.stringContaining("A question is asked with _waybill_select"),
        }),
      );
    },
  );

  it("is left alone where the tool has such an argument, or takes no questions", async () => {
    const { tool } = counted(() => ({ a: 1 }), { inputSchema: z.object({ select: z.string() }) });
    const named = await runTool(tool, { select: "a" }, { contract: { select: true } });
    expect(warningsOf(named.outcome)).toEqual([]);
    const { tool: other } = counted(() => ({ a: 1 }));
    expect(warningsOf((await runTool(other, { select: "a" }, {})).outcome)).toEqual([]);
  });
});

describe("a repeated call with another question", () => {
  it("is answered from the kept result: the tool has run once", async () => {
    const contract = createContract({ select: true, logLevel: "silent" });
    const { tool, seen } = counted(list, { cache: { ttlMs: 60_000 } });
    const ask = async (select: string): Promise<Outcome> =>
      (await runTool(tool, { _waybill_select: select }, { contract })).outcome;
    expect(await ask(open)).toMatchObject({ data: { result: 100 } });
    expect(await ask("length(issues)")).toMatchObject({ data: { result: 300 } });
    expect(seen).toHaveLength(1);
  });

  it("and one idempotency key runs the tool once too", async () => {
    const contract = createContract({ select: true, logLevel: "silent" });
    const { tool, seen } = counted(list);
    const meta = { "waybill/idempotency_key": "k1" };
    const ask = async (select: string): Promise<Outcome> =>
      (await runTool(tool, { _waybill_select: select }, { contract, meta })).outcome;
    expect(await ask("issues[")).toMatchObject({ ok: false, fault: { code: "INVALID_FORMAT" } });
    expect(await ask(open)).toMatchObject({ data: { result: 100 } });
    expect(await ask("issues[0].id")).toMatchObject({ data: { result: 0 } });
    expect(seen).toHaveLength(1);
  });
});
