import { describe, expect, it } from "vitest";
import { faults } from "./faults.ts";
import { CHECK_FIRST, remediationFor } from "./remediation.ts";

const unknown = { executed: "unknown" };

describe("remediationFor", () => {
  it("is the registry's advice where it is known whether the call ran", () => {
    for (const details of [undefined, {}, { executed: "no" }, { executed: "yes" }])
      expect(remediationFor("UNAVAILABLE", details)).toBe("Retry with backoff.");
    expect(remediationFor("OWN_CODE", {})).toBeUndefined();
  });

  it("says to check first where it is unknown, and never to retry as it is", () => {
    for (const code of ["UNAVAILABLE", "TIMEOUT", "INTERNAL_ERROR", "DEPENDENCY_UNAVAILABLE", "OWN_CODE"])
      expect(remediationFor(code, unknown)).toBe(CHECK_FIRST);
    // What was refused did not run, and this advice does not say to repeat the call.
    expect(remediationFor("RATE_LIMIT_EXCEEDED", unknown)).toMatch(/^Wait for the time given/);
    expect(remediationFor("OPERATION_FAILED", unknown)).toMatch(/^Check the arguments first/);
  });

  it("stands in every fault whose author gives no advice, and in no other", () => {
    expect(faults.unavailable("Gone", { details: unknown }).remediation).toBe(CHECK_FIRST);
    expect(faults.unavailable("Gone").remediation).toBe("Retry with backoff.");
    const own = faults.unavailable("Gone", { details: unknown, remediation: "Ask Ada." });
    expect(own.remediation).toBe("Ask Ada.");
  });
});
