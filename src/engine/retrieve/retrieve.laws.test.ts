import { existsSync, readFileSync, readdirSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { anyJson } from "../../../test/arbitrary/outcomes.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { jsonEqual } from "../../core/json/canonical-json.ts";
import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { mainCollection, ownId } from "../../core/json/main-collection.ts";
import { getByPointer } from "../../core/json/pointer.ts";
import { allPages, archived, itemsOf, joinPages, pointersOf } from "./archive.fixture.ts";
import { openQuestions } from "./question/open-questions.ts";
import { allItems, eachItem } from "./item-list.ts";
import type { RetrieveRequest } from "./retrieve-request.ts";
import { retrieve } from "./retrieve.ts";
import { joinSelected } from "./selected-pages.ts";

const runs = lawRuns(1_000, 25);
const word = fc.constantFrom("alpha", "beta", "src/a-1.ts", "naïve", "東京都", "😀 x", "\ud800", '"quoted"');
const text = fc.oneof(
  word,
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ minLength: 900, maxLength: 1_500 }),
);
const record = fc.record(
  { id: fc.oneof(fc.nat(30), text), n: fc.nat(3), text, more: anyJson },
  { requiredKeys: ["n"] },
) as fc.Arbitrary<JsonValue>;
const records = fc.array(record, { maxLength: 25 });
const budget = fc.integer({ min: 256, max: 3_000 });
const value = fc.oneof(
  anyJson,
  records,
  fc.record({ findings: records, notes: fc.array(text, { maxLength: 4 }), total: fc.nat() }),
) as fc.Arbitrary<JsonValue>;

const pointer = fc.oneof(
  fc.constantFrom(
    "",
    "/findings",
    "/findings/*",
    "/findings/2..9",
    "/0",
    "/notes/0#char=1-3",
    "/9..1",
    "~",
    "/~2",
    "x",
  ),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const anyRequest: fc.Arbitrary<RetrieveRequest> = fc.record(
  {
    archive: fc.oneof(fc.string(), fc.constantFrom("00000000", "sha256:", "waybill://archive/")),
    ids: fc.array(fc.oneof(pointer, text), { maxLength: 4 }),
    pointer,
    match: fc.dictionary(fc.oneof(pointer, fc.constantFrom("n", "id", "more")), anyJson, { maxKeys: 2 }),
    query: fc.oneof(text, fc.constantFrom('"', '""', '"alpha beta"', "c++", "!!", "東京")),
    cursor: fc.string({ maxLength: 40 }),
    limit: fc.oneof(fc.nat(5), fc.double()),
    select: fc.constantFrom("@", "length(@)", "findings[*].id", "[?n > `1`]", "sum(@)", "[", "", "@.*.*"),
    lines: fc.oneof(fc.constantFrom("1-3", "-2", "2-", "0", "9-1", ""), fc.string({ maxLength: 6 })),
    tail: fc.oneof(fc.nat(5), fc.double(), fc.constantFrom("3", "-1") as fc.Arbitrary<never>),
    around: fc.oneof(
      fc.record({ line: fc.integer({ min: -1, max: 9 }), n: fc.integer({ min: -1, max: 3 }) }),
      anyJson as fc.Arbitrary<never>,
    ),
    grep: fc.oneof(
      fc.constantFrom("a", "(?=a)", "(a*)*$", "[", { pattern: "\\w", context: 2 }, { pattern: "" }),
      fc.string({ maxLength: 6 }),
    ),
  },
  { requiredKeys: [] },
);

/** Scalars and empty containers. */
function countLeaves(given: JsonValue): number {
  if (typeof given !== "object" || given === null) return 1;
  const inner = Object.values(given);
  return inner.length === 0 ? 1 : inner.reduce<number>((sum, part) => sum + countLeaves(part), 0);
}

describe("retrieve", () => {
  test("pages and slices join to every item exactly once, whatever the budget", () =>
    fc.assert(
      fc.asyncProperty(value, budget, async (given, budgetTokens) => {
        const { ask } = await archived(given, { budgetTokens });
        const stored = JSON.parse(JSON.stringify(given)) as JsonValue;
        const pages = await allPages(ask);
        expect(JSON.stringify(joinPages(pages))).toBe(JSON.stringify([...eachItem(allItems(stored))]));
        for (const page of pages) {
          const { data, pagination } = page;
          expect(data["returned"]).toBe(itemsOf(page).length);
          expect(data["matched"]).toBe(pagination?.total_count);
          expect(pagination?.has_more).toBe(pagination?.cursor !== null);
        }
      }),
      runs,
    ));

  test("everything an archive holds is listed: each item is where its pointer says", () =>
    fc.assert(
      fc.property(value, (given) => {
        const items = [...eachItem(allItems(given))];
        for (const item of items) expect(getByPointer(given, item.pointer)).toBe(item.value);
        const listed = items.map((item) => countLeaves(item.value));
        expect(listed.reduce((sum, leaves) => sum + leaves, 0)).toBe(countLeaves(given));
      }),
      runs,
    ));

  test("an answer costs no more than its budget leaves, and offsets of slices follow each other", () =>
    fc.assert(
      fc.asyncProperty(records, budget, async (given, budgetTokens) => {
        const { ask, context } = await archived(given, { budgetTokens });
        let end = 0;
        for (const page of await allPages(ask)) {
          expect(context.count(JSON.stringify(page.data))).toBeLessThanOrEqual(budgetTokens);
          const slice = itemsOf(page).find(({ text: piece }) => piece !== undefined);
          if (slice === undefined) continue;
          expect(slice.from).toBe(end);
          end = slice.to === slice.of ? 0 : (slice.to ?? Number.NaN);
        }
      }),
      runs,
    ));

  test("any request on any JSON is answered or fails with a fault", () =>
    fc.assert(
      fc.asyncProperty(value, anyRequest, fc.boolean(), async (given, request, isOwn) => {
        const { ask, hash } = await archived(given, { budgetTokens: 400, questions: openQuestions });
        const asked = ask(isOwn ? { ...request, archive: hash } : request);
        const outcome: unknown = await asked.catch((error: unknown) => error);
        expect(ToolFault.isInstance(outcome) || (isJsonObject(outcome) && "data" in outcome)).toBe(true);
      }),
      lawRuns(2_000, 25),
    ));

  test("pages and slices of an answer join to it, whatever the budget", () =>
    fc.assert(
      fc.asyncProperty(
        value,
        budget,
        fc.constantFrom("@", "[@, @]", "values(@)"),
        async (given, tokens, select) => {
          const { ask, context, hash } = await archived(given, {
            budgetTokens: tokens,
            questions: openQuestions,
          });
          const whole = await retrieve({ archive: hash, select }, { ...context, budgetTokens: "off" }).catch(
            () => undefined,
          );
          if (whole === undefined) return;
          const pages = await allPages(ask, { select });
          expect(JSON.stringify(joinSelected(pages.map(({ data }) => data)))).toBe(
            JSON.stringify(whole.data["selected"]),
          );
          for (const { data } of pages) {
            expect(context.count(JSON.stringify(data))).toBeLessThanOrEqual(tokens);
            expect(data["records"]).toBe(whole.data["records"]);
          }
        },
      ),
      lawRuns(1_000, 25),
    ));

  test("match finds exactly what a filter finds", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 25 }),
        fc.nat(),
        fc.constantFrom("n", "id", "more"),
        async (given, seed, key) => {
          const { ask } = await archived({ given }, { budgetTokens: "off" });
          const stored = JSON.parse(JSON.stringify(given)) as Record<string, JsonValue>[];
          const wanted = stored[seed % stored.length]?.[key] ?? 1;
          const expected = stored.flatMap((item, at) => {
            const own = item[key];
            return own !== undefined && jsonEqual(own, wanted) ? [`/given/${at}`] : [];
          });
          expect(pointersOf(await ask({ match: { [key]: wanted } }))).toEqual(expected);
          expect(pointersOf(await ask({ match: { [`/${key}`]: wanted } }))).toEqual(expected);
        },
      ),
      runs,
    ));
});

const folder = new URL("../../../../shared/data/payloads/", import.meta.url);
const isRequired = process.env["WAYBILL_REQUIRE_DATA"] === "1";
const hasPayloads = existsSync(folder);
// oxlint-disable-next-line no-console
if (!hasPayloads) console.info("skipped: no payloads in ../shared/data/payloads");
const payloads = hasPayloads ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];

/** The texts of a record that no other record has. */
function uniqueTexts(items: readonly JsonValue[], at: number): string[] {
  const own = Object.values(items[at] as Record<string, JsonValue>).filter(
    (part) => typeof part === "string",
  );
  const others = JSON.stringify(items.filter((_, index) => index !== at));
  return own.filter(
    (part) => part.length >= 4 && part.length < 300 && !others.includes(JSON.stringify(part).slice(1, -1)),
  );
}

describe("real payloads", () => {
  test("are there when they must be", () => {
    expect(hasPayloads || !isRequired).toBe(true);
  });

  test.each(payloads)(
    "%s: each record is found by its id or place, and by a text of its own",
    async (name) => {
      const payload = JSON.parse(readFileSync(new URL(name, folder), "utf8")) as JsonValue;
      const list = mainCollection(payload);
      const { ask } = await archived(payload, { budgetTokens: "off" });
      for (const [at, item] of (Array.isArray(payload) ? (list?.items ?? []) : []).entries()) {
        const place = `${list?.pointer}/${at}`;
        const id = ownId(item, list?.name ?? "");
        expect(pointersOf(await ask({ ids: [id ?? place] }))).toEqual([place]);
        for (const part of uniqueTexts(list?.items ?? [], at).slice(0, 4)) {
          expect(pointersOf(await ask({ query: part, limit: 1 }))).toEqual([place]);
        }
      }
      expect(joinPages(await allPages(ask))).toEqual([...eachItem(allItems(payload))]);
    },
  );
});
