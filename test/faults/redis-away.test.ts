// Redis is killed and started again under load. What a put announced is readable afterwards; every other put says, soon
// and with a code, that it failed; and nothing needs to be started anew.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ArchiveError, type ArchiveStore } from "../../src/engine/archive/archive-store.ts";
import {
  type GuardedEvent,
  type GuardedStoreOptions,
  guardedStore,
} from "../../src/engine/archive/guarded-store.ts";
import { memoryStore } from "../../src/engine/archive/memory-store.ts";
import { redisStore } from "../../src/engine/archive/redis/redis-store.ts";
import { type RedisServer, hasRedis, startRedis } from "../services/redis.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

const WRITERS = 8;
const WAIT = { timeout: 120_000, interval: 25 };
// Far above what a busy machine takes: a call that fails does so because Redis is gone, not because it is slow.
const COMMAND_LIMIT_MS = 20_000;
const CALL_LIMIT_MS = 30_000;
const ROUNDS = isFullRun ? 3 : 1;

interface Load {
  readonly announced: Map<string, string>;
  readonly putCodes: Map<string, number>;
  readonly getCodes: Map<string, number>;
  fellBack: number;
}

async function setUp(options: GuardedStoreOptions = {}) {
  const server = await startRedis({ appendOnly: true });
  const events: GuardedEvent[] = [];
  const store = guardedStore(redisStore(server.url, { timeoutMs: COMMAND_LIMIT_MS }), {
    timeoutMs: CALL_LIMIT_MS,
    breaker: { failures: 3, resetMs: 200 },
    onEvent: (event) => void events.push(event),
    ...options,
  });
  onTestFinished(async () => {
    await store.close();
    await server.stop();
  });
  return { server, store, events };
}

/** A put and a get of it, again and again; sizes from one block to several. */
async function work(store: ArchiveStore, writer: number, load: Load, isOver: () => boolean): Promise<void> {
  const counted = async <T>(codes: Map<string, number>, call: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await call();
    } catch (error) {
      const code = ArchiveError.isInstance(error) ? error.code : String(error);
      codes.set(code, (codes.get(code) ?? 0) + 1);
      return undefined;
    }
  };
  for (let turn = 0; !isOver(); turn++) {
    const text = JSON.stringify({ writer, turn, fill: "x".repeat(turn % 10 === 0 ? 700_000 : 2_000) });
    const put = await counted(load.putCodes, () => store.put("load", [text]));
    if (put !== undefined) load.announced.set(put.entry.hash, text);
    if (put?.usedFallback === true) load.fellBack++;
    if (put !== undefined) await counted(load.getCodes, () => store.get("load", put.entry.hash));
    // Bounded: the machine that runs the test also runs Redis.
    await sleep(5);
  }
}

/** Asks until the store answers, as a server's next calls would. */
async function recovered(store: ArchiveStore): Promise<void> {
  for (let attempt = 0; attempt < 4_000; attempt++) {
    const put = await store.put("probe", ["[]"]).catch(() => undefined);
    if (put !== undefined && put.usedFallback !== true) return;
    await sleep(25);
  }
}

/** Calls that Redis did not serve: failed, or answered by the fallback. */
function lostIn({ putCodes, fellBack }: Load): number {
  return fellBack + [...putCodes.values()].reduce((sum, count) => sum + count, 0);
}

async function killUnderLoad(server: RedisServer, store: ArchiveStore): Promise<Load> {
  const load: Load = {
    announced: new Map(),
    putCodes: new Map(),
    getCodes: new Map(),
    fellBack: 0,
  };
  let isOver = false;
  const workers = Array.from({ length: WRITERS }, (_, writer) => work(store, writer, load, () => isOver));
  // A call that hangs keeps its worker, so that the test ends by its limit.
  const done = Promise.all(workers);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const before = load.announced.size;
      await vi.waitFor(() => expect(load.announced.size).toBeGreaterThan(before + WRITERS), WAIT);
      await server.kill();
      const failed = lostIn(load);
      await vi.waitFor(() => expect(lostIn(load)).toBeGreaterThan(failed + WRITERS), WAIT);
      await server.restart();
      await recovered(store);
    }
  } finally {
    isOver = true;
    await done;
  }
  await recovered(store);
  return load;
}

async function readable(store: ArchiveStore, load: Load): Promise<number> {
  let count = 0;
  for (const [hash, text] of load.announced) {
    const read = await store.get("load", hash);
    if (Buffer.from(read?.bytes ?? []).toString() === text) count++;
  }
  return count;
}

describe.runIf(hasRedis())("Redis killed and restarted under load", () => {
  test("loses nothing that was announced, fails the rest soon with a code, and recovers", async () => {
    const { server, store, events } = await setUp();
    const load = await killUnderLoad(server, store);
    const codes = [...load.putCodes.keys(), ...load.getCodes.keys()];
    expect(codes.filter((code) => code !== "UNREACHABLE" && code !== "TIMEOUT")).toEqual([]);
    expect(load.putCodes.size).toBeGreaterThan(0);
    expect(load.announced.size).toBeGreaterThan(WRITERS);
    expect(await readable(store, load)).toBe(load.announced.size);
    const turns = events.map(({ type }) => type).filter((type) => type.startsWith("breaker-"));
    expect(turns).toContain("breaker-opened");
    expect(turns.at(-1)).toBe("breaker-closed");
    expect((await store.put("load", ["[]"])).usedFallback).toBeUndefined();
  });

  test("fails no put when there is a fallback, and reads what it kept", async () => {
    const { server, store } = await setUp({ fallback: memoryStore({ maxBytes: 512 * 1024 * 1024 }) });
    const load = await killUnderLoad(server, store);
    expect([...load.putCodes]).toEqual([]);
    expect(load.fellBack).toBeGreaterThan(0);
    expect(await readable(store, load)).toBe(load.announced.size);
    expect((await store.put("load", ["[]"])).usedFallback).toBeUndefined();
  });
});
