import { describe, expect, it } from "vitest";
import { faults } from "./faults.ts";
import { ToolFault } from "./tool-fault.ts";

describe("faults", () => {
  it("names the missing resource in the message and in details", () => {
    const fault = faults.notFound("spec", "nonexistent-spec");
    expect(fault.message).toBe("Spec not found: nonexistent-spec");
    expect(fault).toMatchObject({
      code: "NOT_FOUND",
      type: "not_found",
      details: { resource_type: "spec", resource_id: "nonexistent-spec" },
    });
  });

  it("lets options override what a fault sets", () => {
    expect(
      faults.notFound("spec", "a", { errorCode: "SPEC_NOT_FOUND", remediation: "List the specs." }),
    ).toMatchObject({
      code: "SPEC_NOT_FOUND",
      type: "not_found",
      remediation: "List the specs.",
    });
  });

  // shows 001.20, 001.153
  it("says how long to wait in every place a caller may look", () => {
    const resetAt = new Date("2026-01-01T00:00:45Z");
    const { fault, notes } = faults
      .rateLimited({ limit: 100, period: "minute", retryAfterSeconds: 45, resetAt })
      .toOutcome();
    expect(fault.message).toBe("Rate limit exceeded: 100 requests per minute");
    expect(fault.remediation).toBe("Wait 45 seconds before retrying. Consider batching requests.");
    expect(fault.data).toEqual({ retry_after_seconds: 45 });
    expect(notes.rateLimit).toEqual({
      limit: 100,
      remaining: 0,
      reset_at: "2026-01-01T00:00:45.000Z",
      period: "minute",
      retry_after: 45,
    });
  });

  it("says times as a person would, whatever they were computed from", () => {
    const wait = (retryAfterSeconds: number) => faults.rateLimited({ retryAfterSeconds }).fault.remediation;
    expect(wait(2.0000000004)).toMatch(/^Wait 2 seconds /);
    expect(wait(0.1 + 0.2)).toMatch(/^Wait 1 second /);
    expect(wait(44.1)).toMatch(/^Wait 45 seconds /);
    expect(faults.timeout(1_234.5678901).message).toBe("The operation did not finish within 1235 ms");
  });

  it.each([undefined, Number.NaN, -1, Number.POSITIVE_INFINITY, "soon"])(
    "refuses a wait of %s, which is no time",
    (wait) => {
      expect(() => faults.rateLimited({ limit: 1, retryAfterSeconds: wait as never })).toThrow(
        `rateLimited: retryAfterSeconds is ${wait}: give seconds.`,
      );
    },
  );

  it("names the disabled feature in data", () => {
    const { fault } = faults.featureDisabled("beta-search");
    expect(fault).toMatchObject({
      code: "FEATURE_DISABLED",
      type: "feature_flag",
      data: { feature: "beta-search" },
    });
  });

  it("carries an upgrade hint with a tier refusal", () => {
    const hint = { feature: "taint", tier: "pro", reason: "Taint analysis is a pro feature" };
    expect(faults.upgradeRequired(hint).toOutcome().notes.upgradeHints).toEqual([hint]);
  });

  it.each([
    [faults.validation("bad"), "VALIDATION_ERROR", "validation"],
    [faults.unauthorized(), "UNAUTHORIZED", "authentication"],
    [faults.forbidden(), "FORBIDDEN", "authorization"],
    [faults.conflict("taken"), "CONFLICT", "conflict"],
    [faults.unavailable(), "UNAVAILABLE", "unavailable"],
    [faults.timeout(500), "TIMEOUT", "unavailable"],
    [faults.invalidCursor("expired"), "INVALID_CURSOR", "validation"],
    [faults.internal(), "INTERNAL_ERROR", "internal"],
  ])("%s has its code and type", (fault, code, type) => {
    expect([fault.code, fault.type]).toEqual([code, type]);
    expect(fault.remediation).toBeTruthy();
  });

  it("gives a retry hint only for a positive wait", () => {
    expect(faults.unavailable("away", { retryAfterSeconds: 5 }).fault.data).toEqual({
      retry_after_seconds: 5,
    });
    expect(faults.unavailable("away", { retryAfterSeconds: 0 }).fault.data).toBeUndefined();
  });
});

describe("ToolFault", () => {
  it("is recognised across copies of the package by its brand", () => {
    const foreign = { [Symbol.for("waybill.ToolFault")]: true };
    expect(ToolFault.isInstance(foreign)).toBe(true);
    expect(ToolFault.isInstance(new Error("x"))).toBe(false);
  });

  it("keeps its cause for the log and out of the outcome", () => {
    const cause = new Error("secret path");
    const fault = new ToolFault("It failed", { errorCode: "CONFLICT", cause });
    expect(fault.cause).toBe(cause);
    expect(JSON.stringify(fault.toOutcome())).not.toContain("secret");
  });
});
