// What a large result costs all other callers: how long its call takes, and the longest time that the ping of another
// session waited meanwhile, beside the longest that one waits with nothing else to do: the machine may be busy. The gateway runs as users start it, over HTTP, in front of a server that is a command, and
// of one at a URL.
//   --only command,url     one of the two; default: both
//   --shapes keys,rows     some of the shapes; default: all
//   --base <folder>        the dist/ of another build, measured in the same run, turn by turn
//   RUNS=3                 calls of each kind, in the environment; the slowest counts
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { peakMbOf } from "./harness/gateway/process-usage.ts";
import { openLargeGateway } from "./harness/large/large-gateway.ts";
import { openSession, pingBeside } from "./harness/large/raw-session.ts";
import { printTable, writeResults } from "./harness/report.ts";

const MAX_WAIT_MS = 200;
const runs = Number(process.env["RUNS"] ?? 3);
const cases = [
  { name: "100,000 keys in text, 1.7 MB", shape: "keys", size: 100_000 },
  { name: "10^6 keys in text, 19 MB", shape: "keys", size: 1_000_000 },
  { name: "10^6 keys in text and structure, 38 MB", shape: "structure", size: 1_000_000 },
  { name: "rows in text, 100 MB", shape: "rows", size: 80_000_000 },
  { name: "failure of 34 MB of text", shape: "failure", size: 34_000_000 },
  { name: "tree of 10^6 leaves", shape: "tree", size: 2 ** 20 },
  { name: "34 MB of text", shape: "prose", size: 34_000_000 },
] as const;

const { only, base, shapes } = parseArgs({
  options: { only: { type: "string" }, base: { type: "string" }, shapes: { type: "string" } },
}).values;
const chosen = cases.filter(({ shape }) => shapes === undefined || shapes.split(",").includes(shape));
/** How long pings are sent with nothing else to do. */
const IDLE_MS = 1_000;
const kinds = only?.split(",") ?? ["command", "url"];
const builds = [
  ...(base === undefined ? [] : [{ build: "base", cli: `${base}/cli/main.js` }]),
  { build: "now", cli: fileURLToPath(new URL("../dist/cli/main.js", import.meta.url)) },
];

interface Figure {
  readonly server: string;
  readonly result: string;
  readonly build: string;
  readonly callMs: number;
  readonly pingMs: number;
  readonly idlePingMs: number;
  readonly peakMb: number;
}

async function measure(
  server: string,
  { name, shape, size }: (typeof cases)[number],
  build: string,
  cli: string,
) {
  const gateway = await openLargeGateway(cli, server === "url");
  const caller = await openSession(gateway.url);
  const other = await openSession(gateway.url);
  await caller.call("prepare", { shape, size });
  await caller.call("send", { shape: "keys", size: 1_000 });
  const idlePingMs = await pingBeside(other, new Promise((resolve) => setTimeout(resolve, IDLE_MS)));
  let callMs = 0;
  let pingMs = 0;
  for (let run = 0; run < runs; run++) {
    const started = performance.now();
    const call = caller.call("send", { shape, size }).then((text) => {
      if (text.length > 1_000_000) throw new Error(`${name} was not cut: ${text.length} characters.`);
      callMs = Math.max(callMs, performance.now() - started);
    });
    pingMs = Math.max(pingMs, await pingBeside(other, call));
    await call;
  }
  const peakMb = peakMbOf(gateway.pid);
  await gateway.close();
  return { server, result: name, build, callMs, pingMs, idlePingMs, peakMb } satisfies Figure;
}

const figures: Figure[] = [];
for (const server of kinds)
  for (const one of chosen)
    for (const { build, cli } of builds) {
      const figure = await measure(server, one, build, cli);
      console.error(`${server}, ${figure.result}, ${build}: ping ${figure.pingMs.toFixed(0)} ms`);
      figures.push(figure);
    }
printTable(
  ["server", "result", "build", "call ms", "longest ping ms", "limit", "idle ping ms", "peak MB"],
  figures.map(({ server, result, build, callMs, pingMs, idlePingMs, peakMb }) => [
    server,
    result,
    build,
    callMs.toFixed(0),
    pingMs.toFixed(0),
    String(MAX_WAIT_MS),
    idlePingMs.toFixed(0),
    peakMb.toFixed(0),
  ]),
);
writeResults("large", { runs, figures });
process.exit(0);
