import { describe, expect, it } from "vitest";
import { ContractError } from "../contract/contract-error.ts";
import {
  answerTo,
  codeRanges,
  internalError,
  invalidParams,
  invalidRequest,
  isKnownCode,
  isReservedCode,
  jsonRpcCodes,
  jsonRpcError,
  methodNotFound,
  parseError,
} from "./json-rpc-error.ts";
import {
  type ToolResultOptions,
  initializeResult,
  jsonRpcResult,
  toolResult,
  toolsListResult,
} from "./build-results.ts";

function refusal(build: () => unknown): string {
  try {
    build();
  } catch (error) {
    if (ContractError.isInstance(error) && error.code === "INVALID_OPTION") return error.message;
    throw error;
  }
  return "accepted";
}

const oddIds = [undefined, true, 1.5, Number.NaN, Number.POSITIVE_INFINITY, {}, [], 1n] as unknown[];

describe("jsonRpcCodes", () => {
  it("are those of JSON-RPC 2.0", () => {
    expect(Object.values(jsonRpcCodes)).toEqual([
      { code: -32700, message: "Parse error" },
      { code: -32600, message: "Invalid Request" },
      { code: -32601, message: "Method not found" },
      { code: -32602, message: "Invalid params" },
      { code: -32603, message: "Internal error" },
    ]);
  });

  it("lie in the reserved range, whose ends belong to it", () => {
    expect([-32769, -32768, -32603, -32000, -31999].map(isReservedCode)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect([-32042, -32002, -32001].map(isKnownCode)).toEqual([true, true, false]);
    expect(codeRanges.implementation).toEqual({ from: -32099, to: -32000 });
    expect(codeRanges.mcp).toEqual({ from: -32099, to: -32020 });
  });
});

describe("jsonRpcResult", () => {
  // shows 003.3
  it("writes the members in the order of seed 003", () => {
    expect(JSON.stringify(jsonRpcResult("a", { ok: true }))).toBe(
      '{"jsonrpc":"2.0","result":{"ok":true},"id":"a"}',
    );
  });

  // shows 003.6
  it.each([...oddIds, null])("refuses the id %s", (id) => {
    expect(refusal(() => jsonRpcResult(id as string, {}))).toMatch(/^The id is /);
  });

  it("tells who has no id that a notification is never answered", () => {
    expect(refusal(() => jsonRpcResult(undefined as unknown as string, {}))).toContain(
      "answerTo(message, make)",
    );
  });

  it.each([{ at: new Date(0) }, { n: Number.NaN }, { f: () => 1 }, [], null, "text", undefined])(
    "refuses the result %j",
    (result) => {
      expect(refusal(() => jsonRpcResult(1, result as object))).not.toBe("accepted");
    },
  );
});

describe("jsonRpcError", () => {
  it("gives the texts of seed 003", () => {
    expect(parseError()).toEqual({
      jsonrpc: "2.0",
      error: { code: -32700, message: "Parse error" },
      id: null,
    });
    expect(methodNotFound(3, "x").error).toEqual({ code: -32601, message: "Method not found: x" });
    expect(internalError(3, "try again").error).toEqual({
      code: -32603,
      message: "Internal error: try again",
    });
    expect(invalidParams(3, "Unknown tool: x").error).toEqual({ code: -32602, message: "Unknown tool: x" });
    expect(invalidRequest()).toEqual({
      jsonrpc: "2.0",
      error: { code: -32600, message: "Invalid Request" },
      id: null,
    });
    expect(invalidRequest(0).id).toBe(0);
  });

  it("falls back to the standard message without a text", () => {
    expect(internalError(3, "").error.message).toBe("Internal error");
    expect(invalidParams(3, "").error.message).toBe("Invalid params");
  });

  it("carries data, null included", () => {
    expect(invalidParams(3, "Resource not found", { uri: "a://b" }).error.data).toEqual({ uri: "a://b" });
    expect(internalError(3, "later", null).error).toHaveProperty("data", null);
    expect(parseError().error).not.toHaveProperty("data");
  });

  it.each(oddIds)("refuses the id %s", (id) => {
    expect(refusal(() => jsonRpcError(id as string, { code: -32600, message: "No" }))).toMatch(/^The id is /);
  });

  it("refuses a null id where the request could be read", () => {
    expect(refusal(() => methodNotFound(null as unknown as string, "x"))).toContain("only a parse error");
  });

  it.each([1.5, Number.NaN, "1", undefined])("refuses the code %s", (code) => {
    expect(refusal(() => jsonRpcError(1, { code: code as number, message: "No" }))).toMatch(/^`code` is /);
  });

  it("refuses an empty message and data that is no JSON", () => {
    expect(refusal(() => jsonRpcError(1, { code: 1, message: "" }))).toMatch(/^`message` is ""/);
    expect(refusal(() => jsonRpcError(1, { code: 1, message: "No", data: 1n as unknown as string }))).toMatch(
      /^`data`/,
    );
  });
});

describe("answerTo", () => {
  const request = { jsonrpc: "2.0", id: 7, method: "ping" };
  const answer = (message: unknown) => answerTo(message, (id) => jsonRpcResult(id, {}));

  it("answers a request with its id", () => {
    expect(answer(request)).toEqual({ jsonrpc: "2.0", result: {}, id: 7 });
    expect(answer({ ...request, id: "" })).toEqual({ jsonrpc: "2.0", result: {}, id: "" });
    expect(answer({ ...request, trace: 1 })).toHaveProperty("result");
  });

  it("answers neither notifications nor responses", () => {
    expect(answer({ jsonrpc: "2.0", method: "notifications/initialized", params: null })).toBeUndefined();
    expect(answer({ jsonrpc: "2.0", result: {}, id: 7 })).toBeUndefined();
    expect(answer(parseError())).toBeUndefined();
  });

  it("answers an invalid request with its id where that can be read", () => {
    expect(answer({ id: 7, method: "ping" })).toEqual(invalidRequest(7));
    expect(answer({ jsonrpc: "2.0", id: 7 })).toEqual(invalidRequest(7));
    expect(answer({ ...request, params: [1] })).toEqual(invalidRequest(7));
  });

  it.each([
    { ...request, id: null },
    { ...request, id: 1.5 },
    { method: "x" },
    {},
    [],
    [request],
    null,
    5,
    "x",
  ])("answers %j as an invalid request without an id", (message) => {
    expect(answer(message)).toEqual(invalidRequest());
  });
});

describe("toolResult", () => {
  it("has isError only on a failure", () => {
    expect(toolResult({ text: "done" })).toEqual({ content: [{ type: "text", text: "done" }] });
    expect(toolResult({ text: "done", isError: false })).not.toHaveProperty("isError");
    expect(toolResult({ text: "no", isError: true })).toHaveProperty("isError", true);
  });

  it("writes a value as compact JSON", () => {
    expect(toolResult({ json: [{ id: 1 }] }).content).toEqual([{ type: "text", text: '[{"id":1}]' }]);
    expect(toolResult({ json: null }).content).toEqual([{ type: "text", text: "null" }]);
  });

  it("keeps blocks and structured content as they are", () => {
    const content = [{ type: "image", data: "AA==", mimeType: "image/png" }];
    expect(toolResult({ content, structuredContent: [1] })).toEqual({ content, structuredContent: [1] });
  });

  it.each([
    {},
    { text: "a", json: 1 },
    { text: 5 },
    { json: 1n },
    { content: [] },
    { content: "a" },
    { content: [{}] },
    { content: ["a"] },
    { text: "a", structuredContent: { at: new Date(0) } },
  ])("refuses the options of case %#", (options) => {
    expect(refusal(() => toolResult(options as unknown as ToolResultOptions))).not.toBe("accepted");
  });
});

describe("initializeResult and toolsListResult", () => {
  const tool = { name: "a", description: "Does a", inputSchema: { type: "object" } } as const;
  const server = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "s", version: "1" } };

  it("write only what was given", () => {
    expect(initializeResult(server)).toEqual(server);
    expect(initializeResult({ ...server, instructions: "Be brief" })).toHaveProperty(
      "instructions",
      "Be brief",
    );
    expect(toolsListResult([tool])).toEqual({ tools: [tool] });
    expect(toolsListResult([tool], { nextCursor: "p2" })).toEqual({ tools: [tool], nextCursor: "p2" });
  });

  it("refuse with the sentence of the rule they would break", () => {
    expect(refusal(() => toolsListResult([tool, tool]))).toContain("is the name of an earlier tool");
    expect(refusal(() => toolsListResult([{ ...tool, name: "" }]))).toContain('`name` is ""');
    expect(refusal(() => toolsListResult([tool], { nextCursor: 2 as unknown as string }))).toContain(
      "`nextCursor` is 2",
    );
    expect(
      refusal(() => initializeResult({ ...server, serverInfo: { name: "s" } as typeof server.serverInfo })),
    ).toContain("`serverInfo.version` is missing");
  });
});
