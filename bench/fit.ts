// What cutting costs: a 1 MB result cut to 8,000 tokens against JSON.parse + JSON.stringify of the same result, a
// 10 KB result that fits against one JSON.stringify, growth from 10 KB to 100 MB, and memory in processes of its own.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadServer } from "./harness/built.ts";
import { fitLine, hashOnly, keepIn } from "./harness/fit-line.ts";
import { type AsyncCandidate, raceAsync } from "./harness/race-async.ts";
import type { Timing } from "./harness/race.ts";
import { recordsOfSize } from "./harness/records.ts";
import { printTable, writeResults } from "./harness/report.ts";

const BUDGET = 8_000;
const { fileStore } = await loadServer();
const folder = mkdtempSync(join(tmpdir(), "waybill-bench-fit-"));

function show(rows: readonly Timing[], goals: Readonly<Record<string, string>> = {}): void {
  printTable(
    ["work", "median µs", "x baseline", "p10-p90", "goal"],
    rows.map(({ name, medianUs, ratio, ratioP10, ratioP90 }) => [
      name,
      medianUs.toFixed(0),
      ratio.toFixed(2),
      `${ratioP10.toFixed(2)}-${ratioP90.toFixed(2)}`,
      goals[name] ?? "",
    ]),
  );
  console.log("");
}

/** Every put is of new content, so that nothing is already there: a run's number is in the data. */
function fresh(
  records: readonly object[],
  number: number,
): { readonly run: number; readonly records: readonly object[] } {
  return { run: number, records };
}

async function largeResult(): Promise<Timing[]> {
  const records = recordsOfSize(1_079_510);
  const payload = fresh(records, 0);
  const text = JSON.stringify(payload);
  const bare = fitLine(BUDGET);
  const hashed = fitLine(BUDGET, hashOnly);
  const stored = fitLine(BUDGET, keepIn(fileStore(join(folder, "rename"))));
  const synced = fitLine(BUDGET, keepIn(fileStore(join(folder, "fsync"), { durability: "fsync" })));
  const candidates: AsyncCandidate[] = [
    { name: "JSON.parse + JSON.stringify", run: async () => JSON.stringify(JSON.parse(text)) },
    { name: "fit alone, a value, no store", run: async () => bare.fitOnly(payload) },
    { name: "all stages, a value, no store", run: async () => bare.run({ kind: "value", value: payload }) },
    {
      name: "all stages, JSON as text, no store",
      run: async () => bare.run({ kind: "result", result: { content: [{ type: "text", text }] } }),
    },
    {
      name: "all stages, a value, sha256 only",
      run: (n) => hashed.run({ kind: "value", value: fresh(records, n) }),
    },
    {
      name: "all stages, a value, file store",
      run: (n) => stored.run({ kind: "value", value: fresh(records, n) }),
    },
    {
      name: "all stages, a value, file store with fsync",
      run: (n) => synced.run({ kind: "value", value: fresh(records, n) }),
    },
  ];
  const rows = await raceAsync(candidates, { rounds: 25, turnMs: 30 });
  console.log(`A result of ${text.length} bytes, ${records.length} records, cut to ${BUDGET} tokens:\n`);
  show(rows, {
    "fit alone, a value, no store": "0.2",
    "all stages, JSON as text, no store": "1.0",
    "all stages, a value, file store": "2",
  });
  return rows;
}

async function smallResult(): Promise<Timing[]> {
  const payload = { records: recordsOfSize(10_257) };
  const counted = fitLine(BUDGET);
  const roomy = fitLine(20_000);
  const rows = await raceAsync(
    [
      { name: "JSON.stringify", run: async () => JSON.stringify(payload) },
      { name: "fits, counted (budget 8,000)", run: async () => counted.fitOnly(payload) },
      { name: "fits, by its bytes (budget 20,000)", run: async () => roomy.fitOnly(payload) },
    ],
    { rounds: 40, turnMs: 10 },
  );
  console.log(`A result of ${JSON.stringify(payload).length} bytes that fits:\n`);
  show(rows, { "fits, counted (budget 8,000)": "5", "fits, by its bytes (budget 20,000)": "1.3" });
  return rows;
}

async function growth(): Promise<object[]> {
  const line = fitLine(BUDGET);
  const hashed = fitLine(BUDGET, hashOnly);
  const rows: { size: string; bytes: number; fitUs: number; hashedUs: number; jsonUs: number }[] = [];
  for (const bytes of [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]) {
    const payload = { records: recordsOfSize(bytes) };
    const [json, fitted, kept] = await raceAsync(
      [
        { name: "JSON.stringify", run: async () => JSON.stringify(payload).length },
        { name: "fit", run: async () => line.fitOnly(payload) },
        { name: "cut and hashed", run: async () => hashed.run({ kind: "value", value: payload }) },
      ],
      bytes > 5_000_000
        ? { rounds: 3, warmUpRounds: 1, turnMs: 1 }
        : { rounds: 9, warmUpRounds: 2, turnMs: 5 },
    );
    rows.push({
      size: bytes >= 1_000_000 ? `${bytes / 1_000_000} MB` : `${bytes / 1_000} KB`,
      bytes,
      fitUs: fitted?.medianUs ?? Number.NaN,
      hashedUs: kept?.medianUs ?? Number.NaN,
      jsonUs: json?.medianUs ?? Number.NaN,
    });
  }
  console.log("Growth, cut to 8,000 tokens:\n");
  printTable(
    ["size", "JSON.stringify µs", "fit alone µs", "all stages with sha256 µs", "µs per KB", "x stringify"],
    rows.map(({ size, bytes, jsonUs, fitUs, hashedUs }) => [
      size,
      jsonUs.toFixed(0),
      fitUs.toFixed(0),
      hashedUs.toFixed(0),
      ((hashedUs * 1_000) / bytes).toFixed(2),
      (hashedUs / jsonUs).toFixed(2),
    ]),
  );
  console.log("");
  return rows;
}

/** Memory is measured in processes of its own, where nothing else moves it. */
function measureMemory(what: "large" | "slope"): unknown {
  const script = fileURLToPath(new URL("harness/fit-memory.ts", import.meta.url));
  const cuts = process.argv.includes("--quick") ? "1000" : "10000";
  const { stdout, status } = spawnSync(
    process.execPath,
    ["--expose-gc", "--import", "tsx", script, what, join(folder, what), cuts],
    { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 1e8 },
  );
  if (status !== 0) throw new Error("The memory run failed.");
  return JSON.parse(stdout);
}

function memory(): unknown {
  const figures = {
    large: measureMemory("large") as { textMb: number; heldMb: number; peakExtraMb: number },
    slope: measureMemory("slope") as { cuts: number; mbPer100Cuts: number; startMb: number; endMb: number },
  };
  console.log("Memory:\n");
  printTable(
    ["what", "figure", "goal"],
    [
      ["text of the large value", `${figures.large.textMb.toFixed(0)} MB`, ""],
      [
        "extra RSS at the peak while it is cut and stored",
        `${figures.large.peakExtraMb.toFixed(0)} MB`,
        "its text",
      ],
      [
        `RSS slope of the last half of ${figures.slope.cuts} cuts of 1 MB`,
        `${figures.slope.mbPer100Cuts.toFixed(3)} MB per 100`,
        "1 MB per 100",
      ],
      [
        "RSS at half time and at the end",
        `${figures.slope.startMb.toFixed(0)} and ${figures.slope.endMb.toFixed(0)} MB`,
        "",
      ],
    ],
  );
  return figures;
}

try {
  const large = await largeResult();
  const small = await smallResult();
  const grown = await growth();
  writeResults("fit", { large, small, growth: grown, memory: memory() });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
