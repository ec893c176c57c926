import { faults } from "../contract/faults.ts";
import { ToolFault } from "../contract/tool-fault.ts";
import type { Arrival } from "../pipeline/parcel.ts";
import type { Breaker } from "../resilience/breaker.ts";
import { type Concurrency, createConcurrency } from "./guards/concurrency.ts";
import { type Idempotency, createIdempotency } from "./guards/idempotency.ts";
import { limitKey } from "./guards/limit-key.ts";
import type { RateLimits } from "./guards/rate-limits.ts";
import { type ResultCache, createResultCache } from "./guards/result-cache.ts";
import { createToolBreaker } from "./guards/tool-breaker.ts";
import type { Log } from "../observe/log-event.ts";
import type { SharedRedis } from "./archive-access.ts";
import type { ToolCall } from "./called-tool.ts";
import type { ContractOptions } from "./contract-options.ts";
import type { NoteTaker } from "./note-taker.ts";
import type { RateLimitRule, ToolConfig } from "./tool-definition.ts";

/** What a call leaves behind when it is over. */
export type Release = (ok: boolean) => void;

/** The limiter's library is loaded by the first server that limits anything. */
async function makeLimits(
  rule: RateLimitRule,
  redis: SharedRedis | undefined,
  log: Log,
): Promise<RateLimits> {
  const { createRateLimits } = await import("./guards/rate-limits.ts");
  if (redis === undefined) return createRateLimits(rule);
  const { createRedisRateStore } = await import("./guards/redis-rate-store.ts");
  const onAway = (error: unknown): void => log.warn("rate-limit-alone", { err: error });
  return createRateLimits(rule, {
    store: createRedisRateStore(redis.connection, { ...rule, prefix: redis.prefix, onAway }),
  });
}

/** The state that outlives server objects: limits, breakers, caches, remembered outcomes. */
export class GuardSet {
  readonly #options: ContractOptions;
  readonly #limits = new Map<string, Promise<RateLimits>>();
  readonly #breakers = new Map<string, Breaker>();
  readonly #rooms = new Map<string, Concurrency>();
  readonly #caches = new Map<string, ResultCache<Arrival>>();
  readonly idempotency: Idempotency<Arrival>;

  readonly #redis: () => Promise<SharedRedis | undefined>;
  readonly #log: Log;

  constructor(options: ContractOptions, redis: () => Promise<SharedRedis | undefined>, log: Log) {
    this.#options = options;
    this.#redis = redis;
    this.#log = log;
    const { idempotencyMs: ttlMs, now } = options;
    this.idempotency = createIdempotency({ ...(ttlMs === undefined ? {} : { ttlMs }), ...(now && { now }) });
  }

  #once<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
    const found = map.get(key) ?? make();
    map.set(key, found);
    return found;
  }

  async #consume(
    name: string,
    rule: RateLimitRule,
    key: string,
    cost: number,
    notes: NoteTaker,
  ): Promise<void> {
    const limits = await this.#once(this.#limits, name, async () =>
      makeLimits(rule, await this.#redis().catch(() => undefined), this.#log),
    );
    const verdict = await limits.consume(key, cost);
    notes.limit(verdict.rateLimit);
    if (!verdict.allowed) {
      const { limit, period, reset_at: resetAt } = verdict.rateLimit;
      throw faults.rateLimited({
        ...(limit === undefined ? {} : { limit }),
        ...(period === undefined ? {} : { period }),
        ...(resetAt === undefined ? {} : { resetAt: new Date(resetAt) }),
        retryAfterSeconds: verdict.retryAfterSeconds ?? rule.periodSeconds,
        rateLimit: verdict.rateLimit,
      });
    }
    if (verdict.isApproaching) {
      notes.warn({
        code: "RATE_LIMIT_APPROACHING",
        severity: "warning",
        message: `${verdict.rateLimit.remaining ?? 0} of ${rule.limit} calls are left until the limit`,
      });
    }
  }

  /** Takes the call's share of every quota that applies, or rejects with the refusal; undefined where none does. */
  limit(call: ToolCall): Promise<void> | undefined {
    const hasQuota = call.tool.config.rateLimit !== undefined || this.#options.rateLimit !== undefined;
    return hasQuota ? this.#limit(call) : undefined;
  }

  async #limit({ tool, identity, request, notes }: ToolCall): Promise<void> {
    const { name, config } = tool;
    const who = { principal: identity.principal, network: identity.network, session: request.sessionId };
    const cost = config.cost ?? 1;
    const { rateLimit } = this.#options;
    // The tool's own quota comes first: a call that it refuses takes nothing from the general one.
    if (config.rateLimit !== undefined) {
      await this.#consume(name, config.rateLimit, limitKey({ tool: name, per: "tool", ...who }), cost, notes);
    }
    if (rateLimit !== undefined) {
      await this.#consume("*", rateLimit, limitKey({ tool: "*", per: "client", ...who }), cost, notes);
    }
  }

  /** Takes a place under the concurrency limit and asks the breaker; undefined if the tool has neither. */
  enter(tool: string, config: ToolConfig): Release | undefined {
    const leave = config.concurrency === undefined ? undefined : this.#enterRoom(tool, config.concurrency);
    if (config.breaker === undefined) return leave;
    const rule = config.breaker === true ? {} : config.breaker;
    const { now } = this.#options;
    const breaker = this.#once(this.#breakers, tool, () =>
      createToolBreaker({ ...rule, ...(now && { now }) }),
    );
    const entry = breaker.enter();
    if (!entry.allowed) {
      leave?.();
      throw faults.unavailable(`${tool} is paused after repeated failures`, {
        retryAfterSeconds: Math.max(1, Math.ceil(entry.retryAfterMs / 1000)),
      });
    }
    return (ok) => {
      entry.done(ok);
      leave?.();
    };
  }

  #enterRoom(tool: string, max: number): () => void {
    const leave = this.#once(this.#rooms, tool, () => createConcurrency(max)).enter();
    if (leave !== undefined) return leave;
    throw new ToolFault(`${tool} already runs ${max} calls at once`, {
      errorCode: "RATE_LIMIT_EXCEEDED",
      remediation: "Wait a moment, then retry.",
      data: { retry_after_seconds: 1 },
    });
  }

  cacheOf(tool: string, config: ToolConfig): ResultCache<Arrival> | undefined {
    const { cache } = config;
    const { now } = this.#options;
    return cache === undefined
      ? undefined
      : this.#once(this.#caches, tool, () => createResultCache<Arrival>({ ...cache, ...(now && { now }) }));
  }
}
