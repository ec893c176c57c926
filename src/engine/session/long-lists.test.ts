import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { createState } from "../call/contract-state.ts";
import { call, here, open, reply } from "./message-session.fixture.ts";
import { listForeign } from "./tool-list.ts";
import { UpstreamMemory } from "./upstream-memory.ts";

const row = { type: "object", properties: { id: { type: "number" }, note: { type: "string" } } };
const outputSchema = { type: "object", properties: { rows: { type: "array", items: row } } };
const rows = Array.from({ length: 400 }, (_, id) => ({ id, note: `the note of row number ${id}` }));

const toolAt = (at: number) => ({ name: `tool-${at}`, inputSchema: { type: "object" }, outputSchema });

/** A session that has listed so many tools, and what its list showed. */
async function listing(count: number) {
  const tools = Array.from({ length: count }, (_, at) => toolAt(at));
  const structuredContent = { rows };
  const content = [{ type: "text", text: JSON.stringify(structuredContent) }];
  const { session } = open(
    (message, link) => {
      if (message["method"] !== "tools/call") return;
      void link.response(reply(message, { content, structuredContent }));
    },
    { dialect: "response-v2", budget: { tokens: 2_000 } },
  );
  const asked = { jsonrpc: "2.0", id: "list", method: "tools/list" };
  expect(session.request(asked, here)).toBe("forward");
  const { result } = (await session.response(reply(asked, { tools }))) as JsonObject;
  const listed = (result as JsonObject)["tools"] as JsonObject[];
  const dataOf = async (name: string): Promise<JsonObject> => {
    const answer = (await session.request(call(name, name), here)) as { result: JsonObject };
    return (answer.result["structuredContent"] as JsonObject)["data"] as JsonObject;
  };
  return { listed, dataOf };
}

describe("a server with 2,500 tools", () => {
  it("has every tool answered by the schema that it was listed with, the first as the last", async () => {
    const { listed, dataOf } = await listing(2_500);
    expect(listed.slice(0, -1).every((tool) => tool["outputSchema"] !== undefined)).toBe(true);
    const last = await dataOf("tool-2499");
    expect((last["rows"] as unknown[]).length).toBeLessThan(400);
    for (const name of ["tool-0", "tool-499"]) expect(await dataOf(name)).toEqual(last);
  });
});

describe("a server with more tools than are held", () => {
  it("lists those above the bound without an output schema, since nothing is promised of them", () => {
    const memory = new UpstreamMemory();
    for (let at = 0; at < 20_000; at++) memory.note("me", toolAt(at));
    const list = reply({ id: 1 }, { tools: [toolAt(0), toolAt(20_000)] });
    const { result } = listForeign(
      createState({ logLevel: "silent", dialect: "response-v2" }),
      list,
      memory,
      "me",
    );
    const [held, above] = (result as JsonObject)["tools"] as JsonObject[];
    expect(held).toHaveProperty("outputSchema");
    expect(above).toEqual({ name: "tool-20000", inputSchema: { type: "object" } });
    expect(memory.find("me", "tool-0")).not.toHaveProperty("isUnlisted");
    expect(memory.find("me", "tool-20000")).toHaveProperty("isUnlisted", true);
  });

  it("costs other callers nothing but that the longest silent are asked for their lists again", () => {
    const memory = new UpstreamMemory();
    for (let tenant = 0; tenant < 11; tenant++)
      for (let at = 0; at < 20_000; at++) memory.note(`tenant-${tenant}`, { name: `tool-${at}` });
    expect(memory.find("tenant-0", "tool-0")).toHaveProperty("isUnlisted", true);
    expect(memory.learn("tenant-0", () => Promise.resolve())).toBeInstanceOf(Promise);
    for (const tenant of ["tenant-1", "tenant-10"])
      expect(memory.find(tenant, "tool-0")).not.toHaveProperty("isUnlisted");
  });
});
