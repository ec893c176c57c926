import { describe, expect, it } from "vitest";
import { dialectIds } from "../../contract/dialect-id.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { detectDialect, envelopeOf } from "./detect-dialect.ts";
import { validateResponse } from "./validate-response.ts";

const v2 = { success: true, data: { spec_id: "user-auth" }, error: null, meta: { version: "response-v2" } };
const failure = { ...v2, success: false, data: { error_code: "NOT_FOUND" }, error: "Spec not found" };

function result(value: JsonValue | string, more: JsonObject = {}): JsonObject {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { content: [{ type: "text", text }], ...more };
}

function detected(json: JsonValue) {
  const { dialect, level, alternatives } = detectDialect(json);
  return [level, dialect, ...alternatives];
}

describe("detectDialect", () => {
  it.each(dialectIds)("believes a result whose _meta names %s before any shape", (dialect) => {
    for (const mark of [{ dialect, profile: "standard" }, dialect, `${dialect} as_sent`]) {
      const _meta = { "waybill/contract": mark };
      for (const carried of [v2, { data: 1 }, [1], "Error executing tool: x", "no JSON"]) {
        expect(detected(result(carried, { _meta }))).toEqual(["result", dialect]);
      }
      expect(detected({ structuredContent: v2, _meta })).toEqual(["result", dialect]);
      expect(detected({ ...v2, _meta })).toEqual(["result", dialect]);
    }
  });

  it.each([{ dialect: "response-v3" }, { dialect: "toString" }, {}, "response-v3", "toString", "", null])(
    "goes by the shape when _meta says %j",
    (contract) => {
      const json = result("Error executing tool: x", { _meta: { "waybill/contract": contract } });
      expect(detected(json)).toEqual(["result", "drf", "plain"]);
    },
  );

  it("takes the error prefix of a text before the envelope beside it", () => {
    const json = result("Error executing tool: x", { structuredContent: v2, isError: true });
    expect(detected(json)).toEqual(["result", "drf", "plain"]);
  });

  it("takes the envelope in structuredContent before the one in the text", () => {
    expect(detected(result(v2, { structuredContent: { data: 1 } }))).toEqual([
      "result",
      "scalpel",
      "response-v1",
    ]);
    expect(detected(result(v2))).toEqual(["result", "response-v2", "response-v2-draft"]);
  });

  it("takes the four keys before scalpel's", () => {
    expect(detected(v2)).toEqual(["envelope", "response-v2", "response-v2-draft"]);
    expect(detected({ data: {}, error: null, meta: {} })).toEqual([
      "envelope",
      "scalpel",
      "response-v2",
      "response-v1",
    ]);
    expect(detected({ success: false, error: "x" })).toEqual(["envelope", "response-v1", "response-v2"]);
  });

  it("takes scalpel's keys before a lone error text, and that before a bare payload", () => {
    const error = { error: "File not found: /missing.py", error_code: "not_found" };
    expect(detected({ error })).toEqual(["envelope", "scalpel", "response-v1"]);
    expect(detected({ error: "File not found" })).toEqual(["envelope", "response-v1"]);
    expect(detected({ error: "File not found", status: 404 })).toEqual(["envelope", "response-v1"]);
    expect(detectDialect({ error: "File not found" }).because).toBe("the only key is error");
  });

  it.each([
    { meta: { version: "response-v2" }, tasks: [], total: 0 },
    { meta: { version: "response-v2" } },
    { data: {}, meta: { version: "response-v2" } },
    { success: true, meta: { version: "response-v2" } },
  ])("never takes %j for response-v2 by its version alone", (json) => {
    expect(detectDialect(json).dialect).not.toBe("response-v2");
  });

  it.each([
    { ...v2, success: "true" },
    { ...v2, error: { code: 404 } },
    { ...v2, meta: null },
    { ...v2, extra: 1 },
    { success: true, data: {}, meta: {} },
    { success: false, error: "x", data: null },
    { success: "yes", data: {}, meta: { version: "response-v2" } },
    { succes: true, data: { a: 1 }, error: null, meta: { version: "response-v2" } },
  ])("knows a broken response-v2 %j for what it is", (json) => {
    expect(["response-v2", "response-v2-draft"]).toContain(detectDialect(json).dialect);
    expect(validateResponse(json).valid).toBe(false);
  });

  it("names response-v2 as the other dialect of a payload with success and data", () => {
    expect(detected({ success: "true", data: {} })).toEqual(["envelope", "response-v1", "response-v2"]);
  });

  it("tells the draft by metadata in data, and by the code of a failure in meta", () => {
    for (const key of ["_meta", "_warnings"]) {
      const json = { ...v2, data: { [key]: [] } };
      expect(detected(json)).toEqual(["envelope", "response-v2-draft", "response-v2"]);
    }
    const coded = { ...failure, data: {}, meta: { version: "response-v2", error_code: "NOT_FOUND" } };
    expect(detected(coded)).toEqual(["envelope", "response-v2-draft", "response-v2"]);
    expect(detected(failure)).toEqual(["envelope", "response-v2"]);
    expect(detected({ ...failure, data: { _meta: {} } })).toEqual(["envelope", "response-v2"]);
  });

  it("takes a failure without a code for response-v2, which then lacks its code", () => {
    const bare = { ...failure, data: {} };
    expect(detected(bare)).toEqual(["envelope", "response-v2", "response-v2-draft"]);
    expect(validateResponse(bare).violations.map(({ rule }) => rule)).toContain("error/code-missing");
    expect(validateResponse(bare, { dialect: "response-v2-draft" }).violations).toEqual([]);
  });

  it("says that JSON without an envelope in a result fits three dialects", () => {
    expect(detected(result([1, 2]))).toEqual(["result", "plain", "drf", "response-v1"]);
    expect(detected(result([1, 2], { isError: false }))).toEqual(["result", "plain", "response-v1"]);
    expect(detected(result({ a: 1 }, { structuredContent: { a: 1 } }))).toEqual([
      "result",
      "plain",
      "response-v1",
    ]);
    expect(detected(result("Alice"))).toEqual(["result", "plain"]);
    expect(detected({ content: [] })).toEqual(["result", "plain"]);
  });

  it.each([[1, 2], "text", 7, null, true, {}, { tasks: [] }, { content: "a page" }])(
    "takes %j for a bare payload that fits nothing else",
    (json) => {
      expect(detected(json)).toEqual(["envelope", "response-v1"]);
    },
  );

  it("takes a result that forgot its content for a result", () => {
    expect(detected({ structuredContent: v2 })).toEqual(["result", "response-v2", "response-v2-draft"]);
    expect(validateResponse({ structuredContent: v2 }).violations[0]?.rule).toBe("result/content");
  });

  it("takes an envelope with a stray content for an envelope", () => {
    expect(detected({ ...v2, content: [] })).toEqual(["envelope", "response-v2", "response-v2-draft"]);
  });

  it("takes anything for an envelope when told that it is one", () => {
    const json = { content: ["chapter 1", "chapter 2"] };
    expect(detectDialect(json, "envelope")).toMatchObject({ dialect: "response-v1", level: "envelope" });
    expect(detectDialect(json)).toMatchObject({ dialect: "plain", level: "result" });
  });

  it("lists only alternatives that a whole response is valid in", () => {
    const whole = [v2, { ...failure, data: {} }, { data: 1 }, result([1]), result(v2), result({ data: 1 })];
    const texts = [result("Error executing tool: x", { isError: true }), result("Alice")];
    for (const json of [...whole, ...texts, { ...v2, data: { _meta: {} } }]) {
      for (const dialect of detectDialect(json).alternatives) {
        expect(validateResponse(json, { dialect }).violations.filter((v) => v.severity === "MUST")).toEqual(
          [],
        );
      }
    }
  });

  it("is not misled by keys of Object.prototype", () => {
    const json = JSON.parse('{"__proto__": {"success": true, "data": {}, "error": null, "meta": {}}}');
    expect(detected(json as JsonValue)).toEqual(["envelope", "response-v1"]);
  });
});

describe("envelopeOf", () => {
  it("finds the first text block, wherever it is", () => {
    const image = { type: "image", data: "", mimeType: "image/png" };
    const carried = envelopeOf({ content: [image, { type: "text", text: "[1]" }] });
    expect(carried).toEqual({ json: [1], path: "/content/1/text", channel: "text", findings: [] });
  });

  it("finds nothing in a text that is not JSON, and nothing without a text", () => {
    expect(envelopeOf(result("Alice"))).toBeUndefined();
    expect(envelopeOf({ content: [] })).toBeUndefined();
    expect(envelopeOf({})).toBeUndefined();
  });

  it("finds null", () => {
    expect(envelopeOf(result("null"))?.json).toBeNull();
    expect(envelopeOf(result("1", { structuredContent: null }))?.json).toBeNull();
  });
});
