import { describe, expect, test } from "vitest";
import { errorResponse, ToolFault } from "../../../core/contract/tool-fault.ts";
import { defineTiers } from "./define-tiers.ts";

function thrownBy(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe("defineTiers", () => {
  // shows 002.7
  test("knows community < pro < enterprise, and starts at the lowest", () => {
    const tiers = defineTiers();
    expect(tiers.order).toEqual(["community", "pro", "enterprise"]);
    expect(tiers.default).toBe("community");
    expect(tiers.of(undefined)).toBe("community");
  });

  test.each([
    ["pro", "community", true],
    ["pro", "pro", true],
    ["pro", "enterprise", false],
    ["community", "pro", false],
  ])("says that %s includes %s: %s", (current, needed, expected) => {
    expect(defineTiers().includes(current, needed)).toBe(expected);
  });

  test("takes the caller's tier from the context, and the default where it says nothing", () => {
    const tiers = defineTiers({
      order: ["free", "paid"],
      default: "paid",
      of: (context: { tier?: string }) => context.tier,
    });
    expect(tiers.of({ tier: "free" })).toBe("free");
    expect(tiers.of({})).toBe("paid");
  });

  test("names the order when a tier is unknown", () => {
    const tiers = defineTiers<string>({ of: (tier) => tier });
    const message = 'Unknown tier "gold": choose one of community < pro < enterprise.';
    expect(() => tiers.of("gold")).toThrow(message);
    expect(() => tiers.includes("gold", "pro")).toThrow(message);
    expect(() => tiers.includes("pro", "gold")).toThrow(message);
    expect(() => tiers.hint("x", "gold")).toThrow(message);
    expect(() => tiers.toTier(undefined)).toThrow("Unknown tier undefined");
    expect(() => defineTiers({ default: "gold" })).toThrow(message);
  });

  test.each([[[]], [["a", "a"]], [["a", ""]]])("refuses the order %j", (order) => {
    expect(() => defineTiers({ order })).toThrow("lowest first");
  });

  // shows 002.27, 002.28
  test("writes a hint with a reason of its own or the given one", () => {
    const tiers = defineTiers();
    expect(tiers.hint("taint_tracking", "pro")).toEqual({
      feature: "taint_tracking",
      tier: "pro",
      reason: "'taint_tracking' is part of the pro tier.",
    });
    expect(tiers.hint("depth", "pro", "Depth is limited to 3").reason).toBe("Depth is limited to 3");
  });

  test("lets a caller pass whose tier is high enough", () => {
    expect(thrownBy(() => defineTiers().require("taint_tracking", "pro", "enterprise"))).toBeUndefined();
  });

  test("refuses the others with UPGRADE_REQUIRED and an upgrade hint in the data", () => {
    const fault = thrownBy(() => defineTiers().require("taint_tracking", "pro", "community"));
    if (!ToolFault.isInstance(fault)) throw new Error("no fault was thrown");
    expect(errorResponse(fault.message, { ...fault.options, requestId: false })).toEqual({
      success: false,
      data: {
        error_code: "UPGRADE_REQUIRED",
        error_type: "feature_flag",
        remediation: "Upgrade to the tier named in the upgrade hints, or do without the feature.",
        upgrade_hints: [
          {
            feature: "taint_tracking",
            tier: "pro",
            reason: "'taint_tracking' is part of the pro tier; this caller has community.",
          },
        ],
      },
      error: "Feature 'taint_tracking' needs the pro tier",
      meta: { version: "response-v2" },
    });
  });
});
