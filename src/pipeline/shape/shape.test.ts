import { describe, expect, it } from "vitest";
import type { Failure, Outcome, Success } from "../../contract/outcome.ts";
import { compileFilter } from "./compile-filter.ts";
import { shapeOutcome } from "./shape.ts";

const success: Success = { ok: true, data: { a: 1, b: 2 }, notes: { requestId: "req_1" } };
const failure: Failure = {
  ok: false,
  fault: {
    message: "No such file",
    code: "NOT_FOUND",
    type: "not_found",
    remediation: "Check the path.",
    details: { path: null, tried: [] },
    data: { a: 1, hint: null },
  },
  notes: {},
};

describe("shapeOutcome", () => {
  it("filters the data of a success and nothing else of it", () => {
    const shaped = shapeOutcome(success, { includeOnly: ["a"] });
    expect(shaped).toEqual({ ok: true, data: { a: 1 }, notes: { requestId: "req_1" } });
    expect(shaped.notes).toBe(success.notes);
  });

  it("filters the extra data of a fault and nothing else of it", () => {
    const filter = { exclude: ["a", "details", "message"], excludeFields: ["path", "code"], dropNulls: true };
    expect(shapeOutcome(failure, filter)).toEqual({
      ...failure,
      fault: { ...failure.fault, data: { hint: null } },
    });
  });

  it("leaves `data` out of a fault that lost all its extras", () => {
    const { data: _, ...rest } = failure.fault;
    expect(shapeOutcome(failure, { exclude: ["*"] })).toEqual({ ...failure, fault: rest });
  });

  it.each<[string, Outcome]>([
    ["success", success],
    ["failure", failure],
    ["failure without extras", { ...failure, fault: { message: "x", code: "X", type: "internal" } }],
  ])("returns the same %s when nothing changes", (_, outcome) => {
    expect(shapeOutcome(outcome, undefined)).toBe(outcome);
    expect(shapeOutcome(outcome, {})).toBe(outcome);
    expect(shapeOutcome(outcome, { exclude: ["z"], includeOnly: ["a", "b"] })).toBe(outcome);
  });

  it("takes the tier from the facts, else from the notes", () => {
    const filter = compileFilter({ excludeWhenTier: { free: ["a"], pro: ["b"] } });
    const noted: Success = { ...success, notes: { tier: "free" } };
    expect(shapeOutcome(success, filter, { tier: "pro" })).toMatchObject({ data: { a: 1 } });
    expect(shapeOutcome(noted, filter)).toMatchObject({ data: { b: 2 } });
    expect(shapeOutcome(noted, filter, { tier: "pro" })).toMatchObject({ data: { a: 1 } });
  });
});
