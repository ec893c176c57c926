// What tables save in tokens (o200k_base) on real payloads and on generated records, and what writing and reading
// them costs against JSON.stringify and JSON.parse of the same value.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { decodeTables } from "../src/json/table/decode-tables.ts";
import type { encodeTables } from "../src/json/table/encode-tables.ts";
import type { JsonValue } from "../src/json/json-value.ts";
import { loadModule } from "./harness/built.ts";
import { race } from "./harness/race.ts";
import { recordsOfSize } from "./harness/records.ts";
import { printTable, writeResults } from "./harness/report.ts";

interface Codec {
  readonly encodeTables: typeof encodeTables;
  readonly decodeTables: typeof decodeTables;
}

async function loadCodec(): Promise<Codec> {
  const parts = ["encode-tables", "decode-tables"].map((name) => loadModule<object>(`json/table/${name}`));
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
  ...[10_000, 100_000, 1_000_000].map((bytes) => ({
    name: `records, ${bytes / 1_000} KB`,
    raw: JSON.stringify(recordsOfSize(bytes), null, 2),
  })),
];

function measure({ name, raw }: Sample, { encodeTables, decodeTables }: Codec) {
  const value = JSON.parse(raw) as JsonValue;
  const compact = JSON.stringify(value);
  const encoded = encodeTables(value);
  const table = JSON.stringify(encoded);
  if (JSON.stringify(decodeTables(JSON.parse(table) as JsonValue)) !== compact)
    throw new Error(`${name} changed.`);
  const options = { rounds: 21, warmUpRounds: 8, turnMs: 15 };
  const [, write] = race(
    [
      { name: "JSON.stringify", run: () => JSON.stringify(value) },
      { name: "encodeTables", run: () => encodeTables(value) },
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
  const tokens = { raw: countTokens(raw), compact: countTokens(compact), table: countTokens(table) };
  return { name, bytes: { compact: compact.length, table: table.length }, tokens, write, read };
}

const codec = await loadCodec();
const figures = samples.map((sample) => measure(sample, codec));
const percent = (part: number, whole: number): string => `${(100 - (100 * part) / whole).toFixed(1)} %`;
const ratio = (timing: (typeof figures)[number]["write"]): string =>
  timing === undefined
    ? ""
    : `${timing.ratio.toFixed(2)} (${timing.ratioP10.toFixed(2)}-${timing.ratioP90.toFixed(2)})`;

printTable(
  [
    "payload",
    "tokens as given",
    "compact",
    "table",
    "saved of compact",
    "encode / stringify",
    "decode / parse",
  ],
  figures.map(({ name, tokens, write, read }) => [
    name,
    `${tokens.raw}`,
    `${tokens.compact}`,
    `${tokens.table}`,
    percent(tokens.table, tokens.compact),
    ratio(write),
    ratio(read),
  ]),
);
writeResults("table", figures);
