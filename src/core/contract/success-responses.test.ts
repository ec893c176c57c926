import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ContractError } from "./contract-error.ts";
import { errorResponse } from "./tool-fault.ts";
import { batchResponse, blockedResponse, successResponse } from "./success-responses.ts";
import { faults } from "./faults.ts";
import { newRequestId, setRequestIdSource } from "./request-id.ts";

// Test files share a process, and a contract sets the source once: it is put back.
let before: ReturnType<typeof setRequestIdSource>;
beforeEach(() => {
  before = setRequestIdSource(undefined);
});
afterEach(() => {
  setRequestIdSource(before);
});

function refusal(build: () => unknown): ContractError {
  try {
    build();
  } catch (error) {
    if (ContractError.isInstance(error)) return error;
  }
  throw new Error("nothing was refused");
}

describe("successResponse", () => {
  // shows 000.3, 000.17, 001.13
  it("sends an empty object and a bare version when there is nothing to say", () => {
    expect(JSON.stringify(successResponse())).toBe(
      '{"success":true,"data":{},"error":null,"meta":{"version":"response-v2"}}',
    );
  });

  it("wraps a list or a scalar under result, and null as nothing", () => {
    expect(successResponse([1, 2]).data).toEqual({ result: [1, 2] });
    expect(successResponse("text").data).toEqual({ result: "text" });
    expect(successResponse(null).data).toEqual({});
  });

  it("writes meta in the order of seed 001, own keys last", () => {
    const { meta } = successResponse(
      {},
      {
        meta: { own: 1 },
        contentArchiveHashes: { "archive-001": `sha256:${"a".repeat(64)}` },
        droppedContentIds: ["finding-003"],
        contentFidelity: "partial",
        telemetry: { duration_ms: 45 },
        rateLimit: { limit: 100, remaining: 95, reset_at: "2025-12-04T12:00:00Z" },
        pagination: { cursor: "abc", has_more: true },
        warningDetails: [{ code: "STALE_CACHE", severity: "warning", message: "old" }],
        requestId: "req_abc123",
      },
    );
    expect(Object.keys(meta)).toEqual([
      "version",
      "request_id",
      "warnings",
      "warning_details",
      "pagination",
      "rate_limit",
      "telemetry",
      "content_fidelity",
      "content_fidelity_schema_version",
      "dropped_content_ids",
      "content_archive_hashes",
      "own",
    ]);
  });

  // shows 000.5, 000.20, 001.16, 001.98
  it("never lets meta override the version", () => {
    expect(successResponse({}, { meta: { version: "response-v9" } }).meta.version).toBe("response-v2");
  });

  it("lets a named parameter beat the same key given in meta", () => {
    const { meta } = successResponse(
      {},
      { telemetry: { duration_ms: 1 }, meta: { telemetry: { duration_ms: 2 } } },
    );
    expect(meta.telemetry).toEqual({ duration_ms: 1 });
  });

  it("takes a reserved key from meta when no parameter names it", () => {
    const { meta } = successResponse({}, { meta: { warnings: ["careful"], request_id: "req_1" } });
    expect(meta).toEqual({ version: "response-v2", request_id: "req_1", warnings: ["careful"] });
  });

  // shows 004.28, 004.29, 004.30
  it("leaves empty keys out, and writes them with emitEmpty", () => {
    const empties = { warnings: [], warningDetails: [], droppedContentIds: [], contentArchiveHashes: {} };
    expect(successResponse({}, empties).meta).toEqual({ version: "response-v2" });
    expect(successResponse({}, { ...empties, emitEmpty: true }).meta).toEqual({
      version: "response-v2",
      warnings: [],
      warning_details: [],
      content_fidelity: "full",
      content_fidelity_schema_version: "1.0",
      dropped_content_ids: [],
      content_archive_hashes: {},
    });
  });

  // shows 001.22, 001.41
  it("derives warnings from details, once each, the gravest first", () => {
    const { meta } = successResponse(
      {},
      {
        warnings: ["disk is slow", "cache is old"],
        warningDetails: [
          { code: "DEPRECATED_FIELD", severity: "info", message: "field x goes" },
          { code: "STALE_CACHE", severity: "warning", message: "cache is old" },
          { code: "OUT_OF_DISK", severity: "error", message: "disk is full" },
        ],
      },
    );
    expect(meta.warnings).toEqual(["disk is full", "disk is slow", "cache is old", "field x goes"]);
    expect(meta.warning_details?.map(({ code }) => code)).toEqual([
      "OUT_OF_DISK",
      "STALE_CACHE",
      "DEPRECATED_FIELD",
    ]);
  });

  // shows 001.9, 001.31
  it("adds the fidelity schema version whenever any fidelity key is present", () => {
    const hashes = { a: `sha256:${"0".repeat(64)}` };
    expect(successResponse({}, { contentArchiveHashes: hashes }).meta.content_fidelity_schema_version).toBe(
      "1.0",
    );
    expect(successResponse({}, { contentFidelity: "full" }).meta.content_fidelity_schema_version).toBe("1.0");
  });

  // shows 001.32
  it("lowers fidelity to partial when something is named as dropped", () => {
    expect(successResponse({}, { droppedContentIds: ["a"] }).meta.content_fidelity).toBe("partial");
    expect(
      successResponse({}, { droppedContentIds: ["a"], contentFidelity: "summary" }).meta.content_fidelity,
    ).toBe("summary");
  });

  it("takes a request id from the caller, a source, or none", () => {
    expect(successResponse({}, { requestId: "req_1" }).meta.request_id).toBe("req_1");
    expect(successResponse({}, { requestId: () => "req_2" }).meta.request_id).toBe("req_2");
    setRequestIdSource(() => "req_3");
    expect(successResponse({}).meta.request_id).toBe("req_3");
    expect(successResponse({}, { requestId: false }).meta.request_id).toBeUndefined();
    expect(successResponse({}, { requestId: "" }).meta.request_id).toBeUndefined();
    setRequestIdSource(newRequestId);
    expect(successResponse({}).meta.request_id).toMatch(/^req_[0-9a-f]{12}$/);
  });

  it("freezes the root and meta", () => {
    const response = successResponse({ a: 1 });
    expect(Object.isFrozen(response)).toBe(true);
    expect(Object.isFrozen(response.meta)).toBe(true);
  });

  // shows 000.32, 001.108
  it("cannot be changed at any depth, and leaves the author's own objects alone", () => {
    const payload = { tasks: [{ id: 1 }] };
    const telemetry = { duration_ms: 5 };
    const details = { field: { name: "a" } };
    const success = successResponse(payload, { warnings: ["x"], telemetry });
    const failure = errorResponse("No", { details, warnings: ["x"], telemetry });
    const deepest: readonly unknown[] = [
      success.data.tasks[0],
      success.data.tasks,
      success.data,
      success.meta.warnings,
      success.meta.telemetry,
      failure.data,
      failure.data.details?.["field"],
      failure.meta.telemetry,
    ];
    expect(deepest.map((part) => Object.isFrozen(part))).toEqual(deepest.map(() => true));
    expect(() => {
      (success.meta.warnings as string[]).push("y");
    }).toThrow(TypeError);
    payload.tasks.push({ id: 2 });
    telemetry.duration_ms = 9;
    details.field.name = "b";
    expect(success).toMatchObject({ data: { tasks: [{ id: 1 }] }, meta: { telemetry: { duration_ms: 5 } } });
    expect(success.data.tasks).toHaveLength(1);
    expect(failure.data.details).toEqual({ field: { name: "a" } });
  });

  it("keeps a key that is called __proto__", () => {
    const data = JSON.parse('{"a":{"__proto__":{"b":1}}}') as object;
    expect(JSON.stringify(successResponse(data).data)).toBe('{"a":{"__proto__":{"b":1}}}');
  });

  // shows 001.41
  it("writes details without the strings that repeat them, where that is asked for", () => {
    const warningDetails = [{ code: "STALE_CACHE", message: "Old" }, { message: "Bare" }];
    const { meta } = successResponse({}, { warnings: false, warningDetails });
    expect(meta.warning_details).toEqual([{ code: "STALE_CACHE", severity: "warning", message: "Old" }]);
    // What has no details is said in the only way there is.
    expect(meta.warnings).toEqual(["Bare"]);
    expect(successResponse({}, { warnings: false, warningDetails: warningDetails.slice(0, 1) }).meta).toEqual(
      {
        version: "response-v2",
        warning_details: [{ code: "STALE_CACHE", severity: "warning", message: "Old" }],
      },
    );
  });

  // shows 000.6, 004.3
  it("writes only those empty keys that are named", () => {
    expect(successResponse({}, { emitEmpty: ["warnings"] }).meta).toEqual({
      version: "response-v2",
      warnings: [],
    });
    expect(errorResponse("No", { emitEmpty: ["warnings", "warning_details"] }).meta).toEqual({
      version: "response-v2",
      warnings: [],
      warning_details: [],
    });
    expect(successResponse({}, { emitEmpty: ["dropped_content_ids"] }).meta).toEqual({
      version: "response-v2",
      content_fidelity: "full",
      content_fidelity_schema_version: "1.0",
      dropped_content_ids: [],
    });
    expect(refusal(() => successResponse({}, { emitEmpty: ["warning"] as never })).message).toBe(
      'emitEmpty names "warning": choose from warnings, warning_details, dropped_content_ids, content_archive_hashes.',
    );
  });

  // shows 004.23
  it.each([1_764_849_645, new Date(1_764_849_645_000)])(
    "writes the time of a reset as a text: %s",
    (reset) => {
      const { meta } = successResponse({}, { rateLimit: { limit: 100, remaining: 0, reset_at: reset } });
      expect(meta.rate_limit).toEqual({ limit: 100, remaining: 0, reset_at: "2025-12-04T12:00:45.000Z" });
    },
  );

  it("refuses a payload that JSON would change, and says where", () => {
    expect(refusal(() => successResponse({ at: new Map() })).message).toContain("/at");
    expect(refusal(() => successResponse({ n: [1, Number.NaN] })).details).toEqual({ pointer: "/n/1" });
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    expect(refusal(() => successResponse(circle)).code).toBe("NOT_JSON");
  });

  it("writes what has a toJSON as JSON.stringify does, and leaves the author's value alone", () => {
    const payload = { at: new Date(0), links: [new URL("https://example.org/a")], note: undefined };
    const { data, meta } = successResponse(payload, { meta: { seen: new Date(0) } });
    expect(data).toEqual({ at: "1970-01-01T00:00:00.000Z", links: ["https://example.org/a"] });
    expect(meta["seen"]).toBe("1970-01-01T00:00:00.000Z");
    expect(payload.at).toBeInstanceOf(Date);
  });

  // shows 000.20
  it("refuses metadata that breaks the contract", () => {
    expect(refusal(() => successResponse({}, { pagination: { has_more: true } })).code).toBe(
      "INVALID_OPTION",
    );
    expect(refusal(() => successResponse({}, { pagination: { cursor: "a", has_more: false } })).code).toBe(
      "INVALID_OPTION",
    );
    expect(refusal(() => successResponse({}, { requestId: "a b" })).message).toContain("request_id");
    expect(refusal(() => successResponse({}, { contentArchiveHashes: { a: "sha256:abc" } })).code).toBe(
      "INVALID_OPTION",
    );
    expect(refusal(() => successResponse({}, { rateLimit: { reset_at: "tomorrow" } })).code).toBe(
      "INVALID_OPTION",
    );
  });

  it("keeps a __proto__ key of the payload and of meta", () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
    const text = JSON.stringify(successResponse(hostile, { meta: hostile }));
    expect(text.match(/"__proto__":\{"polluted":true\}/g)).toHaveLength(2);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

const good = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `task-${index}` }));

describe("batchResponse", () => {
  // shows 004.55, 004.92, 004.93
  it("is a success with a warning when some items failed", () => {
    const response = batchResponse(
      [...good(8), { id: "task-003", error: "Missing file" }, { id: "task-009", error: "Busy" }],
      {
        idKey: "task_id",
        noun: "tasks",
      },
    );
    expect(response).toMatchObject({
      success: true,
      data: {
        processed: 8,
        failed: 2,
        failures: [
          { task_id: "task-003", error: "Missing file" },
          { task_id: "task-009", error: "Busy" },
        ],
      },
      meta: {
        warnings: ["2 tasks failed to process"],
        warning_details: [{ code: "PARTIAL_FAILURE", severity: "warning" }],
      },
    });
  });

  it("is a success without a warning when nothing failed, and for no items at all", () => {
    expect(batchResponse(good(2))).toMatchObject({
      success: true,
      data: { processed: 2, failed: 0, failures: [] },
    });
    expect(batchResponse([]).meta).toEqual({ version: "response-v2" });
  });

  it("is a failure with the common code when every item failed", () => {
    const missing = ["a", "b"].map((id) => ({
      id,
      error: faults.notFound("task", id, { errorCode: "TASK_NOT_FOUND" }),
    }));
    expect(batchResponse(missing, { noun: "tasks" })).toMatchObject({
      success: false,
      error: "All 2 tasks failed to process",
      data: { error_code: "TASK_NOT_FOUND", error_type: "not_found", processed: 0, failed: 2 },
    });
  });

  it("is OPERATION_FAILED when the failures have nothing in common", () => {
    const mixed = [
      { id: "a", error: faults.internal() },
      { id: "b", error: "odd" },
    ];
    expect(batchResponse(mixed).data).toMatchObject({
      error_code: "OPERATION_FAILED",
      error_type: "internal",
    });
  });
});

describe("blockedResponse", () => {
  it("writes the example of seed 004", () => {
    const response = blockedResponse({
      id: "task-001",
      idKey: "task_id",
      blocker: "Waiting for API approval",
    });
    expect(response).toEqual({
      success: true,
      data: { task_id: "task-001", status: "blocked", blocker: "Waiting for API approval" },
      error: null,
      meta: { version: "response-v2", warnings: ["Task is blocked and cannot proceed"] },
    });
  });
});
