// What the server door costs: CPU of client and server for one call over stdio, and time in memory, with Waybill
// against the same tool without it. Both declare the same output schema and send structure and its JSON text.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { sizes } from "./harness/record-schema.ts";
import { printTable, writeResults } from "./harness/report.ts";

const variants = ["plain", "waybill"] as const;
type Variant = (typeof variants)[number];
const program = fileURLToPath(new URL("./harness/record-server.ts", import.meta.url));
const rounds = Number(process.env["ROUNDS"] ?? 15);

async function connect(variant: Variant): Promise<Client> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  const args = ["--import", "tsx", program, variant];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "inherit" }));
  await client.listTools();
  return client;
}

async function serverCpu(client: Client): Promise<number> {
  const { content } = await client.callTool({ name: "cpu", arguments: {} });
  const [block] = content as { text: string }[];
  return Number(block?.text);
}

/** Microseconds of processor time, client and server together, for one call. */
async function cpuOf(client: Client, tool: string, calls: number): Promise<number> {
  const before = (await serverCpu(client)) + cpuNow();
  for (let index = 0; index < calls; index++) await client.callTool({ name: tool, arguments: {} });
  const used = (await serverCpu(client)) + cpuNow() - before;
  return used / calls;
}

function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

const clients = { plain: await connect("plain"), waybill: await connect("waybill") };
const callsFor = { kb1: 300, kb10: 200, kb100: 60, mb1: 12 };
const rows = [];
for (const tool of Object.keys(sizes) as (keyof typeof sizes)[]) {
  const times: Record<Variant, number[]> = { plain: [], waybill: [] };
  for (const variant of variants) await cpuOf(clients[variant], tool, callsFor[tool]);
  for (let round = 0; round < rounds; round++) {
    for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
      times[variant].push(await cpuOf(clients[variant], tool, callsFor[tool]));
    }
  }
  const ratios = times.waybill.map((time, index) => time / (times.plain[index] ?? Number.NaN));
  rows.push({
    size: tool,
    plainUs: quantile(times.plain, 0.5),
    waybillUs: quantile(times.waybill, 0.5),
    ratio: quantile(ratios, 0.5),
    p10: quantile(ratios, 0.1),
    p90: quantile(ratios, 0.9),
  });
}
await Promise.all(variants.map((variant) => clients[variant].close()));

/** Milliseconds to import a module in a fresh process, median of several. */
function importMs(...modules: readonly string[]): number {
  const script = `const start = performance.now(); ${modules.map((name) => `await import(${JSON.stringify(name)});`).join(" ")} console.log(performance.now() - start);`;
  const times = Array.from({ length: 9 }, () => {
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      cwd: fileURLToPath(new URL("..", import.meta.url)),
    });
    return Number(stdout);
  });
  return quantile(times, 0.5);
}
const sdkMs = importMs("@modelcontextprotocol/server");
const bothMs = importMs("@modelcontextprotocol/server", "waybill/server");

printTable(
  ["result", "plain CPU µs", "Waybill CPU µs", "ratio", "p10-p90"],
  rows.map((row) => [
    row.size,
    row.plainUs.toFixed(0),
    row.waybillUs.toFixed(0),
    row.ratio.toFixed(3),
    `${row.p10.toFixed(2)}-${row.p90.toFixed(2)}`,
  ]),
);
console.log(
  `\nCold import: SDK ${sdkMs.toFixed(0)} ms, SDK and waybill/server ${bothMs.toFixed(0)} ms, difference ${(bothMs - sdkMs).toFixed(0)} ms.`,
);
writeResults("server", { rows, import: { sdkMs, bothMs } });
