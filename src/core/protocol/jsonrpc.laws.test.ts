import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { getByPointer, parsePointer } from "../json/pointer.ts";
import {
  answerTo,
  internalError,
  invalidParams,
  invalidRequest,
  jsonRpcError,
  methodNotFound,
} from "./json-rpc-error.ts";
import { initializeResult, jsonRpcResult, toolResult, toolsListResult } from "./build-results.ts";
import { messageRules } from "./rules.ts";
import { validateMessage } from "./validate-message.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const runs = lawRuns(2_000);
const ruleIds = new Set(messageRules.map(({ id }) => id));

const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;
const object = fc.dictionary(fc.string(), json) as fc.Arbitrary<JsonObject>;
const id = fc.oneof(fc.string({ unit: "binary" }), fc.maxSafeInteger());
const text = fc.string({ minLength: 1 });
const code = fc.oneof(fc.integer(), fc.integer({ min: -32_800, max: -31_990 }));

const server = fc.record({ name: fc.string(), version: fc.string() });
const initialize = fc.record({ protocolVersion: fc.string(), capabilities: object, serverInfo: server });
const schema = object.map((rest) => ({ ...rest, type: "object" as const }));
/** A description of blanks says nothing, so it counts as absent. */
const words = text.filter((each) => each.trim() !== "");
const tools = fc.uniqueArray(fc.record({ name: text, description: words, inputSchema: schema }), {
  selector: ({ name }) => name,
});

// Messages that are nearly right: arbitrary JSON hardly ever gets past the first rule.
const member = fc.oneof(json, fc.constantFrom("2.0", null, -32600, "tools/list", 1));
const listed = fc.record({ name: member, description: member, inputSchema: member }, { requiredKeys: [] });
const known = fc.record(
  { protocolVersion: member, serverInfo: member, tools: fc.oneof(member, fc.array(listed)), content: member },
  { requiredKeys: [] },
);
const near = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 5, arbitrary: fc.constant("2.0") }, { weight: 1, arbitrary: member }),
    id: fc.oneof(id, member),
    method: member,
    params: member,
    result: fc.oneof(known, member),
    error: fc.oneof(
      fc.record({ code: fc.oneof(code, member), message: member }, { requiredKeys: [] }),
      member,
    ),
    extra: member,
  },
  { requiredKeys: [] },
);
const anything = fc.oneof(json, near, fc.array(near), fc.array(json));

describe("validateMessage", () => {
  it("ends in a verdict for any JSON value, and is invalid exactly when a MUST is broken", () => {
    const method = fc.option(fc.constantFrom("initialize", "tools/list", "tools/call", "ping"), {
      nil: undefined,
    });
    fc.assert(
      fc.property(anything, fc.option(anything, { nil: undefined }), method, (message, request, method) => {
        const { valid, violations } = validateMessage(message, {
          request,
          method,
          checkToolResult: () => [],
        });
        expect(valid).toBe(!violations.some(({ severity }) => severity === "MUST"));
        expect(violations.every(({ rule }) => ruleIds.has(rule))).toBe(true);
      }),
      runs,
    );
  });

  it("points into the message: each place or the one around it exists", () => {
    fc.assert(
      fc.property(anything, (message) => {
        for (const { path } of validateMessage(message).violations) {
          expect(parsePointer(path)).toBeDefined();
          expect(getByPointer(message, path.slice(0, Math.max(0, path.lastIndexOf("/"))))).toBeDefined();
        }
      }),
      runs,
    );
  });

  it("names one rule a place", () => {
    fc.assert(
      fc.property(near, fc.option(near, { nil: undefined }), (message, request) => {
        const places = validateMessage(message, { request }).violations.map(({ path }) => path);
        expect(new Set(places.filter((path) => path !== "")).size).toBe(
          places.filter((path) => path !== "").length,
        );
      }),
      runs,
    );
  });

  it("leaves the message as it was", () => {
    fc.assert(
      fc.property(anything, (message) => {
        const before = JSON.stringify(message);
        validateMessage(message);
        expect(JSON.stringify(message)).toBe(before);
      }),
      runs,
    );
  });

  it("survives nesting that overflows a recursive walk", () => {
    let deep: JsonValue = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(validateMessage(deep).valid).toBe(false);
    expect(validateMessage({ jsonrpc: "2.0", id: 1, result: { tools: [deep], content: deep } }).valid).toBe(
      false,
    );
  });
});

describe("the builders", () => {
  it("write results that break no rule", () => {
    const result = fc.oneof(
      initialize.map((options) => ["initialize", initializeResult(options)] as const),
      fc
        .tuple(tools, fc.option(fc.string(), { nil: undefined }))
        .map(([list, nextCursor]) => ["tools/list", toolsListResult(list, { nextCursor })] as const),
      fc
        .tuple(json, fc.boolean())
        .map(
          ([value, isError]) =>
            ["tools/call", toolResult({ json: value, structuredContent: value, isError })] as const,
        ),
      object.map((value) => ["ping", value] as const),
    );
    fc.assert(
      fc.property(id, result, (id, [method, result]) => {
        const request = { jsonrpc: "2.0", id, method };
        expect(validateMessage(jsonRpcResult(id, result), { request }).violations).toEqual([]);
      }),
      runs,
    );
  });

  it("write errors that are valid", () => {
    fc.assert(
      fc.property(id, code, text, fc.option(json, { nil: undefined }), (id, code, message, data) => {
        const error = data === undefined ? { code, message } : { code, message, data };
        const built = [
          jsonRpcError(id, error),
          methodNotFound(id, message),
          internalError(id, message, data),
        ];
        for (const response of [...built, invalidParams(id, message), invalidRequest(id)]) {
          expect(validateMessage(response, { request: { jsonrpc: "2.0", id, method: "x" } }).valid).toBe(
            true,
          );
        }
      }),
      runs,
    );
  });

  // shows 003.4
  it("bring every id back as it was sent", () => {
    fc.assert(
      fc.property(id, text, (id, method) => {
        const request: unknown = JSON.parse(JSON.stringify({ jsonrpc: "2.0", id, method }));
        const answers = [answerTo(request, (id) => jsonRpcResult(id, {})), methodNotFound(id, method)];
        for (const answer of answers) {
          const read = JSON.parse(JSON.stringify(answer)) as JsonObject;
          expect(read["id"]).toBe(id);
        }
      }),
      runs,
    );
  });
});

describe("answerTo", () => {
  it("gives a valid answer to any JSON value, or none", () => {
    fc.assert(
      fc.property(anything, (message) => {
        const answer = answerTo(message, (id) => jsonRpcResult(id, {}));
        if (answer === undefined) return;
        const request = Array.isArray(message) ? undefined : message;
        // The empty result is right for `ping` only, whatever method was drawn.
        expect(validateMessage(answer, { request, method: "ping" }).violations).toEqual([]);
      }),
      runs,
    );
  });
});
