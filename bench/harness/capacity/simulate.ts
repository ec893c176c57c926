// Calls arrive by chance, wait for a replica, and what is cut waits for Redis. Each replica and each node of Redis does one
// thing at a time, as both really do. Equal seeds give equal figures.
import { generator } from "../records.ts";
import { quantile } from "../compare-sides.ts";

/** One kind of call: how often it comes, and what it costs. */
export interface Kind {
  readonly share: number;
  readonly gatewayUs: number;
  /** Zero for a call that needs nothing of Redis. */
  readonly redisUs: number;
}

export interface Load {
  readonly callsPerSecond: number;
  readonly kinds: readonly Kind[];
  readonly replicas: number;
  readonly redisNodes: number;
  readonly seconds: number;
}

export interface Queues {
  readonly calls: number;
  readonly replicaBusy: number;
  readonly redisBusy: number;
  readonly waitP50Ms: number;
  readonly waitP99Ms: number;
  readonly redisWaitP99Ms: number;
}

/** Times differ from call to call: from 0.6 to 1.4 of the middle. */
const spread = (random: () => number): number => 0.6 + 0.8 * random();

/** Now and then a collection of garbage holds a replica up; Redis has none. */
const PAUSE_SHARE = 0.002;
const PAUSE_US = 10_000;

function kindOf(kinds: readonly Kind[], at: number): Kind {
  let sum = 0;
  for (const kind of kinds) {
    sum += kind.share;
    if (at < sum) return kind;
  }
  return kinds.at(-1) ?? { share: 1, gatewayUs: 0, redisUs: 0 };
}

interface Visit {
  readonly atUs: number;
  readonly tookUs: number;
}

/** Visits in the order of their time to servers that each do one thing at a time. */
class Queue {
  readonly waitsMs: number[] = [];
  readonly #freeAt: number[];
  busyUs = 0;

  constructor(servers: number) {
    this.#freeAt = Array.from({ length: servers }, () => 0);
  }

  /** Gives when it is done. */
  visit(server: number, { atUs, tookUs }: Visit): number {
    const startUs = Math.max(atUs, this.#freeAt[server] ?? 0);
    this.#freeAt[server] = startUs + tookUs;
    this.busyUs += tookUs;
    this.waitsMs.push((startUs - atUs) / 1_000);
    return startUs + tookUs;
  }

  waited(share: number): number {
    return this.waitsMs.length === 0 ? 0 : quantile(this.waitsMs, share);
  }
}

export function simulate({ callsPerSecond, kinds, replicas, redisNodes, seconds }: Load, seed = 1): Queues {
  const random = generator(seed);
  const [gateway, redis] = [new Queue(replicas), new Queue(redisNodes)];
  const toRedis: Visit[] = [];
  const endUs = seconds * 1_000_000;
  let [atUs, calls] = [0, 0];
  while (atUs < endUs) {
    atUs += (-Math.log(1 - random()) / callsPerSecond) * 1_000_000;
    const kind = kindOf(kinds, random());
    const pauseUs = random() < PAUSE_SHARE ? PAUSE_US : 0;
    const tookUs = kind.gatewayUs * spread(random) + pauseUs;
    const doneUs = gateway.visit(calls++ % replicas, { atUs, tookUs });
    if (kind.redisUs > 0) toRedis.push({ atUs: doneUs, tookUs: kind.redisUs * spread(random) });
  }
  toRedis.sort((left, right) => left.atUs - right.atUs);
  for (const visit of toRedis) redis.visit(Math.floor(random() * redisNodes), visit);
  return {
    calls,
    replicaBusy: gateway.busyUs / (endUs * replicas),
    redisBusy: redis.busyUs / (endUs * redisNodes),
    waitP50Ms: gateway.waited(0.5),
    waitP99Ms: gateway.waited(0.99),
    redisWaitP99Ms: redis.waited(0.99),
  };
}
