import { McpServer, Server } from "@modelcontextprotocol/server";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { successResponse } from "../../src/core/contract/success-responses.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import { type AnyClient, connectClient, memoryPair } from "./attach-clients.fixture.ts";
import { type ServerKind, serverKinds } from "./attach-example.fixture.ts";

const info = { name: "outputs", version: "1.0.0" };
const outputSchema = z.object({
  n: z.number(),
  unit: z.string().default("m"),
  at: z.iso.datetime().optional(),
});

/** What a handler without types may give under that schema. */
const returned: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  text_alone: { content: [{ type: "text", text: "three" }] },
  other_envelope: successResponse({ m: 3 }),
  other_type: { n: "three" },
  empty_error: { success: false, data: {}, error: "", meta: { version: "response-v2" } },
  not_json: { n: 3, unit: new Map() },
  fine: { n: 3 },
  fine_envelope: successResponse({ n: 3 }),
  fine_date: { n: 3, at: new Date(0) },
};

async function connect(kind: ServerKind, server: { connect(transport: never): Promise<void> }) {
  const [near, far] = memoryPair();
  await server.connect(far as never);
  const client: AnyClient = await connectClient(kind, near);
  onTestFinished(() => client.close());
  return client;
}

describe.each(serverKinds)("what a tool gives under its schema, for the client %s,", (kind) => {
  it("is never refused: the schema's output, or INTERNAL_ERROR after the tool has run", async () => {
    const server = createContract({ logLevel: "silent", dialect: "response-v2" }).server(new McpServer(info));
    for (const [name, value] of Object.entries(returned))
      server.registerTool(name, { description: name, outputSchema }, () => value as never);
    const client = await connect(kind, server);
    await client.listTools();
    const data: Record<string, unknown> = {};
    for (const name of Object.keys(returned)) {
      const { structuredContent } = await client.call(name);
      data[name] = (structuredContent as JsonObject)["data"];
    }
    const broken = { error_code: "INTERNAL_ERROR", details: { executed: "yes" } };
    expect(data).toMatchObject({
      nothing: broken,
      text_alone: broken,
      other_envelope: broken,
      other_type: broken,
      empty_error: broken,
      not_json: broken,
    });
    expect(data).toMatchObject({
      fine: { n: 3, unit: "m" },
      fine_envelope: { n: 3, unit: "m" },
      fine_date: { n: 3, unit: "m", at: "1970-01-01T00:00:00.000Z" },
    });
  });
});

describe("a result of an attached server that breaks that server's own schema", () => {
  it("is passed on as a success: its work is done, and its schema is not ours", async () => {
    const server = new Server(info, { capabilities: { tools: {} } });
    const inputSchema = { type: "object" } as const;
    const listed = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;
    server.setRequestHandler("tools/list", () => ({
      tools: [{ name: "count", inputSchema, outputSchema: listed }],
    }));
    const result = { content: [], structuredContent: { n: "three" } };
    server.setRequestHandler("tools/call", () => result as never);
    const client = await connect(
      "1.18.2",
      attachContract(server, { logLevel: "silent", dialect: "response-v2", validate: "always" }),
    );
    // A client that was shown no schema hands on whatever comes.
    const { structuredContent, isError } = await client.call("count");
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({ success: true, data: { n: "three" }, error: null });
  });
});
