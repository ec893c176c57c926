import { describe, expect, test } from "vitest";
import { decodeTables } from "../../json/table/decode-tables.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { type Pager, partOf } from "../parcel.ts";
import { runStages } from "../pipeline.ts";
import { type FitSetting, TestArchive, arrivalOf, contextWith, tokensOf } from "./fit-bench.fixture.ts";

const words = Array.from({ length: 4_000 }, (_, index) => `word${index}`).join(" ");

function records(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, id) => ({
    id,
    name: `Record ${id}`,
    state: id % 3 === 0 ? "open" : "closed",
  }));
}

async function send(
  value: JsonValue,
  setting: FitSetting & { readonly encoding?: "table"; readonly pager?: Pager } = {},
) {
  const { encoding, pager, ...rest } = setting;
  const archive = new TestArchive();
  const context = { ...contextWith({ tokens: 600, archive, ...rest }), ...(encoding && { encoding }) };
  const arrival = { ...arrivalOf(value), ...(pager && { pager }) };
  const parcel = await runStages(arrival, context);
  const outcome = partOf(parcel, "outcome");
  if (!outcome.ok) throw new Error("a success became a failure");
  const texts = [...archive.contents.values()].map(String);
  return { data: outcome.data, notes: outcome.notes, texts, tokens: tokensOf(parcel, context), parcel };
}

describe("the ladder", () => {
  // shows 001.35
  test("is left at full while everything fits", async () => {
    const { data, notes } = await send({ items: records(3) });
    expect(data).toEqual({ items: records(3) });
    expect(notes.fidelity).toBeUndefined();
  });

  // shows 001.10, 001.36
  test("drops items of a list, the first ones stay", async () => {
    const { data, notes } = await send({ items: records(500), total: 500 });
    const { items, total } = data as { items: JsonObject[]; total: number };
    expect(items).toEqual(records(500).slice(0, items.length));
    expect(total).toBe(500);
    expect(notes.fidelity).toMatchObject({ level: "partial", dropped: [`/items/${items.length}..499`] });
  });

  test("shares the room of several lists: the short ones stay whole", async () => {
    const { data } = await send({ errors: records(5), warnings: records(500), notes: records(500) });
    const { errors, warnings, notes } = data as Record<string, JsonObject[]>;
    expect(errors).toHaveLength(5);
    const lengths = [warnings?.length ?? 0, notes?.length ?? 0];
    expect(Math.min(...lengths)).toBeGreaterThan(3);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(2);
  });

  test("drops items of lists inside items", async () => {
    const groups = Array.from({ length: 3 }, (_, id) => ({ id, rows: records(400) }));
    const { data, notes, tokens } = await send({ groups });
    expect(JSON.stringify(data)).toContain('"rows":[{"id":0');
    expect(notes.fidelity?.level).toBe("partial");
    expect(tokens).toBeLessThanOrEqual(600);
  });

  test("falls to a summary where nothing can be dropped, then to a reference where that has no room", async () => {
    const wide = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`field_${index}`, index]));
    const bytes = JSON.stringify(wide).length;
    const summary = await send(wide);
    expect(summary.data).toMatchObject({
      omitted: { count: 2_000, keys: Object.keys(wide).slice(0, 32), bytes, fields: { field_0: [0] } },
    });
    expect(summary.notes.fidelity).toMatchObject({ level: "summary", dropped: ["/*"] });
    const reference = await send(wide, { tokens: 256 });
    expect(reference.data).toMatchObject({ omitted: { count: 2_000, keys: [], bytes } });
    expect(reference.notes.fidelity).toMatchObject({ level: "reference_only", dropped: ["/*"] });
    expect(reference.texts).toEqual([JSON.stringify(wide)]);
  });

  const heavy = Array.from({ length: 40 }, (_, index) => ({
    id: `row-${index}`,
    state: index % 2 === 0 ? "open" : "done",
    score: index,
    day: `2026-11-${String((index % 28) + 1).padStart(2, "0")}`,
    ...Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, index + at])),
  }));

  // shows 001.37
  test("says of a list whose items have no room what all of them hold, and shows the first and the last", async () => {
    const { data, notes, tokens } = await send({ rows: heavy }, { tokens: 900 });
    expect(data).toMatchObject({
      omitted: {
        count: 40,
        keys: ["rows"],
        fields: {
          id: { min_length: 5, max_length: 6 },
          state: ["open", "done"],
          score: { min: 0, max: 39 },
          day: { min: "2026-11-01", max: "2026-11-28" },
        },
        first: { id: "row-0", state: "open" },
        last: { id: "row-39", state: "done" },
      },
    });
    expect(notes.fidelity?.level).toBe("summary");
    expect(tokens).toBeLessThanOrEqual(900);
  });

  test("names the items of a summary by their ids where these have room", async () => {
    const { notes } = await send({ rows: heavy.slice(0, 6) }, { tokens: 900 });
    expect(notes.fidelity).toMatchObject({
      level: "summary",
      dropped: ["row-0", "row-1", "row-2", "row-3", "row-4", "row-5"],
    });
    expect((await send({ rows: heavy }, { tokens: 600 })).notes.fidelity?.dropped).toEqual(["/rows/*"]);
  });

  // shows 001.38
  test("lists the ids of items in a reference, and the archive, as far as there is room", async () => {
    const keys = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`${"long key ".repeat(6)}${index}`, index]),
    );
    const { data, notes, tokens } = await send({ rows: heavy, ...keys }, { tokens: 300 });
    expect(notes.fidelity?.level).toBe("reference_only");
    const { omitted } = data as { readonly omitted: { readonly ids: readonly string[] } };
    expect(omitted).toMatchObject({ count: 40, keys: [], archive: expect.stringMatching(/^[0-9a-f]{12}$/) });
    expect(omitted.ids).toEqual(heavy.slice(0, omitted.ids.length).map(({ id }) => id));
    expect(omitted.ids.length).toBeGreaterThan(5);
    expect(tokens).toBeLessThanOrEqual(300);
  });

  // shows 001.38
  test("prefers names of items to a summary that only counts them, and names to a handle that the notes have too", async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => ({
      id: `row-${index}`,
      note: `Number ${index}`,
    }));
    const { data, notes } = await send({ rows }, { tokens: 268 });
    expect(data).toEqual({
      omitted: { count: 3_000, keys: [], bytes: JSON.stringify({ rows }).length, ids: ["row-0", "row-1"] },
    });
    expect(notes.fidelity).toMatchObject({ level: "reference_only" });
  });

  test("counts a list whose items have no ids in a summary, since no reference could name them", async () => {
    const rows = Array.from({ length: 3_000 }, () => [["a", "b"]]);
    const { data, notes } = await send({ rows }, { tokens: 268 });
    expect(data).toMatchObject({ omitted: { count: 3_000, keys: ["rows"] } });
    expect(notes.fidelity?.level).toBe("summary");
  });
});

describe("data that is not an object", () => {
  test("a list is named where the envelope shows it, and kept as the tool returned it", async () => {
    const { data, notes, texts } = await send(records(500));
    const kept = data as JsonObject[];
    expect(kept).toEqual(records(500).slice(0, kept.length));
    expect(notes.fidelity?.dropped).toEqual([`/result/${kept.length}..499`]);
    expect(texts).toEqual([JSON.stringify(records(500))]);
  });

  test("a text loses its end, and is kept as a JSON string", async () => {
    const { data, notes, texts } = await send(words);
    const kept = data as string;
    expect(words.startsWith(`${kept} `)).toBe(true);
    expect(notes.fidelity?.dropped).toEqual([`/result#char=${kept.length}-${words.length}`]);
    expect(texts).toEqual([JSON.stringify(words)]);
  });

  test("stays as it is in a dialect that does not wrap", async () => {
    const { data, notes } = await send(records(500), { dialect: "scalpel" });
    expect(Array.isArray(data)).toBe(true);
    expect(notes.fidelity?.dropped).toEqual([`/${(data as JsonValue[]).length}..499`]);
  });

  test("a text with a lone surrogate is kept with it", async () => {
    const { texts } = await send(`\ud800${words}`);
    expect(JSON.parse(texts[0] ?? "")).toEqual(`\ud800${words}`);
  });
});

describe("a key as long as a text", () => {
  test("is never the name of the archive, which still fits and is found by its hash", async () => {
    const { notes, tokens } = await send({ ["k".repeat(20_000)]: records(500) });
    const [key = ""] = Object.keys(notes.fidelity?.archives ?? {});
    expect(key.slice(0, 40)).toMatch(/^data-[0-9a-f]{12}$/);
    expect(tokens).toBeLessThanOrEqual(600);
  });
});

describe("the strategy relevance", () => {
  const items = records(500).map((record, id) => ({
    ...record,
    id,
    text: id % 100 === 42 ? "a red umbrella" : "a blue hat",
  }));

  test("keeps what answers the call's own words, in the order of the list", async () => {
    const fit = { strategy: "relevance", query: "where is the umbrella" } as const;
    const { data, notes } = await send({ items }, { fit });
    const kept = (data as { items: typeof items }).items;
    const ids = kept.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([42, 142, 242, 342, 442]));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(notes.fidelity?.dropped.length).toBeGreaterThan(1);
  });

  test.each(["", "zeppelin"])("keeps the head where the words %o are in no item", async (query) => {
    const { data } = await send({ items }, { fit: { strategy: "relevance", query } });
    const kept = (data as { items: typeof items }).items;
    expect(kept).toEqual(items.slice(0, kept.length));
  });
});

describe("a table", () => {
  test("loses rows, still decodes, and what is left are the first records", async () => {
    const { data, tokens } = await send({ items: records(500) }, { encoding: "table" });
    const plain = await send({ items: records(500) });
    const { items } = decodeTables(data) as { items: JsonObject[] };
    expect(items).toEqual(records(500).slice(0, items.length));
    expect(items.length).toBeGreaterThan((plain.data as { items: JsonObject[] }).items.length);
    expect(tokens).toBeLessThanOrEqual(600);
  });
});

describe("a page over the budget", () => {
  const shrink = async (keep: number) => ({ cursor: `after ${keep}`, has_more: true, page_size: 500 });

  test("gets shorter with a cursor after its last item: nothing is lost, nothing is kept", async () => {
    const { data, notes, texts, tokens } = await send(
      { items: records(500) },
      { pager: { path: "items", shrink } },
    );
    const { items } = data as { items: JsonObject[] };
    expect(items).toEqual(records(500).slice(0, items.length));
    expect(notes.pagination).toEqual({ cursor: `after ${items.length}`, has_more: true, page_size: 500 });
    expect(notes.fidelity).toBeUndefined();
    expect(texts).toEqual([]);
    expect(tokens).toBeLessThanOrEqual(600);
  });

  test("of one item larger than the budget is cut in the item, and goes on after it", async () => {
    const items = [{ id: 0, body: words }, ...records(20)];
    const { data, notes, texts } = await send({ items }, { pager: { path: "items", shrink } });
    const kept = (data as { items: JsonObject[] }).items;
    expect(kept).toHaveLength(1);
    expect(words.startsWith(kept[0]?.["body"] as string)).toBe(true);
    expect(notes.pagination?.cursor).toBe("after 1");
    expect(notes.fidelity?.dropped[0]).toMatch(/^\/items\/0\/body#char=/);
    expect(JSON.parse(texts[0] ?? "")).toEqual({ items: [{ id: 0, body: words }] });
  });
});
