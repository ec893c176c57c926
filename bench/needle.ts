// One record out of a result that was cut to 2,000 tokens: what a reader pays in two calls (the cut result, then one
// `waybill_retrieve`), against reading the whole result. Counts (o200k_base), no times.
import type { JsonValue } from "../src/core/json/json-value.ts";
import { connectArchive } from "../test/journeys/archive-client.fixture.ts";
import { generateRecords, hundredPlaces } from "../test/journeys/generated-records.fixture.ts";
import {
  type Needle,
  type Search,
  findNeedle,
  needlesOf,
  tellingKeys,
  ways,
} from "../test/journeys/needle.fixture.ts";
import { listPayloads } from "../test/journeys/payloads.fixture.ts";
import { loadServer } from "./harness/built.ts";
import { printTable, writeResults } from "./harness/report.ts";
import { loadBenchCounter } from "./harness/token-counters.ts";

const { createContract } = await loadServer();
const counter = await loadBenchCounter("waybill");

interface Haystack {
  readonly name: string;
  readonly budget: number;
  readonly records: readonly JsonValue[];
  readonly needles: readonly Needle[];
}

const generated = generateRecords(100_000);
const haystacks: readonly Haystack[] = [
  ...listPayloads.flatMap(({ name, records }) => {
    const needles = needlesOf(records, tellingKeys(records));
    // The labels fit in 2,000 tokens, where nothing has to be looked for; a quarter of that cuts them too.
    const budgets = name === "gh_labels" ? [2_000, 500] : [2_000];
    return budgets.map((budget) => ({ name, budget, records, needles }));
  }),
  {
    name: "generated, 100,000 records",
    budget: 2_000,
    records: generated,
    needles: needlesOf(generated, ["reference", "number"], hundredPlaces),
  },
];

async function search({ name, budget, records, needles }: Haystack) {
  const client = await connectArchive(records, { budget: { tokens: budget } }, createContract);
  const read = await client.read();
  const whole = counter.count(JSON.stringify(records));
  const rows = [];
  for (const way of ways) {
    const searches: Search[] = [];
    for (const needle of needles)
      searches.push(await findNeedle(client, read, needle, { way, budget, counter }));
    rows.push({ name, way, budget, whole, ...sumUp(searches) });
  }
  await client.close();
  return rows;
}

function sumUp(searches: readonly Search[]) {
  const tokens = searches.map((one) => one.tokens).sort((a, b) => a - b);
  return {
    records: new Set(searches.map(({ needle }) => needle.index)).size,
    asked: searches.length,
    foundWhole: searches.filter(({ found }) => found === "whole").length,
    foundSliced: searches.filter(({ found }) => found === "sliced").length,
    medianTokens: tokens[Math.floor(tokens.length / 2)] ?? 0,
    mostTokens: tokens.at(-1) ?? 0,
    mostToEnd: Math.max(...searches.map(({ tokensToEnd }) => tokensToEnd)),
    calls: Math.max(...searches.map(({ calls }) => calls)),
  };
}

const results = [];
for (const haystack of haystacks) results.push(...(await search(haystack)));
const number = (value: number): string => value.toLocaleString("en");

function percent(share: number): string {
  return `${share < 0.1 ? (100 * share).toPrecision(2) : (100 * share).toFixed(0)} %`;
}

printTable(
  [
    "result",
    "budget",
    "by",
    "records",
    "asked",
    "found",
    "whole",
    "sliced",
    "calls",
    "tokens read",
    "most",
    "with all slices",
    "whole result",
    "share",
  ],
  results.map((row) => [
    row.name,
    number(row.budget),
    row.way,
    number(row.records),
    number(row.asked),
    `${((100 * (row.foundWhole + row.foundSliced)) / row.asked).toFixed(0)} %`,
    number(row.foundWhole),
    number(row.foundSliced),
    `${row.calls}`,
    number(row.medianTokens),
    number(row.mostTokens),
    number(row.mostToEnd),
    number(row.whole),
    percent(row.medianTokens / row.whole),
  ]),
);
writeResults("needle", results);
const lost = results.reduce((sum, row) => sum + row.asked - row.foundWhole - row.foundSliced, 0);
if (lost > 0) throw new Error(`${lost} records were not found.`);
