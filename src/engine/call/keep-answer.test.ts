import { Client } from "@modelcontextprotocol/client";
import {
  InMemoryTransport,
  McpServer,
  type ServerContext,
  acceptedContent,
  inputRequired,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type Contract, createContract } from "../../doors/server/create-contract.ts";
import { type ToolConfig, defineTool } from "../settings/tool-definition.ts";

const form = z.object({ name: z.string() });
const cache = { ttlMs: 60_000 };

/** A tool that asks who is there before it greets, and counts its runs. */
function greeter(config: Pick<ToolConfig, "cache">) {
  let runs = 0;
  return defineTool("greet", { description: "Greets", ...config }, (_args, { sdk }) => {
    runs += 1;
    const { mcpReq } = sdk as ServerContext;
    const given = acceptedContent(mcpReq.inputResponses, "who", form);
    if (given !== undefined) return { hello: given.name, runs };
    const who = inputRequired.elicit({ message: "Who is there?", requestedSchema: form });
    return inputRequired({ inputRequests: { who } });
  });
}

async function connect(contract: Contract, tool: ReturnType<typeof defineTool>): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const info = { name: "t", version: "1.0.0" };
  serveStdio(() => contract.server(new McpServer(info)).add(tool), { transport: far });
  const client = new Client(info, {
    capabilities: { elicitation: {} },
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  let count = 0;
  client.setRequestHandler("elicitation/create", () => ({
    action: "accept",
    content: { name: `guest ${(count += 1)}` },
  }));
  await client.connect(near);
  return client;
}

describe("a tool that asks the client", () => {
  it("is asked again for every call, though its results are cached", async () => {
    const client = await connect(createContract({ logLevel: "silent" }), greeter({ cache }));
    const first = await client.callTool({ name: "greet" });
    const second = await client.callTool({ name: "greet" });
    expect(first.structuredContent).toMatchObject({ data: { hello: "guest 1" } });
    expect(second.structuredContent).toMatchObject({ data: { hello: "guest 2" } });
  });

  it("finishes under an idempotency key, and answers the same again", async () => {
    const client = await connect(createContract({ logLevel: "silent" }), greeter({}));
    const call = { name: "greet", _meta: { "waybill/idempotency_key": "k1" } };
    expect((await client.callTool(call)).structuredContent).toMatchObject({ data: { hello: "guest 1" } });
    expect((await client.callTool(call)).structuredContent).toMatchObject({ data: { hello: "guest 1" } });
  });
});

describe("a cached tool", () => {
  it("runs again after it answered with a failed result", async () => {
    let runs = 0;
    const flaky = defineTool("flaky", { description: "Fails once", cache }, () => {
      runs += 1;
      const content = [{ type: "text", text: `run ${runs}` }];
      return runs === 1 ? { content, isError: true } : { content };
    });
    const client = await connect(createContract({ logLevel: "silent" }), flaky);
    const answers = [];
    for (let call = 0; call < 3; call += 1) answers.push(await client.callTool({ name: "flaky" }));
    expect(answers.map(({ structuredContent }) => structuredContent)).toMatchObject([
      { success: false, error: "run 1" },
      { success: true, data: { result: "run 2" } },
      { success: true, data: { result: "run 2" } },
    ]);
  });
});
