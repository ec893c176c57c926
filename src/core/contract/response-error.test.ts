import { describe, expect, it } from "vitest";
import { errorRows } from "./error-registry.ts";
import { errorTypeTable, errorTypes } from "./error-data.ts";
import { ResponseError, hasCode } from "./response-error.ts";
import { ToolFault } from "./tool-fault.ts";

const fault = { message: "No such task", code: "TASK_NOT_FOUND", type: "not_found" };

describe("ResponseError", () => {
  // shows 004.74
  it("says what the server said: code, type, remediation, details, request id", () => {
    const error = new ResponseError(
      { ...fault, remediation: "List the tasks.", details: { resource_id: "t-1" } },
      { requestId: "req_1" },
    );
    expect(error).toBeInstanceOf(Error);
    expect([error.name, error.message]).toEqual(["ResponseError", "No such task"]);
    expect([error.code, error.type, error.remediation, error.details, error.requestId]).toEqual([
      "TASK_NOT_FOUND",
      "not_found",
      "List the tasks.",
      { resource_id: "t-1" },
      "req_1",
    ]);
  });

  it.each([
    ["ALREADY_EXISTS", "DUPLICATE_ENTRY"],
    ["INVALID_STATE", "CONFLICT"],
    ["RATE_LIMITED", "RATE_LIMIT_EXCEEDED"],
    ["NOT_FOUND", "NOT_FOUND"],
    ["MY_OWN_CODE", "MY_OWN_CODE"],
  ])("keeps %s as it was sent and knows it as %s", (code, canonical) => {
    const error = new ResponseError({ message: "m", code, type: "internal" });
    expect([error.code, error.canonicalCode]).toEqual([code, canonical]);
  });

  it("reads the time to wait from the data, else from the rate limit, and takes no nonsense", () => {
    const limited = { message: "m", code: "RATE_LIMIT_EXCEEDED", type: "rate_limit" };
    const secondsOf = (data: object, retryAfter?: number) =>
      new ResponseError(
        { ...limited, data: { ...data } },
        retryAfter === undefined ? {} : { rateLimit: { retry_after: retryAfter } },
      ).retryAfterSeconds;
    expect(secondsOf({ retry_after_seconds: 7 }, 9)).toBe(7);
    expect(secondsOf({}, 9)).toBe(9);
    expect(secondsOf({ retry_after_seconds: -1 })).toBeUndefined();
    expect(secondsOf({ retry_after_seconds: "soon" })).toBeUndefined();
    expect(secondsOf({})).toBeUndefined();
  });

  it.each(errorTypes)("has the retry rule of the type %s for unknown codes", (type) => {
    const { retryRule } = new ResponseError({ message: "m", code: "MY_OWN", type });
    expect(retryRule).toBe(errorTypeTable[type].retry);
  });

  it.each(errorRows.map((row) => row.code))("has the registry's rule for %s", (code) => {
    const row = errorRows.find((one) => one.code === code);
    const expected =
      row !== undefined && "retry" in row ? row.retry : errorTypeTable[row?.type ?? "internal"].retry;
    expect(new ResponseError({ message: "m", code, type: row?.type ?? "internal" }).retryRule).toBe(expected);
  });

  it.each(["INVALID_RESPONSE", "INVALID_DIGEST", "HASH_MISMATCH", "CURSOR_STUCK", "TOO_MANY_PAGES"])(
    "never says to repeat after %s, which the same call would give again",
    (code) => {
      expect(new ResponseError({ message: "m", code, type: "internal" }).retryRule).toBe("never");
    },
  );

  it("says never for an unknown type", () => {
    expect(new ResponseError({ message: "m", code: "X", type: "weather" }).retryRule).toBe("never");
  });

  it("is known by its brand, and passes for a ToolFault where a tool lets it through", () => {
    const error = new ResponseError(fault, { requestId: "req_1" });
    expect(ResponseError.isInstance(error)).toBe(true);
    expect(ResponseError.isInstance({ [Symbol.for("waybill.ResponseError")]: true })).toBe(true);
    expect([new Error("x"), null, "x"].map((value) => ResponseError.isInstance(value))).toEqual([
      false,
      false,
      false,
    ]);
    expect(ToolFault.isInstance(error)).toBe(true);
    expect(error.toOutcome()).toEqual({ ok: false, fault, notes: { requestId: "req_1" } });
  });
});

const moved = new ResponseError({ message: "It moved", code: "INVALID_STATE", type: "conflict" });

describe("hasCode", () => {
  // shows 004.73, 004.83
  it("knows a code as the server wrote it, and as the registry calls it", () => {
    expect(hasCode(moved, "INVALID_STATE")).toBe(true);
    expect(hasCode(moved, "NOT_FOUND", "CONFLICT")).toBe(true);
    expect(hasCode(moved, "VERSION_CONFLICT")).toBe(false);
  });

  it("is false for anything else that was thrown", () => {
    for (const thrown of [new Error("CONFLICT"), { code: "CONFLICT" }, null, "CONFLICT"]) {
      expect(hasCode(thrown, "CONFLICT")).toBe(false);
    }
  });
});
