import { describe, expect, it } from "vitest";
import type { Violation } from "../contract/rule.ts";
import type { JsonValue } from "../json/json-value.ts";
import { type ValidateMessageOptions, validateMessage } from "./validate-message.ts";

const finding: Violation = { rule: "content/text", path: "/content/0", message: "No.", severity: "MUST" };

function broken(result: JsonValue, options?: ValidateMessageOptions): string[] {
  const { violations } = validateMessage({ jsonrpc: "2.0", result, id: 1 }, options);
  return violations.map(({ rule, path }) => `${rule} ${path}`);
}

function checkedAsToolResult(result: JsonValue, method?: string): boolean {
  return broken(result, { method, checkToolResult: () => [finding] }).length > 0;
}

describe("checkResult", () => {
  it.each([null, 1, "text", []])("refuses the result %j", (result) => {
    expect(broken(result, { method: "tools/call" })).toEqual(["jsonrpc/result-type /result"]);
  });

  it("puts the path of the result before that of an injected check", () => {
    const options = { checkToolResult: () => [finding] };
    expect(broken({ content: [] }, options)).toEqual(["content/text /result/content/0"]);
    const batch = validateMessage([{ jsonrpc: "2.0", result: { content: [] }, id: 1 }], options);
    expect(batch.violations[0]?.path).toBe("/0/result/content/0");
    expect(batch.valid).toBe(false);
  });

  it("infers the method from the result's keys", () => {
    expect(broken({ tools: [1], content: [] })).toEqual(["tools-list/tools /result/tools/0"]);
    expect(broken({ protocolVersion: "1", content: [] })).toEqual([
      "initialize/capabilities /result/capabilities",
      "initialize/server-info /result/serverInfo",
    ]);
    expect(checkedAsToolResult({ content: "text" })).toBe(true);
    expect(checkedAsToolResult({ messages: [] })).toBe(false);
  });

  it("does not take what a client answers for a tool result", () => {
    expect(checkedAsToolResult({ role: "assistant", content: { type: "text", text: "" }, model: "m" })).toBe(
      false,
    );
    expect(checkedAsToolResult({ action: "accept", content: {} })).toBe(false);
  });

  it("leaves a call alone that is not complete", () => {
    expect(checkedAsToolResult({ resultType: "input_required", requestState: "s" }, "tools/call")).toBe(
      false,
    );
    expect(checkedAsToolResult({ task: { taskId: "t" } }, "tools/call")).toBe(false);
    expect(checkedAsToolResult({ resultType: "complete", content: [] }, "tools/call")).toBe(true);
    expect(checkedAsToolResult({}, "tools/call")).toBe(true);
  });

  it("passes the results of other methods", () => {
    expect(broken({}, { method: "ping" })).toEqual([]);
    expect(broken({ resources: 1 })).toEqual([]);
  });
});

describe("checkInitialize", () => {
  it("names each missing part once", () => {
    expect(broken({ serverInfo: {} }, { method: "initialize" })).toEqual([
      "initialize/protocol-version /result/protocolVersion",
      "initialize/capabilities /result/capabilities",
      "initialize/server-info /result/serverInfo/name",
      "initialize/server-info /result/serverInfo/version",
    ]);
  });
});

describe("checkToolsList", () => {
  const tool = { name: "a", description: "Does a", inputSchema: { type: "object" } };

  it("accepts an empty list and a further page", () => {
    expect(broken({ tools: [] })).toEqual([]);
    expect(broken({ tools: [tool], nextCursor: "p2" })).toEqual([]);
  });

  it("reports each repetition of a name at the later tool", () => {
    expect(broken({ tools: [tool, tool, { ...tool, name: "A" }, tool] })).toEqual([
      "tools-list/name-unique /result/tools/1/name",
      "tools-list/name-unique /result/tools/3/name",
    ]);
  });

  it("does not count nameless tools as repeated", () => {
    const nameless = { ...tool, name: "" };
    expect(broken({ tools: [nameless, nameless] })).toEqual([
      "tools-list/name /result/tools/0/name",
      "tools-list/name /result/tools/1/name",
    ]);
  });

  it("wants an input schema whose type is object", () => {
    const tools = [true, { type: ["object"] }].map((inputSchema, index) => ({
      ...tool,
      name: `t${index}`,
      inputSchema,
    }));
    expect(broken({ tools })).toEqual([
      "tools-list/input-schema /result/tools/0/inputSchema",
      "tools-list/input-schema /result/tools/1/inputSchema/type",
    ]);
  });

  it("remarks on an empty description without refusing the list", () => {
    const verdict = validateMessage({
      jsonrpc: "2.0",
      result: { tools: [{ ...tool, description: "" }] },
      id: 1,
    });
    expect(verdict.valid).toBe(true);
    expect(verdict.violations.map(({ rule }) => rule)).toEqual(["tools-list/description"]);
  });
});
