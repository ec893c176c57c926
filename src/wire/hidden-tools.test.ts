import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json/json-value.ts";
import { add, call, here, open, reply, said, serving } from "./message-session.fixture.ts";

const tools = [add, { ...add, name: "remove" }];
const list = { jsonrpc: "2.0", id: 7, method: "tools/list" };

async function namesOf(hide: readonly string[]): Promise<readonly unknown[]> {
  const { session } = open(serving(said("3")), {}, { hide });
  expect(session.request(list, here)).toBe("forward");
  const listed = (await session.response(reply(list, { tools }))) as { result: { tools: JsonObject[] } };
  return listed.result.tools.map(({ name }) => name);
}

describe("a tool that is hidden", () => {
  it("is not listed", async () => {
    expect(await namesOf([])).toEqual(["add", "remove", "waybill_retrieve"]);
    expect(await namesOf(["remove", "no such tool"])).toEqual(["add", "waybill_retrieve"]);
  });

  it("is unknown to a call, of which the server hears nothing", async () => {
    const { session, heard } = open(serving(said("3"), tools), {}, { hide: ["remove"] });
    expect(await session.request(call("remove", 5), here)).toEqual({
      jsonrpc: "2.0",
      id: 5,
      error: { code: -32602, message: "Unknown tool: remove" },
    });
    expect(heard).toEqual([]);
    expect(await session.request(call("add", 6), here)).toMatchObject({ id: 6, result: { content: [{}] } });
  });
});
