import { existsSync, readFileSync, readdirSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../json-value.ts";
import { decodeTables, isTable } from "./decode-tables.ts";
import { encodeTables } from "./encode-tables.ts";
import { type TableForm, tableForms } from "./choose-columns.ts";
import { wideRecords } from "./wide-records.fixture.ts";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";

const RUNS = lawRuns(2_000);

const hostile = [
  "$table",
  "columns",
  "rows",
  "same",
  "derived",
  "positions",
  "absent",
  "objects",
  "by",
  "literal",
];
const oddKeys = ["__proto__", "constructor", "a.b", "a", "b", ".", "", "0", "1", "10", "{a}", "\ud800", "é"];
const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...oddKeys, ...hostile) },
  fc.string({ unit: "binary", maxLength: 6 }),
);
const scalar = fc.oneof(
  fc.constantFrom(null, true, false, 0, -0, 1, 1e21, "", "-", "--", "a", "{a}", "x/a/y", "\udfff"),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

function toObject(pairs: readonly (readonly [string, unknown])[]): object {
  const object = {};
  for (const [name, value] of pairs)
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  return object;
}

/** Objects that share most of their keys, some in another order, some with one missing. */
function likeObjects(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.uniqueArray(key, { minLength: 1, maxLength: 6 }).chain((keys) => {
    const pairs = fc.tuple(...keys.map((name) => fc.tuple(fc.constant(name), value)));
    const sparse = pairs.chain((all) => fc.subarray(all, { minLength: Math.max(0, all.length - 2) }));
    const shuffled = sparse.chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));
    const row = fc.oneof({ weight: 9, arbitrary: sparse }, { weight: 1, arbitrary: shuffled });
    return fc.array(row.map(toObject), { minLength: 2, maxLength: 8 });
  });
}

/** Rows with links that are made of their id, and columns that are the same in all. */
const linked = fc
  .array(fc.tuple(fc.oneof(fc.nat(), fc.string({ maxLength: 5 }), fc.constant(null)), scalar), {
    minLength: 2,
    maxLength: 8,
  })
  .map((rows) =>
    rows.map(([id, other]) => ({
      url: id === null ? null : `https://example.test/${id}/tail{/name}{id}`.slice(0, id === "" ? 99 : 33),
      id,
      kind: { type: "User", other },
    })),
  );

const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map(toObject),
    likeObjects(fc.oneof({ weight: 3, arbitrary: scalar }, tie("value"))),
    linked,
  ),
})).value as fc.Arbitrary<JsonValue>;

/** What really travels: the text of the encoded value, read again. */
function travel(value: JsonValue, form: TableForm): JsonValue {
  return decodeTables(JSON.parse(JSON.stringify(encodeTables(value, form))) as JsonValue);
}

const forms = fc.constantFrom(...tableForms);

function byteLength(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function hasMarker(value: JsonValue): boolean {
  return JSON.stringify(value).includes('"$table"');
}

describe("encodeTables and decodeTables", () => {
  it("give back a value with the same text, whatever it is", () => {
    let tables = 0;
    const law = fc.property(anyJson, forms, (value, form) => {
      const text = JSON.stringify(value);
      if (encodeTables(value, form) !== value) tables++;
      expect(JSON.stringify(travel(value, form))).toBe(text);
      expect(JSON.stringify(value)).toBe(text);
    });
    fc.assert(law, RUNS);
    expect(tables).toBeGreaterThan(RUNS.numRuns / 10);
  });

  it("give an encoded value back as it was, when it is encoded again", () => {
    const law = fc.property(anyJson, forms, forms, (value, form, other) => {
      const once = encodeTables(value, form);
      expect(JSON.stringify(travel(once, other))).toBe(JSON.stringify(once));
    });
    fc.assert(law, RUNS);
  });

  it("never give more bytes than there were, unless data looked like a table", () => {
    const law = fc.property(anyJson, forms, (value, form) => {
      const encoded = encodeTables(value, form);
      fc.pre(!hasMarker(value));
      if (encoded === value) return;
      expect(byteLength(encoded)).toBeLessThan(byteLength(value));
    });
    fc.assert(law, RUNS);
  });

  it("read whatever is under the marker without an error", () => {
    const group = fc.record({
      columns: fc.subarray(["a", "b", "a.b", "c"]),
      by: fc.constantFrom("id", "a"),
      list: fc.oneof(anyJson, fc.array(fc.dictionary(fc.constantFrom("id", "a"), scalar), { maxLength: 3 })),
    });
    const header = fc.record(
      {
        same: fc.oneof(anyJson, fc.dictionary(key, scalar)),
        derived: fc.oneof(anyJson, fc.dictionary(key, fc.constantFrom("{a}", "x{b}y", "{c}", "{a}{b}"))),
        positions: fc.oneof(anyJson, fc.array(fc.integer({ min: -1, max: 4 }), { maxLength: 3 })),
        absent: fc.oneof(scalar, fc.constant(null)),
        objects: fc.oneof(anyJson, fc.array(group, { maxLength: 2 })),
        columns: fc.oneof(anyJson, fc.array(fc.constantFrom("a", "b", "a.b", "c"), { maxLength: 3 })),
        rows: fc.oneof(anyJson, fc.array(fc.array(scalar, { maxLength: 3 }), { maxLength: 3 })),
      },
      { requiredKeys: ["columns", "rows"] },
    );
    const law = fc.property(header, forms, (table, form) => {
      const value = { $table: table } as unknown as JsonValue;
      const text = JSON.stringify(value);
      const decoded = decodeTables(value);
      expect(JSON.stringify(value)).toBe(text);
      expect(Array.isArray(decoded) && !isTable(value)).toBe(false);
      expect(JSON.stringify(travel(value, form))).toBe(text);
    });
    fc.assert(law, RUNS);
  });
});

describe("wide, nested, sparse and repeated records", () => {
  const WIDE_RUNS = lawRuns(5_000);

  it("come back with the same text, never in more bytes, and the same each time", () => {
    let tables = 0;
    let named = 0;
    const law = fc.property(wideRecords, forms, (value, form) => {
      const text = JSON.stringify(value);
      const encoded = encodeTables(value, form);
      const sent = JSON.stringify(encoded);
      expect(JSON.stringify(decodeTables(JSON.parse(sent) as JsonValue))).toBe(text);
      expect(JSON.stringify(encodeTables(JSON.parse(text) as JsonValue, form))).toBe(sent);
      if (encoded !== value) tables += 1;
      if (form === "dense" && sent.includes('"objects":[{"columns":')) named += 1;
      const isShorter = byteLength(encoded) < byteLength(value);
      expect(isShorter || encoded === value || hasMarker(value)).toBe(true);
    });
    fc.assert(law, WIDE_RUNS);
    expect(tables).toBeGreaterThan(WIDE_RUNS.numRuns / 2);
    // Half of the runs write dense tables.
    expect(named).toBeGreaterThan(WIDE_RUNS.numRuns / 8);
  });
});

const payloads = new URL("../../../../../shared/data/payloads/", import.meta.url);
const hasPayloads = existsSync(payloads);
// oxlint-disable-next-line no-console
if (!hasPayloads) console.info("skipped: no payloads in ../shared/data/payloads");

describe("the payloads", () => {
  it("are there where they are required", () => {
    expect(hasPayloads || process.env["WAYBILL_REQUIRE_DATA"] !== "1").toBe(true);
  });
});

describe.runIf(hasPayloads)("real payloads", () => {
  const files = hasPayloads ? readdirSync(payloads).filter((file) => file.endsWith(".json")) : [];
  const each = files.flatMap((file) => tableForms.map((form) => [file, form] as const));
  it.each(each)("come back exactly, and are never larger: %s, %s", (file, form) => {
    const value = JSON.parse(readFileSync(new URL(file, payloads), "utf8")) as JsonValue;
    expect(JSON.stringify(travel(value, form))).toBe(JSON.stringify(value));
    expect(byteLength(encodeTables(value, form))).toBeLessThanOrEqual(byteLength(value));
  });
});
