import { describe, expect, it } from "vitest";
import { batchResponse } from "./batch-response.ts";
import { blockedResponse } from "./blocked-response.ts";
import { faults } from "./faults.ts";

const good = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `task-${index}` }));

describe("batchResponse", () => {
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
