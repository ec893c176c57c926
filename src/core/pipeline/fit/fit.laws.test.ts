import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dialectIds } from "../../contract/dialect-id.ts";
import { fidelityLevels } from "../../contract/outcome.ts";
import { jsonEqual } from "../../json/canonical-json.ts";
import type { JsonValue } from "../../json/json-value.ts";
import { largeJson } from "../../../../test/arbitrary/large-json.ts";
import { covers, missingFrom } from "../../../../test/arbitrary/part-of.ts";
import { validateResponse } from "../dialect/validate-response.ts";
import { type Parcel, partOf } from "../parcel.ts";
import { runStages } from "../pipeline.ts";
import { type FitSetting, TestArchive, arrivalOf, contextWith, tokensOf } from "./fit-bench.fixture.ts";
import { fit } from "./fit.ts";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";

const settings = fc.record({
  tokens: fc.integer({ min: 256, max: 3_000 }),
  dialect: fc.constantFrom(...dialectIds),
  profile: fc.constantFrom("minimal", "standard", "debug"),
});
/** Questions that the warning may show, or none. */
const examples = fc.constantFrom(undefined, "length(@)", "count_by(things, &state)", "x".repeat(400));
const runs = lawRuns(2_000);

async function send(value: JsonValue, setting: FitSetting): Promise<Parcel> {
  return runStages(arrivalOf(value, { telemetry: { duration_ms: 12.5 } }), contextWith(setting));
}

function stubIn(data: JsonValue): boolean {
  return typeof data === "object" && data !== null && "omitted" in data;
}

function expectValid(parcel: Parcel, { dialect = "response-v2" }: FitSetting): void {
  const { violations } = validateResponse(partOf(parcel, "result"), { dialect, level: "result" });
  expect(violations.filter(({ severity }) => severity === "MUST")).toEqual([]);
}

/** What is kept is a part in order, and everything missing is named. */
function expectHonest(parcel: Parcel, value: JsonValue, setting: FitSetting): void {
  const { wrap } = contextWith(setting).fit;
  const outcome = partOf(parcel, "outcome");
  if (!outcome.ok) throw new Error("a success became a failure");
  const whole = wrap(value ?? {});
  const { level = "full", dropped = [] } = outcome.notes.fidelity ?? {};
  const isWhole = jsonEqual(wrap(outcome.data), whole);
  expect(level === "full").toBe(isWhole);
  if (isWhole) return;
  expect(dropped.length).toBeGreaterThan(0);
  expect(level === "partial" || stubIn(outcome.data)).toBe(true);
  if (level !== "partial") return;
  const missing = missingFrom(wrap(outcome.data), whole);
  expect(missing, "no part of the whole").toBeDefined();
  for (const one of missing ?? [])
    expect(
      dropped.some((name) => covers(name, one)),
      `${one.pointer} in ${dropped.join()}`,
    ).toBe(true);
}

/** The announced hash is that of the JSON text of what the tool returned. */
function expectRecoverable(parcel: Parcel, value: JsonValue, archive: TestArchive): void {
  const { fidelity } = partOf(parcel, "outcome").notes;
  if (fidelity === undefined) return;
  const [[key, hash] = ["", ""], ...more] = Object.entries(fidelity.archives);
  expect(more).toEqual([]);
  const digits = hash.slice("sha256:".length);
  const kept = archive.contents.get(digits) ?? Buffer.alloc(0);
  expect(kept.toString()).toBe(JSON.stringify(value ?? {}));
  expect(createHash("sha256").update(kept).digest("hex")).toBe(digits);
  expect(key.endsWith(`-${digits.slice(0, 12)}`)).toBe(true);
}

/** What was fitted, fitted again. */
async function fittedAgain(once: Parcel, setting: FitSetting): Promise<Parcel> {
  const fresh: Parcel = { arrival: once.arrival, outcome: partOf(once, "outcome"), trace: [] };
  return fit(fresh, contextWith(setting));
}

describe("a cut", () => {
  test("fits the budget in tokens, in every dialect and profile", async () => {
    await fc.assert(
      fc.asyncProperty(
        largeJson,
        settings,
        fc.boolean(),
        examples,
        async (value, setting, isBroken, example) => {
          const archive = new TestArchive();
          archive.isBroken = isBroken;
          const fitting = {
            exampleFor: () =>
              Promise.resolve(example === undefined ? undefined : () => ({ select: example })),
          };
          const parcel = await send(value, { ...setting, archive, fit: fitting });
          expect(tokensOf(parcel, contextWith(setting))).toBeLessThanOrEqual(setting.tokens);
        },
      ),
      runs,
    );
  });

  test("fits the budget in bytes, alone or beside tokens", async () => {
    await fc.assert(
      fc.asyncProperty(
        largeJson,
        fc.integer({ min: 1_200, max: 9_000 }),
        fc.constantFrom("off" as const, 400, 2_000),
        async (value, bytes, tokens) => {
          const archive = new TestArchive();
          const parcel = await send(value, { tokens, bytes, archive });
          const { content } = partOf(parcel, "result");
          const text = content[0]?.["text"] as string;
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
          const limit = tokens === "off" ? Number.POSITIVE_INFINITY : tokens;
          expect(tokensOf(parcel, contextWith({}))).toBeLessThanOrEqual(limit);
        },
      ),
      runs,
    );
  });

  // One cut is judged by all four: to draw and cut a value for each would take four times as long.
  // shows 001.28, 004.84
  test("is valid by its dialect's rules, honest, recoverable, and passes untouched a second time", async () => {
    await fc.assert(
      fc.asyncProperty(largeJson, settings, async (value, setting) => {
        const archive = new TestArchive();
        const parcel = await send(value, { ...setting, archive });
        expectValid(parcel, setting);
        expectHonest(parcel, value, setting);
        expectRecoverable(parcel, value, archive);
        const twice = await fittedAgain(parcel, { ...setting, archive });
        expect(twice.cut).toBeUndefined();
        expect(twice.outcome).toBe(parcel.outcome);
      }),
      runs,
    );
  });

  test("without a store that works announces no hash, and says so", async () => {
    await fc.assert(
      fc.asyncProperty(largeJson, settings, fc.boolean(), async (value, setting, hasStore) => {
        const archive = new TestArchive();
        archive.isBroken = true;
        const parcel = await send(value, hasStore ? { ...setting, archive } : setting);
        const { fidelity, warnings = [] } = partOf(parcel, "outcome").notes;
        if (fidelity === undefined) return;
        expect(fidelity.archives).toEqual({});
        const code = hasStore ? "ARCHIVE_WRITE_FAILED" : "CONTENT_DROPPED";
        expect(warnings.map((warning) => warning.code)).toContain(code);
      }),
      runs,
    );
  });

  test("is stable: what changes from call to call never moves it", async () => {
    const figures = fc.record({
      requestId: fc.stringMatching(/^req_[0-9a-f]{12}$/),
      duration_ms: fc.double({ min: 0, max: 1e7, noNaN: true }),
      remaining: fc.nat({ max: 1_000_000 }),
    });
    await fc.assert(
      fc.asyncProperty(largeJson, settings, figures, figures, async (value, setting, first, second) => {
        const [a, b] = await Promise.all(
          [first, second].map(async ({ requestId, duration_ms, remaining }) => {
            const context = contextWith({ ...setting, requestId, archive: new TestArchive() });
            const notes = {
              telemetry: { duration_ms },
              rateLimit: { limit: 1_000_000, remaining, reset_at: "2026-11-15T00:00:00.000Z" },
            };
            const { outcome } = await runStages(arrivalOf(value, notes), context);
            return {
              data: outcome?.ok === true ? outcome.data : undefined,
              fidelity: outcome?.notes.fidelity,
            };
          }),
        );
        expect(JSON.stringify(a)).toBe(JSON.stringify(b));
      }),
      runs,
    );
  });

  // A cut is found by trying, not by searching everything, so this holds almost always and is counted.
  test("is monotonic in 99 of 100 draws: a larger budget gives no lower fidelity", async () => {
    const rankAt = async (value: JsonValue, setting: FitSetting): Promise<number> => {
      const parcel = await send(value, { ...setting, archive: new TestArchive() });
      return fidelityLevels.indexOf(partOf(parcel, "outcome").notes.fidelity?.level ?? "full");
    };
    // Reports of a few hundred tokens: the words around the data take most of such a budget.
    const finding = fc.record({
      id: fc.nat(999),
      title: fc.lorem({ maxCount: 8 }),
      content: fc.lorem({ maxCount: 40 }),
    });
    const report = fc.record({
      topic: fc.lorem({ maxCount: 6 }),
      findings: fc.array(finding, { minLength: 1, maxLength: 8 }),
      sources: fc.array(fc.webUrl(), { maxLength: 6 }),
    });
    const draws = fc.tuple(
      fc.oneof({ weight: 3, arbitrary: report }, { weight: 1, arbitrary: largeJson }),
      settings,
      fc.integer({ min: 256, max: 560 }),
      fc.boolean(),
    );
    const drawn = fc.sample(draws, lawRuns(1_000));
    let falls = 0;
    for (const [value, setting, least, namesFullHash] of drawn) {
      const ranks: number[] = [];
      for (let tokens = least; tokens < least + 120; tokens += 15)
        ranks.push(await rankAt(value, { ...setting, tokens, fit: { namesFullHash } }));
      if (ranks.some((rank, at) => rank > (ranks[at - 1] ?? rank))) falls++;
    }
    expect(falls).toBeLessThanOrEqual(drawn.length / 100);
  });

  test("never touches what fits", async () => {
    await fc.assert(
      fc.asyncProperty(largeJson, settings, async (value, setting) => {
        const whole = await send(value, { ...setting, tokens: 10_000_000 });
        const outcome = partOf(whole, "outcome");
        // The charge for what changes from call to call is at most this.
        const roomy = tokensOf(whole, contextWith(setting)) + 400;
        const parcel = await send(value, {
          ...setting,
          tokens: Math.max(256, roomy),
          archive: new TestArchive(),
        });
        expect(parcel.outcome).toEqual(outcome);
        expect(parcel.cut).toBeUndefined();
      }),
      lawRuns(1_000),
    );
  });
});
