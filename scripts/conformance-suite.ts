// What the runs of the conformance suite have in common: a fixture server, the suite in front of it, and the verdict.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type SuiteRun, findProblems, readSummary, tableOf } from "./conformance-report.ts";

const sets = ["2025-11-25", "2026-07-28"];
const START_MS = 30_000;
const RUN_MS = 120_000;

const root = fileURLToPath(new URL("..", import.meta.url));
const suite = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const loader = new URL("conformance-node20.mjs", import.meta.url).href;

/** What is tried: a name for the report, and the script that serves it with its arguments. */
export interface Variant {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
  readonly mayPassFewer?: SuiteRun["mayPassFewer"];
  /** By requirement set. */
  readonly lacks?: Readonly<Record<string, readonly string[]>>;
}

interface FixtureServer {
  readonly process: ChildProcess;
  readonly url: string;
}

/** The server of a variant and its address, once it listens. It ends with its standard input, so never without us. */
async function startServer({ name, script, args }: Variant, output: string): Promise<FixtureServer> {
  const server = spawn(process.execPath, ["--import", "tsx", script, ...args], {
    cwd: root,
    stdio: ["pipe", "pipe", "pipe"],
  });
  server.stderr.pipe(createWriteStream(join(output, `${name}.log`)));
  const isOver = new AbortController();
  const ended = once(server, "exit", { signal: isOver.signal }).then(([code]): never => {
    throw new Error(`The ${name} server ended with ${String(code)}: see ${join(output, `${name}.log`)}`);
  });
  const listening = once(server.stdout, "data", { signal: AbortSignal.timeout(START_MS) });
  try {
    const [line] = (await Promise.race([listening, ended])) as [Buffer];
    return { process: server, url: line.toString().trim() };
  } catch (error) {
    server.kill();
    throw error;
  } finally {
    ended.catch(() => {});
    isOver.abort();
  }
}

async function runSuite(url: string, variant: Variant, set: string, output: string): Promise<SuiteRun> {
  const { name, mayPassFewer, lacks } = variant;
  const results = join(output, `${name}-${set}`);
  const args = ["server", "--url", url, "--requirements", set, "-o", results];
  const run = spawn(process.execPath, ["--import", loader, suite, ...args], {
    cwd: output,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: RUN_MS,
  });
  let said = "";
  for (const stream of [run.stdout, run.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
  }
  const [exitCode] = (await once(run, "close")) as [number | null];
  writeFileSync(`${results}.txt`, said);
  return { variant: name, set, exitCode, scenarios: readSummary(said), mayPassFewer, lacks: lacks?.[set] };
}

async function runVariant(variant: Variant, output: string): Promise<SuiteRun[]> {
  const server = await startServer(variant, output);
  const runs: SuiteRun[] = [];
  try {
    for (const set of sets) runs.push(await runSuite(server.url, variant, set, output));
  } finally {
    // Its own children end with it where it is asked to end, and not where it is killed.
    const ended = once(server.process, "exit");
    server.process.stdin?.end();
    const timer = setTimeout(() => server.process.kill("SIGKILL"), START_MS);
    await ended;
    clearTimeout(timer);
  }
  return runs;
}

/**
 * Runs every variant, prints a table, and sets the exit code: 0 only if every scored scenario passes, and every scenario
 * gives the same counts as with the variant named "plain". `folder` under `.cache` takes what suite and servers say.
 */
export async function runConformance(variants: readonly Variant[], folder: string): Promise<void> {
  const output = join(root, ".cache", folder);
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const runs: SuiteRun[] = [];
  // One after the other: some scenarios wait only half a second for an answer.
  for (const variant of variants) runs.push(...(await runVariant(variant, output)));
  runs.sort((left, right) => sets.indexOf(left.set) - sets.indexOf(right.set));
  console.table(tableOf(runs));
  const problems = findProblems(runs);
  for (const problem of problems) console.error(problem);
  for (const { name, mayPassFewer = [], lacks = {} } of variants) {
    if (mayPassFewer.length > 0)
      console.log(`${name} may pass fewer checks of ${mayPassFewer.join(", ")}, and fails none.`);
    for (const [set, names] of Object.entries(lacks))
      console.log(`${name} does not have what these scenarios of ${set} need: ${names.join(", ")}.`);
  }
  console.log(
    problems.length === 0
      ? "Conformant: every scored scenario passes, and every other count is the same with Waybill as without."
      : `Not conformant: what the suite said is in .cache/${folder}/`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}
