// `npm run clients`: what the models behind real clients read of 28 shapes of results.
//   --only ai-sdk,langchain   these clients; default: all
//   --shapes thin_text,empty  these shapes; default: all
//   --via direct              this way; default: direct, and behind the gateway (needs `npm run build`)
//   --recorded                runs nothing, and judges what earlier runs recorded
//   --histories               runs them directly, and prints what `waybill audit` reads in the histories that they leave
// It prints tables, writes what each model was given into .cache/clients/recordings, and docs/clients.md from all
// recordings. It fails when a client does not do what its row says, or when a model behind the gateway lost a fact or
// its client cut a result. Where the kernel allows it, all of it runs in a network that has loopback alone.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Via } from "./client.ts";
import { clients } from "./clients.ts";
import { auditRuns } from "./histories.ts";
import { install } from "./install.ts";
import { builtGateway, endAll, runClient } from "./laboratory.ts";
import type { Outcome } from "./outcome.ts";
import { clientsPage } from "./page.ts";
import { record, recordingOf, recordingsFolder, versionOf } from "./recordings.ts";
import { brokenBy, rowOf } from "./row-holds.ts";
import { shapes } from "./shapes.ts";

const INSTALL_LIMIT_MS = 300_000;
/** Set in the process that runs inside the closed network. */
const INSIDE = "LAB_INSIDE";
const page = fileURLToPath(new URL("../../docs/clients.md", import.meta.url));
const ways: readonly { readonly name: Via }[] = [{ name: "direct" }, { name: "gateway" }];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    shapes: { type: "string" },
    via: { type: "string" },
    recorded: { type: "boolean" },
    histories: { type: "boolean" },
  },
});

/** The names that an option gives, each known. */
function namesOf(
  option: "only" | "shapes" | "via",
  known: readonly { readonly name: string }[],
): readonly string[] {
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
const viaNames = namesOf("via", ways);

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
async function runInside(ready: readonly string[]): Promise<boolean> {
  const enter = ["-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
  if (spawnSync("unshare", [...enter, "true"]).status !== 0) return false;
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1), "--only", ready.join(",")];
  const env = { ...process.env, [INSIDE]: "1" };
  const child = spawn("unshare", [...enter, ...again], { stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => child.kill(signal));
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  if (code !== 0) process.exit(code ?? 1);
  return true;
}

function cells(outcome: Outcome, facts: number): readonly string[] {
  const { failure, lost, named, withoutWay, seenTwice, isCut, leaked, followed } = outcome;
  if (failure !== undefined) return [`all ${facts}`, "", "", "", "", failure];
  const figures = [lost, named, withoutWay].map((count) => (count === 0 ? "" : `${count} of ${facts}`));
  const calls = followed.length === 0 ? [] : [`${followed.length} more calls`];
  const notes = [...calls, ...leaked.map((place) => `shows ${place}`)].join(", ");
  return [...figures, seenTwice === 0 ? "" : String(seenTwice), isCut ? "cut" : "", notes];
}

function printTable(title: string, outcomes: readonly Outcome[]): void {
  const widths = [26, 14, 14, 12, 7, 5];
  const line = (columns: readonly string[]): string =>
    columns
      .map((column, index) => column.padEnd(widths[index] ?? 0))
      .join(" ")
      .trimEnd();
  say(`\n${title}`);
  say(line(["shape", "facts lost", "named", "without way", "twice", "cut", "note"]));
  for (const outcome of outcomes) {
    const facts = shapes.find(({ name }) => name === outcome.shape)?.facts.length ?? 0;
    say(line([outcome.shape, ...cells(outcome, facts)]));
  }
}

async function runAll(ready: readonly string[]): Promise<void> {
  for (const client of clients.filter(({ name }) => ready.includes(name))) {
    for (const { name: via } of ways.filter(({ name }) => viaNames.includes(name))) {
      const started = Date.now();
      const { outcomes, refused } = await runClient(client, via, { shapes: shapeNames });
      const seconds = Math.round((Date.now() - started) / 1000);
      printTable(`${client.name} ${versionOf(client)}, ${via}, ${seconds} s`, outcomes);
      if (refused.length > 0) say(`It tried to reach ${refused.join(", ")} and was refused.`);
      record(client, via, outcomes);
    }
  }
  say(`\nWhat each model was given: ${recordingsFolder}`);
}

/** What an audit reads of each shape's call: a history that is not read to its last call is printed with its misses. */
async function auditAll(ready: readonly string[]): Promise<void> {
  for (const client of clients.filter(({ name, kind }) => kind === "command" && ready.includes(name))) {
    const { read } = await auditRuns(client, shapeNames);
    say(`\n${client.name} ${versionOf(client)}: ${read.length} runs of ${shapeNames.length} shapes`);
    for (const { tool = "no call", server, isCut, isFailure, isCompared, misses } of read) {
      const facts = { cut: isCut, failed: isFailure, whole: isCompared, [`${misses} misses`]: misses > 0 };
      const told = Object.entries(facts).flatMap(([fact, isTrue]) => (isTrue ? [fact] : []));
      say(`${tool.padEnd(26)} ${(server ?? "(not named)").padEnd(14)} ${told.join(", ")}`);
    }
  }
}

const isHarmed = ({ lost, isCut, failure }: Outcome): boolean => lost > 0 || isCut || failure !== undefined;

/** One line for each thing that is not as it should be. */
function judge(): readonly string[] {
  return clients.flatMap((client) => {
    const rows = brokenBy(rowOf(client), recordingOf(client, "direct")?.outcomes ?? []);
    const harmed = (recordingOf(client, "gateway")?.outcomes ?? []).filter(isHarmed);
    return [
      ...rows.map((problem) => `The row ${rowOf(client).id} no longer holds for ${client.name}, ${problem}`),
      ...harmed.map(({ shape }) => `Behind the gateway: ${client.name} loses or cuts ${shape}`),
    ];
  });
}

/** Writes the page from the clients of which every shape was run both ways; it names the others. */
function writePage(): void {
  const recorded = clients.flatMap((client) => {
    const direct = recordingOf(client, "direct");
    const gateway = recordingOf(client, "gateway");
    return direct === undefined || gateway === undefined ? [] : [{ client, direct, gateway }];
  });
  const others = clients.filter((each) => !recorded.some(({ client }) => client === each));
  if (recorded.length > 0) writeFileSync(page, clientsPage(recorded, others));
  for (const { name } of others) say(`${name}: not every shape is recorded in both ways.`);
}

if (
  values.recorded !== true &&
  values.histories !== true &&
  viaNames.includes("gateway") &&
  !existsSync(builtGateway)
) {
  say("The gateway needs the built package: npm run build, or --via direct");
  process.exit(2);
}
if (process.env[INSIDE] === "1") {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      endAll();
      process.exit(130);
    });
  await (values.histories === true ? auditAll(chosen) : runAll(chosen));
} else {
  const ready = values.recorded === true ? [] : await installAll();
  if (ready.length > 0 && !(await runInside(ready))) {
    say("No closed network could be made: clients are held back by their environment alone.");
    await (values.histories === true ? auditAll(ready) : runAll(ready));
  }
  if (values.histories === true) process.exit(0);
  writePage();
  const problems = judge();
  for (const problem of problems) say(problem);
  process.exitCode = problems.length === 0 && (values.recorded === true || ready.length > 0) ? 0 : 1;
}
