import { describe, expect, it } from "vitest";
import { createErrorRegistry, errorRegistry } from "./error-registry.ts";
import { errorTypeTable, errorTypes } from "./error-data.ts";

const seed001 = {
  VALIDATION_ERROR: "validation",
  INVALID_FORMAT: "validation",
  MISSING_REQUIRED: "validation",
  NOT_FOUND: "not_found",
  SPEC_NOT_FOUND: "not_found",
  TASK_NOT_FOUND: "not_found",
  DUPLICATE_ENTRY: "conflict",
  CONFLICT: "conflict",
  UNAUTHORIZED: "authentication",
  FORBIDDEN: "authorization",
  FEATURE_DISABLED: "feature_flag",
  RATE_LIMIT_EXCEEDED: "rate_limit",
  INTERNAL_ERROR: "internal",
  UNAVAILABLE: "unavailable",
};

describe("errorRegistry", () => {
  // shows 001.71 with INVALID_FORMAT
  it.each(Object.entries(seed001))("has %s of seed 001 as %s", (code, type) => {
    expect(errorRegistry.get(code)?.type).toBe(type);
  });

  it.each([
    ["ALREADY_EXISTS", "DUPLICATE_ENTRY"],
    ["INVALID_STATE", "CONFLICT"],
    ["DEPENDENCY_ERROR", "DEPENDENCY_ERROR"],
  ])("knows %s of seed 004 as %s", (alias, code) => {
    expect(errorRegistry.get(alias)?.code).toBe(code);
  });

  // shows 002.21 with invalid_argument
  // shows 002.4 with not_found
  it.each([
    ["invalid_argument", "VALIDATION_ERROR"],
    ["invalid_path", "INVALID_PATH"],
    ["forbidden", "FORBIDDEN"],
    ["not_found", "NOT_FOUND"],
    ["timeout", "TIMEOUT"],
    ["too_large", "TOO_LARGE"],
    ["resource_exhausted", "RESOURCE_EXHAUSTED"],
    ["not_implemented", "NOT_IMPLEMENTED"],
    ["upgrade_required", "UPGRADE_REQUIRED"],
    ["dependency_unavailable", "UNAVAILABLE"],
    ["correction_needed", "CORRECTION_NEEDED"],
    ["internal_error", "INTERNAL_ERROR"],
  ])("has a twin for the scalpel code %s: %s", (scalpel, code) => {
    expect(errorRegistry.fromScalpel(scalpel)?.code).toBe(code);
  });

  it("gives each type the HTTP analogue and retry rule of seed 001", () => {
    const table = errorTypes.map((type) => [type, errorTypeTable[type].http, errorTypeTable[type].retry]);
    expect(table).toEqual([
      ["validation", 400, "fix_input"],
      ["authentication", 401, "reauthenticate"],
      ["authorization", 403, "never"],
      ["not_found", 404, "never"],
      ["conflict", 409, "check_state"],
      ["rate_limit", 429, "after_delay"],
      ["feature_flag", 403, "check_flag"],
      ["internal", 500, "backoff"],
      ["unavailable", 503, "backoff"],
    ]);
  });

  it("gives every row a remediation and a code of the JSON-RPC standard set", () => {
    for (const entry of errorRegistry.entries) {
      expect(entry.remediation).toMatch(/\.$/);
      expect([-32602, -32603]).toContain(entry.jsonRpc);
    }
  });

  it("takes an author's own codes, and no code twice", () => {
    const row = {
      code: "QUOTA_SPENT",
      type: "rate_limit",
      says: "x",
      remediation: "Buy more.",
      scalpel: "resource_exhausted",
    } as const;
    const extended = errorRegistry.extend([row]);
    expect(extended.get("QUOTA_SPENT")).toMatchObject({ http: 429, retry: "after_delay" });
    expect(errorRegistry.get("QUOTA_SPENT")).toBeUndefined();
    expect(() => extended.extend([row])).toThrow(/taken/);
    expect(() => createErrorRegistry([{ ...row, code: "quota" }])).toThrow(/SCREAMING_SNAKE_CASE/);
    expect(() => createErrorRegistry([{ ...row, type: "odd" as never }])).toThrow(/unknown type/);
  });
});
