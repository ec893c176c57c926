import { describe, expect, it } from "vitest";
import type { Failure, Outcome, Success } from "../../contract/outcome.ts";
import { compileFilter } from "./compile-filter.ts";
import { profileNamed } from "../../contract/profile.ts";
import { decodeTables } from "../../json/table/decode-tables.ts";
import { createRedactor } from "../../text/redact/redact-secrets.ts";
import type { Parcel } from "../parcel.ts";
import type { PipelineContext } from "../pipeline-context.ts";
import { shape as shapeStage, shapeOutcome } from "./shape.ts";

/** A call that asks no question waits for nothing. */
const shape = (parcel: Parcel, context: PipelineContext): Parcel =>
  shapeStage(parcel, { ...context, asking: undefined, lean: undefined });

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

describe("text beside the data", () => {
  const text = { type: "text", text: "b is 2" };
  const image = { type: "image", data: "", mimeType: "image/png" };
  const context: PipelineContext = {
    tool: { id: "t" },
    dialect: "response-v2",
    profile: profileNamed("standard"),
    delivery: "mirror",
    requestId: "req_1",
    requestIdFrom: "server",
  };
  const send = (more: Partial<PipelineContext>, outcome: Outcome = success) =>
    shape(
      { arrival: { kind: "result", result: {} }, outcome, blocks: [text, image], trace: [] },
      { ...context, ...more },
    );
  const filter = { excludeWhenTier: { community: ["b"] } };

  it.each([
    ["a filter", { filter: { includeOnly: ["a"] } }],
    ["a filter that finds nothing to hide this time", { filter: { exclude: ["c"] } }],
    ["the caller's tier", { filter, tier: "community" }],
  ])("is left out with a note where %s hides fields", (_, more) => {
    const { blocks, outcome } = send(more);
    expect(blocks).toEqual([image]);
    expect(outcome?.notes.warnings).toMatchObject([{ code: "CONTENT_DROPPED", severity: "warning" }]);
  });

  it.each([
    ["nothing is hidden", {}],
    ["another tier's fields are hidden", { filter, tier: "pro" }],
    ["only what is empty is dropped", { filter: { dropNulls: true, includeOnly: [] } }],
  ])("stays where %s", (_, more) => {
    const { blocks, outcome } = send(more);
    expect(blocks).toEqual([text, image]);
    expect(outcome?.notes.warnings).toBeUndefined();
  });

  it("is masked as the words of a failure are", () => {
    const redactor = createRedactor({ patterns: [{ label: "x", pattern: /b is 2/ }] });
    const redact = <Value>(value: Value) => redactor.json(value);
    const [masked] = send({ redact }, failure).blocks ?? [];
    expect(masked).toEqual({ ...text, text: "[REDACTED:X]" });
    expect(send({ redact }).blocks).toEqual([text, image]);
    expect(send({ redact, redactsSuccesses: true }).blocks).toEqual([masked, image]);
  });
});

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

describe("shape", () => {
  const context: PipelineContext = {
    tool: { id: "tasks" },
    dialect: "response-v2",
    profile: profileNamed("standard"),
    delivery: "mirror",
    requestId: "req_1",
    requestIdFrom: "server",
  };
  const tasks = Array.from({ length: 5 }, (_, id) => ({ id, title: `Task ${id}`, state: "open", secret: 1 }));
  const run = (outcome: Outcome, more: Partial<PipelineContext>) => {
    const { outcome: shaped, trace } = shape(
      { arrival: { kind: "value", value: null }, outcome, trace: [] },
      { ...context, ...more },
    );
    return { outcome: shaped, says: trace[0]?.says };
  };

  it("writes the lists of a success as tables, after the filter, and says so", () => {
    const given: Success = { ok: true, data: { tasks }, notes: {} };
    const { outcome, says } = run(given, { encoding: "table", filter: { exclude: ["tasks[*].secret"] } });
    const data = outcome?.ok === true ? outcome.data : null;
    expect(says).toBe("fields left out, lists written as tables");
    expect(data).toMatchObject({ tasks: { $table: { columns: ["id", "title", "state"] } } });
    expect(decodeTables(data)).toEqual({
      tasks: tasks.map(({ id, title, state }) => ({ id, title, state })),
    });
  });

  it.each<[string, Outcome, Partial<PipelineContext>]>([
    ["no setting asks for tables", { ok: true, data: { tasks }, notes: {} }, {}],
    ["plain JSON is asked for", { ok: true, data: { tasks }, notes: {} }, { encoding: "json" }],
    ["no list would be shorter", success, { encoding: "table" }],
    ["the call failed", { ...failure, fault: { ...failure.fault, data: { tasks } } }, { encoding: "table" }],
  ])("passes the same outcome on when %s", (_, outcome, more) => {
    expect(run(outcome, more)).toEqual({ outcome, says: "nothing to leave out" });
    expect(run(outcome, more).outcome).toBe(outcome);
  });
});
