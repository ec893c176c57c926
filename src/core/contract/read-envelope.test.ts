import { describe, expect, test } from "vitest";
import { isEnvelope, readEnvelope } from "./read-envelope.ts";

const success = { success: true, data: { id: 1 }, error: null, meta: { version: "response-v2" } };
const failure = {
  success: false,
  data: { error_code: "NOT_FOUND", error_type: "not_found" },
  error: "There is no such task",
  meta: { version: "response-v2", request_id: "req_1" },
};

describe("isEnvelope", () => {
  test("knows a success and a failure of response-v2", () => {
    expect([success, failure].map(isEnvelope)).toEqual([true, true]);
  });

  test.each([
    ["another key", { ...success, note: "x" }],
    ["a key less", { success: true, data: {}, error: null }],
    ["another version", { ...success, meta: { version: "response-v3" } }],
    ["no version", { ...success, meta: {} }],
    ["an error on success", { ...success, error: "odd" }],
    ["no error on failure", { ...failure, error: null }],
    ["data that is not an object", { ...success, data: [1] }],
    ["a text", "success"],
  ])("refuses %s", (_, value) => {
    expect(isEnvelope(value)).toBe(false);
    expect(readEnvelope(value)).toBeUndefined();
  });
});

describe("readEnvelope", () => {
  test("gives the outcome with its notes", () => {
    expect(readEnvelope(success)).toEqual({ ok: true, data: { id: 1 }, notes: {} });
    expect(readEnvelope(failure)).toMatchObject({
      ok: false,
      fault: { code: "NOT_FOUND", message: "There is no such task" },
      notes: { requestId: "req_1" },
    });
  });
});
