import { describe, expect, test } from "vitest";
import type { Failure, Fault, Notes } from "../../contract/outcome.ts";
import { ToolFault } from "../../contract/tool-fault.ts";
import { type Parcel, partOf } from "../parcel.ts";
import { runStages } from "../pipeline.ts";
import { type FitSetting, TestArchive, contextWith, dialectIds, tokensOf } from "./fit-bench.fixture.ts";
import { isFullRun } from "../../../../test/arbitrary/law-runs.ts";

const long = Array.from({ length: 5_000 }, (_, index) => `word${index}`).join(" ");
const rows = Array.from({ length: 500 }, (_, id) => ({ id, text: "a row of the log" }));

type Given = Omit<Partial<Fault>, "type" | "code">;

async function fail({ message = "It failed", ...rest }: Given, notes: Notes = {}, setting: FitSetting = {}) {
  const archive = new TestArchive();
  const context = contextWith({ tokens: 400, archive, ...setting });
  const error = new ToolFault(message, { errorCode: "RATE_LIMIT_EXCEEDED", ...rest });
  const parcel: Parcel = await runStages({ kind: "thrown", error, notes }, context);
  const outcome = partOf(parcel, "outcome") as Failure;
  const texts = [...archive.contents.values()].map((content) => content.toString());
  return { outcome, fault: outcome.fault, texts, tokens: tokensOf(parcel, context) };
}

describe("a failure over the budget", () => {
  test("that fits passes untouched", async () => {
    const { outcome } = await fail({ details: { limit: 3 } });
    expect(outcome.fault.details).toEqual({ limit: 3 });
    expect(outcome.notes.fidelity).toBeUndefined();
  });

  test("gives up its extra data first, but for short values that say what to do", async () => {
    const { fault, outcome, tokens } = await fail({
      data: { rows, retry_after_seconds: 30 },
      details: { limit: 3 },
    });
    expect(fault.data).toEqual({ retry_after_seconds: 30 });
    expect(fault.details).toEqual({ limit: 3 });
    expect(outcome.notes.fidelity?.dropped).toEqual(["/rows"]);
    expect(tokens).toBeLessThanOrEqual(400);
  });

  test("then its details, which the archive keeps beside the message", async () => {
    const { fault, outcome, texts } = await fail({ details: { rows } });
    expect(fault).not.toHaveProperty("details");
    expect(fault.message).toBe("It failed");
    expect(outcome.notes.fidelity).toMatchObject({ level: "partial", dropped: ["/details"] });
    expect(JSON.parse(texts[0] ?? "")).toMatchObject({
      error: "It failed",
      error_code: "RATE_LIMIT_EXCEEDED",
      details: { rows },
    });
  });

  test("then the tail of its message", async () => {
    const { fault, outcome, texts, tokens } = await fail({ message: `First words. ${long}` });
    expect(fault.message).toMatch(/^First words\. word0 /);
    expect(fault.message.length).toBeGreaterThan(200);
    expect(outcome.notes.fidelity?.dropped).toEqual([
      `/error#char=${fault.message.length}-${long.length + 13}`,
    ]);
    expect(JSON.parse(texts[0] ?? "")).toMatchObject({ error: `First words. ${long}` });
    expect(tokens).toBeLessThanOrEqual(400);
  });

  test("names the call that gets the tail of its message, where half of the budget is left for the message", async () => {
    const retrieveOf = ({ notes }: Failure): unknown => notes.warnings?.[0]?.context?.["retrieve"];
    const roomy = await fail({ message: long }, {}, { tokens: 2_000 });
    expect(retrieveOf(roomy.outcome)).toMatchObject({
      arguments: { ids: [`/error#char=${roomy.fault.message.length}-${long.length}`] },
    });
    expect(roomy.tokens).toBeLessThanOrEqual(2_000);
    const tight = await fail({ message: long }, {}, { tokens: 256 });
    expect(retrieveOf(tight.outcome)).toBeUndefined();
    expect(tight.outcome.notes.fidelity?.dropped).not.toEqual([]);
  });

  test("and of its remediation", async () => {
    const { fault, outcome, tokens } = await fail({ remediation: `Try again. ${long}` });
    expect(fault.message).toBe("It failed");
    expect(fault.remediation).toMatch(/^Try again\. word0 /);
    expect(outcome.notes.fidelity?.dropped[0]).toMatch(/^\/remediation#char=\d+-\d+$/);
    expect(tokens).toBeLessThanOrEqual(400);
  });

  test("never its code or type, with everything huge, in every dialect and profile at the smallest budget", async () => {
    const warnings = Array.from({ length: isFullRun ? 10_000 : 1_000 }, (_, index) => ({
      message: `Warning ${index} ${"x".repeat(50)}`,
    }));
    const given = { message: long, remediation: long, details: { rows }, data: { rows } };
    for (const dialect of dialectIds) {
      for (const profile of ["minimal", "standard", "debug"]) {
        const setting = { dialect, profile, tokens: 256 };
        const { fault, tokens } = await fail(given, { warnings, extra: { author: long } }, setting);
        expect({ code: fault.code, type: fault.type }).toEqual({
          code: "RATE_LIMIT_EXCEEDED",
          type: "rate_limit",
        });
        expect(tokens, `${dialect} ${profile}`).toBeLessThanOrEqual(256);
        expect(fault.message.length).toBeGreaterThan(0);
      }
    }
  });

  test("says how many of ten thousand warnings it does not repeat", async () => {
    const warnings = Array.from({ length: 10_000 }, (_, index) => ({ message: `Warning ${index}` }));
    const { outcome, fault, tokens } = await fail({}, { warnings });
    expect(fault.message).toBe("It failed");
    expect(outcome.notes.warnings?.map(({ message }) => message)).toContain(
      "9997 warnings omitted due to token limits",
    );
    expect(tokens).toBeLessThanOrEqual(400);
  });

  test("gives up its author's metadata before its message", async () => {
    const { fault, outcome, tokens } = await fail({ message: "Short" }, { extra: { notes: long } });
    expect(fault.message).toBe("Short");
    expect(outcome.notes).not.toHaveProperty("extra");
    expect(tokens).toBeLessThanOrEqual(400);
  });
});

describe("a success over the budget by its notes alone", () => {
  test.each([
    [
      "ten thousand warnings",
      { warnings: Array.from({ length: 10_000 }, (_, index) => ({ message: `W ${index}` })) },
    ],
    ["metadata of its author", { extra: { notes: long } }],
    [
      "ten thousand fields of its author",
      { extra: Object.fromEntries(rows.map(({ id, text }) => [`x_${id}`, text])) },
    ],
  ])("with %s keeps its data whole", async (_, notes: Notes) => {
    const context = contextWith({ tokens: 400, archive: new TestArchive() });
    const parcel = await runStages({ kind: "value", value: { answer: 42 }, notes }, context);
    expect(parcel.outcome).toMatchObject({ ok: true, data: { answer: 42 } });
    expect(tokensOf(parcel, context)).toBeLessThanOrEqual(400);
  });
});
