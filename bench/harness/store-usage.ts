// What a server behind a store takes for many entries that come at once: how many it keeps in a second, its processor
// time, and its bytes.
import type { ArchiveStore } from "../../src/engine/archive/archive-store.ts";

/** What a server has used so far, by its own count or its system's. */
export interface Usage {
  /** In memory for Redis, on the disk for PostgreSQL, where what was removed counts until a vacuum. */
  readonly keptBytes: number;
  readonly cpuUs: number;
  /** Written to its log, beside what it keeps. */
  readonly loggedBytes: number;
}

export interface Burst {
  readonly name: string;
  readonly entries: number;
  readonly putsPerSecond: number;
  readonly getsPerSecond: number;
  readonly putCpuUs: number;
  readonly getCpuUs: number;
  readonly keptBytes: number;
  readonly loggedBytes: number;
}

interface BurstOptions {
  readonly entries: number;
  /** Puts and gets on their way at the same time. */
  readonly atOnce: number;
  readonly content: (number: number) => Uint8Array;
}

async function eachAtOnce(
  count: number,
  atOnce: number,
  act: (number: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** Puts many entries, then gets all of them. */
export async function burst(
  name: string,
  store: ArchiveStore,
  usage: () => Promise<Usage>,
  { entries, atOnce, content }: BurstOptions,
): Promise<Burst> {
  const contents = Array.from({ length: entries }, (_, number) => content(number));
  const hashes: string[] = [];
  // The first put connects, and makes tables.
  await store.put("burst", ["first"]);
  const before = await usage();
  const startedAt = performance.now();
  await eachAtOnce(entries, atOnce, async (number) => {
    hashes[number] = (await store.put("burst", [contents[number] ?? ""])).entry.hash;
  });
  const putMs = performance.now() - startedAt;
  const between = await usage();
  const readAt = performance.now();
  await eachAtOnce(entries, atOnce, async (number) => {
    if ((await store.get("burst", hashes[number] ?? "")) === undefined)
      throw new Error(`${name} lost an entry.`);
  });
  const getMs = performance.now() - readAt;
  const after = await usage();
  return {
    name,
    entries,
    putsPerSecond: (entries / putMs) * 1_000,
    getsPerSecond: (entries / getMs) * 1_000,
    putCpuUs: (between.cpuUs - before.cpuUs) / entries,
    getCpuUs: (after.cpuUs - between.cpuUs) / entries,
    keptBytes: (between.keptBytes - before.keptBytes) / entries,
    loggedBytes: (between.loggedBytes - before.loggedBytes) / entries,
  };
}
