// What the server door costs against the same tool without it: processor and wall time of one call over stdio, in memory,
// and over HTTP with a server object per request; memory over many such requests; what starting costs. Both sides
// declare the same output schema and send structure and its text.
//   --only stdio,memory,http,rss,starts   some of the parts; default: all
//   ROUNDS=15 REQUESTS=20000              in the environment
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { type Variant, buildRecordServer, variants } from "./harness/build-record-server.ts";
import { type Comparison, type Side, compareSides, showSpread } from "./harness/compare-sides.ts";
import { openHttpRecords } from "./harness/http-records.ts";
import { compareCommands, compareImports } from "./harness/process-starts.ts";
import { sizes } from "./harness/record-schema.ts";
import { printTable, writeResults } from "./harness/report.ts";
import { type RequestMemory, measureRequestMemory } from "./harness/request-memory.ts";

const program = fileURLToPath(new URL("./harness/record-server.ts", import.meta.url));
const rounds = Number(process.env["ROUNDS"] ?? 15);
const requests = Number(process.env["REQUESTS"] ?? 20_000);
const callsFor = { kb1: 300, kb10: 200, kb100: 60, kb100_uncut: 60, mb1: 12 } as const;
const httpCalls = 150;
const parts = ["stdio", "memory", "http", "rss", "starts"] as const;
type Part = (typeof parts)[number];
type TransportName = "stdio" | "memory";

interface Row extends Comparison {
  readonly transport: string;
  readonly result: string;
}

function chooseParts(): readonly Part[] {
  const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
  const asked = only?.split(",") ?? parts;
  const unknown = asked.filter((name) => !parts.some((part) => part === name));
  if (unknown.length > 0) {
    console.error(`Unknown part "${unknown.join(", ")}": choose among ${parts.join(", ")}.`);
    process.exit(2);
  }
  return parts.filter((part) => asked.includes(part));
}

async function connect(variant: Variant, transport: TransportName): Promise<Client> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  if (transport === "stdio") {
    const args = ["--import", "tsx", program, variant];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "inherit" }));
  } else {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = await buildRecordServer(variant);
    await Promise.all([server.connect(far), client.connect(near)]);
  }
  await client.listTools();
  return client;
}

/** In memory both ends are this process, so there is no server to ask for its processor time. */
function sideOf(client: Client, transport: TransportName, tool: string): Side {
  return {
    call: async () => {
      const { isError } = await client.callTool({ name: tool, arguments: {} });
      if (isError === true) throw new Error(`${tool} failed.`);
    },
    serverCpuUs: async () => {
      if (transport === "memory") return undefined;
      const { content } = await client.callTool({ name: "cpu", arguments: {} });
      const [block] = content as { text: string }[];
      return Number(block?.text);
    },
  };
}

async function compareTransport(transport: TransportName): Promise<Row[]> {
  const clients = { plain: await connect("plain", transport), waybill: await connect("waybill", transport) };
  const rows: Row[] = [];
  for (const tool of Object.keys(sizes) as (keyof typeof sizes)[]) {
    const sides = {
      plain: sideOf(clients.plain, transport, tool),
      waybill: sideOf(clients.waybill, transport, tool),
    };
    rows.push({ transport, result: tool, ...(await compareSides(sides, callsFor[tool], rounds)) });
  }
  await Promise.all(variants.map((variant) => clients[variant].close()));
  return rows;
}

/** A server object per request: 1 KB from one of `tools` tools. */
async function compareHttp(tools: number): Promise<Row> {
  const sides = {
    plain: await openHttpRecords("plain", tools),
    waybill: await openHttpRecords("waybill", tools),
  };
  try {
    const compared = await compareSides(sides, httpCalls, rounds);
    return { transport: "http", result: `kb1, ${tools} ${tools === 1 ? "tool" : "tools"}`, ...compared };
  } finally {
    await Promise.all([sides.plain.close(), sides.waybill.close()]);
  }
}

function printRows(rows: readonly Row[]): void {
  printTable(
    [
      "transport",
      "result",
      "plain CPU µs",
      "Waybill CPU µs",
      "CPU ratio (p10-p90)",
      "server alone",
      "wall ratio",
    ],
    rows.map((row) => [
      row.transport,
      row.result,
      row.plainCpuUs.toFixed(0),
      row.waybillCpuUs.toFixed(0),
      showSpread(row.cpu),
      row.serverCpu === undefined ? "" : showSpread(row.serverCpu),
      showSpread(row.wall),
    ]),
  );
}

function printMemory(memory: readonly RequestMemory[]): void {
  console.log(`\nRSS of the HTTP server over ${requests} requests, a server object with 20 tools each:\n`);
  printTable(
    ["variant", "first sample", "last sample", "slope of the second half"],
    memory.map(({ variant, startMb, endMb, mbPer1000 }) => [
      variant,
      `${startMb.toFixed(0)} MB`,
      `${endMb.toFixed(0)} MB`,
      `${mbPer1000.toFixed(2)} MB per 1,000 requests`,
    ]),
  );
}

function measureStarts() {
  const imported = compareImports(11);
  const commands = compareCommands(11);
  console.log(
    `\nCold import: SDK ${imported.sdkMs.toFixed(0)} ms, with waybill/server ${imported.bothMs.toFixed(0)} ms; ` +
      `added, as a share of the SDK's own: ${showSpread(imported.added)}\n`,
  );
  printTable(
    ["command", "median ms", "times node -e 0"],
    commands.map(({ command, medianMs, ratio }) => [command, medianMs.toFixed(0), showSpread(ratio)]),
  );
  return { import: imported, commands };
}

const chosen = chooseParts();
const rows: Row[] = [];
for (const transport of ["stdio", "memory"] as const) {
  if (chosen.includes(transport)) rows.push(...(await compareTransport(transport)));
}
if (chosen.includes("http")) for (const tools of [1, 20]) rows.push(await compareHttp(tools));
if (rows.length > 0) printRows(rows);

const memory: RequestMemory[] = [];
if (chosen.includes("rss")) {
  for (const variant of variants) memory.push(await measureRequestMemory(variant, requests));
  printMemory(memory);
}
const starts = chosen.includes("starts") ? measureStarts() : undefined;
writeResults("server", { rounds, rows, memory, starts });
