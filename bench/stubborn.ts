// What clients cost that hold on to what they have: sockets that send half a request, or were refused, and never close
// their side; and clients that ask for progress and do not read it. Another client pings all the while. The
// gateway runs as users start it, over HTTP. Linux only: it reads the memory of the process from /proc.
//   --only sockets,readers   one of the two; default: both
//   --base <folder>          the dist/ of another build, measured after this one
//   SOCKETS=300 READERS=200 SECONDS=60, in the environment
import { readdirSync } from "node:fs";
import { type Socket, connect } from "node:net";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rssMbOf } from "./harness/gateway/process-usage.ts";
import { openLargeGateway } from "./harness/large/large-gateway.ts";
import { openSession } from "./harness/large/raw-session.ts";
import { printTable, writeResults } from "./harness/report.ts";

const sockets = Number(process.env["SOCKETS"] ?? 300);
const readers = Number(process.env["READERS"] ?? 200);
const seconds = Number(process.env["SECONDS"] ?? 60);
/** The limits are 20 s for headers and 60 s for a request, looked at every 5 s. */
const LONGEST_S = 150;
const PROGRESS_CHARACTERS = 60_000;

const { only, base } = parseArgs({ options: { only: { type: "string" }, base: { type: "string" } } }).values;
const parts = only?.split(",") ?? ["sockets", "readers"];
const builds = [
  { build: "now", cli: fileURLToPath(new URL("../dist/cli/main.js", import.meta.url)) },
  ...(base === undefined ? [] : [{ build: "base", cli: `${base}/cli/main.js` }]),
];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Half a head, half a body, and something that is refused at once. */
const halves = (host: string): readonly string[] => [
  `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: appl`,
  `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"jsonrpc"`,
  "NO SUCH\r\n\r\n",
];

/** A socket that reads, and keeps its side open whatever it is told. */
function hold(url: URL, said: string): Socket {
  const socket = connect({ host: url.hostname, port: Number(url.port), allowHalfOpen: true });
  socket.on("error", () => undefined).resume();
  socket.write(said);
  return socket;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** How many files a process has open: what it holds itself, whatever its clients think. */
function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

async function holdSockets(cli: string): Promise<readonly string[]> {
  const gateway = await openLargeGateway(cli, false);
  const url = new URL(gateway.url);
  const kinds = halves(url.host);
  const client = await openSession(gateway.url);
  await client.ping();
  const before = openFiles(gateway.pid);
  const open = Array.from({ length: sockets }, (_, at) => hold(url, kinds[at % kinds.length] ?? ""));
  await pause(500);
  const started = performance.now();
  const secondsPassed = (): number => (performance.now() - started) / 1_000;
  const most = openFiles(gateway.pid) - before;
  let slowestMs = 0;
  let held = most;
  for (; held > 0 && secondsPassed() < LONGEST_S; held = Math.max(0, openFiles(gateway.pid) - before)) {
    slowestMs = Math.max(slowestMs, await timeOf(() => client.ping()));
    await pause(1_000);
  }
  for (const socket of open) socket.destroy();
  await gateway.close();
  return [sockets, most, held, secondsPassed(), slowestMs].map((figure) => figure.toFixed(0));
}

/** So many calls share a session, and so a process of the server: the gateway is what is measured, and it has 16 at most. */
const CALLS_A_SESSION = 20;

/** Calls whose progress comes on streams that are opened and never read. */
async function openUnread(gatewayUrl: string, count: number): Promise<readonly Socket[]> {
  const url = new URL(gatewayUrl);
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const initialize = { jsonrpc: "2.0", id: 1, method: "initialize" };
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  };
  const body = JSON.stringify({ ...initialize, params });
  const response = await fetch(url, { method: "POST", headers, body });
  await response.text();
  const session = response.headers.get("mcp-session-id") ?? "";
  return Array.from({ length: count }, (_, at) => openCall(url, session, at + 2));
}

function openCall(url: URL, session: string, id: number): Socket {
  const call = JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "chatter", arguments: { size: PROGRESS_CHARACTERS }, _meta: { progressToken: id } },
  });
  const head = `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMcp-Session-Id: ${session}\r\nMcp-Protocol-Version: 2025-06-18\r\nContent-Length: ${call.length}\r\n\r\n`;
  const socket = connect({ host: url.hostname, port: Number(url.port) });
  socket.on("error", () => undefined).pause();
  socket.write(head + call);
  return socket;
}

async function readNothing(cli: string): Promise<readonly string[]> {
  const gateway = await openLargeGateway(cli, false);
  const client = await openSession(gateway.url);
  const before = rssMbOf(gateway.pid);
  const open: Socket[] = [];
  for (let left = readers; left > 0; left -= CALLS_A_SESSION)
    open.push(...(await openUnread(gateway.url, Math.min(left, CALLS_A_SESSION))));
  let peakMb = 0;
  let slowestMs = 0;
  for (const until = performance.now() + seconds * 1_000; performance.now() < until; await pause(1_000)) {
    peakMb = Math.max(peakMb, rssMbOf(gateway.pid));
    slowestMs = Math.max(slowestMs, await timeOf(() => client.ping()));
  }
  for (const socket of open) socket.destroy();
  await gateway.close();
  return [String(readers), before.toFixed(0), peakMb.toFixed(0), slowestMs.toFixed(0)];
}

const figures: Record<string, readonly string[][]> = {};
for (const [part, head, measure] of [
  [
    "sockets",
    ["sockets", "held at first", "held at the end", "after s", "slowest ping of another ms"],
    holdSockets,
  ],
  [
    "readers",
    ["clients that do not read", "RSS MB before", "highest RSS MB", "slowest ping of another ms"],
    readNothing,
  ],
] as const) {
  if (!parts.includes(part)) continue;
  const rows: string[][] = [];
  for (const { build, cli } of builds) rows.push([build, ...(await measure(cli))]);
  printTable(["build", ...head], rows);
  console.log();
  figures[part] = rows;
}
writeResults("stubborn", { sockets, readers, seconds, figures });
process.exit(0);
