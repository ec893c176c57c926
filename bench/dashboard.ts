// What an open dashboard costs: the gateway's processor time for each call with the page open and without a dashboard,
// turn by turn in the same run, under 1,000 calls a second from a generator on stdio and 200 a second from SDK clients
// over HTTP. Also whether every call was answered, whether the page stayed responsive, what it weighs, and when a cold
// load shows something. The gateway runs as users start it, in front of a server that answers at once.
//   --only stdio,http,bodies,page   some of the parts; default: all
//   LOAD_SECONDS=60 TURN_SECONDS=5  of load for each side, and of one turn, in the environment
import { readFileSync, readdirSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { type Spread, quantile, showSpread, spreadOf } from "./harness/compare-sides.ts";
import { type OpenGateway, openGateway } from "./harness/dashboard/open-gateway.ts";
import { type Caller, rawCaller, sdkCaller } from "./harness/dashboard/paced-calls.ts";
import { type PageTasks, measureColdLoads, openWatcher } from "./harness/dashboard/watch-page.ts";
import { canMeasureProcesses, cpuUsOf, rssMbOf } from "./harness/gateway/process-usage.ts";
import { printTable, writeResults } from "./harness/report.ts";

const seconds = Number(process.env["LOAD_SECONDS"] ?? 60);
const turnSeconds = Number(process.env["TURN_SECONDS"] ?? 5);
const MAX_CPU_RATIO = 1.1;
const MAX_TASK_MS = 200;
const MAX_PAGE_BYTES = 80_000;
const SDK_CLIENTS = 8;

interface Load {
  readonly name: string;
  readonly callsPerSecond: number;
  readonly isHttp: boolean;
  readonly hasBodies: boolean;
}

const loads: Readonly<Record<string, Load>> = {
  stdio: { name: "generator on stdio", callsPerSecond: 1_000, isHttp: false, hasBodies: false },
  http: { name: "SDK clients over HTTP", callsPerSecond: 200, isHttp: true, hasBodies: false },
  bodies: { name: "generator, bodies on", callsPerSecond: 1_000, isHttp: false, hasBodies: true },
};
const parts = [...Object.keys(loads), "page"];

interface LoadFigures extends Load {
  readonly watcher: string;
  readonly withoutUs: number;
  readonly withUs: number;
  readonly ratio: Spread;
  readonly sent: number;
  readonly dropped: number;
  /** Calls and failures that the dashboard did not count, or counted too often. */
  readonly miscounted: number;
  readonly rssMb: number;
  readonly rssWithoutMb: number;
  readonly tasks: PageTasks | undefined;
}

interface Side {
  readonly gateway: OpenGateway;
  readonly caller: Caller;
  readonly cpuUs: number[];
  sent: number;
  answered: number;
  failed: number;
}

async function openSide(load: Load, hasDashboard: boolean): Promise<Side> {
  const { isHttp, hasBodies } = load;
  const gateway = await openGateway({ isHttp, hasDashboard, hasBodies: hasDashboard && hasBodies });
  const caller = isHttp ? await sdkCaller(gateway, SDK_CLIENTS) : await rawCaller(gateway);
  return { gateway, caller, cpuUs: [], sent: 0, answered: 0, failed: 0 };
}

/** One turn; only the gateway's own process counts, not its server. */
async function takeTurn(side: Side, callsPerSecond: number, isMeasured: boolean): Promise<void> {
  const pids = [side.gateway.pid];
  const before = cpuUsOf(pids);
  const { sent, answered, failed } = await side.caller.run(callsPerSecond, turnSeconds);
  side.sent += sent;
  side.answered += answered;
  side.failed += failed;
  if (isMeasured) side.cpuUs.push((cpuUsOf(pids) - before) / sent);
}

async function measureLoad(load: Load): Promise<LoadFigures> {
  const without = await openSide(load, false);
  const withPage = await openSide(load, true);
  const watcher = await openWatcher(withPage.gateway.link ?? "");
  const turns = Math.max(2, Math.ceil(seconds / turnSeconds));
  for (let turn = -1; turn < turns; turn++)
    for (const side of turn % 2 === 0 ? [without, withPage] : [withPage, without])
      await takeTurn(side, load.callsPerSecond, turn >= 0);
  const tasks = await watcher.tasks();
  const counted = await watcher.counted();
  const miscounted = Math.abs(counted.calls - withPage.sent) + Math.abs(counted.failed - withPage.failed);
  const rssMb = rssMbOf(withPage.gateway.pid);
  const rssWithoutMb = rssMbOf(without.gateway.pid);
  await watcher.close();
  for (const { caller } of [without, withPage]) await caller.close();
  return {
    ...load,
    watcher: watcher.kind,
    withoutUs: quantile(without.cpuUs, 0.5),
    withUs: quantile(withPage.cpuUs, 0.5),
    ratio: spreadOf(withPage.cpuUs.map((us, turn) => us / (without.cpuUs[turn] ?? Number.NaN))),
    sent: withPage.sent,
    dropped: withPage.sent - withPage.answered + without.sent - without.answered,
    miscounted,
    rssMb,
    rssWithoutMb,
    tasks,
  };
}

function printLoads(figures: readonly LoadFigures[]): void {
  printTable(
    [
      "load",
      "watched by",
      "without µs",
      "with µs",
      "ratio (p10-p90)",
      "limit",
      "calls",
      "dropped",
      "miscounted",
    ],
    figures.map((one) => [
      `${one.name}, ${one.callsPerSecond.toLocaleString("en")}/s`,
      one.watcher,
      one.withoutUs.toFixed(1),
      one.withUs.toFixed(1),
      showSpread(one.ratio),
      String(MAX_CPU_RATIO),
      one.sent.toLocaleString("en"),
      String(one.dropped),
      String(one.miscounted),
    ]),
  );
  console.log();
  printTable(
    [
      "load",
      "tasks over 50 ms",
      "their p95 ms",
      "limit",
      "longest ms",
      "timer late p95 ms",
      "gateway MB",
      "without MB",
    ],
    figures.map(({ name, tasks, rssMb, rssWithoutMb }) => [
      name,
      tasks?.longTasks.toString() ?? "no page",
      tasks?.longTaskP95.toFixed(0) ?? "",
      String(MAX_TASK_MS),
      tasks?.longestTask.toFixed(0) ?? "",
      tasks?.lateP95.toFixed(1) ?? "",
      rssMb.toFixed(0),
      rssWithoutMb.toFixed(0),
    ]),
  );
}

/** All that a browser may load of the page, compressed as HTTP would. */
function pageWeight(): number {
  const folder = fileURLToPath(new URL("../dist/dashboard/", import.meta.url));
  const shown = new Set([".html", ".js", ".css", ".svg"]);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => shown.has(extname(file)))
    .reduce((sum, file) => sum + gzipSync(readFileSync(`${folder}${file}`), { level: 9 }).length, 0);
}

async function measurePage() {
  const gateway = await openGateway({ isHttp: false, hasDashboard: true });
  const loaded = await measureColdLoads(gateway.link ?? "", 9);
  await gateway.close();
  const gzipBytes = pageWeight();
  const median = (of: (load: NonNullable<typeof loaded>[number]) => number): number | undefined =>
    loaded === undefined ? undefined : quantile(loaded.map(of), 0.5);
  const firstPaintMs = median((load) => load.firstPaintMs);
  const firstContentMs = median((load) => load.firstContentMs);
  const transferredBytes = median((load) => load.transferredBytes);
  console.log("\nThe page, loaded without a cache\n");
  printTable(
    ["gzip bytes in all", "limit", "transferred", "first paint ms", "first content ms"],
    [
      [
        gzipBytes.toLocaleString("en"),
        MAX_PAGE_BYTES.toLocaleString("en"),
        transferredBytes?.toLocaleString("en") ?? "no Chromium",
        firstPaintMs?.toFixed(0) ?? "",
        firstContentMs?.toFixed(0) ?? "",
      ],
    ],
  );
  return { gzipBytes, transferredBytes, firstPaintMs, firstContentMs };
}

function chooseParts(): readonly string[] {
  const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
  const asked = only?.split(",") ?? parts;
  const unknown = asked.filter((name) => !parts.includes(name));
  if (unknown.length > 0) {
    console.error(`Unknown part "${unknown.join(", ")}": choose among ${parts.join(", ")}.`);
    process.exit(2);
  }
  return asked;
}

if (!canMeasureProcesses()) {
  console.error("This bench reads the processor time of other processes from /proc: run it on Linux.");
  process.exit(2);
}
const chosen = chooseParts();
const measured: LoadFigures[] = [];
for (const [part, load] of Object.entries(loads))
  if (chosen.includes(part)) measured.push(await measureLoad(load));
if (measured.length > 0) printLoads(measured);
const page = chosen.includes("page") ? await measurePage() : undefined;
writeResults("dashboard", { seconds, turnSeconds, loads: measured, page });
process.exit(0);
