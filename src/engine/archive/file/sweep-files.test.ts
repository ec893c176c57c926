import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTestClock, decode } from "../store-subject.fixture.ts";
import { nodeFileLayer } from "./file-layer.ts";
import { createTempDirectory } from "./file-store.fixture.ts";
import { fileStore } from "./file-store.ts";

const TTL_MS = 10_000;

/** A store whose every entry has expired, and files of somebody else in the same layout and as old. */
async function beside() {
  const clock = createTestClock();
  const options = { ttlMs: TTL_MS, now: clock.now };
  const [own, foreign] = [createTempDirectory(), createTempDirectory()];
  const store = fileStore(own, options);
  const other = fileStore(foreign, options);
  await store.put("a", ["ours"]);
  const { hash } = (await other.put("b", ["theirs"])).entry;
  // A store sweeps by itself after its first entry; that must not happen later.
  await Promise.all([store.sweep(), other.sweep()]);
  const [tenant = ""] = readdirSync(join(foreign, "entries"));
  const shard = join("entries", tenant, hash.slice(0, 2));
  const file = join(foreign, shard, hash);
  clock.nowMs += 24 * 60 * 60 * 1_000 + TTL_MS;
  return { store, own, foreign, clock, tenant, shard, file, hash };
}

describe("sweepFiles, where a symbolic link leads elsewhere", () => {
  it.each(["tenant", "shard", "entry"] as const)(
    "leaves what is behind the link of %s alone",
    async (what) => {
      const { store, own, foreign, tenant, shard, file, hash } = await beside();
      const place = {
        tenant: join("entries", tenant),
        shard,
        entry: join(shard, hash),
      }[what];
      mkdirSync(dirname(join(own, place)), { recursive: true });
      symlinkSync(join(foreign, place), join(own, place));
      const before = statSync(file);
      expect(await store.sweep()).toMatchObject({ expired: 1, entries: 0 });
      expect(statSync(file)).toMatchObject({ mtimeMs: before.mtimeMs, ino: before.ino });
      expect(lstatSync(join(own, place)).isSymbolicLink()).toBe(true);
    },
  );

  it("dates nothing anew that only a link shows", async () => {
    const { store, own, shard, file, hash, clock } = await beside();
    const future = new Date(clock.nowMs + 10 * TTL_MS);
    utimesSync(file, future, future);
    mkdirSync(join(own, shard), { recursive: true });
    symlinkSync(file, join(own, shard, hash));
    await store.sweep();
    expect(Math.round(statSync(file).mtimeMs)).toBe(future.getTime());
  });

  it("removes no old file from a folder that is a link in place of the temporary one", async () => {
    const { store, own, foreign } = await beside();
    const letter = join(foreign, "letter.txt");
    writeFileSync(letter, "Dear Ada");
    utimesSync(letter, 0, 0);
    rmSync(join(own, "tmp"), { recursive: true, force: true });
    symlinkSync(foreign, join(own, "tmp"));
    await store.sweep();
    expect(existsSync(letter)).toBe(true);
  });

  it("sweeps a store whose own folder is a link", async () => {
    const { own, clock } = await beside();
    const alias = join(createTempDirectory(), "archive");
    symlinkSync(own, alias);
    expect(await fileStore(alias, { ttlMs: TTL_MS, now: clock.now }).sweep()).toMatchObject({ expired: 1 });
  });
});

describe("sweepFiles", () => {
  it.each(["stat", "rename"] as const)(
    "gives back what another process put anew just before its %s",
    async (call) => {
      const directory = createTempDirectory();
      const clock = createTestClock();
      const other = fileStore(directory, { ttlMs: TTL_MS, now: clock.now });
      const { hash } = (await other.put("a", ["wanted again"])).entry;
      await other.sweep();
      clock.nowMs += TTL_MS;
      let calls = 0;
      const putBefore = async (path: string): Promise<void> => {
        // The first look finds it expired; by the second call it has been put anew and announced.
        if (path.endsWith(hash) && ++calls === (call === "stat" ? 2 : 1))
          await other.put("a", ["wanted again"]);
      };
      const files = {
        ...nodeFileLayer,
        stat: async (path: string) => {
          if (call === "stat") await putBefore(path);
          return await nodeFileLayer.stat(path);
        },
        rename: async (from: string, to: string) => {
          if (call === "rename") await putBefore(from);
          await nodeFileLayer.rename(from, to);
        },
      };
      const sweeper = fileStore(directory, { ttlMs: TTL_MS, now: clock.now, files });
      const report = await sweeper.sweep();
      expect(report).toMatchObject({ expired: 0, evicted: 0, entries: 1 });
      expect(decode((await other.get("a", hash))?.bytes)).toBe("wanted again");
    },
  );

  it("counts nothing twice when two sweep at once", async () => {
    const directory = createTempDirectory();
    const clock = createTestClock();
    const stores = [1, 2].map(() => fileStore(directory, { ttlMs: TTL_MS, now: clock.now }));
    for (let index = 0; index < 50; index++) await stores[0]?.put("a", [`entry ${index}`]);
    await stores[0]?.sweep();
    clock.nowMs += TTL_MS;
    const reports = await Promise.all(stores.map((store) => store.sweep()));
    expect(reports.reduce((sum, { expired }) => sum + expired, 0)).toBe(50);
    expect(await stores[0]?.sweep()).toMatchObject({ entries: 0, storedBytes: 0 });
  });

  it("does not take what is put while it runs for something from the future", async () => {
    const directory = createTempDirectory();
    const clock = createTestClock();
    const other = fileStore(directory, { ttlMs: TTL_MS, now: clock.now });
    const files = {
      ...nodeFileLayer,
      readDirectory: async (path: string) => {
        clock.nowMs += 1_000;
        await other.put("a", ["put meanwhile"]);
        return await nodeFileLayer.readDirectory(path);
      },
    };
    const { storedAtMs, hash } = (await other.put("a", ["put meanwhile"])).entry;
    await fileStore(directory, { ttlMs: TTL_MS, now: clock.now, files }).sweep();
    expect(clock.nowMs).toBeGreaterThan(storedAtMs + 1_000);
    expect((await other.find("a", hash))[0]?.storedAtMs).toBe(clock.nowMs);
  });
});
