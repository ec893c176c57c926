import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { attachContract } from "../../doors/server/attach-contract.ts";
import type { ContractOptions } from "../settings/contract-options.ts";
import { createContract } from "../../doors/server/create-contract.ts";

const info = { name: "hooked", version: "1.0.0" };
const rows = Array.from({ length: 900 }, (_, id) => ({ id, said: "So it is written." }));

function serverWith(options: ContractOptions, toolTokens?: number): McpServer {
  const server = createContract({
    name: "hooked",
    logLevel: "silent",
    dialect: "response-v2",
    ...options,
  }).server(new McpServer(info));
  server.registerTool("ping", { description: "Small" }, () => ({ pong: true }));
  const budget = toolTokens === undefined ? {} : { budget: { tokens: toolTokens } };
  server.registerTool("rows", { description: "Large", ...budget }, () => ({ rows }));
  return server;
}

async function connect(server: McpServer, era: "legacy" | "modern" = "legacy"): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client(info, { versionNegotiation: { mode } });
  if (era === "modern") serveStdio(() => server, { transport: far });
  else await server.connect(far);
  await client.connect(near);
  return client;
}

async function namesOf(client: Client): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

describe("the archive beside a server's own resources", () => {
  it.each(["legacy", "modern"] as const)("is listed by a server that has none, %s", async (era) => {
    const client = await connect(serverWith({}), era);
    expect((await client.listResources()).resources).toEqual([]);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
  });

  it.each(["legacy", "modern"] as const)(
    "comes after the templates of a server that has some, %s",
    async (era) => {
      const server = serverWith({});
      server.registerResource("own", "own://one", {}, () => ({
        contents: [{ uri: "own://one", text: "1" }],
      }));
      const client = await connect(server, era);
      expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(["own://one"]);
      expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
    },
  );
});

describe("an archive that is not there", () => {
  it.each([
    ["legacy", -32_002],
    ["modern", -32_602],
  ] as const)("is refused with the code of the %s era", async (era, code) => {
    const client = await connect(serverWith({}), era);
    const uri = `waybill://archive/${"0".repeat(64)}`;
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code });
  });
});

describe("waybill_retrieve", () => {
  it("is there for the budget of one tool where the contract has none", async () => {
    const client = await connect(serverWith({ budget: { tokens: "off" } }, 600));
    expect(await namesOf(client)).toEqual(["ping", "rows", "waybill_retrieve"]);
    const { structuredContent: cut } = await client.callTool({ name: "rows" });
    const { meta } = cut as { meta: { content_archive_hashes: Record<string, string> } };
    const [archive = ""] = Object.values(meta.content_archive_hashes);
    const found = await client.callTool({
      name: "waybill_retrieve",
      arguments: { archive, pointer: "/rows/899" },
    });
    expect(found.structuredContent).toMatchObject({
      data: { verified: true, items: [{ value: { id: 899 } }] },
    });
  });

  it("is not there where nothing has a budget or nothing is kept", async () => {
    expect(await namesOf(await connect(serverWith({ budget: { tokens: "off" } })))).toEqual(["ping", "rows"]);
    expect(await namesOf(await connect(serverWith({ store: false }, 600)))).toEqual(["ping", "rows"]);
  });
});

describe("a tool under attachContract that was not listed here", () => {
  const build = (): McpServer => {
    const server = new McpServer(info);
    const outputSchema = z.object({ seal: z.string().min(40_000) });
    const structuredContent = { seal: "So it is written. ".repeat(3_000) };
    server.registerTool("seal", { outputSchema }, () => ({
      content: [{ type: "text", text: JSON.stringify(structuredContent) }],
      structuredContent,
    }));
    return attachContract(server, {
      name: "hooked",
      logLevel: "silent",
      dialect: "response-v2",
      budget: { tokens: 600 },
    });
  };

  it("is cut to what conforms to the schema that a replica listed", async () => {
    const [listed] = (await (await connect(build())).listTools()).tools;
    const { structuredContent } = await (await connect(build())).callTool({ name: "seal" });
    const check = new Ajv2020({ strict: false }).compile((listed?.outputSchema ?? {}) as object);
    expect(check(structuredContent)).toBe(true);
    expect(structuredContent).toMatchObject({ meta: { content_fidelity: "summary" } });
  });
});
