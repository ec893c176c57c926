import { describe, expect, it } from "vitest";
import { errorTypeTable } from "../../src/core/contract/error-data.ts";
import { errorRegistry, errorResponse, faults, successResponse } from "../../src/index.ts";
import { defineTool } from "../../src/doors/server/index.ts";
import { runTool } from "../../src/doors/testing/index.ts";

const rateLimit = { limit: 100, remaining: 0, reset_at: "2026-11-15T12:00:00Z" };

describe("the error helper of source 001", () => {
  // shows 001.89 with data
  // shows 001.90 with details
  // shows 001.86 with error_code
  // shows 001.87 with error_type
  // shows 001.94 with meta
  // shows 001.92 with rate_limit
  // shows 001.88 with remediation
  // shows 001.91 with request_id
  // shows 001.93 with telemetry
  it.each([
    ["error_code", { errorCode: "SPEC_NOT_FOUND" }, { data: { error_code: "SPEC_NOT_FOUND" } }],
    ["error_type", { errorType: "conflict" }, { data: { error_type: "conflict" } }],
    ["remediation", { remediation: "List the specs." }, { data: { remediation: "List the specs." } }],
    ["data", { data: { feature: "export" } }, { data: { feature: "export" } }],
    ["details", { details: { field: "spec_id" } }, { data: { details: { field: "spec_id" } } }],
    ["request_id", { requestId: "req_abc123" }, { meta: { request_id: "req_abc123" } }],
    ["rate_limit", { rateLimit }, { meta: { rate_limit: rateLimit } }],
    ["telemetry", { telemetry: { duration_ms: 3 } }, { meta: { telemetry: { duration_ms: 3 } } }],
    ["meta", { meta: { shard: "eu-1" } }, { meta: { shard: "eu-1" } }],
  ] as const)("errorResponse takes %s", (_, options, expected) => {
    expect(errorResponse("Spec not found", options)).toMatchObject(expected);
    expect(errorResponse("Spec not found")).not.toMatchObject(expected);
  });

  // shows 001.85
  it("errorResponse takes the message", () => {
    expect(errorResponse("Spec not found")).toMatchObject({ success: false, error: "Spec not found" });
  });

  // shows 001.77 with CONFLICT
  // shows 001.76 with DUPLICATE_ENTRY
  // shows 001.80 with FEATURE_DISABLED
  // shows 001.79 with FORBIDDEN
  // shows 001.82 with INTERNAL_ERROR
  // shows 001.72 with MISSING_REQUIRED
  // shows 001.73 with NOT_FOUND
  // shows 001.81 with RATE_LIMIT_EXCEEDED
  // shows 001.74 with SPEC_NOT_FOUND
  // shows 001.75 with TASK_NOT_FOUND
  // shows 001.78 with UNAUTHORIZED
  // shows 001.83 with UNAVAILABLE
  // shows 001.70 with VALIDATION_ERROR
  it.each([
    ["VALIDATION_ERROR", "validation"],
    ["MISSING_REQUIRED", "validation"],
    ["NOT_FOUND", "not_found"],
    ["SPEC_NOT_FOUND", "not_found"],
    ["TASK_NOT_FOUND", "not_found"],
    ["DUPLICATE_ENTRY", "conflict"],
    ["CONFLICT", "conflict"],
    ["UNAUTHORIZED", "authentication"],
    ["FORBIDDEN", "authorization"],
    ["FEATURE_DISABLED", "feature_flag"],
    ["RATE_LIMIT_EXCEEDED", "rate_limit"],
    ["INTERNAL_ERROR", "internal"],
    ["UNAVAILABLE", "unavailable"],
  ] as const)("the code %s brings the type %s", (errorCode, type) => {
    expect(errorResponse("It failed", { errorCode }).data).toMatchObject({
      error_code: errorCode,
      error_type: type,
    });
  });

  // shows 001.21
  it("telemetry carries the time and the calls made on", () => {
    const telemetry = { duration_ms: 12, downstream_calls: 3 };
    expect(successResponse({}, { telemetry }).meta).toEqual({ version: "response-v2", telemetry });
  });
});

describe("the types of errors", () => {
  // shows 001.61, 004.37 with authentication
  // shows 001.62, 004.38 with authorization
  // shows 001.64, 004.40 with conflict
  // shows 001.66, 004.42 with feature_flag
  // shows 001.67, 004.43 with internal
  // shows 001.63, 004.39 with not_found
  // shows 001.65, 004.41 with rate_limit
  // shows 001.68, 004.44 with unavailable
  // shows 001.60, 004.36 with validation
  it.each([
    ["validation", 400, "fix_input"],
    ["authentication", 401, "reauthenticate"],
    ["authorization", 403, "never"],
    ["not_found", 404, "never"],
    ["conflict", 409, "check_state"],
    ["rate_limit", 429, "after_delay"],
    ["feature_flag", 403, "check_flag"],
    ["internal", 500, "backoff"],
    ["unavailable", 503, "backoff"],
  ] as const)("the type %s has its HTTP analogue and its retry rule", (type, http, retry) => {
    expect(errorTypeTable[type]).toMatchObject({ http, retry });
  });
});

describe("the codes of source 004", () => {
  // shows 004.47 with ALREADY_EXISTS
  // shows 004.49 with DEPENDENCY_ERROR
  // shows 004.51 with FEATURE_DISABLED
  // shows 004.52 with INTERNAL_ERROR
  // shows 004.48 with INVALID_STATE
  // shows 004.46 with NOT_FOUND
  // shows 004.50 with RATE_LIMIT_EXCEEDED
  // shows 004.45 with VALIDATION_ERROR
  it.each([
    ["VALIDATION_ERROR", "validation"],
    ["NOT_FOUND", "not_found"],
    ["ALREADY_EXISTS", "conflict"],
    ["INVALID_STATE", "conflict"],
    ["DEPENDENCY_ERROR", "conflict"],
    ["RATE_LIMIT_EXCEEDED", "rate_limit"],
    ["FEATURE_DISABLED", "feature_flag"],
    ["INTERNAL_ERROR", "internal"],
  ])("the code %s of the user guide says what to do", (errorCode, type) => {
    const { data } = errorResponse("It failed", { errorCode });
    expect(data).toMatchObject({ error_code: errorCode, error_type: type });
    expect(data).toMatchObject({ remediation: errorRegistry.get(errorCode)?.remediation });
    expect(data.remediation).toMatch(/\w{3,}.*\.$/);
  });
});

describe("a tool without the helpers", () => {
  const rootKeys = ["success", "data", "error", "meta"];

  // shows 000.33, 000.34, 001.149, 001.151, 001.152
  it("a handler without any helper answers in the envelope", async () => {
    const tool = defineTool("example", { description: "Computes" }, () => ({ payload: [1, 2] }));
    const fails = defineTool("fails", { description: "Fails" }, () => {
      throw faults.notFound("spec", "login");
    });
    const { envelope: success } = await runTool(tool, {});
    const { envelope: failure } = await runTool(fails, {});
    expect([success, failure].map((envelope) => Object.keys(envelope as object))).toEqual([
      rootKeys,
      rootKeys,
    ]);
    expect(success).toMatchObject({
      success: true,
      data: { payload: [1, 2] },
      meta: { version: "response-v2" },
    });
    expect(failure).toMatchObject({ success: false, data: { error_code: "NOT_FOUND" } });
  });
});
