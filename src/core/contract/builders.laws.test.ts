import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyJson, objectOf } from "../../../test/arbitrary/outcomes.ts";
import { validateResponse } from "../pipeline/dialect/validate-response.ts";
import { errorResponse } from "./tool-fault.ts";
import { batchResponse, successResponse } from "./success-responses.ts";
import { ContractError } from "./contract-error.ts";
import { orderWarnings } from "./warning.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const runs = lawRuns(2_000);

/** Options of any shape: a builder either refuses them or builds something valid. */
const anyOptions = fc.record(
  {
    warnings: fc.array(fc.string()),
    warningDetails: fc.array(
      fc.record({ message: fc.string(), code: fc.string(), severity: fc.string() }, { requiredKeys: [] }),
    ),
    pagination: fc.record(
      { cursor: fc.option(fc.string()), has_more: fc.boolean(), page_size: fc.integer() },
      { requiredKeys: [] },
    ),
    rateLimit: fc.record({ limit: fc.integer(), reset_at: fc.string() }, { requiredKeys: [] }),
    telemetry: objectOf(anyJson),
    contentFidelity: fc.constantFrom("full", "partial", "summary", "reference_only", "odd"),
    droppedContentIds: fc.array(fc.string()),
    contentArchiveHashes: fc.dictionary(fc.string(), fc.string()),
    requestId: fc.string(),
    meta: objectOf(anyJson),
    errorCode: fc.string(),
    errorType: fc.string(),
    remediation: fc.string(),
    details: objectOf(anyJson),
    data: fc.oneof(objectOf(anyJson), objectOf(anyJson, "error_")),
    emitEmpty: fc.boolean(),
  },
  { requiredKeys: [] },
);

function brokenRules(build: () => unknown): string[] {
  let built: unknown;
  try {
    built = build();
  } catch (error) {
    if (ContractError.isInstance(error)) return [];
    throw error;
  }
  const verdict = validateResponse(built, { dialect: "response-v2" });
  return verdict.violations.filter(({ severity }) => severity === "MUST").map(({ rule }) => rule);
}

describe("builders", () => {
  // shows 000.25
  it("refuse or build a valid success", () => {
    fc.assert(
      fc.property(fc.option(anyJson, { nil: undefined }), anyOptions, (data, options) => {
        expect(brokenRules(() => successResponse(data, options as never))).toEqual([]);
      }),
      runs,
    );
  });

  // shows 001.102
  it("refuse or build a valid failure", () => {
    fc.assert(
      fc.property(fc.string(), anyOptions, (message, options) => {
        expect(brokenRules(() => errorResponse(message, options as never))).toEqual([]);
      }),
      runs,
    );
  });

  it("build a valid batch whatever failed", () => {
    const item = fc.record({ id: fc.string(), error: fc.option(fc.string(), { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 5 }), (items) => {
        expect(brokenRules(() => batchResponse(items))).toEqual([]);
      }),
      lawRuns(1_000),
    );
  });

  it("order warnings the same way twice", () => {
    const warning = fc.record(
      {
        message: fc.constantFrom("a", "b", "c"),
        code: fc.constantFrom("X", "CONTENT_TRUNCATED"),
        severity: fc.constantFrom("info", "warning", "error"),
      },
      { requiredKeys: ["message"] },
    );
    fc.assert(
      fc.property(fc.array(warning), (warnings) => {
        const once = orderWarnings(warnings);
        expect(orderWarnings(once)).toEqual(once);
      }),
      runs,
    );
  });
});
