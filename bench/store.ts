// What keeping a result costs: put and get of 1 KB, 100 KB and 1 MB of JSON, against plain files that are written to a
// temporary name and renamed, with neither hash nor compression. Each candidate is raced with its own plain twin. Then what
// many entries at once cost the servers: `npm run bench store -- --burst` measures only that.
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { ArchiveStore } from "../src/engine/archive/archive-store.ts";
import { loadServer } from "./harness/built.ts";
import type { Timing } from "./harness/race.ts";
import { raceAsync } from "./harness/race-async.ts";
import { openPostgresKeepers } from "./harness/postgres-keepers.ts";
import { openRedisKeepers } from "./harness/redis-keepers.ts";
import { type Burst, burst } from "./harness/store-usage.ts";
import { recordsOfSize } from "./harness/records.ts";
import { printTable, writeResults } from "./harness/report.ts";

/** Something that keeps bytes: a store, or what it is held against. */
interface Keeper {
  readonly name: string;
  put(bytes: Uint8Array, number: number): Promise<string>;
  get(name: string): Promise<unknown>;
}

type Row = Timing & { readonly work: string; readonly size: string };

const SIZES: readonly (readonly [string, number])[] = [
  ["1 KB", 1_000],
  ["100 KB", 100_000],
  ["1 MB", 1_000_000],
];
const folder = mkdtempSync(join(tmpdir(), "waybill-bench-"));
const { fileStore, memoryStore, postgresStore, redisStore } = await loadServer();
const redis = await openRedisKeepers();
const sharedStore = redisStore(redis?.url ?? "redis://localhost");
const lasting = await openRedisKeepers(true);
const lastingStore = redisStore(lasting?.url ?? "redis://localhost");
const postgres = await openPostgresKeepers();
const tableStore = postgresStore(postgres?.url ?? "postgres://localhost/archive");

function plainFiles(name: string, withSync: boolean): Keeper {
  const directory = join(folder, name.replaceAll(" ", "-"));
  mkdirSync(directory);
  return {
    name,
    put: async (bytes, number) => {
      const temporary = join(directory, `tmp-${number}`);
      const handle = await open(temporary, "wx", 0o600);
      await handle.write(bytes);
      if (withSync) await handle.sync();
      await handle.close();
      await rename(temporary, join(directory, `${number}`));
      if (withSync) {
        const parent = await open(directory, "r");
        await parent.sync();
        await parent.close();
      }
      return `${number}`;
    },
    get: (key) => readFile(join(directory, key)),
  };
}

function storeKeeper(name: string, store: ArchiveStore): Keeper {
  return {
    name,
    put: async (bytes) => (await store.put("bench", [bytes])).entry.hash,
    get: async (hash) =>
      (await store.get("bench", hash)) ?? Promise.reject(new Error(`${name} lost an entry.`)),
  };
}

/** The first of each list is the baseline of the others. */
const races: readonly (readonly Keeper[])[] = [
  [
    plainFiles("plain files", false),
    storeKeeper("file store, rename", fileStore(join(folder, "rename"))),
    storeKeeper("memory store", memoryStore()),
  ],
  [
    plainFiles("plain files with fsync", true),
    storeKeeper("file store, fsync", fileStore(join(folder, "fsync"), { durability: "fsync" })),
  ],
  ...(redis === undefined ? [] : [[redis.plain, storeKeeper("Redis store", sharedStore)]]),
  ...(lasting === undefined ? [] : [[lasting.plain, storeKeeper("Redis store, appendonly", lastingStore)]]),
  ...(postgres === undefined ? [] : [[postgres.plain, storeKeeper("PostgreSQL store", tableStore)]]),
];

/** JSON of a size that no two puts share: a store keeps equal content once. */
function unique(text: string, number: number): Uint8Array {
  const bytes = Buffer.from(text);
  bytes.write(`${number}${randomBytes(4).toString("hex")}`, 2);
  return bytes;
}

async function measure(keepers: readonly Keeper[], size: string, text: string): Promise<Row[]> {
  const options = { rounds: 30, warmUpRounds: 4, turnMs: 8 };
  const putting = keepers.map((keeper) => ({
    name: keeper.name,
    run: (number: number) => keeper.put(unique(text, number), number),
  }));
  const puts = await raceAsync(putting, options);
  const getting = await Promise.all(
    keepers.map(async (keeper, index) => {
      const key = await keeper.put(unique(text, index), -1 - index);
      return { name: keeper.name, run: () => keeper.get(key) };
    }),
  );
  const gets = await raceAsync(getting, options);
  return [
    ...puts.map((timing) => ({ ...timing, work: "put", size })),
    ...gets.map((timing) => ({ ...timing, work: "get", size })),
  ];
}

/** 16 puts, then 16 gets at a time: as many entries as show what one takes. */
async function measureBursts(): Promise<(Burst & { readonly size: string })[]> {
  const measured: (Burst & { readonly size: string })[] = [];
  for (const [size, bytes] of SIZES) {
    const text = JSON.stringify({ records: recordsOfSize(bytes) });
    const options = {
      entries: Math.min(2_000, Math.max(60, Math.round(60_000_000 / bytes))),
      atOnce: 16,
      content: (number: number) => unique(text, number),
    };
    if (redis !== undefined)
      measured.push({ size, ...(await burst("Redis", sharedStore, redis.usage, options)) });
    if (lasting !== undefined)
      measured.push({ size, ...(await burst("Redis, appendonly", lastingStore, lasting.usage, options)) });
    if (postgres !== undefined)
      measured.push({ size, ...(await burst("PostgreSQL", tableStore, postgres.usage, options)) });
  }
  return measured;
}

async function raceAll(): Promise<void> {
  const rows: Row[] = [];
  for (const [size, bytes] of SIZES) {
    const text = JSON.stringify({ records: recordsOfSize(bytes) });
    for (const keepers of races) rows.push(...(await measure(keepers, size, text)));
  }
  printTable(
    ["work", "size", "keeper", "median µs", "x plain", "p10-p90"],
    rows.map(({ work, size, name, medianUs, ratio, ratioP10, ratioP90 }) => [
      work,
      size,
      name,
      medianUs.toFixed(0),
      ratio.toFixed(2),
      `${ratioP10.toFixed(2)}-${ratioP90.toFixed(2)}`,
    ]),
  );
  writeResults("store", rows);
}

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);

try {
  const loadBefore = loadavg()[0] ?? 0;
  const bursts = await measureBursts();
  printTable(
    ["size", "store", "puts/s", "gets/s", "CPU µs/put", "CPU µs/get", "KB kept", "KB logged"],
    bursts.map((row) => [
      row.size,
      row.name,
      row.putsPerSecond.toFixed(0),
      row.getsPerSecond.toFixed(0),
      row.putCpuUs.toFixed(0),
      row.getCpuUs.toFixed(0),
      kilobytes(row.keptBytes),
      kilobytes(row.loggedBytes),
    ]),
  );
  writeResults("store-bursts", bursts);
  // The bench and its servers are a load too; what was there before them belongs to others.
  console.log(
    `${cpus().length} cores; the load was ${loadBefore.toFixed(1)} before, for the minute up to then.`,
  );
  if (!process.argv.includes("--burst")) await raceAll();
} finally {
  await redis?.stop(sharedStore);
  await lasting?.stop(lastingStore);
  await postgres?.stop(tableStore);
  rmSync(folder, { recursive: true, force: true });
}
