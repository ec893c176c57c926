// How long a check takes: a server with 50 read-only tools, default settings, with progress. Once through the door, and
// once as the command that people type, both from the built package.
//   ROUNDS=3   in the environment
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type * as WaybillCheck from "../src/doors/check/index.ts";
import { loadDoor } from "./harness/built.ts";
import { printTable, writeResults } from "./harness/report.ts";

const LIMIT_SECONDS = 60;
const rounds = Number(process.env["ROUNDS"] ?? 3);
const server = fileURLToPath(new URL("harness/check/fifty-tools.mjs", import.meta.url));
const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

interface Run {
  readonly seconds: number;
  /** How often a person who waits was told something, and the longest time without a word. */
  readonly reports: number;
  readonly silentSeconds: number;
}

class Watch {
  readonly #startedAt = performance.now();
  #lastAt = this.#startedAt;
  #silentMs = 0;
  #reports = 0;

  note(): void {
    const now = performance.now();
    this.#silentMs = Math.max(this.#silentMs, now - this.#lastAt);
    this.#lastAt = now;
    this.#reports += 1;
  }

  stop(): Run {
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    return { seconds, reports: this.#reports, silentSeconds: this.#silentMs / 1_000 };
  }
}

const { checkServer } = (await loadDoor("doors/check")) as typeof WaybillCheck;

async function byDoor(): Promise<Run & { readonly report: WaybillCheck.CheckReport }> {
  const watch = new Watch();
  const target = { command: process.execPath, args: [server] };
  const report = await checkServer(target, { onProgress: () => watch.note() });
  return { ...watch.stop(), report };
}

async function byCommand(): Promise<Run> {
  const watch = new Watch();
  const args = [main, "check", "--progress", "--", process.execPath, server];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  child.stderr.on("data", () => watch.note());
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  if (code !== 0 && code !== 1) throw new Error(`waybill check ended with ${code}`);
  return watch.stop();
}

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

const door: Awaited<ReturnType<typeof byDoor>>[] = [];
const command: Run[] = [];
for (let round = 0; round < rounds; round++) {
  door.push(await byDoor());
  command.push(await byCommand());
}

const report = door[0]?.report;
console.log(
  `50 tools, ${report?.calls ?? 0} calls, ${report?.rules.length ?? 0} rules; median of ${rounds} rounds\n`,
);
const row = (name: string, runs: readonly Run[]): readonly string[] => [
  name,
  median(runs.map(({ seconds }) => seconds)).toFixed(1),
  Math.max(...runs.map(({ seconds }) => seconds)).toFixed(1),
  String(median(runs.map(({ reports }) => reports))),
  Math.max(...runs.map(({ silentSeconds }) => silentSeconds)).toFixed(1),
  String(LIMIT_SECONDS),
];
printTable(
  ["way", "seconds", "slowest", "progress reports", "longest silence, s", "limit"],
  [row("checkServer", door), row("waybill check", command)],
);
const slowest = Math.max(...[...door, ...command].map(({ seconds }) => seconds));
writeResults("check", {
  rounds,
  calls: report?.calls,
  rules: report?.rules.length,
  door: door.map(({ seconds, reports, silentSeconds }) => ({ seconds, reports, silentSeconds })),
  command,
  limitSeconds: LIMIT_SECONDS,
});
if (slowest > LIMIT_SECONDS) {
  console.error(`\nA check took ${slowest.toFixed(1)} s, more than ${LIMIT_SECONDS} s.`);
  process.exitCode = 1;
}
