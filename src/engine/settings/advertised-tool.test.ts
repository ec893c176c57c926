import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { resolveConfig, type LoadedConfig } from "./resolve-config.ts";
import type { ConfigWatch } from "./watch-config.ts";
import { defineFlags } from "./flags-and-tiers/define-flags.ts";
import { createContract } from "../../doors/server/create-contract.ts";
import type { ContractOptions } from "./contract-options.ts";
import { defineTool } from "./tool-definition.ts";

const load = (config: object): LoadedConfig => ({
  ...resolveConfig({ waybill: { file: "w.json", text: JSON.stringify(config) } }),
  files: [],
});

/** A watch whose edits a test makes by hand. */
class EditedConfig implements ConfigWatch {
  current: LoadedConfig;
  readonly #listeners = new Set<(config: LoadedConfig) => void>();

  constructor(config: object) {
    this.current = load(config);
  }

  edit(config: object): void {
    this.current = load(config);
    for (const listener of this.#listeners) listener(this.current);
  }

  onChange(listener: (config: LoadedConfig) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onProblem(): () => void {
    return () => {};
  }

  async close(): Promise<void> {}
}

const rows = Array.from({ length: 12 }, (_, id) => ({ id, name: `row ${id}`, extra: null }));
const outputSchema = z.object({
  rows: z.array(z.object({ id: z.number(), name: z.string(), extra: z.null().optional() })),
});
const promised = defineTool("promised", { description: "With a schema", outputSchema }, () => ({ rows }));
const free = defineTool("free", { description: "No schema is listed", delivery: "text" }, () => ({ rows }));

async function serve(config: object, options: ContractOptions = {}) {
  const edited = new EditedConfig(config);
  const waiting: unknown[] = [];
  const ignore = () => {};
  const hints: unknown[] = [];
  const warn = (fields: { readonly tools?: object; readonly hint?: string }, event: string) => {
    if (event !== "config-waits-for-restart") return;
    hints.push(fields.hint);
    // The retrieval tool has a schema of its own, and waits like any other.
    waiting.push(...Object.entries(fields.tools ?? {}).filter(([tool]) => tool !== "waybill_retrieve"));
  };
  const logger = { debug: ignore, info: ignore, warn, error: ignore };
  const contract = createContract({ config: edited, logger, ...options });
  const server = contract.server(new McpServer({ name: "t", version: "1.0.0" })).add(promised, free);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "c", version: "1" });
  await Promise.all([server.connect(far), client.connect(near)]);
  await client.listTools();
  const call = async (name: string, meta: object = {}) => {
    const result = await client.callTool({ name, arguments: {}, _meta: meta as never });
    const [block] = result.content;
    return { structured: result.structuredContent as never, text: block?.type === "text" ? block.text : "" };
  };
  return { edited, waiting, hints, call };
}

describe("a reload after a schema was advertised", () => {
  it.each([
    ["dialect", { dialect: "plain" }, ["dialect"]],
    ["delivery", { delivery: "text" }, ["delivery"]],
    ["encoding", { encoding: "table" }, ["encoding"]],
    [
      "a filter that keeps only some fields",
      { tools: { promised: { include_only: ["rows[*].id"] } } },
      ["filter"],
    ],
    [
      "a filter that takes a required field",
      { tools: { promised: { exclude: ["rows[*].name"] } } },
      ["filter"],
    ],
    ["dropped arrays", { exclude_empty_arrays: true }, ["filter"]],
    [
      "a profile that takes a required field",
      { profiles: { standard: { exclude_fields: ["name"] } } },
      ["filter"],
    ],
    ["further dialects", { allow: { dialects: ["drf"] } }, ["dialects"]],
  ])("waits for a restart with %s, and the client keeps its results", async (_, edit, settings) => {
    const { edited, waiting, call } = await serve({});
    const before = await call("promised");
    edited.edit(edit);
    expect(waiting).toEqual([["promised", settings]]);
    const after = await call("promised", { "waybill/contract": { dialect: "drf" } });
    expect(after.structured["data"]).toEqual(before.structured["data"]);
    await call("promised");
    expect(waiting).toHaveLength(1);
  });

  it("says it in one line for all tools, with what to do", async () => {
    const { edited, hints } = await serve({});
    edited.edit({ dialect: "plain", delivery: "text" });
    expect(hints).toEqual([expect.stringMatching(/Restart the server to apply these settings\.$/)]);
  });

  it("waits with another name of the retrieval tool, and says so once for each name", async () => {
    const { edited, hints } = await serve({});
    edited.edit({ retrieve: { name: "fetch_rest" } });
    edited.edit({ retrieve: { name: "fetch_rest" }, budget: { tokens: 900 } });
    expect(hints).toEqual(["Clients know the tool as waybill_retrieve. Restart to call it fetch_rest."]);
    edited.edit({});
    expect(hints).toHaveLength(1);
    edited.edit({ retrieve: { name: "fetch_rest" } });
    expect(hints).toHaveLength(2);
  });

  it("applies at once what the schema allows", async () => {
    const { edited, waiting, call } = await serve({});
    edited.edit({
      profile: "debug",
      budget: { tokens: 300 },
      tools: { promised: { exclude: ["rows[*].extra"] } },
    });
    const { structured } = await call("promised");
    expect(JSON.stringify(structured)).not.toContain("extra");
    expect(structured["meta"]).toHaveProperty("telemetry");
    expect(waiting).toEqual([]);
  });

  it("takes everything for a tool that advertised none", async () => {
    const { edited, waiting, call } = await serve({});
    edited.edit({ tools: { free: { dialect: "plain", delivery: "mirror", exclude: ["rows[*].name"] } } });
    const { structured, text } = await call("free");
    expect(structured).toHaveProperty("rows");
    expect(text).toMatch(/^\{"rows":\[\{"id":0,"extra":null\}/);
    expect(waiting).toEqual([]);
  });

  it("takes back what waited when the file says the old value again", async () => {
    const { edited, waiting } = await serve({ dialect: "response-v2" });
    edited.edit({ dialect: "plain" });
    edited.edit({ dialect: "response-v2" });
    expect(waiting).toEqual([["promised", ["dialect"]]]);
  });

  it("keeps the flag of response-v2 as it was advertised", async () => {
    const { edited, waiting, call } = await serve({}, { flags: defineFlags({}) });
    edited.edit({ flags: { response_contract_v2: { default: false } } });
    expect(waiting).toEqual([["promised", ["flags.response_contract_v2"]]]);
    expect((await call("promised")).structured).toHaveProperty("success", true);
  });

  it("takes any filter where the schema promised no field", async () => {
    const { edited, waiting, call } = await serve({ tools: { promised: { exclude: ["rows[*].name"] } } });
    edited.edit({ tools: { promised: { exclude: ["rows[*].id"] } } });
    expect((await call("promised")).structured["data"]["rows"][0]).toEqual({ name: "row 0", extra: null });
    expect(waiting).toEqual([]);
  });
});
