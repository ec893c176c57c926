import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { defineFlags } from "../../engine/settings/flags-and-tiers/define-flags.ts";
import { defineTiers } from "../../engine/settings/flags-and-tiers/define-tiers.ts";
import type { CallRequest } from "../../engine/request/call-request.ts";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import { attachContract } from "./attach-contract.ts";
import { createContract } from "./create-contract.ts";

const info = { name: "gated", version: "1.0.0" };
const run = (): object => ({ done: true });
const open = defineTool("open", { description: "For all" }, run);
const paid = defineTool("paid_report", { description: "Paid", tier: "pro" }, run);
const beta = defineTool("beta_search", { description: "Flagged", flag: "beta" }, run);

const options: ContractOptions = {
  ...info,
  logLevel: "silent",
  dialect: "response-v2",
  budget: { tokens: "off" },
  tiers: defineTiers<CallRequest>({
    // Reads what any client can write, which must not open a list.
    of: ({ auth, meta }) =>
      auth?.scopes?.includes("pro") === true ? "pro" : (meta["licence"] as string | undefined),
  }),
  flags: defineFlags({ beta: { state: "beta", default: false, allow: ["sub:ada"], percentage: 100 } }),
};

function built(given: ContractOptions): () => McpServer {
  const contract = createContract({ ...options, ...given });
  return () => contract.server(new McpServer(info)).add(open, paid, beta);
}

function attached(given: ContractOptions): () => McpServer {
  const toolSettings = { paid_report: { tier: "pro" }, beta_search: { flag: "beta" } };
  const contract = createContract({ ...options, toolSettings, ...given });
  return () => {
    const server = new McpServer(info);
    for (const { name } of [open, paid, beta])
      server.registerTool(name, { description: name }, () => ({ content: [{ type: "text", text: "{}" }] }));
    return attachContract(server, contract);
  };
}

interface Caller {
  readonly subject?: string;
  readonly scopes?: string[];
}

async function clientOf(build: () => McpServer, era: "modern" | "legacy", caller?: Caller): Promise<Client> {
  const handler = createMcpHandler(build);
  const authInfo = caller && {
    token: "t",
    clientId: "c",
    scopes: caller.scopes ?? [],
    extra: { sub: caller.subject ?? "bob" },
  };
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client({ name: "c", version: "1" }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
    fetch: async (url, init) => handler.fetch(new Request(url, init), authInfo && { authInfo }),
  });
  await client.connect(transport);
  return client;
}

async function listed(build: () => McpServer, era: "modern" | "legacy", caller?: Caller, meta?: object) {
  const client = await clientOf(build, era, caller);
  const list = await client.listTools(meta === undefined ? {} : ({ _meta: meta } as never));
  await client.close();
  return { names: list.tools.map(({ name }) => name), list: list as Record<string, unknown> };
}

describe.each([
  ["contract.server", built],
  ["attachContract", attached],
])("hideGated under %s", (_, door) => {
  it.each(["modern", "legacy"] as const)("shows a caller only what it can call, %s", async (era) => {
    const build = door({ hideGated: true });
    expect((await listed(build, era)).names).toEqual(["open"]);
    expect((await listed(build, era, { scopes: ["pro"] })).names).toEqual(["open", "paid_report"]);
    expect((await listed(build, era, { subject: "ada" })).names).toEqual(["open", "beta_search"]);
  });

  it("marks the list as private, also where nothing is hidden", async () => {
    const build = door({ hideGated: true });
    for (const caller of [undefined, { subject: "ada", scopes: ["pro"] }])
      expect((await listed(build, "modern", caller)).list).toMatchObject({ cacheScope: "private" });
  });

  it("is decided by verified auth alone, not by what a request says of itself", async () => {
    const build = door({ hideGated: true });
    const said = { licence: "pro", "waybill/contract": { profile: "standard" } };
    expect((await listed(build, "modern", undefined, said)).names).toEqual(["open"]);
  });

  it("lists every tool by default", async () => {
    expect((await listed(door({}), "modern")).names).toEqual(["open", "paid_report", "beta_search"]);
  });

  it("hides what is gated where the author's own function throws", async () => {
    const tiers = defineTiers<CallRequest>({
      of: () => {
        throw new Error("no licence server");
      },
    });
    expect((await listed(door({ hideGated: true, tiers }), "modern")).names).toEqual(["open"]);
  });

  it("still refuses a call of a hidden tool with what it needs", async () => {
    const client = await clientOf(door({ hideGated: true }), "modern");
    const result = await client.callTool({ name: "paid_report", arguments: {} });
    expect(JSON.stringify(result)).toContain("UPGRADE_REQUIRED");
    await client.close();
  });
});

describe("hideGated", () => {
  it("does not name a hidden tool to a caller who misspelt it", async () => {
    const client = await clientOf(built({ hideGated: true }), "modern");
    const error: unknown = await client
      .callTool({ name: "paid_reprt", arguments: {} })
      .catch((e: unknown) => e);
    expect(String(error)).not.toContain("paid_report");
    await client.close();
    const seen = await clientOf(built({}), "modern");
    const named: unknown = await seen
      .callTool({ name: "paid_reprt", arguments: {} })
      .catch((e: unknown) => e);
    expect(String(named)).toContain("paid_report");
    await seen.close();
  });

  it("keeps a scope that the server itself set for all only where the list is the same for all", async () => {
    const contract = createContract({ ...options, hideGated: true });
    const build = (): McpServer =>
      contract
        .server(
          new McpServer(info, { cacheHints: { "tools/list": { ttlMs: 60_000, cacheScope: "public" } } }),
        )
        .add(open, paid);
    expect((await listed(build, "modern")).list).toMatchObject({ ttlMs: 60_000, cacheScope: "private" });
  });
});
