// The token counter (o200k_base) against the fastest ones on npm: speed on fresh text, hostile text, early exit, loading.
// `--data DIR` names the folder with the question sets; rounds by ROUNDS.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { generator } from "./harness/records.ts";
import { type MakeText, freshTexts } from "./harness/fresh-texts.ts";
import { raceFresh } from "./harness/race-fresh.ts";
import { printTable, writeResults } from "./harness/report.ts";
import { counterNames, loadBenchCounter } from "./harness/token-counters.ts";

const MB = 1_000_000;
const rounds = Number(process.env["ROUNDS"] ?? 15);
const counters = await Promise.all(counterNames.map(loadBenchCounter));
const [ours] = counters;
if (ours === undefined) throw new Error("no counter");

const times = (ratio: number): string => `${ratio.toFixed(2)}x`;
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

interface SpeedInput {
  readonly text: string;
  readonly value: unknown;
}

function compareSpeed(kind: string, makeText: MakeText) {
  const stringify = { name: "JSON.stringify", run: ({ value }: SpeedInput) => JSON.stringify(value) };
  const candidates = counters.map(({ name, count }) => ({
    name,
    run: ({ text }: SpeedInput) => count(text),
  }));
  const timings = raceFresh(
    [...candidates, stringify],
    (round) => {
      const text = makeText(round);
      const value: unknown = kind === "json" ? JSON.parse(text) : [text];
      return { text, value };
    },
    { rounds },
  );
  const size = Buffer.byteLength(makeText(0)) / MB;
  return timings.map((timing) => ({ kind, ...timing, mbPerSecond: size / (timing.medianUs / 1e6) }));
}

function reportSpeed() {
  const rows = [...freshTexts(MB)].flatMap(([kind, makeText]) => compareSpeed(kind, makeText));
  console.log(
    "1 MB, new in every round; the ratio is against waybill (10th to 90th percentile of the rounds)\n",
  );
  printTable(
    ["text", "counter", "ms", "MB/s", "time against waybill"],
    rows.map((row) => [
      row.kind,
      row.name,
      (row.medianUs / 1_000).toFixed(1),
      row.mbPerSecond.toFixed(0),
      `${times(row.ratio)} (${row.ratioP10.toFixed(2)} to ${row.ratioP90.toFixed(2)})`,
    ]),
  );
  return rows;
}

const random = generator(7);
const below = (bound: number): number => Math.floor(random() * bound);
const charsBetween = (chars: number, first: number, last: number): string =>
  Array.from({ length: chars }, () => String.fromCharCode(first + below(last - first + 1))).join("");
const hostile: readonly (readonly [string, (bytes: number) => string])[] = [
  ["one letter", (bytes) => "a".repeat(bytes)],
  ["spaces", (bytes) => " ".repeat(bytes)],
  ["=", (bytes) => "=".repeat(bytes)],
  ["one Chinese character", (bytes) => "的".repeat(bytes / 3)],
  ["random Chinese", (bytes) => charsBetween(Math.floor(bytes / 3), 0x4e00, 0x9fff)],
  ["random letters", (bytes) => charsBetween(bytes, 0x61, 0x7a)],
  ["base64", (bytes) => Buffer.from(charsBetween(bytes * 0.75, 0, 255), "latin1").toString("base64")],
];

function timeMs(run: (turn: number) => unknown, repeats = 5): number {
  return median(
    Array.from({ length: repeats }, (_, turn) => {
      const start = performance.now();
      run(turn);
      return performance.now() - start;
    }),
  );
}

const nLogN = (bytes: number): number => bytes * Math.log2(bytes);

const KB = 1_024;
const hostileSizes = [64 * KB, 128 * KB, 1_024 * KB] as const;

/** Every size is counted in each round, on text that is new where it is random: the cache must not help the small ones. */
function growthOf(make: (bytes: number) => string) {
  return raceFresh(
    hostileSizes.map((bytes, index) => ({
      name: `${bytes / KB} KB`,
      run: (texts: readonly string[]) => ours?.count(texts[index] ?? ""),
    })),
    () => hostileSizes.map(make),
    { rounds: 5, warmUpRounds: 2 },
  ).map(({ medianUs, ratio }, index) => ({
    ms: medianUs / 1_000,
    growth: ratio / (nLogN(hostileSizes[index] ?? 1) / nLogN(hostileSizes[0])),
  }));
}

function reportHostile() {
  const rows = hostile.map(([name, make]) => ({ name, sizes: growthOf(make) }));
  console.log("\nUnbroken text, waybill; growth from 64 KB is over that of n log n, so 1.00 is n log n\n");
  printTable(
    ["text", "64 KB ms", "128 KB ms", "1 MB ms", "growth to 128 KB", "growth to 1 MB"],
    rows.map(({ name, sizes }) => [
      name,
      ...sizes.map(({ ms }) => ms.toFixed(1)),
      ...sizes.slice(1).map(({ growth }) => growth.toFixed(2)),
    ]),
  );
  return rows;
}

/** Small sizes, since the others grow with the square; a new length each turn, since they remember whole words. */
function reportRivalsOnHostile() {
  const sizes = [2 ** 12, 2 ** 13, 2 ** 14] as const;
  const rows = counters.map(({ name, count }) => ({
    name,
    ms: sizes.map((bytes) => timeMs((turn) => count("a".repeat(bytes - turn)), 3)),
  }));
  console.log("\nOne letter, all counters\n");
  printTable(
    ["counter", "4 KB ms", "8 KB ms", "16 KB ms"],
    rows.map(({ name, ms }) => [name, ...ms.map((took) => took.toFixed(2))]),
  );
  return rows;
}

function reportEarlyExit() {
  const makeJson = freshTexts(MB).get("json") ?? (() => "");
  const timings = raceFresh(
    [
      { name: "waybill, whole count", run: (text: string) => ours?.count(text) },
      ...counters.flatMap(({ name, isOver }) =>
        isOver === undefined
          ? []
          : [{ name: `${name}, over 8,000?`, run: (text: string) => isOver(text, 8_000) }],
      ),
    ],
    (round) => makeJson(round + 1_000),
    { rounds },
  );
  console.log("\nIs 1 MB of JSON over 8,000 tokens?\n");
  printTable(
    ["question", "ms", "against the whole count"],
    timings.map(({ name, medianUs, ratio }) => [name, (medianUs / 1_000).toFixed(2), times(ratio)]),
  );
  return timings;
}

function loadOnce(name: string): { loadMs: number; rssBytes: number } {
  const program = fileURLToPath(new URL("./harness/counter-load.ts", import.meta.url));
  const { stdout } = spawnSync(process.execPath, ["--expose-gc", "--import", "tsx", program, name], {
    encoding: "utf8",
  });
  return JSON.parse(stdout) as { loadMs: number; rssBytes: number };
}

function reportLoading() {
  const rows = counterNames.map((name) => {
    const runs = Array.from({ length: 5 }, () => loadOnce(name));
    return {
      name,
      loadMs: median(runs.map(({ loadMs }) => loadMs)),
      rssMb: median(runs.map(({ rssBytes }) => rssBytes)) / MB,
    };
  });
  console.log("\nLoading and a first count, each in a process of its own (median of 5)\n");
  printTable(
    ["counter", "ms", "RSS, MB"],
    rows.map(({ name, loadMs, rssMb }) => [name, loadMs.toFixed(0), rssMb.toFixed(1)]),
  );
  return rows;
}

writeResults("counter", {
  speed: reportSpeed(),
  hostile: reportHostile(),
  oneLetter: reportRivalsOnHostile(),
  earlyExit: reportEarlyExit(),
  loading: reportLoading(),
});
