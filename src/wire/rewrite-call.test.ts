import { describe, expect, it } from "vitest";
import { faults } from "../contract/faults.ts";
import { ToolFault } from "../contract/tool-fault.ts";
import type { JsonObject } from "../json/json-value.ts";
import { callRewrite } from "./call-rewrite.fixture.ts";
import { rewriteCall } from "./rewrite-call.ts";

function respond(result: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id: 7, result };
}

function said(text: string, more: JsonObject = {}): JsonObject {
  return respond({ content: [{ type: "text", text }], ...more });
}

async function envelopeOf(response: JsonObject, rewrite = callRewrite()): Promise<JsonObject> {
  const { result } = (await rewriteCall(response, rewrite)) as { result: JsonObject };
  return result["structuredContent"] as JsonObject;
}

describe("rewriteCall", () => {
  it("keeps the response's id, and everything of the result that is not its words", async () => {
    const meta = { "com.example/took": 3, "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" } };
    const response = said('{"a":1}', { resultType: "complete", ttlMs: 5, _meta: meta });
    const changed = await rewriteCall(response, callRewrite());
    const envelope = {
      success: true,
      data: { a: 1 },
      error: null,
      meta: { version: "response-v2", request_id: "req_1" },
    };
    expect(changed).toEqual({
      jsonrpc: "2.0",
      id: 7,
      result: {
        resultType: "complete",
        ttlMs: 5,
        content: [{ type: "text", text: JSON.stringify(envelope) }],
        structuredContent: envelope,
        _meta: {
          ...meta,
          "waybill/contract": { dialect: "response-v2", profile: "standard" },
          "waybill/notes": { request_id: "req_1" },
        },
      },
    });
    expect(response["result"]).toEqual({
      content: [{ type: "text", text: '{"a":1}' }],
      resultType: "complete",
      ttlMs: 5,
      _meta: meta,
    });
  });

  it.each([
    [
      "an error of the protocol",
      { jsonrpc: "2.0", id: 7, error: { code: -32602, message: "Unknown tool: x" } },
    ],
    ["a request for input", respond({ resultType: "input_required", inputRequests: {} })],
    ["a modern task", respond({ resultType: "task", taskId: "t", status: "working" })],
    ["a legacy task", respond({ task: { taskId: "t", status: "working" } })],
    ["a result of 2024", respond({ toolResult: "x" })],
    ["the state of a task", respond({ taskId: "t", status: "working", createdAt: "2026-11-15T00:00:00Z" })],
    ["content that is no list", respond({ content: "x" })],
    ["no result", { jsonrpc: "2.0", id: 7 }],
  ])("passes %s untouched", async (_, response) => {
    expect(await rewriteCall(response as JsonObject, callRewrite())).toBe(response);
  });

  it("counts a text that repeats the structure once", async () => {
    const structuredContent = { a: 1, b: [2] };
    const pretty = JSON.stringify(structuredContent, null, 2);
    expect((await envelopeOf(said(pretty, { structuredContent })))["data"]).toEqual(structuredContent);
  });

  it("takes structure without content", async () => {
    expect(await envelopeOf(respond({ structuredContent: { a: 1 } }))).toMatchObject({ data: { a: 1 } });
  });

  it("keeps JSON text as text where parsing would lose digits", async () => {
    const text = '{"id":12345678901234567890,"ratio":1.0}';
    expect((await envelopeOf(said(text)))["data"]).toEqual({ result: text });
  });

  it("wraps no envelope twice", async () => {
    const first = await rewriteCall(said("x"), callRewrite());
    const second = await rewriteCall(first, callRewrite());
    expect(second).toEqual(first);
  });

  it("leaves images where they are, after the words", async () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" };
    const { result } = (await rewriteCall(respond({ content: [image] }), callRewrite())) as {
      result: { content: JsonObject[] };
    };
    expect(result.content).toHaveLength(2);
    expect(result.content[1]).toBe(image);
  });

  it("speaks the dialect it is told", async () => {
    const rewrite = callRewrite({ context: { dialect: "plain" } });
    const { result } = (await rewriteCall(said('{"a":1}'), rewrite)) as { result: JsonObject };
    expect(result).toMatchObject({
      content: [{ type: "text", text: '{"a":1}' }],
      structuredContent: { a: 1 },
    });
  });
});

describe("rewriteCall on a failure", () => {
  it.each([
    "Spec not found: login",
    "MCP error -32603: Spec not found: login",
    "Error: Spec not found: login",
  ])("finds the fault behind the SDK's text: %s", async (text) => {
    const fault = faults.notFound("spec", "login", { errorCode: "SPEC_NOT_FOUND" });
    const rewrite = callRewrite({ faults: [new ToolFault("Other"), fault] });
    expect(await envelopeOf(said(text, { isError: true }), rewrite)).toMatchObject({
      success: false,
      error: "Spec not found: login",
      data: { error_code: "SPEC_NOT_FOUND", error_type: "not_found" },
    });
  });

  it("finds the fault behind a JSON-RPC error, as low-level servers send it", async () => {
    const response = { jsonrpc: "2.0", id: 7, error: { code: -32603, message: "No such spec" } };
    const rewrite = callRewrite({ faults: [new ToolFault("No such spec", { errorCode: "SPEC_NOT_FOUND" })] });
    const changed = await rewriteCall(response, rewrite);
    expect(changed).not.toHaveProperty("error");
    expect(changed).toMatchObject({
      jsonrpc: "2.0",
      id: 7,
      result: { isError: true, structuredContent: { data: { error_code: "SPEC_NOT_FOUND" } } },
    });
    expect(changed["result"]).not.toHaveProperty("resultType");
  });

  it("names the type of a modern result that was an error", async () => {
    const response = { jsonrpc: "2.0", id: 7, error: { code: -32603, message: "Full" } };
    const changed = await rewriteCall(response, callRewrite({ isModern: true }));
    expect(changed).toMatchObject({ result: { resultType: "complete", isError: true } });
  });

  it("takes no fault that was caught and not thrown", async () => {
    const rewrite = callRewrite({ faults: [new ToolFault("First try failed", { errorCode: "TIMEOUT" })] });
    expect(await envelopeOf(said("Nothing worked", { isError: true }), rewrite)).toMatchObject({
      error: "Nothing worked",
      data: { error_code: "OPERATION_FAILED" },
    });
    expect(await envelopeOf(said("First try failed"), rewrite)).toMatchObject({ success: true });
  });

  it("calls a tool that a v1 server does not have NOT_FOUND", async () => {
    const text = "MCP error -32602: Tool nope not found";
    expect(await envelopeOf(said(text, { isError: true }))).toMatchObject({
      error: "Tool not found: nope",
      data: { error_code: "NOT_FOUND", details: { resource_type: "tool", resource_id: "nope" } },
    });
  });

  it("masks secrets in the text that an SDK made public", async () => {
    const redact = ((value: JsonObject) => ({
      value: JSON.parse(JSON.stringify(value).replaceAll("hunter2", "***")) as JsonObject,
      count: 1,
    })) as never;
    const envelope = await envelopeOf(
      said("Bad password hunter2", { isError: true }),
      callRewrite({ context: { redact } }),
    );
    expect(envelope["error"]).toBe("Bad password ***");
  });
});
