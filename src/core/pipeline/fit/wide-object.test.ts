import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../json/json-value.ts";
import { keysOf, listingKeysOnce } from "../../json/json-chunks.ts";
import { renderParcel } from "../dialect/dialects.ts";
import type { FitContext, PipelineContext } from "../pipeline-context.ts";
import { runStages } from "../pipeline.ts";
import { TestArchive, contextWith } from "./fit-bench.fixture.ts";

/** An object that says how often all of its keys were listed: engines do that before they give the first. */
function watched(keys: number, valueOf: (at: number) => JsonValue) {
  const own = Object.fromEntries(Array.from({ length: keys }, (_, at) => [`key_${at}`, valueOf(at)]));
  let listings = 0;
  const object = new Proxy(own, {
    ownKeys: (target) => {
      listings += 1;
      return Reflect.ownKeys(target);
    },
  });
  return { object, listings: () => listings };
}

async function listingsOf(keys: number, valueOf: (at: number) => JsonValue): Promise<number> {
  const { object, listings } = watched(keys, valueOf);
  const context = contextWith({ tokens: 2_000, archive: new TestArchive() });
  const result = { content: [], structuredContent: object };
  const { trace } = await runStages({ kind: "result", result }, context);
  expect(trace.find(({ stage }) => stage === "fit")?.says).toMatch(/cut to 2000/);
  return listings();
}

describe("a wide object", () => {
  it("has its keys listed a few times for a cut, however many levels of notes are tried", async () => {
    expect(await listingsOf(20_000, (at) => at)).toBeLessThanOrEqual(6);
  });

  it("has its keys listed no more often where every value is an object", async () => {
    expect(await listingsOf(20_000, (at) => ({ id: at }))).toBeLessThanOrEqual(6);
  });

  it("is not written out to see that it is over the budget", async () => {
    const { object } = watched(20_000, (at) => at);
    const lengths: number[] = [];
    const render: FitContext["render"] = (parcel) => {
      const rendering = renderParcel(parcel, context);
      lengths.push(...rendering.texts.map(({ length }) => length));
      return rendering;
    };
    const context: PipelineContext = contextWith({ tokens: 2_000, fit: { render } });
    await runStages({ kind: "result", result: { content: [], structuredContent: object } }, context);
    expect(lengths.length).toBeGreaterThan(0);
    expect(Math.max(...lengths)).toBeLessThan(10_000);
  });

  it("that its owner changes after a cut is seen as it is then", () => {
    const owned: Record<string, JsonValue> = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [`key_${at}`, at]),
    );
    const before = listingKeysOnce(() => keysOf(owned).length);
    owned["one_more"] = true;
    expect(listingKeysOnce(() => keysOf(owned).length)).toBe(before + 1);
  });
});
