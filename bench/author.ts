// The same server of four tools (a list in pages, one by its id, an error that says too much, 1 MB) in Waybill, the plain SDK,
// fastmcp and mcp-ts-core: what its author writes, what it costs in tokens, what a client of SDK 1.32 does with its failures,
// and processor time, over stdio. The servers take turns in one run; each Node has a run of its own, since mcp-ts-core needs 24.
//   --only facts,start,cpu   some of the parts; default: all
//   --node 20,24             default: both; anything but 24 is the Node that runs this
//   ROUNDS=15 STARTS=9       in the environment
import { parseArgs } from "node:util";
import { type Facts, readFacts } from "./harness/author/read-facts.ts";
import { type Library, type Runtime, openRuntime, openServer } from "./harness/author/open-server.ts";
import { type Spread, judgeAim, quantile, showSpread, spreadOf } from "./harness/compare-sides.ts";
import { type PathFigures, comparePaths } from "./harness/gateway/compare-paths.ts";
import { canMeasureProcesses } from "./harness/gateway/process-usage.ts";
import { printTable, writeResults } from "./harness/report.ts";

const rounds = Number(process.env["ROUNDS"] ?? 15);
const starts = Number(process.env["STARTS"] ?? 9);
const callsFor = { get: 300, list: 200, "1 MB": 6 } as const;
/** At most these times the SDK's processor time, with the client and the server alone. */
const limits: Readonly<Record<string, readonly [withClient: number, alone: number | undefined]>> = {
  get: [1.3, 1.6],
  list: [1.35, 1.6],
  "1 MB": [1, undefined],
};

interface Row extends PathFigures {
  readonly call: string;
}

interface Start {
  readonly library: Library;
  readonly medianMs: number;
  readonly ratio: Spread;
}

const number = (value: number): string => value.toLocaleString("en-US");

async function showFacts(runtime: Runtime): Promise<readonly Facts[]> {
  const facts: Facts[] = [];
  for (const library of runtime.libraries) facts.push(await readFacts(runtime, library));
  const sdk = facts[0]?.listTokens ?? Number.NaN;
  printTable(
    ["library", "lines", "tools/list", "get", "list", "not found", "raw error", "1 MB"],
    facts.map(({ library, lines, listTokens, retrieveTokens, resultTokens }) => [
      library,
      String(lines),
      `${number(listTokens)} (${(listTokens / sdk).toFixed(2)})${retrieveTokens > 0 ? `, waybill_retrieve ${retrieveTokens}` : ""}`,
      ...["get", "list", "not found", "raw error", "1 MB"].map((call) => number(resultTokens[call] ?? 0)),
    ]),
  );
  console.log("\nA client of SDK 1.32 and the failures:\n");
  printTable(
    ["library", "not found", "raw error", "does the secret leave"],
    facts.map(({ library, notFound, rawError, doesSecretLeave }) => [
      library,
      notFound,
      rawError,
      doesSecretLeave ? "yes" : "no",
    ]),
  );
  return facts;
}

async function startOnce(runtime: Runtime, library: Library): Promise<number> {
  const began = performance.now();
  const server = await openServer(runtime, library);
  const took = performance.now() - began;
  await server.close();
  return took;
}

async function showStarts(runtime: Runtime): Promise<readonly Start[]> {
  const times = runtime.libraries.map((): number[] => []);
  for (let round = -1; round < starts; round++) {
    for (const [index, library] of runtime.libraries.entries()) {
      const took = await startOnce(runtime, library);
      // The first round reads the files from the disk.
      if (round >= 0) times[index]?.push(took);
    }
  }
  const figures = runtime.libraries.map((library, index) => {
    const own = times[index] ?? [];
    const ratios = own.map((took, round) => took / (times[0]?.[round] ?? Number.NaN));
    return { library, medianMs: quantile(own, 0.5), ratio: spreadOf(ratios) };
  });
  console.log("\nStart, until tools/list is answered:\n");
  printTable(
    ["library", "median ms", "times the SDK (p10-p90)"],
    figures.map(({ library, medianMs, ratio }) => [library, medianMs.toFixed(0), showSpread(ratio)]),
  );
  return figures;
}

async function showProcessorTime(runtime: Runtime): Promise<readonly Row[]> {
  const servers = [];
  for (const library of runtime.libraries) servers.push(await openServer(runtime, library));
  const rows: Row[] = [];
  for (const [call, calls] of Object.entries(callsFor)) {
    const figures = await comparePaths(servers, call, "", calls, rounds);
    rows.push(...figures.map((figure) => ({ ...figure, call })));
  }
  await Promise.all(servers.map((server) => server.close()));
  console.log(`\nProcessor time of a call, ${rounds} rounds; ratios against the SDK, p10-p90 beside them:\n`);
  printTable(
    ["call", "library", "with the client µs", "ratio", "aim", "server alone µs", "ratio", "aim"],
    rows.map(({ call, name, cpuUs, cpu, behindUs, behind }) => {
      const [withClient, alone] = (name === "Waybill" ? limits[call] : undefined) ?? [];
      const figures = [cpuUs.toFixed(0), showSpread(cpu), judgeAim(cpu, withClient)];
      return [call, name, ...figures, behindUs.toFixed(0), showSpread(behind), judgeAim(behind, alone)];
    }),
  );
  return rows;
}

if (!canMeasureProcesses()) {
  console.error("This bench reads the processor time of other processes from /proc: run it on Linux.");
  process.exit(2);
}
const parts = ["facts", "start", "cpu"];
const { values } = parseArgs({ options: { only: { type: "string" }, node: { type: "string" } } });
const chosen = values.only?.split(",") ?? parts;
const unknown = chosen.filter((part) => !parts.includes(part));
if (unknown.length > 0) {
  console.error(`Unknown part "${unknown.join(", ")}": choose among ${parts.join(", ")}.`);
  process.exit(2);
}
const figures: Record<string, unknown> = { rounds, starts };
for (const version of values.node?.split(",") ?? ["20", "24"]) {
  const runtime = openRuntime(version);
  console.log(`\n## ${runtime.name}\n`);
  figures[runtime.name] = {
    facts: chosen.includes("facts") ? await showFacts(runtime) : undefined,
    starts: chosen.includes("start") ? await showStarts(runtime) : undefined,
    rows: chosen.includes("cpu") ? await showProcessorTime(runtime) : undefined,
  };
}
writeResults("author", figures);
