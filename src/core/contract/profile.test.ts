import { describe, expect, it } from "vitest";
import type { Notes, Outcome } from "./outcome.ts";
import { presentNotes, profileNamed, profileUnder, profiles } from "./profile.ts";

const notes: Notes = {
  requestId: "req_1",
  warnings: [
    { code: "PARTIAL_FAILURE", severity: "warning", message: "one failed" },
    { code: "CONTENT_TRUNCATED", severity: "info", message: "cut" },
    { code: "DEPRECATED_FIELD", severity: "info", message: "old field" },
  ],
  pagination: { cursor: null, has_more: false, page_size: 10 },
  rateLimit: { limit: 100, remaining: 95 },
  telemetry: { duration_ms: 3 },
  fidelity: { level: "partial", dropped: ["a"], archives: {} },
  upgradeHints: [{ feature: "f", tier: "pro", reason: "r" }],
  toolId: "t",
  toolVersion: "1.0.0",
  tier: "pro",
  capabilities: ["x"],
  provenance: "handler",
};
const success: Outcome = { ok: true, data: {}, notes };
const failure: Outcome = { ok: false, fault: { message: "m", code: "NOT_FOUND", type: "not_found" }, notes };

const shown = (outcome: Outcome, name: string, from: "client" | "server" = "server") =>
  Object.entries(presentNotes(outcome, profileNamed(name).show, from)).flatMap(([key, value]) =>
    value === undefined ? [] : [key],
  );

describe("presentNotes", () => {
  it("shows in minimal only what can be acted on", () => {
    expect(shown(success, "minimal")).toEqual(["warnings", "pagination", "fidelity", "upgradeHints"]);
  });

  // shows 002.3, 002.10
  it("shows the request id in minimal on a failure, or when the client gave it", () => {
    expect(shown(failure, "minimal")).toContain("requestId");
    expect(shown(success, "minimal", "client")).toContain("requestId");
  });

  it("shows in minimal under auto the detail of a warning that says how to get what is missing", () => {
    const retrieve = { tool: "waybill_retrieve", arguments: { archive: "48dfe0c47c10" } };
    const cut = {
      code: "CONTENT_TRUNCATED",
      severity: "info",
      message: "3 omitted",
      context: { retrieve },
    } as const;
    const other = { code: "STALE_CACHE", severity: "warning", message: "Old", context: { age: 2 } } as const;
    const told: Outcome = { ok: true, data: {}, notes: { warnings: [cut, other] } };
    const { show } = profileUnder("auto", profiles.minimal);
    expect(presentNotes(told, show, "server").warnings).toEqual([{ message: "Old" }, cut]);
    expect(profileUnder("response-v2", profiles.minimal)).toBe(profiles.minimal);
  });

  it("keeps a truncation warning in minimal, and drops other info and all details", () => {
    expect(presentNotes(success, profiles.minimal.show, "server").warnings).toEqual([
      { message: "one failed" },
      { message: "cut" },
    ]);
  });

  it("adds ids, info warnings and details in standard", () => {
    expect(shown(success, "standard")).toEqual([
      "requestId",
      "warnings",
      "pagination",
      "fidelity",
      "upgradeHints",
    ]);
    expect(presentNotes(success, profiles.standard.show, "server").warnings).toEqual(notes.warnings);
  });

  it("shows everything in debug", () => {
    expect(shown(success, "debug")).toEqual(Object.keys(notes));
  });

  it("shows a rate limit in every profile when it is near", () => {
    const near: Outcome = { ...success, notes: { rateLimit: { limit: 100, remaining: 10 } } };
    const refused: Outcome = { ...success, notes: { rateLimit: { retry_after: 5 } } };
    expect(shown(near, "minimal")).toEqual(["rateLimit"]);
    expect(shown(refused, "minimal")).toEqual(["rateLimit"]);
  });
});

describe("profileNamed", () => {
  it("names the known profiles when one is unknown", () => {
    expect(() => profileNamed("verbose")).toThrow(/minimal, standard, debug/);
    expect(() => profileNamed("__proto__")).toThrow(/Unknown profile/);
  });
});
