// What one call costs, measured on the built gateway as it runs in production: over HTTP, in the modern era, a Redis as
// its store, tokens checked and calls limited.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startRedis } from "../../../test/services/redis.fixture.ts";
import { quantile } from "../compare-sides.ts";
import { cpuUsOf, processTree, rssMbOf } from "../gateway/process-usage.ts";
import { recordsOfSize } from "../records.ts";
import { type RedisUsage, openUsage, usagePerCall } from "./redis-usage.ts";

const sizes = { "1 KB": 1_000, "10 KB": 10_000, "100 KB": 100_000, "1 MB": 1_000_000 } as const;
export type Size = keyof typeof sizes;

export interface CallFigures {
  readonly size: Size;
  /** Processor time of the gateway's own process. */
  readonly gatewayUs: number;
  /** Processor time of the server behind it. */
  readonly serverUs: number;
  readonly redis: RedisUsage;
}

export interface Measured {
  readonly calls: readonly CallFigures[];
  /** A retrieval of one page of what was cut. */
  readonly retrieval: { readonly gatewayUs: number; readonly redis: RedisUsage };
  readonly gatewayRssMb: number;
}

const token = "capacity-token-0123456789";
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const callsOf: Readonly<Record<Size, number>> = { "1 KB": 400, "10 KB": 300, "100 KB": 100, "1 MB": 20 };
/** Other work on the machine only adds to what is measured, so the least of all rounds is nearest to the truth. */
const ROUNDS = 9;
const WARM_UP_CALLS = 3_000;
const AT_ONCE = 8;

interface Answer {
  readonly result?: {
    readonly structuredContent?: unknown;
    readonly content: readonly { readonly text: string }[];
  };
}

function callerOf(origin: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let id = 0;
  const call = (name: string, args: object): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "capacity", version: "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
      };
      const params = { name, arguments: args, _meta };
      const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method: "tools/call", params });
      const headers = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${token}`,
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": name,
      };
      const sent = request(`${origin}/fresh/mcp`, { method: "POST", agent, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => {
          const text = Buffer.concat(parts).toString();
          if (response.statusCode !== 200)
            return reject(new Error(`${response.statusCode}: ${text.slice(0, 300)}`));
          return resolve(JSON.parse(text.replace(/^[\s\S]*?^data: /m, "")) as Answer);
        });
      });
      sent.on("error", reject);
      sent.end(body);
    });
  return { call, close: () => agent.destroy() };
}

/** Runs calls, some of them at once, as many clients do. */
async function inParallel(count: number, run: () => Promise<unknown>): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function startGateway(folder: string, store: string): Promise<{ child: ChildProcess; origin: string }> {
  const payloads = Object.fromEntries(
    Object.entries(sizes).map(([size, bytes]) => [size, recordsOfSize(bytes)]),
  );
  writeFileSync(join(folder, "payloads.json"), JSON.stringify({ payloads }));
  const config = {
    store,
    http: { port: 0 },
    upstreams: {
      fresh: {
        command: process.execPath,
        args: [here("./fresh-upstream.mjs"), join(folder, "payloads.json")],
        auth: { gateway: { tokens: { bench: token } } },
        rate_limit: { limit: 1_000_000_000, period_seconds: 3_600 },
      },
    },
  };
  writeFileSync(join(folder, "gateway.json"), JSON.stringify(config));
  const words = [here("../../../dist/cli/main.js"), "gateway", "--config", join(folder, "gateway.json")];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "pipe"] });
  const origin = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr?.on("data", (data: Buffer) => {
      said += data.toString();
      const [, found] = /listens on (http:\/\/[^/\s]+)\//.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`The gateway ended with ${code}: ${said}`)));
  });
  return { child, origin };
}

interface Turn {
  readonly gatewayUs: number;
  readonly serverUs: number;
  readonly redis: RedisUsage;
}

const least = (turns: readonly Turn[], pick: (turn: Turn) => number): number => Math.min(...turns.map(pick));

export async function measure(): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-capacity-"));
  const redis = await startRedis();
  const usage = await openUsage(redis);
  const { child, origin } = await startGateway(folder, redis.url);
  const client = callerOf(origin);
  const pid = child.pid ?? 0;
  const take = async (calls: number, run: () => Promise<unknown>): Promise<Turn> => {
    const servers = processTree(pid).slice(1);
    const [before, own, behind] = [await usage.read(), cpuUsOf([pid]), cpuUsOf(servers)];
    await inParallel(calls, run);
    const [gatewayUs, serverUs] = [(cpuUsOf([pid]) - own) / calls, (cpuUsOf(servers) - behind) / calls];
    return { gatewayUs, serverUs, redis: usagePerCall(before, await usage.read(), calls) };
  };
  try {
    const calls: CallFigures[] = [];
    await inParallel(WARM_UP_CALLS, () => client.call("records", { size: "1 KB" }));
    for (const size of Object.keys(sizes) as Size[]) {
      const run = (): Promise<unknown> => client.call("records", { size });
      await inParallel(callsOf[size], run);
      const turns: Turn[] = [];
      for (let round = 0; round < ROUNDS; round++) turns.push(await take(callsOf[size], run));
      const [last] = turns.slice(-1);
      if (last === undefined) continue;
      const cpuUs = least(turns, (turn) => turn.redis.cpuUs);
      calls.push({
        size,
        gatewayUs: least(turns, (turn) => turn.gatewayUs),
        serverUs: least(turns, (turn) => turn.serverUs),
        redis: {
          ...last.redis,
          cpuUs,
          memoryBytes: quantile(
            turns.map((turn) => turn.redis.memoryBytes),
            0.5,
          ),
        },
      });
    }
    const cut = await client.call("records", { size: "100 KB" });
    const [, hash = ""] = /sha256:([0-9a-f]{64})/.exec(JSON.stringify(cut)) ?? [];
    const retrieve = (): Promise<unknown> =>
      client.call("waybill_retrieve", { archive: hash, pointer: "/records" });
    const pages: Turn[] = [];
    for (let round = 0; round < ROUNDS; round++) pages.push(await take(50, retrieve));
    const [last = await take(50, retrieve)] = pages.slice(-1);
    const cpuUs = least(pages, (turn) => turn.redis.cpuUs);
    const retrieval = { gatewayUs: least(pages, (turn) => turn.gatewayUs), redis: { ...last.redis, cpuUs } };
    return { calls, retrieval, gatewayRssMb: rssMbOf(pid) };
  } finally {
    client.close();
    child.removeAllListeners("exit");
    child.kill("SIGTERM");
    await usage.close();
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
