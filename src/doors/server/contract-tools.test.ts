import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createContract } from "./create-contract.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";

const hello = defineTool("hello", { description: "Says hello" }, () => ({ said: "hello" }));
const bye = defineTool("bye", { description: "Says bye" }, () => ({ said: "bye" }));

async function namesOf(server: McpServer): Promise<string[]> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "c", version: "1.0.0" });
  await Promise.all([server.connect(far), client.connect(near)]);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name).sort();
}

function newServer(): McpServer {
  return new McpServer({ name: "t", version: "1.0.0" });
}

describe("createContract({ tools })", () => {
  const contract = createContract({ tools: [hello], budget: { tokens: "off" }, logLevel: "silent" });

  it("gives them to every server object, besides those that are added", async () => {
    expect(await namesOf(contract.server(newServer()))).toEqual(["hello"]);
    expect(await namesOf(contract.server(newServer()).add(bye))).toEqual(["bye", "hello"]);
  });

  it("gives them to a server object once", async () => {
    const server = newServer();
    contract.server(server);
    expect(await namesOf(contract.server(server))).toEqual(["hello"]);
  });

  it("lists a tool with a union of objects for its arguments as every client can read it", async () => {
    const inputSchema = z.union([z.object({ id: z.string() }), z.object({ name: z.string() })]);
    const either = defineTool("either", { description: "Finds by id or name", inputSchema }, () => ({}));
    expect(await namesOf(contract.server(newServer()).add(either))).toEqual(["either", "hello"]);
  });

  it("refuses what is no tool, and the name of the tool that it adds itself", () => {
    const none = undefined as never;
    const give = "Give a tool made by defineTool().";
    expect(() => createContract({ tools: [hello, none] })).toThrow(
      `createContract: tools[1] is undefined. ${give}`,
    );
    const server = contract.server(newServer());
    expect(() => server.add(none)).toThrow(`add: tools[0] is undefined. ${give}`);
    expect(() => server.add({} as never)).toThrow("add: tools[0] is an object without name and handler.");
    const taken = { description: "Mine" };
    expect(() => server.registerTool("waybill_retrieve", taken, () => ({}))).toThrow(
      "Tool waybill_retrieve: The name waybill_retrieve is taken",
    );
  });

  it("shows them, and none where none were given", () => {
    expect(contract.tools).toEqual([hello]);
    expect(createContract().tools).toEqual([]);
  });
});
