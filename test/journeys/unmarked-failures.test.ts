import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";

/** What a client reads of a server that marks none of its failures, behind the contract. */
async function ask(text: string, options: ContractOptions, more: JsonObject = {}): Promise<JsonObject> {
  const mcp = new McpServer({ name: "silent", version: "1.0.0" });
  const annotations = { readOnlyHint: true };
  mcp.registerTool(
    "read_file",
    { annotations },
    () => ({ content: [{ type: "text", text }], ...more }) as never,
  );
  attachContract(mcp, { logLevel: "silent", ...options });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "c", version: "1.0.0" });
  await Promise.all([mcp.connect(far), client.connect(near)]);
  try {
    return (await client.callTool({ name: "read_file", arguments: {} })) as JsonObject;
  } finally {
    await client.close();
  }
}

const policy: ContractOptions = {
  dialect: "auto",
  toolSettings: { read_file: { failures: { startsWith: ["Oops, "] } } },
};

describe("a tool whose policy says how it reports failures", () => {
  it("fails where its text begins so, without doubt, and says of what kind", async () => {
    const result = await ask("Oops, no such file: a.txt", policy);
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain("NOT_FOUND");
  });

  it("fails also where its structure repeats the text, as Python servers write it", async () => {
    const text = "Oops, no such file: a.txt";
    expect(await ask(text, policy, { structuredContent: { result: text } })).toMatchObject({ isError: true });
  });

  it.each([
    ["begins in another way", "He said: Oops, no such file", policy],
    ["has no such policy", "Oops, no such file: a.txt", { dialect: "auto" }],
  ] as const)("succeeds, as the bytes that came, where it %s", async (_how, text, options) => {
    const result = await ask(text, options);
    expect(result["isError"]).not.toBe(true);
    expect(result["content"]).toEqual([{ type: "text", text }]);
  });

  it("is not given an empty list, which would say nothing", async () => {
    const nothing: ContractOptions = { toolSettings: { read_file: { failures: { startsWith: [] } } } };
    await expect(ask("x", nothing)).rejects.toThrow(/Write at least one beginning/);
    const all: ContractOptions = { toolSettings: { read_file: { failures: { startsWith: [""] } } } };
    await expect(ask("x", all)).rejects.toThrow(/startsWith/);
  });
});
