import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { DialectId } from "../../core/contract/dialect-id.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { loadCounter } from "../../core/tokens/token-counter.ts";
import type { FitOptions } from "../../engine/settings/contract-options.ts";
import { createContract } from "./create-contract.ts";

const rows = Array.from({ length: 2_000 }, (_, id) => ({ id, name: `Record number ${id}` }));
const outputSchema = z.object({ rows: z.array(z.object({ id: z.int(), name: z.string() })) });

/** A server of two tools with the same data, one of which promises a schema, in a dialect without an envelope. */
async function open(dialect: DialectId, fit: FitOptions = {}) {
  const mcp = new McpServer({ name: "bare", version: "1.0.0" });
  const server = createContract({
    dialect,
    fit,
    budget: { tokens: 1_000 },
    logLevel: "silent",
    validate: "always",
  }).server(mcp);
  server.registerTool("free", { description: "No schema" }, () => ({ rows }));
  server.registerTool("typed", { description: "A schema", outputSchema }, () => ({ rows }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcp.connect(far);
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
  await client.connect(near);
  const { tools } = await client.listTools();
  const schemaOf = (name: string): unknown => tools.find((tool) => tool.name === name)?.outputSchema;
  const call = async (name: string) => {
    const result = (await client.callTool({ name, arguments: {} })) as unknown as JsonObject;
    const texts = (result["content"] as readonly { text: string }[]).map(({ text }) => text);
    const counter = await loadCounter();
    return { result, texts, tokens: texts.reduce((sum, text) => sum + counter.count(text), 0) };
  };
  return { call, schemaOf };
}

describe.each(["drf", "plain", "response-v1"] as const)("a result over the budget in %s", (dialect) => {
  test("is cut as text with a notice behind it, and has no structure that could pass for the whole", async () => {
    const { call } = await open(dialect);
    const { result, texts, tokens } = await call("free");
    expect(result).not.toHaveProperty("structuredContent");
    expect(result).not.toHaveProperty("isError");
    expect(tokens).toBeLessThanOrEqual(1_000);
    const [words = "", notice = ""] = texts;
    const { rows: kept } = JSON.parse(words) as { rows: typeof rows };
    expect(kept).toEqual(rows.slice(0, kept.length));
    expect(kept.length).toBeGreaterThan(20);
    expect(JSON.parse(notice)).toMatchObject({
      meta: { content_fidelity: "partial", dropped_content_ids: [`/rows/${kept.length}..1999`] },
    });
    expect(notice).toContain("sha256:");
  });

  test("of a tool with an output schema is not cut, since its structure is promised", async () => {
    const { call } = await open(dialect);
    const { texts } = await call("typed");
    expect(JSON.parse(texts[0] ?? "")).toEqual({ rows });
    expect(texts).toHaveLength(1);
  });

  test("is cut for every tool with `always`, and then no schema is listed", async () => {
    const { call, schemaOf } = await open(dialect, { withoutEnvelope: "always" });
    expect(schemaOf("typed")).toBeUndefined();
    const { result, tokens } = await call("typed");
    expect(tokens).toBeLessThanOrEqual(1_000);
    expect(result).not.toHaveProperty("structuredContent");
  });

  test("is cut for no tool with `never`", async () => {
    const { call } = await open(dialect, { withoutEnvelope: "never" });
    for (const name of ["free", "typed"]) {
      expect(JSON.parse((await call(name)).texts[0] ?? "")).toEqual({ rows });
    }
  });
});
