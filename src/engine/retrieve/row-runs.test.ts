import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { readCounter } from "../../core/tokens/read-counter.ts";
import { allPages, archived, itemsOf, joinPages } from "./archive.fixture.ts";

const items = Array.from({ length: 900 }, (_, at) => ({ id: `o-${at}`, total: at, paid: at % 2 === 0 }));
const placed = items.map((value, at) => ({ pointer: `/items/${at}`, value }));

describe("rows that follow each other", () => {
  it("come as a run, whose pointer gives them again", async () => {
    const { ask } = await archived({ items });
    const { data } = await ask({ ids: ["/items/12..14", "/items/20"] });
    const run = { pointer: "/items/12..14", values: items.slice(12, 15) };
    expect(data).toMatchObject({ items: [run, placed[20]], matched: 4, returned: 4 });
    expect((await ask({ pointer: run.pointer })).data["items"]).toEqual([run]);
  });

  it("count their places from the whole on every page", async () => {
    const { ask } = await archived({ items }, { budgetTokens: 1_000 });
    for (const request of [
      {},
      { pointer: "/items" },
      { pointer: "/items/*" },
      { ids: ["/items/100..899"] },
    ]) {
      const pages = await allPages(ask, request);
      expect(pages.length).toBeGreaterThan(5);
      for (const { data } of pages) expect(data["items"]).toHaveLength(1);
      expect(joinPages(pages)).toEqual("ids" in request ? placed.slice(100) : placed);
    }
  });

  it("end where a limit says", async () => {
    const { ask } = await archived({ items });
    const { data, pagination } = await ask({ pointer: "/items/5..99", limit: 2 });
    expect(data).toMatchObject({ items: [{ pointer: "/items/5..6" }], returned: 2 });
    const next = await ask({ pointer: "/items/5..99", limit: 2, cursor: pagination?.cursor ?? "" });
    expect(next.data["items"]).toMatchObject([{ pointer: "/items/7..8" }]);
  });

  it("have the place of each where a request names or searches them", async () => {
    const { ask } = await archived({ items });
    for (const request of [{ ids: ["o-3", "o-4"] }, { match: { paid: true } }, { query: "o-3" }]) {
      const { data } = await ask({ ...request, limit: 2 });
      for (const item of data["items"] as unknown as JsonObject[]) expect(item).toHaveProperty("value");
    }
  });

  it("are no run if they are members of an object, or of two lists", async () => {
    const { ask } = await archived({ years: { 1: "a", 2: "b" }, first: ["x"], second: ["y"] });
    expect((await ask({ pointer: "/years/*" })).data["items"]).toEqual([
      { pointer: "/years/1", value: "a" },
      { pointer: "/years/2", value: "b" },
    ]);
    expect((await ask({ ids: ["/first/0..0", "/second/0..0"] })).data["items"]).toEqual([
      { pointer: "/first/0", value: "x" },
      { pointer: "/second/0", value: "y" },
    ]);
  });

  it("come one by one for clients that join the whole", async () => {
    const { ask } = await archived(items.slice(0, 3));
    const whole = items.slice(0, 3).map((value, at) => ({ pointer: `/${at}`, value }));
    expect((await ask({ pointer: "" })).data["items"]).toEqual(whole);
  });

  it.each([2_000, 8_000])("fill a budget of %d tokens to 97 % with their own JSON", async (budgetTokens) => {
    const counter = readCounter("o200k_base");
    const count = (text: string): number => counter.count(text);
    const weigh = (data: JsonObject): number => count(JSON.stringify(data));
    const { ask } = await archived({ items: [...items, ...items] }, { budgetTokens, count, weigh });
    const { data } = await ask({ pointer: "/items" });
    const own = count(JSON.stringify(itemsOf({ data }).map(({ value }) => value)));
    const [{ values: _values, ...place } = {}] = data["items"] as unknown as JsonObject[];
    const around = weigh({ ...data, items: [place] });
    expect(own).toBeGreaterThan((budgetTokens - around) * 0.97);
    expect(weigh(data)).toBeLessThanOrEqual(budgetTokens);
  });
});
