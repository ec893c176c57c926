import { McpServer } from "@modelcontextprotocol/server";
import { McpServer as McpServer132 } from "mcp-sdk-1-32/server/mcp.js";
import { afterEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import { readCounter } from "../../src/core/tokens/read-counter.ts";
import { type AnyClient, connectClient, memoryPair } from "./attach-clients.fixture.ts";
import { envelopeOf } from "./attach-expectations.fixture.ts";

const info = { name: "asked", version: "1.0.0" };
const orders = Array.from({ length: 3_000 }, (_, at) => ({
  id: `o-${at}`,
  status: ["open", "paid", "sent"][at % 3] ?? "",
  total: at,
}));
const log = Array.from({ length: 5_000 }, (_, at) => `${at % 500 === 7 ? "ERROR" : "info"} step ${at}`).join(
  "\n",
);
const contractOptions = {
  logLevel: "silent",
  dialect: "response-v2",
  budget: { tokens: 1_500 },
  validate: "always",
} as const;

/** A server whose tools are its own, and one that a contract is attached to, each with a client of another SDK. */
const doors: Readonly<Record<string, () => Promise<AnyClient>>> = {
  "an own server": async () => {
    const mcp = new McpServer(info);
    const contract = createContract({ name: "own", ...contractOptions });
    const server = contract.server(mcp);
    const annotations = { readOnlyHint: true };
    server.registerTool("list_orders", { description: "Lists orders.", annotations }, () => ({ orders }));
    server.registerTool("read_log", { description: "Reads the log.", annotations }, () => log);
    const [near, far] = memoryPair();
    await mcp.connect(far as never);
    return connectClient("1.25.3", near);
  },
  "an attached server": async () => {
    const mcp = new McpServer132(info);
    const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
    mcp.registerTool("list_orders", { description: "Lists orders." }, () => text(JSON.stringify({ orders })));
    mcp.registerTool("read_log", { description: "Reads the log." }, () => text(log));
    attachContract(mcp, { name: "attached", ...contractOptions });
    const [near, far] = memoryPair();
    await mcp.connect(far as never);
    return connectClient("2.4.0", near);
  },
};

const open: AnyClient[] = [];
afterEach(() => Promise.all(open.splice(0).map((client) => client.close())));

async function archiveOf(client: AnyClient, tool: string): Promise<string> {
  const { meta } = envelopeOf(await client.call(tool));
  const [hash = ""] = Object.values((meta as JsonObject)["content_archive_hashes"] as Record<string, string>);
  return hash;
}

describe.each(Object.keys(doors))("%s", (door) => {
  const connect = async (): Promise<AnyClient> => {
    const client = await doors[door]?.();
    if (client === undefined) throw new Error("There is no such door.");
    open.push(client);
    return client;
  };

  it("lists waybill_retrieve without an output schema, in 190 tokens at most, of which models are shown 160", async () => {
    const client = await connect();
    const listed = (await client.listTools()).find(({ name }) => name === "waybill_retrieve");
    expect(listed).not.toHaveProperty("outputSchema");
    const counter = readCounter("o200k_base");
    const { name, description, inputSchema } = { ...listed } as Readonly<Record<string, unknown>>;
    expect(counter.count(JSON.stringify(listed))).toBeLessThanOrEqual(190);
    expect(counter.count(JSON.stringify({ name, description, inputSchema }))).toBeLessThanOrEqual(160);
  });

  it("answers questions to what was cut: counts, groups, selections, in one call each", async () => {
    const client = await connect();
    const archive = await archiveOf(client, "list_orders");
    const ask = async (select: string) =>
      envelopeOf(await client.call("waybill_retrieve", { archive, select })) as { readonly data: JsonObject };
    expect((await ask("length(orders)")).data).toEqual({
      archive,
      verified: true,
      selected: 3_000,
      records: 3_000,
    });
    const grouped = (await ask("count_by(orders, &status)")).data["selected"];
    expect(grouped).toEqual({ open: 1_000, paid: 1_000, sent: 1_000 });
    const largest = (await ask("sort_by(orders, &total)[-2:].id")).data["selected"];
    expect(largest).toEqual(["o-2998", "o-2999"]);
  });

  it("finds lines of a log that was cut", async () => {
    const client = await connect();
    const archive = await archiveOf(client, "read_log");
    const grep = { pattern: "ERROR", context: 0 };
    const { data } = envelopeOf(await client.call("waybill_retrieve", { archive, grep, lines: "4000-" }));
    expect(data).toMatchObject({
      lines: [
        { line: 4_008, text: "ERROR step 4007" },
        { line: 4_508, text: "ERROR step 4507" },
      ],
      matched: 2,
      total_lines: 5_000,
    });
  });

  it("keeps every page within the budget, as it is sent", async () => {
    const client = await connect();
    const archive = await archiveOf(client, "list_orders");
    const counter = readCounter("o200k_base");
    const ids: unknown[] = [];
    let cursor: JsonObject = {};
    for (let pages = 0; pages < 40; pages++) {
      const args = { archive, select: "orders[::20].{id: id, was: status}", ...cursor };
      const result = await client.call("waybill_retrieve", args);
      const { data, meta } = envelopeOf(result) as { readonly data: JsonObject; readonly meta: JsonObject };
      const [block] = result["content"] as readonly { readonly text: string }[];
      expect(counter.count(block?.text ?? "")).toBeLessThanOrEqual(contractOptions.budget.tokens);
      ids.push(...(data["selected"] as readonly { readonly id: string }[]).map(({ id }) => id));
      const { cursor: next } = meta["pagination"] as { readonly cursor: string | null };
      if (next === null) break;
      cursor = { cursor: next };
    }
    expect(ids).toEqual(orders.filter((_, at) => at % 20 === 0).map(({ id }) => id));
  });

  it("refuses an argument it does not have, and a wrong question, with what was meant", async () => {
    const client = await connect();
    const archive = await archiveOf(client, "list_orders");
    expect(envelopeOf(await client.call("waybill_retrieve", { archive, where: "x" }))).toMatchObject({
      success: false,
      data: { error_code: "VALIDATION_ERROR", details: { field: "where" } },
    });
    expect(envelopeOf(await client.call("waybill_retrieve", { archive, select: "orders[?" }))).toMatchObject({
      success: false,
      data: { error_code: "INVALID_FORMAT" },
    });
  });
});
