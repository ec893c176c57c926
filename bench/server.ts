// What the server door costs: processor time of client and server for one call, over stdio and in memory, with
// Waybill against the same tool without it. Both declare the same output schema and send structure and its text.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { type Variant, buildRecordServer, variants } from "./harness/build-record-server.ts";
import { sizes } from "./harness/record-schema.ts";
import { printTable, writeResults } from "./harness/report.ts";

const program = fileURLToPath(new URL("./harness/record-server.ts", import.meta.url));
const rounds = Number(process.env["ROUNDS"] ?? 15);
const transports = ["stdio", "memory"] as const;
type TransportName = (typeof transports)[number];

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

function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Processor time so far of everything that serves the call; in memory both ends are this process. */
async function cpuSoFar(client: Client, transport: TransportName): Promise<number> {
  if (transport === "memory") return ownCpu();
  const { content } = await client.callTool({ name: "cpu", arguments: {} });
  const [block] = content as { text: string }[];
  return Number(block?.text) + ownCpu();
}

async function cpuOf(client: Client, transport: TransportName, tool: string, calls: number): Promise<number> {
  const before = await cpuSoFar(client, transport);
  for (let index = 0; index < calls; index++) await client.callTool({ name: tool, arguments: {} });
  return ((await cpuSoFar(client, transport)) - before) / calls;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

const callsFor = { kb1: 300, kb10: 200, kb100: 60, mb1: 12 } as const;

async function compare(transport: TransportName) {
  const clients = { plain: await connect("plain", transport), waybill: await connect("waybill", transport) };
  const rows = [];
  for (const tool of Object.keys(sizes) as (keyof typeof sizes)[]) {
    const times: Record<Variant, number[]> = { plain: [], waybill: [] };
    for (const variant of variants) await cpuOf(clients[variant], transport, tool, callsFor[tool]);
    for (let round = 0; round < rounds; round++) {
      for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
        times[variant].push(await cpuOf(clients[variant], transport, tool, callsFor[tool]));
      }
    }
    const ratios = times.waybill.map((time, index) => time / (times.plain[index] ?? Number.NaN));
    rows.push({
      transport,
      size: tool,
      plainUs: quantile(times.plain, 0.5),
      waybillUs: quantile(times.waybill, 0.5),
      ratio: quantile(ratios, 0.5),
      p10: quantile(ratios, 0.1),
      p90: quantile(ratios, 0.9),
    });
  }
  await Promise.all(variants.map((variant) => clients[variant].close()));
  return rows;
}

/** Milliseconds to import modules in a fresh process, median of several. */
function importMs(...modules: readonly string[]): number {
  const imports = modules.map((name) => `await import(${JSON.stringify(name)});`).join(" ");
  const script = `const start = performance.now(); ${imports} console.log(performance.now() - start);`;
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const times = Array.from({ length: 11 }, () => {
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      cwd,
    });
    return Number(stdout);
  });
  return quantile(times, 0.5);
}

const rows = [...(await compare("stdio")), ...(await compare("memory"))];
const sdkMs = importMs("@modelcontextprotocol/server");
const bothMs = importMs("@modelcontextprotocol/server", "waybill/server");
printTable(
  ["transport", "result", "plain CPU µs", "Waybill CPU µs", "ratio", "p10-p90"],
  rows.map((row) => [
    row.transport,
    row.size,
    row.plainUs.toFixed(0),
    row.waybillUs.toFixed(0),
    row.ratio.toFixed(3),
    `${row.p10.toFixed(2)}-${row.p90.toFixed(2)}`,
  ]),
);
const added = (bothMs - sdkMs).toFixed(0);
console.log(
  `\nCold import: SDK ${sdkMs.toFixed(0)} ms, with waybill/server ${bothMs.toFixed(0)} ms: ${added} ms more.`,
);
writeResults("server", { rows, import: { sdkMs, bothMs } });
