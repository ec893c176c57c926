import { describe, expect, it } from "vitest";
import { carryOriginal, errorResult, isArrivalAsSent, originalOf } from "./foreign-result.ts";

const text = (result: unknown): unknown => (result as { content: { text: string }[] }).content[0]?.text;

describe("errorResult", () => {
  it.each([
    [-32700, "Parse error"],
    [-32600, "Invalid request"],
    [-32601, "Method not found"],
    [-32602, "Tool nope not found"],
    [-32602, "Unknown tool: nope"],
    [-32602, "Invalid or expired requestState"],
    [-32602, "Invalid tools/call request: name is missing"],
    [-32042, "Open the page first"],
    [-32020, "Header mismatch"],
    [-32021, "Missing capability"],
    [-32099, "Reserved"],
  ])("leaves %i to the protocol: %s", (code, message) => {
    expect(errorResult({ code, message })).toBeUndefined();
  });

  it.each([
    [-32603, "MCP error -32603: The disk is full", "The disk is full"],
    [-32603, "The disk is full", "The disk is full"],
    [-32019, "Legacy range", "Legacy range"],
    [-32100, "Own range", "Own range"],
    [-32000, "Connection closed", "Connection closed"],
    [4711, "Own code", "Own code"],
  ])("makes a failed result of %i: %s", (code, message, said) => {
    expect(errorResult({ code, message })).toEqual({
      content: [{ type: "text", text: said }],
      isError: true,
    });
  });

  it("says refused arguments of old SDKs in the words of the new", () => {
    const old = "MCP error -32602: Invalid arguments for tool add: a is missing";
    const current = "Input validation error: Invalid arguments for tool add: a is missing";
    expect(text(errorResult({ code: -32602, message: old }))).toBe(current);
    expect(text(errorResult({ code: -32602, message: current }))).toBe(current);
  });

  it.each([
    "MCP error -32602: Tool 'add' parameter validation failed: a: expected number, received string.",
    'validating "arguments": validating root: required: missing properties: ["name"]',
    'unmarshaling: json: unknown field "foo"',
    "failed to deserialize parameters: missing field `path`",
    "missing parameter path",
  ])("counts arguments that another SDK refused as the tool's failure: %s", (message) => {
    expect(errorResult({ code: -32602, message })).toMatchObject({ isError: true });
  });

  it.each([
    "MCP error -32602: Tool add has an output schema but no structured content was provided",
    "MCP error -32602: Invalid structured content for tool add: sum is missing",
  ])("counts a result that the SDK refused as the tool's failure: %s", (message) => {
    expect(errorResult({ code: -32602, message })).toMatchObject({ isError: true });
  });

  it("keeps the error's own data as structure", () => {
    const failed = errorResult({ code: -32603, message: "Full", data: { disk: "sda" } });
    expect(failed).toMatchObject({ structuredContent: { disk: "sda" } });
    expect(errorResult({ code: -32603, message: "Full", data: "sda" })).not.toHaveProperty(
      "structuredContent",
    );
  });

  it.each([undefined, null, "error", {}, { code: "x", message: "y" }, { code: 1 }])(
    "makes nothing of what is no JSON-RPC error: %j",
    (error) => {
      expect(errorResult(error)).toBeUndefined();
    },
  );
});

describe("a result that came as bytes", () => {
  const result = { content: [{ type: "text", text: "1.0" }] };
  const bytes = Buffer.from('{"result":{"content":[{"type":"text","text":"1.0"}]}}');
  carryOriginal(result, { bytes, rawId: "1" });

  it("has them in every copy, and they are sent only for a copy that says the same", () => {
    const same = { ...result };
    const changed = { ...result, isError: true };
    for (const copy of [result, same, changed]) expect(originalOf(copy)?.bytes).toBe(bytes);
    const judged = [result, same, changed, { ...result, content: [] }].map((copy) => {
      const original = originalOf(copy);
      return original !== undefined && isArrivalAsSent(copy, original);
    });
    expect(judged).toEqual([true, true, false, false]);
    expect(JSON.stringify(same)).toBe(JSON.stringify({ content: [{ type: "text", text: "1.0" }] }));
  });
});
