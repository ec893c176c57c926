// Runs the official conformance suite against the fixture server of test/conformance, with Waybill and without.
// Exits 0 only if every scored scenario passes, and every scenario gives the same counts with Waybill as without.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findProblems, readSummary, tableOf } from "./conformance-report.mjs";

const sets = ["2025-11-25", "2026-07-28"];
const variants = ["plain", "waybill", "attached"];
const START_MS = 30_000;
const RUN_MS = 120_000;

const root = fileURLToPath(new URL("..", import.meta.url));
const output = join(root, ".cache", "conformance");
const suite = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const loader = new URL("conformance-node20.mjs", import.meta.url).href;

/** The server of a variant, and its address once it listens; it ends with its standard input. */
async function startServer(/** @type {string} */ variant) {
  const log = openSync(join(output, `${variant}.log`), "w");
  const server = spawn(process.execPath, ["--import", "tsx", "test/conformance/serve.ts", variant], {
    cwd: root,
    stdio: ["pipe", "pipe", log],
  });
  const ended = once(server, "exit").then(([code]) => {
    throw new Error(`The ${variant} server ended with ${code}: see .cache/conformance/${variant}.log`);
  });
  const late = AbortSignal.timeout(START_MS);
  const [line] = await Promise.race([once(server.stdout, "data", { signal: late }), ended]).catch((error) => {
    server.kill();
    throw error;
  });
  ended.catch(() => {});
  return { server, url: String(line).trim() };
}

async function runSuite(/** @type {string} */ url, /** @type {string} */ variant, /** @type {string} */ set) {
  const results = join(output, `${variant}-${set}`);
  const args = ["server", "--url", url, "--requirements", set, "-o", results];
  const run = spawn(process.execPath, ["--import", loader, suite, ...args], {
    cwd: output,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: RUN_MS,
  });
  let said = "";
  for (const stream of [run.stdout, run.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => (said += chunk));
  }
  const [exitCode] = await once(run, "close");
  writeFileSync(`${results}.txt`, said);
  return { variant, set, exitCode, scenarios: readSummary(said) };
}

async function runVariant(/** @type {string} */ variant) {
  const { server, url } = await startServer(variant);
  const runs = [];
  try {
    for (const set of sets) runs.push(await runSuite(url, variant, set));
  } finally {
    server.kill();
  }
  return runs;
}

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
const runs = [];
// One after the other: some scenarios wait only half a second.
for (const variant of variants) runs.push(...(await runVariant(variant)));
runs.sort((left, right) => sets.indexOf(left.set) - sets.indexOf(right.set));

console.table(tableOf(runs));
const problems = findProblems(runs);
for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0
    ? "Conformant: every scored scenario passes, and every count is the same with Waybill as without."
    : `Not conformant; what the suite said is in ${output}`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
