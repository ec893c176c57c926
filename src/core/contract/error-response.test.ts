import { describe, expect, it } from "vitest";
import { ContractError } from "./contract-error.ts";
import { errorResponse } from "./tool-fault.ts";

describe("errorResponse", () => {
  // shows 000.17, 001.14
  it("writes the example of seed 001", () => {
    const response = errorResponse("Validation failed: spec_id is required", {
      errorCode: "VALIDATION_ERROR",
      errorType: "validation",
      remediation: "Provide a non-empty spec_id parameter",
      details: { field: "spec_id", constraint: "required", received: null },
      requestId: "req_abc123",
    });
    expect(JSON.stringify(response)).toBe(
      '{"success":false,"data":{"error_code":"VALIDATION_ERROR","error_type":"validation",' +
        '"remediation":"Provide a non-empty spec_id parameter",' +
        '"details":{"field":"spec_id","constraint":"required","received":null}},' +
        '"error":"Validation failed: spec_id is required","meta":{"version":"response-v2","request_id":"req_abc123"}}',
    );
  });

  // shows 001.55
  it("is an internal error when neither code nor type is given", () => {
    expect(errorResponse("boom").data).toMatchObject({
      error_code: "INTERNAL_ERROR",
      error_type: "internal",
    });
  });

  it("finds the type of a code and the code of a type", () => {
    expect(errorResponse("x", { errorCode: "TASK_NOT_FOUND" }).data.error_type).toBe("not_found");
    expect(errorResponse("x", { errorType: "rate_limit" }).data.error_code).toBe("RATE_LIMIT_EXCEEDED");
    expect(errorResponse("x", { errorCode: "INVALID_STATE" }).data).toMatchObject({
      error_code: "INVALID_STATE",
      error_type: "conflict",
    });
  });

  it("lets data win over the parameters, standard fields first", () => {
    const { data } = errorResponse("x", {
      errorCode: "CONFLICT",
      errorType: "conflict",
      remediation: "parameter",
      details: { from: "parameter" },
      data: {
        feature: "search",
        error_code: "FEATURE_DISABLED",
        error_type: "feature_flag",
        remediation: "data",
        details: { from: "data" },
      },
    });
    expect(JSON.stringify(data)).toBe(
      '{"error_code":"FEATURE_DISABLED","error_type":"feature_flag","remediation":"data","details":{"from":"data"},"feature":"search"}',
    );
  });

  // shows 001.58
  it("takes the registry's remediation when none is given, and keeps an empty one", () => {
    expect(errorResponse("x", { errorCode: "UNAVAILABLE" }).data.remediation).toBe("Retry with backoff.");
    expect(errorResponse("x", { errorCode: "UNAVAILABLE", remediation: "" }).data.remediation).toBe("");
    expect(errorResponse("x", { errorCode: "MY_OWN_CODE" }).data).toEqual({
      error_code: "MY_OWN_CODE",
      error_type: "internal",
    });
  });

  // shows 001.59
  it("drops empty details", () => {
    expect(errorResponse("x", { details: {} }).data).not.toHaveProperty("details");
  });

  it("carries rate limit, telemetry and own metadata", () => {
    const rateLimit = { limit: 100, remaining: 0, reset_at: "2026-01-01T00:00:00Z" };
    const { meta } = errorResponse("x", {
      rateLimit,
      telemetry: { duration_ms: 3 },
      meta: { shard: "eu-1" },
    });
    expect(meta).toEqual({
      version: "response-v2",
      rate_limit: rateLimit,
      telemetry: { duration_ms: 3 },
      shard: "eu-1",
    });
  });

  it("puts upgrade hints beside the failure they explain", () => {
    const hint = { feature: "sast", tier: "pro", reason: "needs pro" };
    const { data, meta } = errorResponse("x", { errorCode: "UPGRADE_REQUIRED", upgradeHints: [hint] });
    expect(data["upgrade_hints"]).toEqual([hint]);
    expect(meta).toEqual({ version: "response-v2" });
  });

  // shows 000.4, 004.87
  it.each(["", "   ", "\n"])("refuses the empty message %j", (message) => {
    expect(() => errorResponse(message)).toThrow(ContractError);
  });

  it("refuses standard fields of the wrong type", () => {
    expect(() => errorResponse("x", { data: { error_code: 7 } })).toThrow(/error_code/);
    expect(() => errorResponse("x", { data: { details: "text" } })).toThrow(/details/);
    expect(() => errorResponse("x", { details: { at: new Set() } })).toThrow(/at/);
  });

  it("writes details that have a toJSON as JSON.stringify does", () => {
    const { data } = errorResponse("x", { details: { at: new Date(0) } });
    expect(data.details).toEqual({ at: "1970-01-01T00:00:00.000Z" });
  });
});
