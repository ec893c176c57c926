// What one address for six servers costs: `/mcp` against `/one/mcp` of the same gateway, in the same interleaved run. All
// six servers have tools of the same names, so each call through `/mcp` has its name changed. Processor time is summed
// over client, gateway and servers.
//   ROUNDS=12 in the environment
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "mcp-sdk-1-32/client/index.js";
import { StreamableHTTPClientTransport } from "mcp-sdk-1-32/client/streamableHttp.js";
import { showSpread } from "./harness/compare-sides.ts";
import { type Path, type PathFigures, comparePaths } from "./harness/gateway/compare-paths.ts";
import { cli, environment, freePort, untilUp, upstreamCommand } from "./harness/gateway/open-paths.ts";
import { canMeasureProcesses, processTree } from "./harness/gateway/process-usage.ts";
import { printTable, writeResults } from "./harness/report.ts";

const rounds = Number(process.env["ROUNDS"] ?? 12);
/** At most this, or within the spread of the rounds. */
const LIMIT = 1.05;
const servers = ["one", "two", "three", "four", "five", "six"];
const callsFor: Readonly<Record<string, number>> = { "1 KB": 150, "10 KB": 100, "100 KB": 40 };

if (!canMeasureProcesses()) {
  console.error("This bench reads the processor time of other processes from /proc: run it on Linux.");
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "waybill-merge-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const port = await freePort();
const [command = "", ...args] = upstreamCommand;
const config = join(folder, "gateway.json");
writeFileSync(
  config,
  JSON.stringify({
    http: { port },
    upstreams: Object.fromEntries(servers.map((name) => [name, { command, args }])),
  }),
);
const gateway = spawn(process.execPath, [cli, "gateway", "--config", config], {
  stdio: "ignore",
  env: environment,
});
const origin = `http://127.0.0.1:${port}`;
await untilUp(gateway, `${origin}/healthz`);

interface ClosedPath extends Path {
  readonly close: () => Promise<void>;
}

/** A client of the gateway at this address; `tool` says what a tool is called there. */
async function connect(path: string, tool: (name: string) => string): Promise<ClosedPath> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(origin + path)));
  await client.listTools();
  return {
    name: path,
    pids: () => processTree(gateway.pid ?? 0),
    call: async (called, size) => {
      const result = await client.callTool({ name: tool(called), arguments: { size } });
      if (result.isError === true) throw new Error(`${path}: ${called} ${size} failed.`);
      return result;
    },
    close: () => client.close(),
  };
}

interface Row extends PathFigures {
  readonly result: string;
}

const rows: Row[] = [];
const own = await connect("/one/mcp", (name) => name);
const all = await connect("/mcp", (name) => `one_${name}`);
for (const tool of ["text", "struct"])
  for (const [size, calls] of Object.entries(callsFor)) {
    const figures = await comparePaths([own, all], tool, size, calls, rounds);
    rows.push(...figures.map((figure) => ({ ...figure, result: `${tool} ${size}` })));
  }
await own.close();
await all.close();

printTable(
  ["path", "result", "CPU µs", "behind the client", "CPU ratio (p10-p90)", "wall ratio", "limit"],
  rows.map((row) => [
    row.name,
    row.result,
    row.cpuUs.toFixed(0),
    row.behindUs.toFixed(0),
    row.name === "/mcp" ? showSpread(row.cpu) : "1",
    row.name === "/mcp" ? showSpread(row.wall) : "1",
    row.name === "/mcp" ? String(LIMIT) : "",
  ]),
);
for (const { name, result, cpu } of rows)
  if (name === "/mcp" && cpu.p10 > LIMIT)
    console.log(`${result}: over the limit in nearly every round (${showSpread(cpu)}).`);
writeResults("merge", { rounds, limit: LIMIT, rows });
gateway.kill();
await once(gateway, "exit");
process.exit(0);
