// What real payloads cost in tokens (o200k_base): as given, compact, in the envelope, cut to a budget, as tables; and
// for each cut, whether every record comes back through `waybill_retrieve`, hash included. Counts, no times.
import { decodeTables } from "../src/core/json/table/decode-tables.ts";
import { jsonEqual } from "../src/core/json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../src/core/json/json-value.ts";
import { type DataEncoding, tableFormOf } from "../src/core/pipeline/pipeline-context.ts";
import type { ContractOptions } from "../src/engine/settings/contract-options.ts";
import { type Answer, announcedHash, connectArchive } from "../test/journeys/archive-client.fixture.ts";
import { type Proof, completed, proveEveryRecord } from "../test/journeys/every-record.fixture.ts";
import { type Payload, payloads } from "../test/journeys/payloads.fixture.ts";
import { loadServer } from "./harness/built.ts";
import { printTable, writeResults } from "./harness/report.ts";
import { loadBenchCounter } from "./harness/token-counters.ts";

const { createContract } = await loadServer();
const counter = await loadBenchCounter("waybill");
const number = (value: number): string => value.toLocaleString("en");

async function costOf({ value }: Payload, options: ContractOptions): Promise<number> {
  const client = await connectArchive(value, { budget: { tokens: "off" }, ...options }, createContract);
  const { text, data } = await client.read();
  await client.close();
  const read = tableFormOf(options.encoding) === undefined ? data : decodeTables(data);
  if (!jsonEqual(unwrap(read), value)) throw new Error("What was not cut is not what was given.");
  return counter.count(text);
}

/** A list travels in response-v2 as `{"result": […]}`. */
function unwrap(data: JsonValue): JsonValue {
  const keys = isJsonObject(data) ? Object.keys(data) : [];
  return keys.join() === "result" ? ((data as JsonObject)["result"] ?? null) : data;
}

interface Cut {
  readonly payload: string;
  readonly budget: number;
  readonly encoding: DataEncoding;
  readonly tokens: number;
  readonly fidelity: string;
  readonly kept: number;
  /** Of those kept, the ones with a text or a list inside cut short. */
  readonly shortened: number;
  readonly total: number;
  /** Undefined where nothing was cut. */
  readonly proof: Proof | undefined;
}

function keptOf({ data }: Answer, whole: JsonValue): { readonly kept: number; readonly shortened: number } {
  const read = unwrap(decodeTables(data));
  if (isJsonObject(read) && "omitted" in read) return { kept: 0, shortened: 0 };
  const isIn = (record: JsonValue): boolean =>
    (Array.isArray(whole) ? (whole as readonly JsonValue[]) : [whole]).some((one) => jsonEqual(one, record));
  const records = Array.isArray(read) ? (read as readonly JsonValue[]) : [read];
  return { kept: records.length, shortened: records.filter((record) => !isIn(record)).length };
}

async function cut({ name, value }: Payload, budget: number, encoding: DataEncoding): Promise<Cut> {
  const client = await connectArchive(value, { budget: { tokens: budget }, encoding }, createContract);
  const answer = await client.read();
  const hash = announcedHash(answer);
  const proof = hash === undefined ? undefined : await proveEveryRecord(client, hash, value, encoding);
  await client.close();
  return {
    payload: name,
    budget,
    encoding,
    tokens: counter.count(answer.text),
    fidelity: (answer.meta["content_fidelity"] as string | undefined) ?? "full",
    ...keptOf(answer, value),
    total: Array.isArray(value) ? value.length : 1,
    proof,
  };
}

async function measure(payload: Payload) {
  return {
    name: payload.name,
    asGiven: counter.count(payload.text),
    // Many servers send it so.
    indented: counter.count(JSON.stringify(payload.value, null, 2)),
    compact: counter.count(JSON.stringify(payload.value)),
    standard: await costOf(payload, { profile: "standard" }),
    minimal: await costOf(payload, { profile: "minimal" }),
    table: await costOf(payload, { encoding: "dense-table" }),
    fit8000: await cut(payload, 8_000, "json"),
    fit2000: await cut(payload, 2_000, "json"),
    tableFit2000: await cut(payload, 2_000, "dense-table"),
  };
}

function describeProof({ total, proof }: Cut): readonly string[] {
  if (proof === undefined) return ["not cut", "", "", "", ""];
  const { byPointer, byId, byPaging, withId, isHashRight, calls } = proof;
  const ids = withId === 0 ? "no ids" : `${byId} / ${withId}`;
  return [
    `${byPointer} / ${total}`,
    ids,
    `${byPaging} / ${total}`,
    isHashRight ? "equal" : "DIFFERS",
    `${calls}`,
  ];
}

const rows = [];
for (const payload of payloads) rows.push(await measure(payload));
const cuts = rows.flatMap(({ fit8000, fit2000, tableFit2000 }) => [fit8000, fit2000, tableFit2000]);

printTable(
  [
    "payload",
    "as given",
    "indented",
    "compact",
    "standard",
    "minimal",
    "fit 8,000",
    "fit 2,000",
    "dense table",
    "dense table, fit 2,000",
  ],
  rows.map(({ name, fit8000, fit2000, tableFit2000, ...costs }) => [
    name,
    ...[costs.asGiven, costs.indented, costs.compact, costs.standard, costs.minimal].map(number),
    ...[fit8000.tokens, fit2000.tokens, costs.table, tableFit2000.tokens].map(number),
  ]),
);
console.log("");
printTable(
  [
    "payload",
    "budget",
    "encoding",
    "fidelity",
    "kept",
    "back by place",
    "by id",
    "by paging",
    "hash",
    "calls",
  ],
  cuts.map((one) => [
    one.payload,
    number(one.budget),
    one.encoding,
    one.fidelity,
    `${one.kept} / ${one.total}${one.shortened > 0 ? `, ${one.shortened} shortened` : ""}`,
    ...describeProof(one),
  ]),
);
const broken = cuts.filter(
  ({ proof }) => proof !== undefined && !jsonEqual({ ...proof }, { ...completed(proof) }),
);
if (broken.length > 0) throw new Error(`${broken.length} cuts do not come back whole.`);
writeResults("payloads", { rows });
