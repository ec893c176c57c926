// What docs/gateway.md promises of failures: a code where the server leaves no doubt, else its own words and a warning.
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { call, here, open, said, serving } from "./message-session.fixture.ts";

const tools = [{ name: "add", inputSchema: { type: "object" } }];
const warning = "The result reads like a failure, although the server did not mark it as one";

async function answerTo(
  result: JsonObject,
): Promise<{ readonly content: { readonly text: string }[]; readonly isError?: boolean }> {
  const { session } = open(
    serving(result, tools),
    { dialect: "auto", profile: "minimal" },
    { isRemote: true },
  );
  const answer = await session.request(call(), here);
  return (answer as unknown as { readonly result: never }).result;
}

describe("a failure of a server behind the gateway", () => {
  it.each([
    ["marked, in words that a rule understands", said("no such table: x", { isError: true }), "NOT_FOUND"],
    [
      "marked, in words that no rule understands",
      said("The moon is full", { isError: true }),
      "OPERATION_FAILED",
    ],
    ["a report and nothing else", said('{"success": false, "error": "no such table: x"}'), "NOT_FOUND"],
    ["an error and nothing else", said('{"error": "no such table: x"}'), "NOT_FOUND"],
    ["the words of an SDK", said("Error executing tool read: file not found"), "NOT_FOUND"],
    ["the words of another SDK", said("MCP error -32602: Tool x not found"), "NOT_FOUND"],
    ["a sentence that reports it", said("Error: no such table: x"), "NOT_FOUND"],
    [
      "a sentence with a code of the system",
      said("Error: ENOENT: no such file or directory, open '/x'"),
      "NOT_FOUND",
    ],
    ["a sentence without a reason", said("Failed to fetch the price"), "OPERATION_FAILED"],
  ])("has a code: %s", async (_how, result, code) => {
    const { content, isError } = await answerTo(result);
    expect(isError).toBe(true);
    expect(JSON.parse(content.at(-1)?.text ?? "")).toMatchObject({
      success: false,
      data: { error_code: code },
    });
  });

  it.each([
    ['{"errors":[{"message":"no name","path":["q"]},{"message":"no id"}]}', '"path":["q"]'],
    ['{"error":"quota reached","left":0,"paid":false}', '"left":0,"paid":false'],
  ])("that it marks itself keeps all that its JSON says: %s", async (text, kept) => {
    const { content } = await answerTo(said(text, { isError: true }));
    expect(content.map((block) => block.text).join("\n")).toContain(kept);
  });

  it.each([
    ["a text with another line", "Error: no such table: x\nInfo: table y is there"],
    ["a question", "Error: no such table: x?"],
    ["a text with a status", "Failed to fetch: HTTP 503 Service Unavailable"],
    ["a report with data beside it", '{"ok": false, "error": "channel_not_found", "jobs": [1, 2]}'],
  ])("keeps its words and gets a warning, but no code, where it is not sure: %s", async (_how, text) => {
    const { content, isError } = await answerTo(said(text));
    expect(isError).toBeUndefined();
    expect(content.map((block) => block.text)).toEqual([
      text,
      JSON.stringify({ meta: { warnings: [warning] } }),
    ]);
  });
});
