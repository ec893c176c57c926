// What tables, plain and dense, save in tokens (o200k_base) on real payloads, on wide records and on generated ones, beside
// minified JSON and TOON in the same run, each read back and compared; and what writing and reading dense ones costs
// against JSON.stringify and JSON.parse of the same value.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { decode as decodeToon, encode as encodeToon } from "@toon-format/toon";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { decodeTables } from "../src/core/json/table/decode-tables.ts";
import type { encodeTables } from "../src/core/json/table/encode-tables.ts";
import type { JsonValue } from "../src/core/json/json-value.ts";
import { loadModule } from "./harness/built.ts";
import { type Timing, race } from "./harness/race.ts";
import { recordsOfSize } from "./harness/records.ts";
import { printTable, writeResults } from "./harness/report.ts";
import { wideShapes } from "./harness/wide-records.ts";

interface Codec {
  readonly encodeTables: typeof encodeTables;
  readonly decodeTables: typeof decodeTables;
}

async function loadCodec(): Promise<Codec> {
  const parts = ["encode-tables", "decode-tables"].map((name) =>
    loadModule<object>(`core/json/table/${name}`),
  );
  return Object.assign({}, ...(await Promise.all(parts))) as Codec;
}

interface Sample {
  readonly name: string;
  readonly raw: string;
}

function payloads(): Sample[] {
  const at = process.argv.indexOf("--data");
  const folder =
    at < 0 ? new URL("../../shared/data", import.meta.url).pathname : (process.argv[at + 1] ?? "");
  if (!existsSync(`${folder}/payloads`)) {
    console.log(`No payloads in ${folder}: only generated records are measured. Name a folder with --data.`);
    return [];
  }
  return readdirSync(`${folder}/payloads`)
    .filter((file) => file.endsWith(".json"))
    .map((name) => ({ name, raw: readFileSync(`${folder}/payloads/${name}`, "utf8") }));
}

const samples = [
  ...payloads(),
  ...wideShapes.map(({ name, value }) => ({ name, raw: JSON.stringify(value, null, 2) })),
  ...[10_000, 100_000, 1_000_000].map((bytes) => ({
    name: `records, ${bytes / 1_000} KB`,
    raw: JSON.stringify(recordsOfSize(bytes), null, 2),
  })),
];

/** Whether what is read back has the same JSON text. */
function isExact(read: () => unknown, compact: string): boolean {
  try {
    return JSON.stringify(read()) === compact;
  } catch {
    return false;
  }
}

function measure({ name, raw }: Sample, { encodeTables, decodeTables }: Codec) {
  const value = JSON.parse(raw) as JsonValue;
  const compact = JSON.stringify(value);
  const encoded = encodeTables(value, "dense");
  const table = JSON.stringify(encoded);
  const plain = JSON.stringify(encodeTables(value, "plain"));
  const toon = encodeToon(value);
  const exact = {
    plain: isExact(() => decodeTables(JSON.parse(plain) as JsonValue), compact),
    table: isExact(() => decodeTables(JSON.parse(table) as JsonValue), compact),
    toon: isExact(() => decodeToon(toon), compact),
  };
  const options = { rounds: 21, warmUpRounds: 8, turnMs: 15 };
  const [, write] = race(
    [
      { name: "JSON.stringify", run: () => JSON.stringify(value) },
      { name: "encodeTables", run: () => encodeTables(value, "dense") },
    ],
    options,
  );
  const [, read] = race(
    [
      { name: "JSON.parse", run: () => JSON.parse(compact) as unknown },
      { name: "decodeTables", run: () => decodeTables(encoded) },
    ],
    options,
  );
  const tokens = {
    raw: countTokens(raw),
    compact: countTokens(compact),
    toon: countTokens(toon),
    plain: countTokens(plain),
    table: countTokens(table),
  };
  return { name, bytes: { compact: compact.length, table: table.length }, tokens, exact, write, read };
}

const codec = await loadCodec();
const figures = samples.map((sample) => measure(sample, codec));
const number = (value: number): string => value.toLocaleString("en");
const percent = (part: number, whole: number): string => `${(100 - (100 * part) / whole).toFixed(1)} %`;
const ratio = (timing: Timing | undefined): string =>
  timing === undefined
    ? ""
    : `${timing.ratio.toFixed(2)} (${timing.ratioP10.toFixed(2)}-${timing.ratioP90.toFixed(2)})`;

printTable(
  ["payload", "as given", "minified", "TOON", "saved", "exact", "table", "saved", "dense", "saved", "exact"],
  figures.map(({ name, tokens, exact }) => [
    name,
    number(tokens.raw),
    number(tokens.compact),
    number(tokens.toon),
    percent(tokens.toon, tokens.compact),
    exact.toon ? "yes" : "NO",
    number(tokens.plain),
    percent(tokens.plain, tokens.compact),
    number(tokens.table),
    percent(tokens.table, tokens.compact),
    exact.plain && exact.table ? "yes" : "NO",
  ]),
);
console.log("");
printTable(
  ["payload", "encode / stringify", "decode / parse"],
  figures.map(({ name, write, read }) => [name, ratio(write), ratio(read)]),
);
writeResults("table", figures);
const changed = figures.filter(({ exact }) => !exact.plain || !exact.table).map(({ name }) => name);
const narrow = figures
  .filter(({ name, tokens }) => name.startsWith("wide") && tokens.table > tokens.compact * 0.4)
  .map(({ name }) => name);
if (changed.length > 0) console.error(`Not exact as tables: ${changed.join(", ")}.`);
if (narrow.length > 0) console.error(`Saved less than 60 %: ${narrow.join(", ")}.`);
if (changed.length + narrow.length > 0) process.exitCode = 1;
