// Servers of before the contract: a failure is text, {"error": "…"}, and MCP is not told that anything failed.
import { McpServer } from "@modelcontextprotocol/server";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { contractClient } from "../../src/doors/client/contract-client.ts";
import { defineFlags } from "../../src/engine/settings/flags-and-tiers/define-flags.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import { defineTool } from "../../src/engine/settings/tool-definition.ts";
import { translate } from "../../src/core/pipeline/dialect/translate.ts";
import { validateResponse } from "../../src/core/pipeline/dialect/validate-response.ts";
import { envelopeOf, openAttached } from "./cut-results.fixture.ts";

const textOf = (value: unknown): JsonObject => ({
  content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }],
});
const legacy = textOf({ error: "Spec not found" });
/** Python's FastMCP says so of every result that no exception ended. */
const denied: JsonObject = { ...legacy, isError: false };
const both: JsonObject = { ...legacy, structuredContent: { error: "Spec not found" } };

const foundry = {
  success: false,
  data: { error_code: "SPEC_NOT_FOUND", error_type: "not_found", remediation: "List the specs." },
  error: "Spec not found: login",
  meta: { version: "response-v2", request_id: "req_1" },
};

const forms: readonly [string, JsonObject][] = [
  ["text alone", legacy],
  ["text with isError: false", denied],
  ["text and the same structure", both],
];

describe("a legacy failure, as a client reads it", () => {
  // shows 004.70
  it.each(forms)("is a failure: %s", async (_name, result) => {
    const tried = await contractClient(async () => result, { retry: false }).tryCall("spec");
    expect(tried).toMatchObject({ ok: false, error: { message: "Spec not found" } });
  });

  it("is data where the result names a dialect in which it is data", async () => {
    const named = { ...legacy, _meta: { "waybill/contract": { dialect: "drf", profile: "standard" } } };
    const { data } = await contractClient(async () => named).call("spec");
    expect(data).toEqual({ error: "Spec not found" });
  });

  it.each([
    ["more than an error", { error: "none", specs: [] }],
    ["an error that is no text", { error: { code: 3 } }],
    ["an empty error", { error: "" }],
  ])("is data where it says %s", async (_name, value) => {
    const { data } = await contractClient(async () => textOf(value)).call("spec");
    expect(data).toEqual(value);
  });

  it("is a failure in a structure alone only for a client that was told to expect the legacy form", async () => {
    const result = { content: [], structuredContent: { error: "Spec not found" } };
    const open = await contractClient(async () => result).call("spec");
    expect(open.data).toEqual({ error: "Spec not found" });
    const told = contractClient(async () => result, { dialect: "response-v1", retry: false });
    expect(await told.tryCall("spec")).toMatchObject({ ok: false, error: { message: "Spec not found" } });
    const payload = await contractClient(async () => textOf({ specs: 2 }), { dialect: "response-v1" }).call(
      "spec",
    );
    expect(payload).toMatchObject({ dialect: "response-v1", data: { specs: 2 } });
  });
});

describe("a legacy failure behind attachContract", () => {
  it.each(forms)("goes out as a failure: %s", async (_name, result) => {
    const { call } = await openAttached({}, { spec: () => result });
    const answered = await call("spec");
    expect(answered["isError"]).toBe(true);
    expect(envelopeOf(answered)).toMatchObject({ success: false, error: "Spec not found" });
  });

  it("is not kept in a cache", async () => {
    let runs = 0;
    const count = () => {
      runs += 1;
      return legacy;
    };
    const settings = { toolSettings: { spec: { cache: { ttlMs: 60_000 } } } };
    const { call } = await openAttached(settings, { spec: count });
    await call("spec");
    await call("spec");
    expect(runs).toBe(2);
  });
});

describe("failures that MCP was not told of, translated", () => {
  it.each(forms)("a legacy one: %s", (_name, result) => {
    for (const from of [undefined, "response-v1"] as const)
      expect(translate(result, { from, to: "response-v2" })).toMatchObject({
        success: false,
        error: "Spec not found",
      });
  });

  it("one of response-v2, with its code", () => {
    for (const result of [textOf(foundry), { ...textOf(foundry), isError: false }])
      expect(translate(result, { to: "scalpel" })).toMatchObject({
        error: { error: "Spec not found: login", error_details: { code: "SPEC_NOT_FOUND" } },
      });
  });

  it("are valid, with one finding", () => {
    const { valid, violations } = validateResponse(textOf(foundry));
    expect({ valid, found: violations.map(({ rule, severity }) => `${rule} ${severity}`) }).toEqual({
      valid: true,
      found: ["result/is-error-missing SHOULD"],
    });
  });

  it("break a MUST where the result names its contract", () => {
    const ours = { ...textOf(foundry), _meta: { "waybill/contract": { dialect: "response-v2" } } };
    expect(validateResponse(ours).violations.map(({ rule }) => rule)).toEqual(["result/is-error"]);
  });
});

const ping = defineTool("ping", { description: "Pings" }, () => ({ pong: true }));

async function open(flags: ReturnType<typeof defineFlags>) {
  const contract = createContract({
    name: "old",
    logLevel: "silent",
    dialect: "response-v2",
    validate: "always",
    flags,
  });
  const mcp = contract
    .server(new McpServer({ name: "old", version: "1.0.0" }))
    .add(ping)
    .addServerTool();
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcp.connect(far);
  const client = new Client({ name: "c", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
  await client.connect(near);
  return contractClient(client);
}

describe("a server with response_contract_v2 off", () => {
  const off = defineFlags({}, { overrides: { response_contract_v2: false } });

  // shows 004.70
  it("says so among its capabilities", async () => {
    const { data } = await (await open(off)).call("server", { action: "capabilities" });
    expect(data).toMatchObject({
      capabilities: { response_version: "response-v1", dialect: "response-v1", dialects: ["response-v1"] },
    });
  });

  // shows 004.70
  it("warns a client that negotiates for v2", async () => {
    const tools = await open(off);
    const settled = await tools.negotiate({ response_contract: "v2" });
    expect(settled).toMatchObject({
      negotiated: { response_version: "response-v1" },
      warnings: [{ code: "DIALECT_NOT_ALLOWED" }],
    });
  });

  it("warns a client that asks for v2 with its call", async () => {
    const contract = createContract({ name: "old", logLevel: "silent", dialect: "response-v2", flags: off });
    const mcp = contract.server(new McpServer({ name: "old", version: "1.0.0" })).add(ping);
    const [near, far] = InMemoryTransport.createLinkedPair();
    await mcp.connect(far);
    const client = new Client({ name: "c", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
    await client.connect(near);
    const { data, warnings, dialect } = await contractClient(client, { dialect: "response-v2" }).call("ping");
    expect({ data, dialect }).toEqual({ data: { pong: true }, dialect: "response-v1" });
    expect(warnings).toMatchObject([{ code: "DIALECT_NOT_ALLOWED" }]);
  });

  it("says v2 where the flag is on", async () => {
    const { data } = await (await open(defineFlags({}))).call("server", { action: "capabilities" });
    expect(data).toMatchObject({ capabilities: { response_version: "response-v2", dialect: "response-v2" } });
  });
});
