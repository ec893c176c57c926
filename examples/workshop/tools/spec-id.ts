import { ToolFault, faults } from "waybill";

const PATTERN = "^[a-z0-9-]+$";
const REMEDIATION = "Provide a non-empty spec_id parameter";

/** The spec id a call named. The refusals are seed 001's and 004's, word for word. */
export function requireSpecId(specId: string | null | undefined): string {
  if (specId === undefined) {
    throw new ToolFault("Validation failed: spec_id is required", {
      errorCode: "MISSING_REQUIRED",
      remediation: REMEDIATION,
      details: { field: "spec_id", constraint: "required" },
    });
  }
  if (specId === null || specId === "") {
    throw faults.validation("Validation failed: spec_id is required", {
      remediation: REMEDIATION,
      details: { field: "spec_id", constraint: "required", received: null },
    });
  }
  if (new RegExp(PATTERN).test(specId)) return specId;
  throw faults.validation("Validation failed: spec_id contains invalid characters", {
    remediation: "Spec ID must be non-empty and contain only alphanumeric characters and hyphens",
    details: { field: "spec_id", constraint: "pattern", pattern: PATTERN, received: specId },
  });
}
