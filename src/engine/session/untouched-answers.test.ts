import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { call, here, open, reply, said, serving } from "./message-session.fixture.ts";

const free = { name: "add", inputSchema: { type: "object" } };

async function resultOf(result: JsonObject): Promise<unknown> {
  const { session } = open(serving(result, [free]), { dialect: "auto" });
  const answer = (await session.request(call(), here)) as JsonObject;
  return answer["result"];
}

describe("under auto", () => {
  it("a result that may pass is the server's own object", async () => {
    const results = [
      said("Hello"),
      said("Hello", {
        structuredContent: { ok: true },
        _meta: { "example.org/x": 1 },
        resultType: "complete",
      }),
      said('{"status": "open"}'),
      { content: [], isError: false },
    ];
    for (const result of results) expect(await resultOf(result)).toBe(result);
  });

  it("a finished task whose result may pass is answered by the server's own message", async () => {
    const { session } = open(serving(said("Hello"), [free]), { dialect: "auto" });
    const asked = { jsonrpc: "2.0", id: 3, method: "tasks/result", params: { taskId: "t" } };
    expect(session.request(asked, here)).toBe("forward");
    const response = reply(asked, said("Hello"));
    expect(await session.response(response)).toBe(response);
  });

  it("a greeting that has nothing to add is the server's own message, with what it denies", async () => {
    const { session } = open(serving(said("Hello"), [free]), { dialect: "auto" });
    const asked = { jsonrpc: "2.0", id: 4, method: "initialize", params: {} };
    const greet = async (capabilities: JsonObject): Promise<unknown> => {
      void session.request(asked, here);
      return session.response(reply(asked, { capabilities }));
    };
    const whole = { tools: { listChanged: false }, resources: {} };
    void session.request(asked, here);
    const response = reply(asked, { capabilities: whole });
    expect(await session.response(response)).toBe(response);
    expect(await greet({ tools: { listChanged: false } })).toMatchObject({ result: { capabilities: whole } });
  });
});
