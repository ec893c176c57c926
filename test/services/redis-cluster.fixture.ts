// Three real redis-servers that are one cluster, each with a third of the slots and no replica.
import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { type RedisServer, freePort, startRedis } from "./redis.fixture.ts";

const SLOTS = 16_384;
const NODES = 3;
const LIMIT_MS = 60_000;

export interface RedisCluster {
  /** The address of the first node, as a store takes it. */
  readonly url: string;
  readonly nodes: readonly RedisServer[];
  stop(): Promise<void>;
}

function ask({ port }: RedisServer, ...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync("redis-cli", ["-p", String(port), ...args], { encoding: "utf8" });
  if (stderr !== "") throw new Error(`redis-cli ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

async function startNode(options: readonly string[]): Promise<RedisServer> {
  const bus = await freePort();
  const cluster = [
    "--cluster-enabled",
    "yes",
    "--cluster-port",
    String(bus),
    "--cluster-node-timeout",
    "2000",
  ];
  // A node that is away must not stop the others.
  return startRedis({ arguments: [...cluster, "--cluster-require-full-coverage", "no", ...options] });
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error("The cluster did not come together.");
    await sleep(50);
  }
}

/** All nodes agree that every slot is served. */
export async function waitForCluster(nodes: readonly RedisServer[]): Promise<void> {
  const isWhole = (node: RedisServer): boolean => {
    const info = ask(node, "CLUSTER", "INFO");
    return /cluster_state:ok/.test(info) && /cluster_slots_ok:16384/.test(info);
  };
  await until(() => nodes.every(isWhole));
}

export async function startRedisCluster(options: readonly string[] = []): Promise<RedisCluster> {
  const nodes: RedisServer[] = [];
  for (let node = 0; node < NODES; node++) nodes.push(await startNode(options));
  const [first] = nodes;
  if (first === undefined) throw new Error("No node was started.");
  for (const [index, node] of nodes.entries()) {
    const from = Math.floor((index * SLOTS) / NODES);
    const to = Math.floor(((index + 1) * SLOTS) / NODES) - 1;
    ask(node, "CLUSTER", "ADDSLOTSRANGE", String(from), String(to));
    if (node === first) continue;
    const bus = /127\.0\.0\.1:\d+@(\d+)|:\d+@(\d+) myself/.exec(ask(first, "CLUSTER", "NODES"));
    ask(node, "CLUSTER", "MEET", "127.0.0.1", String(first.port), bus?.[1] ?? bus?.[2] ?? "");
  }
  await waitForCluster(nodes);
  return {
    url: `${first.url}?cluster=true`,
    nodes,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}
