import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dialectIds } from "../../contract/dialect-id.ts";
import { verifyDigest } from "../../../engine/digest/verify-digest.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { createLog } from "../../../engine/observe/log-event.ts";
import { textDigester } from "../../../engine/call/call-context.ts";
import { validateResponse } from "../dialect/validate-response.ts";
import { type Parcel, partOf } from "../parcel.ts";
import { runStages } from "../pipeline.ts";
import { type FitSetting, TestArchive, arrivalOf, contextWith, tokensOf } from "./fit-bench.fixture.ts";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";

const settings = fc.record({
  tokens: fc.integer({ min: 256, max: 2_000 }),
  dialect: fc.constantFrom(...dialectIds),
  profile: fc.constantFrom("minimal", "standard", "debug"),
  query: fc.constantFrom("", "harbour", "石 Straße", "the of"),
});
type Setting = typeof settings extends fc.Arbitrary<infer Value> ? Value : never;

const sentence = fc.oneof(
  fc
    .array(fc.constantFrom("the", "harbour", "was", "built", "Straße", "naïve", "🚢", "e\u0301"), {
      minLength: 2,
      maxLength: 14,
    })
    .map((words) => `${words.join(" ")}.`),
  fc.constantFrom(
    "港口建于一五零三年。",
    "बंदरगाह पुराना है।",
    "هل الميناء قديم؟",
    "\ud800 broken \u0007 bell.",
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
);
const text = fc
  .tuple(
    fc.array(sentence, { minLength: 4, maxLength: 40 }),
    fc.constantFrom(" ", "  ", "\n", "\r\n\r\n", "\u2028"),
    fc.integer({ min: 1, max: 12 }),
  )
  .map(([sentences, joint, times]) => Array.from({ length: times }, () => sentences.join(joint)).join(joint));
const field = fc.oneof(fc.string({ unit: "grapheme", maxLength: 120 }), fc.integer(), fc.constant(null));
const data: fc.Arbitrary<JsonValue> = fc.oneof(
  text,
  text.map((body) => ({ title: "A harbour", body })),
  fc
    .tuple(fc.dictionary(fc.string(), field, { maxKeys: 12 }), text)
    .map(([beside, body]) => ({ ...beside, body })),
  text.map((body) => ({ pages: [{ number: 1, "a/b": body }] })),
);

async function send(value: JsonValue, { query, ...setting }: Setting, archive: TestArchive) {
  const digest = textDigester(query, createLog({ level: "silent" }));
  const fitting: FitSetting = { ...setting, archive, fit: { strategy: "digest", query, digest } };
  const context = contextWith(fitting);
  return { parcel: await runStages(arrivalOf(value), context), context };
}

function dataOf(parcel: Parcel): JsonValue {
  const outcome = partOf(parcel, "outcome");
  if (!outcome.ok) throw new Error("a success became a failure");
  return outcome.data;
}

function digestIn(value: JsonValue): JsonObject | undefined {
  const { omitted } = value as { readonly omitted?: { readonly digest?: JsonObject } };
  return omitted?.digest;
}

/** The archives that warnings point to. */
function hintsOf(parcel: Parcel): readonly unknown[] {
  const { warnings = [] } = partOf(parcel, "outcome").notes;
  return warnings.flatMap(({ context }) => {
    const hint = context?.["retrieve"] as { readonly arguments: JsonObject } | undefined;
    return hint === undefined ? [] : [hint.arguments["archive"]];
  });
}

const runs = lawRuns(1_000);

describe("a result cut by the strategy digest", () => {
  test("fits, and is valid in its dialect", async () => {
    let digests = 0;
    await fc.assert(
      fc.asyncProperty(data, settings, async (value, setting) => {
        const { parcel, context } = await send(value, setting, new TestArchive());
        expect(tokensOf(parcel, context)).toBeLessThanOrEqual(setting.tokens);
        const { violations } = validateResponse(partOf(parcel, "result"), {
          dialect: setting.dialect,
          level: "result",
        });
        expect(violations.filter(({ severity }) => severity === "MUST")).toEqual([]);
        if (digestIn(dataOf(parcel)) !== undefined) digests++;
      }),
      runs,
    );
    expect(digests).toBeGreaterThan(runs.numRuns / 10);
  });

  test("is the same for equal input", async () => {
    await fc.assert(
      fc.asyncProperty(data, settings, async (value, setting) => {
        const [once, twice] = await Promise.all([
          send(value, setting, new TestArchive()),
          send(value, setting, new TestArchive()),
        ]);
        expect(JSON.stringify(partOf(twice.parcel, "result"))).toBe(
          JSON.stringify(partOf(once.parcel, "result")),
        );
      }),
      runs,
    );
  });

  test("quotes the archived text, whose hash it names, and keeps the whole", async () => {
    const seen = { quotes: 0 };
    await fc.assert(
      fc.asyncProperty(data, settings, async (value, setting) => {
        const archive = new TestArchive();
        const { parcel } = await send(value, setting, archive);
        const payload = digestIn(dataOf(parcel));
        const { archives = {} } = partOf(parcel, "outcome").notes.fidelity ?? {};
        const hashes = Object.values(archives);
        const contents = hashes.map(
          (hash) => archive.contents.get(hash.slice("sha256:".length)) ?? Buffer.alloc(0),
        );
        expect(contents.map((bytes) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`)).toEqual(
          hashes,
        );
        expect(contents.slice(0, 1).map(String)).toEqual(hashes.length === 0 ? [] : [JSON.stringify(value)]);
        expect(hintsOf(parcel)).toEqual(
          hintsOf(parcel).map(() => hashes[0]?.slice("sha256:".length).slice(0, 12)),
        );
        if (payload === undefined) return;
        expect(hashes[1]).toBe(payload["source_text_hash"]);
        const verdict = await verifyDigest(payload, String(contents[1]));
        expect(verdict).toMatchObject({ valid: true, problems: [], form: "as_given" });
        seen.quotes += verdict.quotes.exact;
      }),
      runs,
    );
    expect(seen.quotes).toBeGreaterThan(runs.numRuns / 10);
  });
});
