import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ArchiveStore } from "./archive-store.ts";
import {
  collect,
  createTestClock,
  DAY_MS,
  decode,
  openStore,
  type StoreFactsOptions,
  type StoreFactsSubject,
} from "./store-subject.fixture.ts";

/** The facts about sweeping, clocks, secrets, options and closing. */
export function upkeepFacts(name: string, subject: StoreFactsSubject): void {
  const open = (options: StoreFactsOptions = {}): Promise<ArchiveStore> => openStore(subject, options);

  describe(`${name}: sweeping`, () => {
    it("removes what expired and says so", async () => {
      const clock = createTestClock();
      const store = await open({ now: clock.now, ttlMs: 5_000 });
      await store.put("a", ["old"]);
      clock.nowMs += 3_000;
      await store.put("b", ["young"]);
      // A store may sweep by itself after a put; once this one is done none is running.
      expect(await store.sweep()).toMatchObject({ expired: 0, entries: 2 });
      clock.nowMs += 3_000;
      const report = await store.sweep();
      expect(report).toMatchObject({ expired: 1, evicted: 0, entries: 1 });
      expect(report.freedBytes).toBeGreaterThan(0);
      expect(await collect(store.list())).toHaveLength(1);
    });

    it.skipIf(subject.isUnlimited === true)("makes room by removing the least recently used", async () => {
      const clock = createTestClock();
      const store = await open({ now: clock.now, maxBytes: 350_000, ttlMs: DAY_MS });
      const hashes: string[] = [];
      for (let index = 0; index < 3; index++) {
        hashes.push((await store.put("a", [randomBytes(100_000)])).entry.hash);
        clock.nowMs += 120_000;
      }
      await store.get("a", hashes[0] ?? "");
      clock.nowMs += 120_000;
      hashes.push((await store.put("b", [randomBytes(100_000)])).entry.hash);
      const report = await store.sweep();
      expect(report.storedBytes).toBeLessThanOrEqual(350_000);
      const kept = new Set((await collect(store.list())).map(({ hash }) => hash));
      expect(hashes.map((hash) => kept.has(hash))).toEqual([true, false, true, true]);
    });

    it("leaves an empty store empty", async () => {
      const store = await open();
      expect(await store.sweep()).toEqual({
        expired: 0,
        evicted: 0,
        freedBytes: 0,
        entries: 0,
        storedBytes: 0,
      });
    });
  });

  describe(`${name}: a clock that goes back`, () => {
    it("still serves what seems stored in the future, for one lifetime from when it is seen", async () => {
      const clock = createTestClock();
      const ttlMs = 10 * DAY_MS;
      clock.nowMs += 5 * DAY_MS;
      const store = await open({ now: clock.now, ttlMs });
      const { hash } = (await store.put("a", ["ahead of its time"])).entry;
      clock.nowMs -= 5 * DAY_MS;
      const read = await store.get("a", hash);
      expect(decode(read?.bytes)).toBe("ahead of its time");
      expect(read?.entry.expiresAtMs).toBeLessThanOrEqual(clock.nowMs + ttlMs);
      clock.nowMs += ttlMs;
      expect(await store.get("a", hash)).toBeUndefined();
    });

    it("does not make a sweep remove or keep it for ever", async () => {
      const clock = createTestClock();
      clock.nowMs += 5 * DAY_MS;
      const store = await open({ now: clock.now, ttlMs: DAY_MS });
      await store.put("a", ["ahead"]);
      clock.nowMs -= 5 * DAY_MS;
      expect(await store.sweep()).toMatchObject({ expired: 0, entries: 1 });
      clock.nowMs += DAY_MS;
      expect(await store.sweep()).toMatchObject({ expired: 1, entries: 0 });
    });
  });

  describe(`${name}: secrets`, () => {
    it("are made once a name and differ by name", async () => {
      const store = await open();
      const secret = await store.secret("cursor");
      expect(secret.length).toBeGreaterThanOrEqual(32);
      expect(await store.secret("cursor")).toBe(secret);
      expect(await store.secret("other")).not.toBe(secret);
    });

    it("are one secret for callers that ask at the same time", async () => {
      const store = await open();
      const secrets = await Promise.all(Array.from({ length: 10 }, () => store.secret("cursor")));
      expect(new Set(secrets).size).toBe(1);
    });
  });

  describe(`${name}: options and closing`, () => {
    it.each([
      [{ ttlMs: Number.NaN }, /"ttlMs" is NaN. Write a whole number/],
      [{ ttlMs: 0 }, /"ttlMs" is 0. Write a whole number/],
      [{ ttlMs: -1 }, /"ttlMs" is -1. Write a whole number/],
      [{ ttlMs: Number.POSITIVE_INFINITY }, /"ttlMs" is Infinity. Write a whole number/],
      [{ ttlMs: 1e15 }, /"ttlMs" is 1000000000000000. Write a whole number/],
      [{ maxBytes: Number.NaN }, /"maxBytes" is NaN. Write a whole number/],
      [{ maxBytes: -5 }, /"maxBytes" is -5. Write a whole number/],
      [{ maxBytes: 1.5 }, /"maxBytes" is 1.5. Write a whole number/],
      [{ maxByte: 5 }, /"maxByte" is not a known key. Did you mean "maxBytes"/],
    ])("refuses %o and says what to give", async (options, message) => {
      const making = (async () => await subject.create(options as object))();
      await expect(making).rejects.toMatchObject({
        code: "INVALID_OPTION",
        message: expect.stringMatching(message),
      });
    });

    it("refuses a content type that is no line of text", async () => {
      const store = await open();
      const refused = store.put("a", ["x"], { contentType: "text/plain\r\nx: y" });
      await expect(refused).rejects.toMatchObject({ code: "INVALID_OPTION" });
    });

    it("answers CLOSED once closed, and closes twice", async () => {
      const store = await open();
      const { hash } = (await store.put("a", ["x"])).entry;
      await store.close();
      await store.close();
      const calls = [
        store.put("a", ["y"]),
        store.get("a", hash),
        store.getRange("a", hash, 0, 1),
        store.find("a", hash),
        store.has("a", hash),
        collect(store.list()),
        store.delete("a", hash),
        store.sweep(),
        store.secret("cursor"),
      ];
      for (const call of await Promise.allSettled(calls)) {
        expect(call).toMatchObject({ status: "rejected", reason: { name: "ArchiveError", code: "CLOSED" } });
      }
    });

    it("says what and where it is, without a password", async () => {
      const store = await open();
      expect(store.kind).toMatch(/^[a-z]+$/);
      expect(store.location).not.toBe("");
      expect(store.location).not.toMatch(/:\/\/[^/]*:[^/]*@/);
    });
  });
}
