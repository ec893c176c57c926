// How many replicas and which Redis a load needs: what one call costs is measured on the built gateway and a real Redis,
// then calls are simulated.
//   --measure            measure again, although bench/results/capacity.json has figures
//   --rates 1000,100000  calls a second
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { hasRedis } from "../test/services/redis.fixture.ts";
import { type Measured, measure } from "./harness/capacity/measure.ts";
import { type Plan, planFor, usualMix } from "./harness/capacity/plan.ts";
import { sentCommands } from "./harness/capacity/redis-usage.ts";
import { canMeasureProcesses } from "./harness/gateway/process-usage.ts";
import { printTable, writeResults } from "./harness/report.ts";

const { values } = parseArgs({
  options: { measure: { type: "boolean" }, rates: { type: "string", default: "1000,10000,100000" } },
});

interface Results {
  readonly figures: { readonly measured?: Measured };
}

function earlierFigures(): Measured | undefined {
  const file = new URL("./results/capacity.json", import.meta.url);
  if (values.measure === true || !existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, "utf8")) as Results).figures.measured;
}

function canMeasure(): boolean {
  if (canMeasureProcesses() && hasRedis()) return true;
  console.log("No figures: this bench needs Linux and redis-server, or bench/results/capacity.json.");
  return false;
}

const found = earlierFigures();
if (found === undefined && !canMeasure()) process.exit(0);
const measured = found ?? (await measure());
const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);

console.log(
  `\nWhat one call costs (${found === undefined ? "measured now" : "from bench/results/capacity.json"})\n`,
);
printTable(
  [
    "result",
    "gateway µs",
    "server µs",
    "Redis µs",
    "sent to Redis",
    "run in Redis",
    "KB to Redis",
    "KB from it",
    "KB kept",
  ],
  [
    ...measured.calls.map(({ size, gatewayUs, serverUs, redis }) => ({
      name: size,
      gatewayUs,
      serverUs,
      redis,
    })),
    { name: "retrieval", ...measured.retrieval, serverUs: 0 },
  ].map(({ name, gatewayUs, serverUs, redis }) => [
    name,
    gatewayUs.toFixed(0),
    serverUs.toFixed(0),
    redis.cpuUs.toFixed(0),
    sentCommands(redis).toFixed(1),
    Object.values(redis.commands)
      .reduce((sum, count) => sum + count, 0)
      .toFixed(1),
    kilobytes(redis.bytesIn),
    kilobytes(redis.bytesOut),
    kilobytes(Math.max(0, redis.memoryBytes)),
  ]),
);
console.log(`\nMemory of the gateway's process after it: ${measured.gatewayRssMb.toFixed(0)} MB\n`);

const rates = values.rates.split(",").map(Number);
const cases = [
  { name: "limits on", mix: usualMix },
  { name: "limits off", mix: { ...usualMix, isLimited: false } },
];
const plans: (Plan & { readonly name: string })[] = cases.flatMap(({ name, mix }) =>
  rates.map((rate) => ({ ...planFor(measured, mix, rate), name })),
);
printTable(
  [
    "calls/s",
    "case",
    "replicas",
    "busy",
    "wait p99 ms",
    "server cores",
    "Redis nodes",
    "busy",
    "commands/s",
    "Mbit/s",
    "cuts/s",
    "archive GB/day",
    "64 GB hold",
    "64 GB nodes for 1 h",
  ],
  plans.map((plan) => [
    String(plan.callsPerSecond),
    plan.name,
    String(plan.replicas),
    `${(plan.queues.replicaBusy * 100).toFixed(0)} %`,
    plan.queues.waitP99Ms.toFixed(1),
    plan.serverCores.toFixed(0),
    String(plan.redisNodes),
    `${(plan.queues.redisBusy * 100).toFixed(0)} %`,
    plan.redisCommandsPerSecond.toFixed(0),
    plan.redisMbitPerSecond.toFixed(0),
    plan.cutsPerSecond.toFixed(0),
    plan.archiveGbPerDay.toFixed(0),
    `${(plan.hoursIn64Gb * 60).toFixed(0)} min`,
    String(plan.nodesForAnHour),
  ]),
);
writeResults("capacity", { measured, mix: usualMix, plans });
process.exit(0);
