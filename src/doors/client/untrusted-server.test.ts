import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { type CallToolResult, Server } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { withoutFence } from "../../core/contract/fence-lines.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import { attachContract } from "../server/attach-contract.ts";
import { contractClient } from "./contract-client.ts";

const strict = {
  type: "object" as const,
  properties: { n: { type: "number" } },
  additionalProperties: false,
};
const text = (said: string): CallToolResult => ({ content: [{ type: "text", text: said }] });
const pages = Array.from({ length: 300 }, (_, index) => ({ index, said: `Page ${index}, in some words` }));

const answers: Readonly<Record<string, CallToolResult>> = {
  json: text('{"x":1}'),
  words: text("hello there"),
  fields: { content: [], structuredContent: { n: 1 } },
  typed: { content: [], structuredContent: { n: 1 } },
  long: text(JSON.stringify(pages)),
};

/** A client beside a server whose results stand between two lines. */
async function clientOf(): Promise<Client> {
  const server = new Server({ name: "web", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: Object.keys(answers).map((name) => ({
      name,
      inputSchema: { type: "object" as const },
      ...(name === "typed" && { outputSchema: strict }),
    })),
  }));
  server.setRequestHandler("tools/call", ({ params }) => answers[params.name] ?? text("none"));
  attachContract(server, {
    dialect: "auto",
    untrusted: true,
    logLevel: "silent",
    fit: { clientLimits: true },
    budget: { tokens: 2_000 },
  });
  const client = new Client({ name: "reader", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  await client.listTools();
  return client;
}

describe("what a program reads of a server that is not trusted", () => {
  it("is the data alone", async () => {
    const client = await clientOf();
    const read = async (name: string): Promise<JsonValue> =>
      (await contractClient(client).call(name, {})).data as JsonValue;
    expect(await read("json")).toEqual({ x: 1 });
    expect(await read("words")).toBe("hello there");
    expect(await read("fields")).toEqual({ n: 1 });
    expect(await read("typed")).toEqual({ n: 1 });
  });

  it("is the whole of a cut result, which is fetched between such lines too", async () => {
    const client = await clientOf();
    const raw = await client.callTool({ name: "long", arguments: {} });
    expect(JSON.stringify(raw)).toContain("data from a server begins");
    const { data } = await contractClient(client).call("long", {}, { complete: true });
    expect(data).toEqual(pages);
  });

  it("keeps lines that are not a pair", () => {
    const half = text("[0123456789ab: data from a server begins]\n") as never;
    expect(withoutFence(half)).toBe(half);
  });
});
