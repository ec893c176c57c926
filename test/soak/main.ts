// `npm run soak`: the gateway under load while its servers are killed. Every request is answered exactly once, no client
// gets another one's answer, nothing crashes, and memory stays flat (judged in runs of five minutes and more).
//   --seconds 600   how long each part runs; default: 600
//   --only one,two  one gateway with 16 legacy sessions and 184 modern clients; two replicas on one Redis
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { processTree, rssMbOf } from "../../bench/harness/gateway/process-usage.ts";
import { type Caller, LegacyCaller, ModernCaller, type Tally, newTally } from "./caller.ts";
import { type GatewayProcess, freePort, startGateway } from "./gateway-process.ts";
import { post } from "./mcp-post.ts";

const { seconds: given, only } = parseArgs({
  options: { seconds: { type: "string" }, only: { type: "string" } },
}).values;
const seconds = Number(given ?? 600);
const chosen = only?.split(",") ?? ["one", "two"];
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const LONG_RUN_SECONDS = 300;
/** MB a minute, over the second half of a long run. */
const MAX_SLOPE = 2;
const folder = mkdtempSync(join(tmpdir(), "waybill-soak-"));

interface Watch {
  readonly rssMb: number[];
  killed: number;
  readonly stop: () => void;
}

/** Kills one server's process every five seconds, and takes the gateway's memory every second. */
function watch(gateways: readonly GatewayProcess[]): Watch {
  const seen: Watch = { rssMb: [], killed: 0, stop: () => undefined };
  const killing = setInterval(() => {
    const children = gateways.flatMap(({ pid }) => processTree(pid).slice(1));
    const victim = children[Math.floor(Math.random() * children.length)];
    if (victim === undefined) return;
    seen.killed += 1;
    try {
      process.kill(victim, "SIGKILL");
    } catch {
      // It has ended by itself meanwhile.
    }
  }, 5_000);
  const weighing = setInterval(() => {
    for (const { pid, ended } of gateways) if (ended() === undefined) seen.rssMb.push(rssMbOf(pid));
  }, 1_000);
  return Object.assign(seen, {
    stop: () => {
      clearInterval(killing);
      clearInterval(weighing);
    },
  });
}

/** MB a minute over the second half, by least squares. */
function slopeOf(samples: readonly number[], perSecond: number): number {
  const half = samples.slice(Math.floor(samples.length / 2));
  const mean = (half.length - 1) / 2;
  const average = half.reduce((sum, value) => sum + value, 0) / half.length;
  const top = half.reduce((sum, value, index) => sum + (index - mean) * (value - average), 0);
  const bottom = half.reduce((sum, _value, index) => sum + (index - mean) ** 2, 0);
  return (top / bottom) * perSecond * 60;
}

function report(
  name: string,
  tally: Tally,
  { rssMb, killed }: Watch,
  gateways: readonly GatewayProcess[],
): boolean {
  const slope = slopeOf(rssMb, gateways.length);
  const crashes = gateways.map(({ ended }) => ended()).filter((end) => end !== undefined);
  const isLong = seconds >= LONG_RUN_SECONDS;
  say(`\n# ${name}, ${seconds} s`);
  say(`requests ${tally.requests}, answered exactly once ${tally.answered}`);
  say(`successes ${tally.successes}, failures ${JSON.stringify(Object.fromEntries(tally.failures))}`);
  say(`errors of the protocol ${JSON.stringify(Object.fromEntries(tally.protocolErrors))}`);
  say(`malformed messages ${tally.malformed}, refused ${tally.refusedMalformed}; servers killed ${killed}`);
  say(
    `RSS first ${rssMb[0]?.toFixed(0)} MB, last ${rssMb.at(-1)?.toFixed(0)} MB, highest ${Math.max(...rssMb).toFixed(0)} MB, ` +
      `slope ${slope.toFixed(2)} MB a minute${isLong ? "" : " (too short to judge)"}`,
  );
  for (const end of crashes) say(`CRASHED: ${end}`);
  for (const line of tally.wrong.slice(0, 20)) say(`WRONG: ${line}`);
  if (tally.wrongCount > 0) say(`${tally.wrongCount} wrong in all`);
  const isFlat = !isLong || slope <= MAX_SLOPE;
  if (!isFlat) say(`WRONG: memory grows by ${slope.toFixed(2)} MB a minute; at most ${MAX_SLOPE}.`);
  return tally.wrongCount === 0 && crashes.length === 0 && tally.answered === tally.requests && isFlat;
}

async function runCallers(callers: readonly Caller[]): Promise<void> {
  const until = Date.now() + seconds * 1_000;
  await Promise.all(callers.map((caller) => caller.run(until)));
}

function times<Made>(many: number, make: (index: number) => Made): readonly Made[] {
  return Array.from({ length: many }, (_, index) => make(index));
}

async function soakOne(): Promise<boolean> {
  const gateway = await startGateway(["--store", "memory"], folder);
  const tally = newTally();
  const watched = watch([gateway]);
  const legacy = times(16, (index) => new LegacyCaller(tally, [gateway.url], index + 1));
  const modern = times(184, (index) => new ModernCaller(tally, [gateway.url], index + 101));
  await runCallers([...legacy, ...modern]);
  watched.stop();
  const isFine = report("one gateway, 16 legacy sessions, 184 modern clients", tally, watched, [gateway]);
  await gateway.stop();
  return isFine;
}

async function startRedis(port: number): Promise<() => Promise<void>> {
  const args = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--appendonly",
    "yes",
    "--dir",
    folder,
    "--save",
    "",
  ];
  const child = spawn("redis-server", args, { stdio: "ignore" });
  await Promise.race([
    once(child, "spawn"),
    once(child, "error").then(([error]) =>
      Promise.reject(new Error(`redis-server does not start: ${String(error)}`)),
    ),
  ]);
  return async () => {
    const gone = once(child, "exit");
    child.kill();
    await gone;
  };
}

async function soakTwo(): Promise<boolean> {
  const port = await freePort();
  let stopRedis = await startRedis(port);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const args = ["--store", `redis://127.0.0.1:${port}`];
  const replicas = [await startGateway(args, folder), await startGateway(args, folder)];
  const tally = newTally();
  const watched = watch(replicas);
  const urls = replicas.map(({ url }) => url);
  const restart = setTimeout(
    () =>
      void stopRedis().then(async () => {
        stopRedis = await startRedis(port);
      }),
    // Early, so that the second half, by which memory is judged, shows what stays and not what the outage took.
    (seconds * 1_000) / 4,
  );
  // Each client goes round the replicas request by request, as a balancer without affinity would send it.
  await runCallers(times(200, (index) => new ModernCaller(tally, urls, index + 1)));
  clearTimeout(restart);
  watched.stop();
  const isFine = report(
    "two replicas, one Redis restarted once, 200 modern clients",
    tally,
    watched,
    replicas,
  );
  const hasArchive = await bothReadTheSameArchive(urls);
  if (!hasArchive) say("WRONG: what one replica archived, the other cannot give back.");
  for (const replica of replicas) await replica.stop();
  await stopRedis();
  return isFine && hasArchive;
}

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

async function callTool(url: string, name: string, args: object): Promise<string> {
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args, _meta: meta },
  };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name };
  const { messages } = await post(url, JSON.stringify(body), headers);
  return JSON.stringify(messages);
}

async function bothReadTheSameArchive([first = "", second = ""]: readonly string[]): Promise<boolean> {
  let hash: string | undefined;
  // Its server may just have been killed.
  for (let attempt = 0; attempt < 20 && hash === undefined; attempt++) {
    const cut = await callTool(first, "rows", { n: 1 });
    hash = /sha256:([0-9a-f]{64})/.exec(cut)?.[1];
    if (hash === undefined) await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  if (hash === undefined) {
    say("WRONG: for 20 s no result was cut.");
    return false;
  }
  const back = await callTool(second, "waybill_retrieve", {
    archive: `sha256:${hash}`,
    pointer: "/rows/399",
  });
  if (!back.includes("row 399")) say(`WRONG: ${back.slice(0, 400)}`);
  return back.includes("row 399");
}

let isFine = true;
try {
  if (chosen.includes("one")) isFine = (await soakOne()) && isFine;
  if (chosen.includes("two")) isFine = (await soakTwo()) && isFine;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
say(isFine ? "\nThe soak passed." : "\nThe soak FAILED.");
process.exit(isFine ? 0 : 1);
