import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { describe, expect, it } from "vitest";
import { resolveConfig } from "../settings/resolve-config.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import { createContract } from "../../doors/server/create-contract.ts";
import type { ContractOptions } from "../settings/contract-options.ts";
import { defineTool } from "../settings/tool-definition.ts";

const ping = defineTool("ping", { description: "Pings" }, () => ({ pong: true }));

async function connect(options: ContractOptions = {}, era: "legacy" | "modern" = "legacy") {
  const contract = createContract({ validate: "always", logLevel: "silent", ...options });
  const build = () =>
    contract
      .server(new McpServer({ name: "s", version: "1.0.0" }))
      .add(ping)
      .addServerTool();
  const [near, far] = InMemoryTransport.createLinkedPair();
  if (era === "modern") serveStdio(build, { transport: far });
  else await build().connect(far);
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client({ name: "c", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(near);
  const call = async (name: string, args: JsonObject = {}): Promise<JsonObject> => {
    const result = await client.callTool({ name, arguments: args });
    return result.structuredContent as JsonObject;
  };
  return { client, call };
}

const allowed: ContractOptions = { allow: { dialects: ["scalpel"] }, features: { pagination: true } };

describe("the server tool", () => {
  it("is listed only where it is added", async () => {
    const { client } = await connect();
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      "ping",
      "server",
      "waybill_retrieve",
    ]);
  });

  it("says what responses can be", async () => {
    const { call } = await connect(allowed);
    expect((await call("server", { action: "capabilities" }))["data"]).toEqual({
      capabilities: {
        response_version: "response-v2",
        dialect: "response-v2",
        dialects: ["response-v2", "scalpel"],
        known_dialects: ["response-v2", "response-v2-draft", "response-v1", "scalpel", "drf", "plain"],
        profiles: ["minimal", "standard"],
        pagination: true,
        features: { pagination: true },
      },
    });
  });

  it("negotiates a dialect that the connection remembers", async () => {
    const { call } = await connect(allowed);
    const answer = await call("server", {
      action: "capability-negotiate",
      client_capabilities: { response_contract: "v2", dialect: "scalpel" },
    });
    expect(answer["data"]).toMatchObject({ negotiated: { dialect: "scalpel" } });
    expect(await call("ping")).toEqual({ data: { pong: true } });
    const other = await connect(allowed);
    expect(await other.call("ping")).toMatchObject({ success: true });
  });

  // shows 004.67
  it("answers v2 with response-v2, as seed 004 does", async () => {
    const { call } = await connect();
    const answer = await call("server", {
      action: "capability-negotiate",
      client_capabilities: { response_contract: "v2" },
    });
    expect(answer["data"]).toMatchObject({
      negotiated: { response_version: "response-v2", dialect: "response-v2" },
    });
  });

  it("says in the modern era which _meta to send, and remembers nothing", async () => {
    const { call } = await connect(allowed, "modern");
    const answer = await call("server", {
      action: "capability-negotiate",
      client_capabilities: { dialect: "scalpel" },
    });
    expect(JSON.stringify(answer)).toContain("waybill/contract");
    expect(await call("ping")).toMatchObject({ success: true });
  });

  it("refuses an unknown action, and says which one may be meant", async () => {
    const { call } = await connect();
    expect(await call("server", { action: "capabilites" })).toMatchObject({
      success: false,
      error: 'Validation failed: action must be one of "capabilities", "capability-negotiate"',
      data: {
        error_code: "VALIDATION_ERROR",
        details: { field: "action", received: "capabilites" },
        remediation: 'Correct action and call again. Did you mean "capabilities"?',
      },
    });
    expect(await call("server", {})).toMatchObject({ data: { error_code: "MISSING_REQUIRED" } });
  });

  // shows 004.67
  it.each([
    ["an object written as text", '{"response_contract":"v2"}', "response-v2"],
    ["a flag that is off, as text", '{"response_contract_v2":"false"}', "response-v1"],
    ["a flag that is off", { response_contract_v2: false }, "response-v1"],
    ["a flag that is on", { response_contract_v2: true }, "response-v2"],
  ])("understands %s", async (_, client_capabilities, dialect) => {
    const { call } = await connect({ allow: { dialects: ["response-v1"] } });
    const answer = await call("server", { action: "capability-negotiate", client_capabilities });
    expect(answer["data"]).toMatchObject({ negotiated: { response_version: dialect, dialect } });
    const isRepaired = JSON.stringify(answer).includes("ARGUMENT_REPAIRED");
    expect(isRepaired).toBe(typeof client_capabilities === "string");
  });

  it("refuses capabilities that are no object, and a flag that is neither on nor off", async () => {
    const { call } = await connect();
    const ask = (client_capabilities: JsonValue) =>
      call("server", { action: "capability-negotiate", client_capabilities });
    expect(await ask("v2")).toMatchObject({
      error: "Validation failed: client_capabilities must be an object",
      data: { error_code: "INVALID_FORMAT" },
    });
    expect(await ask({ response_contract_v2: "perhaps" })).toMatchObject({
      error: "Validation failed: client_capabilities.response_contract_v2 must be true or false",
    });
  });
});

const served = async (options: ContractOptions) => {
  const contract = createContract({ tools: [ping], logLevel: "silent", ...options });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await contract.server(new McpServer({ name: "s", version: "1.0.0" })).connect(far);
  const client = new Client({ name: "c", version: "1.0.0" });
  await client.connect(near);
  return (await client.listTools()).tools.map(({ name }) => name);
};

describe("the option serverTool", () => {
  const withFile = (server_tool: boolean): ContractOptions => ({
    config: resolveConfig({ waybill: { file: "w.json", text: JSON.stringify({ server_tool }) } }),
  });

  // shows 004.67
  it("adds the tool to every server object, and a file decides before it", async () => {
    expect(await served({})).not.toContain("server");
    expect(await served({ serverTool: true })).toContain("server");
    expect(await served(withFile(true))).toContain("server");
    expect(await served({ serverTool: true, ...withFile(false) })).not.toContain("server");
  });

  it("adds it once, and refuses another tool of that name", () => {
    const own = defineTool("server", { description: "Of one's own" }, () => ({}));
    const refusal = /Two tools are called "server": yours, and the one that serverTool adds/;
    expect(() => createContract({ serverTool: true, tools: [own] })).toThrow(refusal);
    const contract = createContract({ serverTool: true, logLevel: "silent" });
    const server = contract.server(new McpServer({ name: "s", version: "1.0.0" }));
    expect(server.addServerTool()).toBe(server);
    expect(() => server.add(own)).toThrow(refusal);
  });
});
