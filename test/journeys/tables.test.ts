import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { decodeTables, isTable } from "../../src/core/json/table/decode-tables.ts";
import { type JsonObject, type JsonValue } from "../../src/core/json/json-value.ts";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import { connectClient, memoryPair } from "./attach-clients.fixture.ts";

const versions = ["2.4.0", "1.32.2", "1.25.3", "1.18.2"] as const;

const task = z.object({
  id: z.int(),
  title: z.string(),
  owner: z.object({ login: z.string(), url: z.url() }),
});
const tasks = Array.from({ length: 12 }, (_, id) => {
  const login = id % 2 === 0 ? "ann" : "ben";
  return { id, title: `Task number ${id}`, owner: { login, url: `https://example.test/users/${login}` } };
});

function buildOwn(): McpServer {
  const mcp = new McpServer({ name: "tables", version: "1.0.0" });
  createContract({ name: "tables", logLevel: "silent", dialect: "response-v2", validate: "always" })
    .server(mcp)
    .registerTool(
      "tasks",
      { description: "Tasks", encoding: "table", outputSchema: z.object({ tasks: z.array(task) }) },
      () => ({ tasks }),
    );
  return mcp;
}

function buildGeneral(): McpServer {
  const mcp = new McpServer({ name: "tables", version: "1.0.0" });
  const server = createContract({
    name: "tables",
    logLevel: "silent",
    dialect: "response-v2",
    encoding: "table",
  }).server(mcp);
  server.registerTool("list", { description: "A list", outputSchema: z.array(task) }, () => tasks);
  server.registerTool(
    "plain",
    { description: "Tasks", encoding: "json", outputSchema: z.object({ tasks: z.array(task) }) },
    () => ({ tasks }),
  );
  return mcp;
}

const lead = {
  login: "ann",
  about: "Knows every harbour, and most of the bridges",
  url: "https://example.test/users/ann",
};
const second = {
  login: "ben",
  about: "Reads what others wrote, twice",
  url: "https://example.test/users/ben",
};
const wideTasks = Array.from({ length: 12 }, (_, id) => ({
  id,
  owner: id % 2 === 0 ? lead : second,
  watchers: [lead, second].slice(id % 3),
  ...Object.fromEntries(Array.from({ length: 300 }, (_unused, key) => [`field_${key}`, key % 2 === 0])),
}));
const person = z.object({ login: z.string(), about: z.string(), url: z.url() });
const wideTask = z.looseObject({ id: z.int(), owner: person, watchers: z.array(person) });

function buildWide(): McpServer {
  const mcp = new McpServer({ name: "tables", version: "1.0.0" });
  createContract({
    name: "tables",
    logLevel: "silent",
    dialect: "response-v2",
    encoding: "dense-table",
    validate: "always",
  })
    .server(mcp)
    .registerTool(
      "wide",
      { description: "Tasks", outputSchema: z.object({ tasks: z.array(wideTask) }) },
      () => ({ tasks: wideTasks }),
    );
  return mcp;
}

function buildAttached(): McpServer {
  const mcp = new McpServer({ name: "tables", version: "1.0.0" });
  mcp.registerTool(
    "tasks",
    { description: "Tasks", outputSchema: z.object({ tasks: z.array(task) }) },
    () => ({
      content: [{ type: "text", text: JSON.stringify({ tasks }) }],
      structuredContent: { tasks },
    }),
  );
  return attachContract(mcp, {
    name: "tables",
    logLevel: "silent",
    dialect: "response-v2",
    encoding: "table",
  });
}

async function dataOf(version: (typeof versions)[number], mcp: McpServer, tool: string): Promise<JsonValue> {
  const [left, right] = memoryPair();
  await mcp.connect(left as never);
  const client = await connectClient(version, right);
  // From here on the client checks results against the advertised schema.
  const listed = await client.listTools();
  expect(listed.find(({ name }) => name === tool)?.outputSchema).toMatchObject({ type: "object" });
  const result = await client.call(tool);
  await client.close();
  expect(result["isError"]).not.toBe(true);
  return (result["structuredContent"] as JsonObject)["data"] ?? null;
}

describe.each(versions)("an SDK client %s", (version) => {
  it("accepts the tables of a tool that asks for them", async () => {
    const data = await dataOf(version, buildOwn(), "tasks");
    expect(isTable((data as JsonObject)["tasks"] ?? null)).toBe(true);
    expect(JSON.stringify(decodeTables(data))).toBe(JSON.stringify({ tasks }));
  });

  it("accepts a table where the data is a list", async () => {
    const data = await dataOf(version, buildGeneral(), "list");
    expect(isTable(data)).toBe(true);
    expect(JSON.stringify(decodeTables(data))).toBe(JSON.stringify(tasks));
  });

  it("accepts wide records, whose objects are named in the rows", async () => {
    const data = await dataOf(version, buildWide(), "wide");
    expect(data).toMatchObject({
      tasks: { $table: { objects: [{ columns: ["owner", "watchers"], by: "login" }] } },
    });
    expect(JSON.stringify(decodeTables(data))).toBe(JSON.stringify({ tasks: wideTasks }));
  });

  it("gets plain lists from a tool that is set apart", async () => {
    expect(await dataOf(version, buildGeneral(), "plain")).toEqual({ tasks });
  });

  it("accepts the tables of a server that was only attached", async () => {
    const data = await dataOf(version, buildAttached(), "tasks");
    const columns = ["id", "title", "owner.login", "owner.url"];
    expect(data).toMatchObject({ tasks: { $table: { columns } } });
    expect(JSON.stringify(decodeTables(data))).toBe(JSON.stringify({ tasks }));
  });
});
