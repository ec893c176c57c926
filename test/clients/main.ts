// `npm run clients`: what the models behind real clients read of 28 shapes of results.
//   --only ai-sdk,langchain   these clients; default: all
//   --shapes thin_text,empty  these shapes; default: all
//   --gateway                 also behind the gateway (needs `npm run build`)
// It prints a table and writes what each model was given into .cache/clients/recordings. Where the kernel allows it,
// all of it runs in a network that holds loopback alone.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { LabClient } from "./client.ts";
import { clients } from "./clients.ts";
import { cacheFolder, install } from "./install.ts";
import { type Outcome, type Via, gatewayProgram, runClient } from "./laboratory.ts";
import { shapes } from "./shapes.ts";

const INSTALL_LIMIT_MS = 300_000;
/** Set in the process that runs inside the closed network. */
const INSIDE = "LAB_INSIDE";
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: { only: { type: "string" }, shapes: { type: "string" }, gateway: { type: "boolean" } },
});

/** The names that an option gives, each known. */
function namesOf(option: "only" | "shapes", known: readonly { readonly name: string }[]): readonly string[] {
  const all = known.map(({ name }) => name);
  const names = values[option]?.split(",") ?? all;
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) {
    say(`--${option}: ${unknown.join(", ")} is unknown; known: ${all.join(", ")}`);
    process.exit(2);
  }
  return names;
}

const chosen = namesOf("only", clients);
const shapeNames = namesOf("shapes", shapes);
const ways: readonly Via[] = values.gateway === true ? ["direct", "gateway"] : ["direct"];

/** The names of those that are ready. */
async function installAll(): Promise<readonly string[]> {
  const ready: string[] = [];
  for (const client of clients.filter(({ name }) => chosen.includes(name))) {
    const problem = await install(client, INSTALL_LIMIT_MS);
    if (problem === undefined) ready.push(client.name);
    else say(`${client.name}: skipped, ${problem}`);
  }
  return ready;
}

/** Runs this program again where only loopback is, if the kernel lets us make such a place. */
function runInside(ready: readonly string[]): number | undefined {
  const enter = ["-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
  if (spawnSync("unshare", [...enter, "true"]).status !== 0) return undefined;
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1), "--only", ready.join(",")];
  const env = { ...process.env, [INSIDE]: "1" };
  return spawnSync("unshare", [...enter, ...again], { stdio: "inherit", env }).status ?? 1;
}

function cells(outcome: Outcome, facts: number): readonly string[] {
  if (outcome.failure !== undefined) return [`all ${facts}`, "", "", outcome.failure];
  const lost = outcome.lost === 0 ? "" : `${outcome.lost} of ${facts}`;
  const notes = [
    ...outcome.leaked.map((place) => `shows ${place}`),
    ...(outcome.isRestNamed ? ["names what is missing"] : []),
  ];
  const twice = outcome.seenTwice === 0 ? "" : String(outcome.seenTwice);
  return [lost, twice, outcome.isCut ? "cut" : "", notes.join(", ")];
}

function printTable(title: string, outcomes: readonly Outcome[]): void {
  const widths = [26, 14, 7, 5];
  const line = (columns: readonly string[]): string =>
    columns
      .map((column, index) => column.padEnd(widths[index] ?? 0))
      .join(" ")
      .trimEnd();
  say(`\n${title}`);
  say(line(["shape", "facts lost", "twice", "cut", "note"]));
  for (const outcome of outcomes) {
    const facts = shapes.find(({ name }) => name === outcome.shape)?.facts.length ?? 0;
    say(line([outcome.shape, ...cells(outcome, facts)]));
  }
}

function record(client: LabClient, version: string, via: Via, outcomes: readonly Outcome[]): void {
  const folder = join(cacheFolder, "recordings", client.name, via);
  mkdirSync(folder, { recursive: true });
  for (const outcome of outcomes) {
    const recording = { client: client.name, version, via, ...outcome };
    writeFileSync(join(folder, `${outcome.shape}.json`), `${JSON.stringify(recording, null, 2)}\n`);
  }
}

async function runAll(ready: readonly string[]): Promise<void> {
  for (const client of clients.filter(({ name }) => ready.includes(name))) {
    const [version = ""] = Object.values(client.packages);
    for (const via of ways) {
      const started = Date.now();
      const { outcomes, refused } = await runClient(client, via, shapeNames);
      const seconds = Math.round((Date.now() - started) / 1000);
      printTable(`${client.name} ${version}, ${via}, ${seconds} s`, outcomes);
      if (refused.length > 0) say(`It tried to reach ${refused.join(", ")} and was refused.`);
      record(client, version, via, outcomes);
    }
  }
  say(`\nWhat each model was given: ${join(cacheFolder, "recordings")}`);
}

if (values.gateway === true && !existsSync(gatewayProgram)) {
  say("--gateway needs the built package: npm run build");
  process.exit(2);
}
if (process.env[INSIDE] === "1") await runAll(chosen);
else {
  const ready = await installAll();
  const status = ready.length === 0 ? 1 : runInside(ready);
  if (status === undefined)
    say("No closed network could be made: clients are held back by their environment alone.");
  if (status === undefined) await runAll(ready);
  process.exitCode = status ?? 0;
}
