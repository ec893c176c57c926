import type { CallFigures, Measured, Size } from "./measure.ts";
import { sentCommands } from "./redis-usage.ts";
import { type Kind, type Queues, simulate } from "./simulate.ts";

/** How often results of each size come, and how many of those that were cut are asked for again. An assumption: bring your own. */
export interface Mix {
  readonly shares: Readonly<Record<Size, number>>;
  readonly retrievalsPerCut: number;
  readonly isLimited: boolean;
}

export const usualMix: Mix = {
  shares: { "1 KB": 0.7, "10 KB": 0.22, "100 KB": 0.07, "1 MB": 0.01 },
  retrievalsPerCut: 0.3,
  isLimited: true,
};

/** A busier replica has no room for the calls of one that is gone, a busier Redis cannot save and fail over. */
const MAX_REPLICA_BUSY = 0.6;
const MAX_REDIS_BUSY = 0.5;
const MAX_WAIT_MS = 50;
const MAX_REDIS_WAIT_MS = 5;
const SECONDS_OF_DAY = 86_400;
/** Sizes of a cluster that people run; one is no cluster. */
const clusterSizes = [1, 3, 6, 9, 12, 18, 24, 36, 48, 64] as const;

/** A limiter is one script; what a call does besides is the archive's. */
function isCut({ redis }: CallFigures): boolean {
  return sentCommands(redis) > 1.5;
}

export interface Plan {
  readonly callsPerSecond: number;
  readonly replicas: number;
  readonly redisNodes: number;
  readonly queues: Queues;
  readonly serverCores: number;
  readonly redisCommandsPerSecond: number;
  readonly redisMbitPerSecond: number;
  readonly cutsPerSecond: number;
  readonly archiveGbPerDay: number;
  /** How long one Redis with 64 GB of memory holds what is cut. */
  readonly hoursIn64Gb: number;
  /** How many of those hold it for an hour. */
  readonly nodesForAnHour: number;
}

interface Totals {
  redisCommands: number;
  redisBytes: number;
  archiveBytes: number;
  serverUs: number;
  cuts: number;
}

function kindsOf({ calls, retrieval }: Measured, mix: Mix): { kinds: readonly Kind[]; per: Totals } {
  const limiter = calls.find((call) => !isCut(call))?.redis;
  const per: Totals = { redisCommands: 0, redisBytes: 0, archiveBytes: 0, serverUs: 0, cuts: 0 };
  const kinds = calls.map((call): Kind => {
    const share = mix.shares[call.size];
    const { redis } = call;
    const saved = mix.isLimited || limiter === undefined ? undefined : limiter;
    const bytes = redis.bytesIn + redis.bytesOut - (saved === undefined ? 0 : saved.bytesIn + saved.bytesOut);
    per.redisCommands += share * (sentCommands(redis) - (saved === undefined ? 0 : sentCommands(saved)));
    per.redisBytes += share * bytes;
    per.serverUs += share * call.serverUs;
    if (isCut(call)) {
      per.cuts += share;
      per.archiveBytes += share * redis.memoryBytes;
    }
    return { share, gatewayUs: call.gatewayUs, redisUs: Math.max(0, redis.cpuUs - (saved?.cpuUs ?? 0)) };
  });
  const retrievals = per.cuts * mix.retrievalsPerCut;
  per.redisCommands += retrievals * sentCommands(retrieval.redis);
  per.redisBytes += retrievals * (retrieval.redis.bytesIn + retrieval.redis.bytesOut);
  const asked: Kind = {
    share: retrievals,
    gatewayUs: retrieval.gatewayUs,
    redisUs: retrieval.redis.cpuUs,
  };
  return { kinds: [...kinds, asked], per };
}

/** The fewest replicas and nodes that keep every caller's waiting short, found by trying. */
export function planFor(measured: Measured, mix: Mix, callsPerSecond: number): Plan {
  const { kinds, per } = kindsOf(measured, mix);
  const whole = kinds.reduce((sum, { share }) => sum + share, 0);
  const load = callsPerSecond * whole;
  const normal = kinds.map((kind) => ({ ...kind, share: kind.share / whole }));
  const mean = (pick: (kind: Kind) => number): number =>
    normal.reduce((sum, kind) => sum + kind.share * pick(kind), 0);
  const busyReplicas = (load * mean(({ gatewayUs }) => gatewayUs)) / 1_000_000;
  const busyRedis = (load * mean(({ redisUs }) => redisUs)) / 1_000_000;
  // Long enough for the queues to settle, short enough to try often.
  const seconds = Math.max(2, 200_000 / load);
  let replicas = Math.max(2, Math.ceil(busyReplicas / MAX_REPLICA_BUSY));
  let nodes = clusterSizes.findIndex((size) => busyRedis / size <= MAX_REDIS_BUSY);
  if (nodes === -1) nodes = clusterSizes.length - 1;
  for (;;) {
    const redisNodes = clusterSizes[nodes] ?? 1;
    const queues = simulate({ callsPerSecond: load, kinds: normal, replicas, redisNodes, seconds });
    const isSlow = queues.waitP99Ms > MAX_WAIT_MS;
    const isRedisSlow = queues.redisWaitP99Ms > MAX_REDIS_WAIT_MS && nodes < clusterSizes.length - 1;
    if (!isSlow && !isRedisSlow) {
      const archivePerSecond = per.archiveBytes * callsPerSecond;
      return {
        callsPerSecond,
        replicas,
        redisNodes,
        queues,
        serverCores: (callsPerSecond * per.serverUs) / 1_000_000 / MAX_REPLICA_BUSY,
        redisCommandsPerSecond: callsPerSecond * per.redisCommands,
        redisMbitPerSecond: (callsPerSecond * per.redisBytes * 8) / 1e6,
        cutsPerSecond: callsPerSecond * per.cuts,
        archiveGbPerDay: (archivePerSecond * SECONDS_OF_DAY) / 1e9,
        hoursIn64Gb: 64e9 / archivePerSecond / 3_600,
        nodesForAnHour: Math.ceil((archivePerSecond * 3_600) / 64e9),
      };
    }
    if (isSlow) replicas = Math.ceil(replicas * 1.1);
    if (isRedisSlow) nodes++;
  }
}
