import { describe, expect, it } from "vitest";
import { createContract, stateOf } from "../../doors/server/create-contract.ts";
import { runTool } from "../../doors/testing/run-tool.ts";
import { guardedStore } from "../archive/guarded-store.ts";
import { memoryStore } from "../archive/memory-store.ts";
import { postgresStore } from "../archive/postgres/postgres-store.ts";
import type { ContractOptions } from "../settings/contract-options.ts";
import { resolveConfig } from "../settings/resolve-config.ts";
import { type ToolConfig, type ToolOptions, defineTool } from "../settings/tool-definition.ts";

const HOUR_MS = 3_600_000;
const tasks = Array.from({ length: 400 }, (_, id) => ({ id, title: `Task ${id}`, note: null, tags: [] }));

/** Runs a tool whose result is far too long; gives its warnings and what the store has then. */
async function run(config: Partial<ToolConfig>, contract: ContractOptions = {}, args: object = {}) {
  const store = memoryStore();
  const tool = defineTool("tasks", { description: "Lists tasks", ...config } as never, async (_args, ctx) => {
    await ctx.archive("page", "the page as it came", "text/plain");
    return { tasks };
  });
  const options = { budget: { tokens: 1_000 }, ...contract, store };
  const { outcome } = await runTool(tool, args as never, { contract: options });
  const kept = [];
  for await (const entry of store.list()) kept.push(entry);
  return { kept, codes: (outcome.notes.warnings ?? []).map(({ code }) => code), outcome };
}

describe("what is kept", () => {
  it("by default is what a cut, lean and a question leave out, and what the tool archives itself", async () => {
    const { kept, codes } = await run({});
    expect(kept).toHaveLength(2);
    expect(codes).toContain("CONTENT_TRUNCATED");
    expect(codes).not.toContain("CONTENT_DROPPED");
    expect((await run({}, { lean: true })).kept).toHaveLength(2);
    const asked = await run({}, { select: true }, { _waybill_select: "nothing" });
    expect(asked.kept).toHaveLength(2);
  });

  it.each<[string, Partial<ToolConfig>, ContractOptions, object]>([
    ["a cut", { archive: "off" }, {}, {}],
    ["a cut, by the contract", {}, { archive: "off" }, {}],
    ["a lean result", { archive: "off" }, { lean: true }, {}],
    ["a result that is asked", { archive: "off" }, { select: true }, { _waybill_select: "nothing" }],
  ])('with archive "off" is nothing of %s', async (_what, config, contract, args) => {
    const { kept, codes } = await run(config, contract, args);
    expect(kept).toEqual([]);
    expect(codes).toContain("CONTENT_DROPPED");
  });

  it("is decided by a file for one tool", async () => {
    const text = JSON.stringify({ archive: "off", tools: { tasks: { archive: "cuts" } } });
    const config = resolveConfig({ waybill: { file: "w.json", text } });
    expect((await run({}, { config })).kept).toHaveLength(2);
  });

  it("lives as long as the tool says, and never longer than the settings say", async () => {
    const lives = async (config: ToolOptions, environment: Record<string, string> = {}) => {
      const { kept } = await run(config, { config: resolveConfig({ environment }) });
      return kept.map(({ storedAtMs, expiresAtMs }) => expiresAtMs - storedAtMs);
    };
    const short = { store: { ttl: "1h" } } as const;
    expect(await lives(short)).toEqual([HOUR_MS, HOUR_MS]);
    expect(await lives({ store: { ttl: "30d" } })).toEqual([168 * HOUR_MS, 168 * HOUR_MS]);
    expect(await lives(short, { WAYBILL_STORE_TTL: "30m" })).toEqual([HOUR_MS / 2, HOUR_MS / 2]);
    expect(await lives({}, { WAYBILL_STORE_TTL: "2h" })).toEqual([2 * HOUR_MS, 2 * HOUR_MS]);
  });
});

describe("the retrieval tool", () => {
  const isOn = (options: ContractOptions): boolean => stateOf(createContract(options)).archive.isOn;

  it("has nothing to give back if nothing of any tool is kept", () => {
    expect(isOn({})).toBe(true);
    expect(isOn({ archive: "off" })).toBe(false);
    expect(isOn({ archive: "off", toolSettings: { tasks: { archive: "cuts" } } })).toBe(true);
    expect(isOn({ toolSettings: { tasks: { archive: "off" } } })).toBe(true);
  });
});

describe("a store on another machine without TLS", () => {
  const open = "postgres://ada:hunter2@db.invalid/archive";

  function said(...stores: readonly ContractOptions[]): readonly object[] {
    const events: object[] = [];
    const note = (fields: object, event: string): void => void events.push({ ...fields, event });
    for (const options of stores)
      createContract({ ...options, logger: { info: note, warn: note, error: note } });
    return events;
  }

  it("is named in the log when the contract is made, without its password", () => {
    const place = { event: "store-unencrypted", store: "postgres://db.invalid:5432/archive" };
    expect(said({ store: open })).toEqual([expect.objectContaining(place)]);
    expect(JSON.stringify(said({ store: open }))).not.toContain("hunter2");
    const store = guardedStore(postgresStore(open));
    expect(said({ store }, { store })).toEqual([expect.objectContaining(place)]);
  });

  it("is not named where the address says that it is meant, or nothing is kept", () => {
    const connect = (): never => {
      throw new Error("Not used.");
    };
    expect(
      said(
        { store: `${open}?sslmode=disable` },
        { store: `${open}?sslmode=verify-full` },
        { store: "postgres://127.0.0.1/archive" },
        { store: postgresStore(open, { connect }) },
        { store: open, archive: "off" },
      ),
    ).toEqual([]);
  });
});
