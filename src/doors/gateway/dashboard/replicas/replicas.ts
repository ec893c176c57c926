// Makes the page of each replica show the calls of all. Calls are told through Redis in order; a replica that missed
// some takes the totals of the others, which say up to which call they count. So nothing counts twice, whatever is sent
// again, and Redis may lose everything at any time.

import { hostname } from "node:os";
import type { SharedRedis } from "../../../../engine/archive/redis/shared-redis.ts";
import { randomHex } from "../../../../engine/runtime/random-text.ts";
import type { CallDetail } from "../protocol/result.ts";
import type { CallRow, ReplicaNow } from "../protocol/traffic.ts";
import type { SharedCall, Traffic } from "../traffic/traffic.ts";
import { CallDetails, type DescribeCall } from "./call-details.ts";
import { KEPT_MS, type SharedNews, SharedPlace } from "./shared-place.ts";
import { readTold, readTotals, writeTold } from "./shared-shapes.ts";
import type { SharedSettings } from "./shared-settings.ts";

const LOOK_MS = 500;
/** Totals are written this often while they change, and asked for again this often where some are missing. */
const TOTALS_MS = 5_000;
/** Calls that wait for Redis; what is beyond is left out of the list of the others, and counted by the totals. */
const MAX_WAITING = 10_000;
/** What was told in this time, and how much of it, is told again to a Redis that has lost it. */
const SENT_MS = 15_000;
const MAX_SENT = 5_000;
/** Calls that are sent or read at once, and how many times in one turn. */
const BATCH = 500;
const MAX_BATCHES = 20;
/** By how much the clock of Redis may go back before it counts as another Redis. */
const CLOCK_MS = 1_000;
/** Replicas whose calls are shown. */
const MAX_REPLICAS = 100;

const MAX_HOST = 40;

/** The name of this process among the replicas: the machine, or the pod, and a few digits of its own. */
export function replicaName(host: string = hostname()): string {
  const plain = host.replaceAll(/[^\w.-]/g, "").slice(0, MAX_HOST);
  return `${plain === "" ? "replica" : plain}-${randomHex(3)}`;
}

export interface ReplicasOptions {
  readonly redis: SharedRedis;
  readonly name: string;
  readonly traffic: Traffic;
  readonly settings: SharedSettings;
  /** What this replica keeps of one of its calls. */
  readonly describe: DescribeCall;
  /** Redis could not be reached, or can again. */
  readonly onAlone: (error: unknown) => void;
}

export class Replicas {
  readonly #place: SharedPlace;
  readonly #options: ReplicasOptions;
  readonly #details: CallDetails;
  #waiting: SharedCall[] = [];
  /** What was told in the last seconds, for a Redis that loses it before the others have read it. */
  #sent: { readonly call: SharedCall; readonly atMs: number }[] = [];
  #told = 0;
  #epoch = "";
  /** When each replica was last listed. */
  readonly #met = new Map<string, number>();
  /** Replicas whose totals must be asked for again. */
  readonly #owing = new Set<string>();
  #now: readonly ReplicaNow[] = [];
  #after = "";
  #totalsDueMs = 0;
  #isAlone = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ReplicasOptions) {
    this.#options = options;
    this.#place = new SharedPlace(options.redis);
    this.#details = new CallDetails(this.#place, options.traffic, options.describe);
    options.traffic.share((call) => {
      if (this.#waiting.length >= MAX_WAITING) this.#waiting.shift();
      this.#waiting.push(call);
    });
    this.#later(0);
  }

  /** All replicas, this one first. */
  get now(): readonly ReplicaNow[] {
    const { name } = this.#options;
    return [{ name, isAlive: true }, ...this.#now];
  }

  get isAlone(): boolean {
    return this.#isAlone;
  }

  /** What another replica keeps of a call; undefined for a call of this one. */
  detail(row: CallRow): Promise<CallDetail | undefined> {
    return this.#details.ask(row);
  }

  /** Tells what waits, once more, and stops. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
    if (!this.#isAlone) await this.#exchange(true).catch(() => undefined);
  }

  #later(ms: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#turn().finally(() => this.#later(LOOK_MS));
    }, ms).unref();
  }

  async #turn(): Promise<void> {
    try {
      await this.#exchange(false);
      this.#isAlone = false;
    } catch (error) {
      if (!this.#isAlone) this.#options.onAlone(error);
      this.#isAlone = true;
    }
  }

  async #exchange(isLast: boolean): Promise<void> {
    const { settings } = this.#options;
    if (!isLast) {
      await settings.send(this.#place);
      const news = await this.#take();
      await settings.take(news, this.#place);
    }
    await this.#tell();
    if (performance.now() < this.#totalsDueMs && !isLast) return;
    await this.#keepTotals();
    if (!isLast) await this.#settle();
  }

  /** What was sent leaves the queue only afterwards: sent twice, it is taken once. */
  async #tell(): Promise<void> {
    const { name } = this.#options;
    for (let batch = 0; batch < MAX_BATCHES && this.#waiting.length > 0; batch++) {
      const calls = this.#waiting.slice(0, BATCH);
      await this.#place.tell(calls.map((call) => writeTold(name, call)));
      const atMs = performance.now();
      this.#told = calls.at(-1)?.n ?? this.#told;
      this.#waiting = this.#waiting.filter(({ n }) => n > this.#told);
      this.#sent.push(...calls.map((call) => ({ call, atMs })));
    }
    const oldestMs = performance.now() - SENT_MS;
    this.#sent = this.#sent.filter(({ atMs }) => atMs > oldestMs).slice(-MAX_SENT);
  }

  /** Redis has lost what was told: it is told again, in its order. Who has read it passes over it. */
  #noteEpoch({ epoch }: SharedNews): void {
    if (this.#epoch !== "" && this.#epoch !== epoch) {
      this.#waiting = [...this.#sent.map(({ call }) => call), ...this.#waiting].slice(-MAX_WAITING);
      this.#sent = [];
    }
    this.#epoch = epoch;
  }

  async #keepTotals(): Promise<void> {
    this.#totalsDueMs = performance.now() + TOTALS_MS;
    const { traffic, name } = this.#options;
    // Also where nothing changed: Redis forgets them after a time.
    await this.#place.keepTotals(name, JSON.stringify(traffic.totals()));
  }

  async #take(): Promise<SharedNews> {
    const { name, settings } = this.#options;
    const look = (): Promise<SharedNews> =>
      this.#place.look({
        replica: name,
        told: this.#told,
        after: this.#after,
        count: BATCH,
        version: settings.version,
      });
    let news = await look();
    for (let batch = 1; ; batch++) {
      this.#noteEpoch(news);
      await this.#meet(news);
      // Another Redis, with a clock that is behind: its entries would seem to be old. What is read twice counts once.
      if (Number.parseInt(this.#after, 10) > news.nowMs + CLOCK_MS) this.#after = "";
      await this.#details.answer(news.asked);
      for (const { id, text } of news.entries) {
        const told = readTold(text);
        if (told !== undefined && told.replica !== name) await this.#receive(told.replica, told.call);
        this.#after = id;
      }
      const isAll = news.entries.length < BATCH;
      if (isAll) this.#noteLost(news);
      if (isAll || batch >= MAX_BATCHES) return news;
      news = await look();
    }
  }

  /** Replicas that are new, and those that are not there any more. */
  async #meet({ replicas }: SharedNews): Promise<void> {
    const { traffic } = this.#options;
    const now = performance.now();
    for (const { name } of replicas) if (await this.#know(name)) this.#met.set(name, now);
    // Redis lists a replica that has gone for an hour. One that has lost everything lists the others again at once.
    for (const [name, listedMs] of this.#met) {
      if (now - listedMs < KEPT_MS) continue;
      this.#met.delete(name);
      this.#owing.delete(name);
      traffic.forget(name);
    }
    const alive = new Set(replicas.filter(({ isAlive }) => isAlive).map(({ name }) => name));
    this.#now = [...this.#met.keys()].map((name) => ({ name, isAlive: alive.has(name) }));
  }

  /** What a replica has told was not there to be read: its totals are asked for. */
  #noteLost({ told }: SharedNews): void {
    for (const [name, upTo] of told)
      if (this.#met.has(name) && upTo > this.#options.traffic.countedOf(name)) this.#owing.add(name);
  }

  /** False for this replica itself, and for more than can be shown. */
  async #know(replica: string): Promise<boolean> {
    if (this.#met.has(replica)) return true;
    if (replica === this.#options.name || this.#met.size >= MAX_REPLICAS) return false;
    const totals = readTotals(await this.#place.totalsOf(replica));
    this.#options.traffic.meet(replica, totals);
    this.#met.set(replica, performance.now());
    if (totals === undefined) this.#owing.add(replica);
    return true;
  }

  async #receive(replica: string, call: SharedCall): Promise<void> {
    if (!(await this.#know(replica))) return;
    if (!this.#options.traffic.receive(replica, call)) this.#owing.add(replica);
  }

  /** Asks again for totals that were missing, until there are some that count as far as what was seen. */
  async #settle(): Promise<void> {
    for (const replica of this.#owing) {
      const totals = readTotals(await this.#place.totalsOf(replica));
      if (totals !== undefined && this.#options.traffic.meet(replica, totals)) this.#owing.delete(replica);
    }
  }
}
