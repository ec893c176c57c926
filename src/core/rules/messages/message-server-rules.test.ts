import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../json/json-value.ts";
import {
  asked,
  brokenRules,
  findingsOf,
  goodTool,
  listed,
  recordOf,
  said,
  verdictOf,
} from "../record.fixture.ts";
import type { ServerRecord } from "../server-record.ts";

const groups = ["jsonrpc", "initialize", "tools-list"];

function sent(...values: readonly JsonValue[]): ServerRecord {
  const base = recordOf();
  return { ...base, messages: [...base.messages, ...values.map((value) => said("server", value))] };
}

describe("rules of messages in a check", () => {
  test("find nothing in a good conversation", async () => {
    await expect(brokenRules(recordOf(), groups)).resolves.toEqual([]);
  });

  test.each<readonly [string, ServerRecord]>([
    ["jsonrpc/object", sent("hello")],
    ["jsonrpc/batch-empty", sent([])],
    ["jsonrpc/version", sent({ method: "notifications/message" })],
    ["jsonrpc/id-mismatch", sent({ jsonrpc: "2.0", id: 77, result: {} })],
    ["jsonrpc/id-mismatch", sent({ jsonrpc: "2.0", id: "2", result: {} })],
    ["jsonrpc/params-type", sent({ jsonrpc: "2.0", method: "notifications/message", params: [] })],
    ["jsonrpc/error-message", recordOf({ messages: asked(1, "ping", { error: { code: -32601 } }) })],
    ["jsonrpc/result-or-error", recordOf({ messages: asked(1, "ping", {}) })],
    [
      "initialize/server-info",
      recordOf({
        messages: asked(1, "initialize", {
          result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "shop" } },
        }),
      }),
    ],
  ])("%s is broken alone (%#)", async (id, record) => {
    await expect(brokenRules(record, groups)).resolves.toEqual([id]);
  });

  test("an answer to a notification is told once, as such", async () => {
    const response = { jsonrpc: "2.0", id: null, error: { code: -32601, message: "Unknown." } };
    const request = { jsonrpc: "2.0", method: "notifications/none" };
    const base = sent(response);
    const record: ServerRecord = {
      ...base,
      exchanges: [
        {
          purpose: "unknown-notification",
          request,
          reply: { kind: "error", error: response.error },
          response,
        },
      ],
    };
    await expect(brokenRules(record, groups)).resolves.toEqual(["jsonrpc/notification-answered"]);
  });

  test("what is wrong with a definition names the tool and the place in it", async () => {
    const { description: _, ...silent } = goodTool;
    const record = listed(silent);
    const twice = { ...record, messages: [...record.messages, ...record.messages] };
    await expect(findingsOf("tools-list/description", twice)).resolves.toEqual([
      { tool: "find_orders", path: "/description", message: "`description` is missing" },
    ]);
  });

  test("a message without its fix says in which answer it is", async () => {
    const record = recordOf({ messages: asked(1, "ping", { result: 5 }) });
    await expect(findingsOf("jsonrpc/result-type", record)).resolves.toEqual([
      { path: "/result", message: "In the answer to ping: `result` is 5" },
    ]);
  });

  test("what no message could show is untested", async () => {
    const silent = recordOf({ messages: [] });
    for (const id of ["jsonrpc/version", "initialize/capabilities", "tools-list/tools", "jsonrpc/error-code"])
      await expect(verdictOf(id, silent)).resolves.toHaveProperty("untested");
    await expect(verdictOf("jsonrpc/method", recordOf())).resolves.toHaveProperty("untested");
  });
});
