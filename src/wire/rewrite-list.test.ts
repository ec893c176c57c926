import { describe, expect, it } from "vitest";
import { advertiseOutput } from "../advertise/envelope-schema.ts";
import type { DialectId } from "../contract/dialect-id.ts";
import type { JsonObject } from "../json/json-value.ts";
import { type ListRewrite, rewriteList } from "./rewrite-list.ts";

const inputSchema = { type: "object", properties: { a: { type: "number" } } };
const outputSchema = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };
const tool = { name: "add", description: "Adds", inputSchema, outputSchema, _meta: { "com.example/x": 1 } };

function list(tools: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return { jsonrpc: "2.0", id: 1, result: { tools, ...more } };
}

function options(
  dialects: readonly DialectId[] = ["response-v2"],
  more: Partial<ListRewrite> = {},
): ListRewrite {
  return {
    dialectsOf: () => dialects,
    hasTables: () => false,
    isText: false,
    waybillArgument: false,
    ...more,
  };
}

function toolsOf(response: JsonObject): readonly JsonObject[] {
  return (response["result"] as { tools: JsonObject[] }).tools;
}

describe("rewriteList", () => {
  it("puts the envelope around each output schema, and changes nothing else", () => {
    const response = list([tool], {
      nextCursor: "c",
      ttlMs: 0,
      cacheScope: "private",
      resultType: "complete",
    });
    expect(rewriteList(response, options())).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        tools: [{ ...tool, outputSchema: advertiseOutput(outputSchema, { dialects: ["response-v2"] }) }],
        nextCursor: "c",
        ttlMs: 0,
        cacheScope: "private",
        resultType: "complete",
      },
    });
  });

  it("gives a tool without an output schema that of the envelope", () => {
    const { outputSchema: _, ...bare } = tool;
    const [listed] = toolsOf(rewriteList(list([bare]), options()));
    expect(listed?.["outputSchema"]).toMatchObject({
      type: "object",
      required: ["success", "data", "error", "meta"],
    });
  });

  it("takes the schema away where results come as text alone", () => {
    const [listed] = toolsOf(rewriteList(list([tool]), options(["response-v2"], { isText: true })));
    expect(listed).not.toHaveProperty("outputSchema");
  });

  it("takes the schema away for a dialect that sends no structure", () => {
    const [listed] = toolsOf(rewriteList(list([tool]), options(["drf"])));
    expect(listed).not.toHaveProperty("outputSchema");
  });

  it("asks for the dialects of each tool by its name", () => {
    const asked: string[] = [];
    const dialectsOf = (name: string): readonly DialectId[] => {
      asked.push(name);
      return ["response-v2"];
    };
    rewriteList(list([tool, { ...tool, name: "other" }]), options([], { dialectsOf }));
    expect(asked).toEqual(["add", "other"]);
  });

  it("leaves a schema that is an envelope's already", () => {
    const once = rewriteList(list([tool]), options());
    expect(rewriteList(once, options())).toEqual(once);
  });

  it.each([
    ["an error", { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "x" } }],
    ["a result without tools", { jsonrpc: "2.0", id: 1, result: {} }],
  ])("passes %s untouched", (_, response) => {
    expect(rewriteList(response as JsonObject, options())).toBe(response);
  });

  it("passes what is no tool untouched", () => {
    const odd = [null, "x", { name: 5 }] as unknown as JsonObject[];
    expect(toolsOf(rewriteList(list(odd), options()))).toEqual(odd);
  });
});
