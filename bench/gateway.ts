// What the gateway costs and saves, against named baselines in the same interleaved run. Processor time is summed over
// client, gateway and server. The gateway runs as users start it: contract, default budget, file store.
//   --only stdio,http,direct,start,large,memory   some of the parts; default: all
//   ROUNDS=12 MEMORY_CALLS=1000                    in the environment
// The part `http` compares with three bridges from npm; they are installed once into .cache/bench-peers.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { showSpread } from "./harness/compare-sides.ts";
import { type PathFigures, comparePaths } from "./harness/gateway/compare-paths.ts";
import { measureLarge } from "./harness/gateway/large-lines.ts";
import { measureMemory } from "./harness/gateway/path-memory.ts";
import {
  type OpenPath,
  arePeersInstalled,
  floorName,
  httpPeers,
  openHttp,
  openStdio,
  sizes,
} from "./harness/gateway/open-paths.ts";
import { canMeasureProcesses } from "./harness/gateway/process-usage.ts";
import { measureStarts } from "./harness/gateway/path-starts.ts";
import { printTable, writeResults } from "./harness/report.ts";

const parts = ["stdio", "http", "direct", "start", "large", "memory"] as const;
const rounds = Number(process.env["ROUNDS"] ?? 12);
const callsFor: Readonly<Record<string, number>> = { "1 KB": 200, "10 KB": 120, "100 KB": 40, "1 MB": 8 };
/** At most these times the baseline's processor time. */
const stdioLimits: Readonly<Record<string, number>> = {
  "1 KB": 1.3,
  "10 KB": 1.5,
  "100 KB": 1.5,
  "1 MB": 0.9,
};
const httpLimits: Readonly<Record<string, number>> = {
  "text 1 KB": 0.6,
  "text 10 KB": 0.7,
  "text 100 KB": 1.1,
  "struct 1 MB": 0.6,
};

interface Row extends PathFigures {
  readonly tool: string;
  readonly size: string;
}

function chooseParts(): readonly string[] {
  const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
  const asked = only?.split(",") ?? [...parts];
  const unknown = asked.filter((name) => !parts.some((part) => part === name));
  if (unknown.length > 0) {
    console.error(`Unknown part "${unknown.join(", ")}": choose among ${parts.join(", ")}.`);
    process.exit(2);
  }
  return asked;
}

async function compareAll(
  paths: readonly OpenPath[],
  cases: readonly (readonly [tool: string, size: string])[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [tool, size] of cases) {
    const figures = await comparePaths(paths, tool, size, callsFor[size] ?? 10, rounds);
    rows.push(...figures.map((figure) => ({ ...figure, tool, size })));
  }
  await Promise.all(paths.map((path) => path.close()));
  return rows;
}

function printRows(rows: readonly Row[], baseline: string, limitOf: (row: Row) => number | undefined): void {
  printTable(
    ["path", "result", "CPU µs", "behind the client", "CPU ratio (p10-p90)", "wall ratio", "limit"],
    rows.map((row) => [
      row.name,
      `${row.tool} ${row.size}`,
      row.cpuUs.toFixed(0),
      row.behindUs.toFixed(0),
      row.name === baseline ? "1" : showSpread(row.cpu),
      row.name === baseline ? "1" : showSpread(row.wall),
      row.name === "gateway" ? (limitOf(row)?.toString() ?? "") : "",
    ]),
  );
}

const bothTools = ["text", "struct"].flatMap((tool) =>
  Object.keys(sizes).map((size) => [tool, size] as const),
);

async function compareStdio(): Promise<readonly Row[]> {
  console.log("\nstdio to stdio, against a bridge that parses each line and writes it again\n");
  const paths = [await openStdio("parse bridge"), await openStdio("gateway")];
  const rows = await compareAll(paths, bothTools);
  printRows(rows, "parse bridge", ({ size }) => stdioLimits[size]);
  return rows;
}

async function compareDirect(): Promise<readonly Row[]> {
  console.log("\n1 MB with text and structure under the default budget, against the direct call\n");
  const paths = [await openStdio("direct"), await openStdio("gateway")];
  const rows = await compareAll(paths, [["struct", "1 MB"]]);
  printRows(rows, "direct", () => 1);
  return rows;
}

function installPeers(): void {
  if (arePeersInstalled()) return;
  const folder = fileURLToPath(new URL("../.cache/bench-peers/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}package.json`, '{"private":true}\n');
  const packages = ["mcp-proxy@6.7.19", "supergateway@4.0.0", "mcp-hub@4.2.1"];
  console.log(`Installing ${packages.join(", ")} once.`);
  const { status } = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--save-exact", ...packages], {
    cwd: folder,
    stdio: "inherit",
  });
  if (status !== 0)
    throw new Error("The bridges from npm could not be installed: run with --only and other parts.");
}

/** The best peer of each case is the baseline, since none is the best everywhere. */
async function compareHttp() {
  installPeers();
  console.log("\nHTTP to stdio, beside bridges from npm that only forward\n");
  const paths: OpenPath[] = [];
  const absent: string[] = [];
  for (const name of Object.keys(httpPeers)) {
    try {
      paths.push(await openHttp(name));
    } catch (error) {
      if (name === "gateway") throw error;
      absent.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  for (const line of absent) console.log(`Left out: ${line}`);
  const rows = await compareAll(paths, bothTools);
  const judged = bothTools.map(([tool, size]) => {
    const ofCase = rows.filter((row) => row.tool === tool && row.size === size);
    const own = ofCase.find(({ name }) => name === "gateway");
    const floor = ofCase.find(({ name }) => name === floorName);
    const peers = ofCase.filter(({ name }) => name !== "gateway" && name !== floorName);
    const [best] = peers.toSorted((a, b) => a.cpuUs - b.cpuUs);
    const against = (us: number | undefined): number => (us ?? Number.NaN) / (best?.cpuUs ?? Number.NaN);
    const ratios = { ratio: against(own?.cpuUs), floor: against(floor?.cpuUs) };
    return { tool, size, best: best?.name ?? "", bestUs: best?.cpuUs, ownUs: own?.cpuUs, ...ratios };
  });
  printTable(
    ["path", "result", "CPU µs", "behind the client", "wall µs"],
    rows.map((row) => [
      row.name,
      `${row.tool} ${row.size}`,
      row.cpuUs.toFixed(0),
      row.behindUs.toFixed(0),
      row.wallUs.toFixed(0),
    ]),
  );
  console.log();
  printTable(
    ["result", "best peer", "its CPU µs", "gateway CPU µs", "ratio", "bare bridge", "limit"],
    judged.map(({ tool, size, best, bestUs, ownUs, ratio, floor }) => [
      `${tool} ${size}`,
      best,
      bestUs?.toFixed(0) ?? "",
      ownUs?.toFixed(0) ?? "",
      ratio.toFixed(2),
      floor.toFixed(2),
      httpLimits[`${tool} ${size}`]?.toString() ?? "",
    ]),
  );
  return { rows, judged, absent };
}

if (!canMeasureProcesses()) {
  console.error("This bench reads the processor time of other processes from /proc: run it on Linux.");
  process.exit(2);
}
const chosen = chooseParts();
const figures: Record<string, unknown> = { rounds };
if (chosen.includes("stdio")) figures["stdio"] = await compareStdio();
if (chosen.includes("direct")) figures["direct"] = await compareDirect();
if (chosen.includes("http")) figures["http"] = await compareHttp();
if (chosen.includes("start")) figures["start"] = await measureStarts(Number(process.env["STARTS"] ?? 11));
if (chosen.includes("large")) figures["large"] = await measureLarge();
if (chosen.includes("memory"))
  figures["memory"] = await measureMemory(Number(process.env["MEMORY_CALLS"] ?? 1_000));
writeResults("gateway", figures);
process.exit(0);
