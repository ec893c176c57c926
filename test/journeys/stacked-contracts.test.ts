// Two Waybills in a row: a server under a contract of its own, and another contract around it that knows nothing of that.
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer, Server } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { DialectId } from "../../src/core/contract/dialect-id.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { attachContract, createContract } from "../../src/doors/server/index.ts";
import { connectClient, memoryPair } from "./attach-clients.fixture.ts";

const info = { name: "stack", version: "1.0.0" };
const rows = Array.from({ length: 2_000 }, (_, id) => ({ id, name: `Record number ${id}` }));
const outputSchema = z.object({ rows: z.array(z.object({ id: z.number(), name: z.string() })) });
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

interface Stack {
  readonly innerTokens: number;
  readonly outerTokens: number;
  readonly dialect?: DialectId;
}

/** A client of the inner server, and one of the outer, which passes every call on to the inner. */
async function stacked({ innerTokens, outerTokens, dialect = "response-v2" }: Stack) {
  const contract = createContract({ dialect, budget: { tokens: innerTokens }, logLevel: "silent" });
  const inner = contract.server(new McpServer(info));
  inner.registerTool("list", { description: "Lists", outputSchema }, () => ({ rows }));
  inner.registerTool("few", { description: "Lists", outputSchema }, () => ({ rows: rows.slice(0, 3) }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  const direct = new Client(info, { versionNegotiation: { mode: "legacy" } });
  await Promise.all([inner.connect(far), direct.connect(near)]);
  const proxy = new Server(info, { capabilities: { tools: {} } });
  proxy.setRequestHandler("tools/list", () => direct.listTools());
  proxy.setRequestHandler("tools/call", ({ params }) => direct.callTool(params) as never);
  const outer = attachContract(proxy, {
    dialect: "auto",
    budget: { tokens: outerTokens },
    logLevel: "silent",
  });
  const [mine, theirs] = memoryPair();
  await outer.connect(theirs as never);
  const client = await connectClient("2.4.0", mine);
  await client.listTools();
  open.push(client, direct);
  return { direct, client };
}

const sentBy = async (client: Client, name: string): Promise<JsonObject> =>
  (await client.callTool({ name, arguments: {} })) as unknown as JsonObject;

describe("a result that a contract has written, behind another under auto,", () => {
  it("passes as it is where it succeeded and fits, cut by the first or not", async () => {
    const { direct, client } = await stacked({ innerTokens: 1_000, outerTokens: 8_000 });
    for (const name of ["few", "list"]) {
      const { _meta: _, ...sent } = await sentBy(direct, name);
      const { _meta: meta, ...passed } = await client.call(name);
      const steady = (value: unknown): string => JSON.stringify(value).replaceAll(/req_[0-9a-f]+/g, "req_");
      expect(steady(passed)).toBe(steady(sent));
      expect(meta).toMatchObject({ "waybill/contract": { dialect: "response-v2", profile: "standard" } });
    }
  });

  it("lists the schema that the first contract lists", async () => {
    const { direct, client } = await stacked({ innerTokens: 1_000, outerTokens: 8_000 });
    const { tools } = await direct.listTools();
    const [listed] = await client.listTools();
    expect(listed?.outputSchema).toEqual(tools[0]?.outputSchema);
  });

  it("is cut again in the same envelope: the names unite, the first whole counts and comes first", async () => {
    const { direct, client } = await stacked({ innerTokens: 4_000, outerTokens: 1_000 });
    const { meta: before } = (await sentBy(direct, "list"))["structuredContent"] as { meta: JsonObject };
    const result = await client.call("list");
    const { data, meta } = result["structuredContent"] as {
      data: { rows: typeof rows };
      meta: Record<string, never>;
    };
    const kept = data.rows.length;
    expect(data.rows).toEqual(rows.slice(0, kept));
    const [first = ""] = before["dropped_content_ids"] as string[];
    const [, from] = /^\/rows\/(\d+)\.\.1999$/.exec(first) ?? [];
    expect(meta["dropped_content_ids"]).toEqual([`/rows/${kept}..${Number(from) - 1}`, first]);
    expect(meta).not.toHaveProperty("warnings");
    expect(meta["warning_details"]).toMatchObject([
      { message: `${2_000 - kept} rows omitted due to token limits` },
    ]);
    const hashes = Object.values(meta["content_archive_hashes"] ?? {});
    expect(hashes).toHaveLength(2);
    expect(hashes[0]).toBe(Object.values(before["content_archive_hashes"] as object)[0]);
  });
});

describe("a result in another dialect that it names, behind auto,", () => {
  it.each(["scalpel", "response-v2-draft"] as const)("is %s read, not wrapped again", async (dialect) => {
    const { direct, client } = await stacked({ innerTokens: 4_000, outerTokens: 1_000, dialect });
    const { _meta: _few, ...few } = await client.call("few");
    const { _meta: _sent, ...sent } = await sentBy(direct, "few");
    const steady = (value: unknown): string => JSON.stringify(value).replaceAll(/req_[0-9a-f]+/g, "req_");
    expect(steady(few)).toBe(steady(sent));
    const { content } = await client.call("list");
    const [{ text = "" } = {}] = content as { text?: string }[];
    const { data, meta } = JSON.parse(text) as { data: { rows: typeof rows }; meta: JsonObject };
    expect(data.rows).toEqual(rows.slice(0, data.rows.length));
    expect(Object.keys(meta["content_archive_hashes"] as object)).toHaveLength(2);
  });
});
