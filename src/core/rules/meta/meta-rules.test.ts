import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json/json-value.ts";
import { asked, findingsOf, recordOf, verdictOf } from "../record.fixture.ts";
import type { ServerRecord } from "../server-record.ts";
import { isReservedKey, metaKeyProblem } from "./meta-rules.ts";

function answered(result: JsonObject): ServerRecord {
  return recordOf({ messages: asked(1, "tools/call", { result }) });
}

describe("metaKeyProblem", () => {
  test.each([
    "name",
    "com.example/name",
    "io.github.org.name/request-id",
    "a/",
    "ui/resourceUri",
    "x1/a.b_c-d",
    "progressToken",
  ])("%s is legal", (key) => {
    expect(metaKeyProblem(key)).toBeUndefined();
  });

  test.each([
    "",
    "-name",
    "name_",
    "com..example/x",
    "1com/x",
    "com.example-/x",
    "a b",
    "com.example/a/b",
    "ключ",
    "/x",
  ])("%j is not", (key) => {
    expect(metaKeyProblem(key)).toBeTypeOf("string");
  });
});

test("only MCP uses its own labels", () => {
  expect(["dev.mcp/x", "com.mcp.tools/x", "org.modelcontextprotocol.api/x"].every(isReservedKey)).toBe(true);
  expect(
    ["io.modelcontextprotocol/serverInfo", "com.example.mcp/x", "mcp/x", "mcp"].some(isReservedKey),
  ).toBe(false);
});

describe("meta rules", () => {
  test("look at every _meta of a message, and at none of a tool's own data", async () => {
    const record = answered({
      content: [{ type: "text", text: "x", _meta: { "bad key": 1 } }],
      structuredContent: { _meta: { "another bad": 1 } },
      _meta: { "com.mcp/id": 1 },
    });
    await expect(findingsOf("meta/keys", record)).resolves.toMatchObject([
      { path: "/result/content/0/_meta/bad key" },
    ]);
    await expect(findingsOf("meta/reserved-prefix", record)).resolves.toMatchObject([
      { path: "/result/_meta/com.mcp~1id" },
    ]);
  });

  test("are untested without any _meta", async () => {
    await expect(verdictOf("meta/keys", answered({ content: [] }))).resolves.toHaveProperty("untested");
  });
});
