import { describe, expect, it } from "vitest";
import { loadCounter } from "../../src/core/tokens/token-counter.ts";
import type { JsonValue } from "../../src/core/json/json-value.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import { connectArchive } from "./archive-client.fixture.ts";
import { generateRecords, hundredPlaces } from "./generated-records.fixture.ts";
import { type Needle, type Way, findNeedle, needlesOf, tellingKeys, ways } from "./needle.fixture.ts";
import { arePayloadsRequired, hasPayloads, listPayloads } from "./payloads.fixture.ts";
import { isFullRun, someOf } from "../arbitrary/law-runs.ts";

const TOKENS = 2_000;
const counter = await loadCounter("o200k_base");

// The labels fit in 2,000 tokens, where nothing has to be fetched; a quarter of that cuts them too.
const haystacks = listPayloads.flatMap((payload) =>
  (payload.name === "gh_labels" ? [TOKENS, TOKENS / 4] : [TOKENS]).flatMap((budget) =>
    ways.map((way) => ({ ...payload, budget, way })),
  ),
);

/** The needles that were not found, by key and value. */
async function missed(records: readonly JsonValue[], needles: readonly Needle[], way: Way, budget = TOKENS) {
  const options = { budget: { tokens: budget }, validate: "always" } as const;
  const client = await connectArchive(records, options, createContract);
  const read = await client.read();
  const lost: string[] = [];
  for (const needle of needles) {
    const { found } = await findNeedle(client, read, needle, { way, budget, counter });
    if (found === undefined) lost.push(`${needle.key} ${needle.value} of ${needle.index}`);
  }
  await client.close();
  return lost;
}

describe("the payloads", () => {
  it("are there where they are required", () => {
    expect(hasPayloads || !arePayloadsRequired).toBe(true);
  });
});

describe.runIf(hasPayloads)("every record of a list", () => {
  it.each(haystacks)(
    "is the first answer by each of its telling keys: $name at $budget tokens, asked for by $way",
    async ({ records, budget, way }) => {
      const keys = tellingKeys(records);
      expect(keys.length).toBeGreaterThan(0);
      const needles = someOf(needlesOf(records, keys), 4);
      expect(await missed(records, needles, way, budget)).toEqual([]);
    },
  );
});

// One in each thousand of the full list.
const COUNT = isFullRun ? 100_000 : 1_500;
const places = hundredPlaces.filter((place) => place < COUNT);

describe(`${places.length} records of ${COUNT}`, () => {
  const records = generateRecords(COUNT);

  it.each(ways)("are each the first answer, asked for by %s", async (way) => {
    const needles = [
      ...needlesOf(records, ["reference"], places.slice(0, places.length / 2)),
      ...needlesOf(records, ["number"], places.slice(places.length / 2)),
    ];
    expect(await missed(records, needles, way)).toEqual([]);
  });
});
