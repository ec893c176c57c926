import { describe, expect, it } from "vitest";
import { bridgeTo } from "../../doors/gateway/bridge/bridge.fixture.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { until } from "../transport/until.fixture.ts";

const long = "The parcel is on its way. ".repeat(8_000);
const list = { name: "list", inputSchema: { type: "object" } };

/** What a client gets through the gateway for a call that the server answers with `result`. */
async function throughGateway(result: JsonObject): Promise<JsonObject> {
  const { client } = bridgeTo(
    ({ id = null, method }) => ({
      jsonrpc: "2.0",
      id,
      result: method === "tools/list" ? { tools: [list] } : result,
    }),
    { dialect: "auto", budget: { tokens: 1_000 }, redact: { successes: true } },
  );
  client.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}');
  await until(() => client.heard.length > 0);
  return (client.heard[0] as JsonObject)["result"] as JsonObject;
}

describe("a result with a list of content", () => {
  it.each(["x", "task", "input_required", "", 7, null])(
    "is cut and masked, whatever the server calls its type: %j",
    async (resultType) => {
      const secret = "password=hunter2-hunter2";
      const result = { resultType, content: [{ type: "text", text: `${secret}\n${long}` }] };
      const sent = JSON.stringify(await throughGateway(result));
      expect(sent).toContain("CONTENT_TRUNCATED");
      expect(sent).not.toContain("hunter2");
      expect(sent.length).toBeLessThan(10_000);
    },
  );

  it("is masked where it says that it failed", async () => {
    const text = "Login failed: password=hunter2-hunter2";
    const sent = await throughGateway({ resultType: "x", isError: true, content: [{ type: "text", text }] });
    expect(sent).toMatchObject({ isError: true });
    expect(JSON.stringify(sent)).not.toContain("hunter2");
  });
});

describe("a call that has no answer yet", () => {
  it.each([
    { resultType: "input_required", inputRequests: {}, requestState: "s" },
    { resultType: "task", taskId: "t", status: "working", structuredContent: { rows: [] } },
    { task: { taskId: "t", status: "working" } },
  ])("passes as it is: %j", async (result) => {
    expect(await throughGateway(result)).toEqual(result);
  });
});
