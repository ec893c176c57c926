import { assertNumber } from "../../core/contract/contract-error.ts";
import { faults } from "../../core/contract/faults.ts";
import type { RateLimit } from "../../core/contract/meta.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { Log } from "../observe/log-event.ts";
import type { Arrival } from "../../core/pipeline/parcel.ts";
import { type Breaker, createBreaker, failureShare } from "../runtime/trip-rules.ts";
import { sha256Hex } from "../runtime/sha256-hex.ts";
import type { SharedRedis } from "../archive/redis/shared-redis.ts";
import type { ContractOptions } from "../settings/contract-options.ts";
import type { RateLimitRule, ToolConfig } from "../settings/tool-definition.ts";
import { type Idempotency, createIdempotency, type ResultCache, createResultCache } from "./kept-results.ts";
import type { RateLimits, RateStore } from "./rate-limits.ts";
import { sayName } from "../../core/text/say-name.ts";
import { randomHex } from "../runtime/random-text.ts";
import type { ArchiveStore } from "../archive/archive-store.ts";
import type { MemoryStoreOptions } from "../archive/memory-store.ts";

/** What a guard can note on a call that it lets pass. */
interface CallNotes {
  limit(rateLimit: RateLimit): void;
  warn(warning: WarningDetail): void;
}

/** The parts of a call that a limit needs. */
export interface LimitedCall {
  readonly tool: { readonly name: string; readonly config: ToolConfig };
  readonly identity: { readonly principal?: string | undefined; readonly network?: string | undefined };
  readonly request: { readonly sessionId?: string | undefined };
  readonly notes: CallNotes;
}

/** Called when the work of a call has ended; `ok` says whether it succeeded. */
type Release = (ok: boolean) => void;

/** The limiter's library is loaded by the first server that limits anything. */
async function makeLimits(
  name: string,
  rule: RateLimitRule,
  redis: SharedRedis | undefined,
  namesakes: Namesakes,
  log: Log,
): Promise<RateLimits> {
  const { createMemoryRateStore, createRateLimits } = await import("./rate-limits.ts");
  if (redis === undefined)
    return createRateLimits(rule, {
      store: namesakes.rates(name, rule, () => createMemoryRateStore(rule)),
    });
  const { createRedisRateStore } = await import("./redis-rate-store.ts");
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
  readonly #caches = new Map<string, ResultCache<Arrival>>();
  readonly idempotency: Idempotency<Arrival>;

  readonly #redis: () => Promise<SharedRedis | undefined>;
  readonly #namesakes: Namesakes;
  readonly #log: Log;

  constructor(
    options: ContractOptions,
    redis: () => Promise<SharedRedis | undefined>,
    namesakes: Namesakes,
    log: Log,
  ) {
    this.#options = options;
    this.#redis = redis;
    this.#namesakes = namesakes;
    this.#log = log;
    const { idempotencyMs: ttlMs, now } = options;
    this.idempotency = createIdempotency({ ttlMs, now });
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
    notes: CallNotes,
  ): Promise<void> {
    const limits = await this.#once(this.#limits, name, async () =>
      makeLimits(name, rule, await this.#redis().catch(() => undefined), this.#namesakes, this.#log),
    );
    const verdict = await limits.consume(key, cost);
    notes.limit(verdict.rateLimit);
    if (!verdict.allowed) {
      const { limit, period, reset_at: resetAt } = verdict.rateLimit;
      throw faults.rateLimited({
        limit,
        period,
        resetAt: resetAt === undefined ? undefined : new Date(resetAt),
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

  /** Takes the call's share of every quota that applies, or rejects with the refusal. */
  async limit({ tool, identity, request, notes }: LimitedCall): Promise<void> {
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

  /** Takes a slot under the concurrency limit and asks the breaker; undefined if the tool has neither. */
  enter(tool: string, config: ToolConfig): Release | undefined {
    const leave = config.concurrency === undefined ? undefined : this.#enterRoom(tool, config.concurrency);
    if (config.breaker === undefined) return leave;
    const rule = config.breaker === true ? {} : config.breaker;
    const { now } = this.#options;
    const breaker = this.#once(this.#breakers, tool, () => createToolBreaker({ ...rule, now }));
    const entry = breaker.enter();
    if (!entry.allowed) {
      leave?.();
      throw faults.unavailable(`${sayName(tool)} is paused after repeated failures`, {
        retryAfterSeconds: Math.max(1, Math.ceil(entry.retryAfterMs / 1000)),
      });
    }
    return (ok) => {
      entry.done(ok);
      leave?.();
    };
  }

  #enterRoom(tool: string, max: number): () => void {
    const leave = this.#namesakes.rooms(tool, max, () => createConcurrency(max)).enter();
    if (leave !== undefined) return leave;
    throw new ToolFault(`${sayName(tool)} already runs ${max} calls at once`, {
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
      : this.#once(this.#caches, tool, () => createResultCache<Arrival>({ ...cache, now }));
  }
}

export interface Concurrency {
  /** A function to call when the work has ended, or undefined if no slot is free. */
  enter(): (() => void) | undefined;
  readonly inFlight: number;
}

/** At most `max` calls at a time. There is no queue: a further call is refused at once. */
export function createConcurrency(max: number): Concurrency {
  assertNumber("concurrency", max, { min: 1, whole: true });
  let inFlight = 0;
  return {
    enter() {
      if (inFlight >= max) return undefined;
      inFlight++;
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        inFlight--;
      };
    },
    get inFlight() {
      return inFlight;
    },
  };
}

interface ToolBreakerOptions {
  readonly failureShare?: number;
  readonly minimumCalls?: number;
  readonly windowMs?: number;
  readonly resetMs?: number;
  readonly now?: (() => number) | undefined;
}

/** A tool's breaker: it opens when a share of the latest calls has failed. */
export function createToolBreaker(options: ToolBreakerOptions = {}): Breaker {
  const { failureShare: share = 0.5, minimumCalls = 5, windowMs = 30_000, resetMs = 10_000, now } = options;
  assertNumber("failureShare", share, { min: 0, max: 1 });
  assertNumber("minimumCalls", minimumCalls, { min: 1, whole: true });
  assertNumber("windowMs", windowMs, { min: 1 });
  assertNumber("resetMs", resetMs, { min: 1 });
  return createBreaker({ rule: failureShare({ share, minimumCalls, windowMs }), resetMs, now });
}

/** Each client has its own quotas: one for each tool, or one for all tools. */
const limitScopes = ["tool", "client"] as const;
type LimitScope = (typeof limitScopes)[number];

interface LimitKeyParts {
  readonly tool: string;
  readonly principal?: string | undefined;
  readonly network?: string | undefined;
  readonly session?: string | undefined;
  readonly per: LimitScope;
}

const MAX_LENGTH = 200;

/**
 * The key of a quota. The client is the principal, else its network, else the session, else one key for all.
 * The session comes last because anyone can open as many sessions as they like.
 */
export function limitKey({ tool, principal, network, session, per }: LimitKeyParts): string {
  const client = clientOf(principal, network, session);
  // JSON separates the parts, whatever characters they contain.
  const key = JSON.stringify(per === "tool" ? ["tool", tool, ...client] : ["client", ...client]);
  return key.length > MAX_LENGTH ? `sha256:${sha256Hex(key)}` : key;
}

function clientOf(principal = "", network = "", session = ""): readonly string[] {
  if (principal !== "") return ["principal", principal];
  if (network !== "") return ["network", network];
  return session === "" ? ["local"] : ["session", session];
}

/**
 * What contracts of one name share in this process. A contract that is made for every request, inside the
 * factory of its server object, would otherwise lose its archives, keys and counts with each request.
 */
export class Namesakes {
  /** True if other contracts may use this state too, so that none of them may close it. */
  readonly isShared: boolean;
  readonly #rates = new Map<string, RateStore>();
  readonly #rooms = new Map<string, Concurrency>();
  #store: Promise<ArchiveStore> | undefined;
  #cursorKey: string | undefined;

  constructor(isShared: boolean) {
    this.isShared = isShared;
  }

  /** The memory store for archives, if no other store is configured. The first contract of the name sets its limits. */
  store(limits: MemoryStoreOptions = {}): Promise<ArchiveStore> {
    this.#store ??= import("../archive/memory-store.ts").then(({ memoryStore }) => memoryStore(limits));
    return this.#store;
  }

  /** The cursor key, if none is configured; `onMade` is called when it is made. */
  cursorKey(onMade: () => void): string {
    if (this.#cursorKey === undefined) {
      this.#cursorKey = randomHex(32);
      onMade();
    }
    return this.#cursorKey;
  }

  /** The counts of a quota. Contracts with different limits for it count separately. */
  rates(quota: string, { limit, periodSeconds }: RateLimitRule, make: () => RateStore): RateStore {
    return once(this.#rates, JSON.stringify([quota, limit, periodSeconds]), make);
  }

  /** The slots for concurrent calls of a tool. */
  rooms(tool: string, max: number, make: () => Concurrency): Concurrency {
    return once(this.#rooms, JSON.stringify([tool, max]), make);
  }
}

function once<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

/** A process that makes up names must not fill its memory: beyond this number, the least recently used are dropped. */
const MAX_NAMES = 64;
const byName = new Map<string, Namesakes>();

/** What a contract shares by its name; a contract without a name shares nothing. */
export function namesakesOf(name: string | undefined): Namesakes {
  if (name === undefined) return new Namesakes(false);
  const found = byName.get(name) ?? new Namesakes(true);
  byName.delete(name);
  byName.set(name, found);
  const [oldest] = byName.keys();
  if (byName.size > MAX_NAMES && oldest !== undefined) byName.delete(oldest);
  return found;
}
