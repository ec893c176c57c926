import { describe, expect, it } from "vitest";
import { createTempDirectory } from "./file-store.fixture.ts";
import { fileStore } from "./file-store.ts";
import { nodeFileLayer } from "./node-file-layer.ts";
import { createTestClock, decode } from "./store-subject.fixture.ts";

const TTL_MS = 10_000;

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
