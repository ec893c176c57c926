import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ArchiveStore } from "./archive-store.ts";
import { upkeepFacts } from "./store-upkeep-facts.fixture.ts";
import {
  collect,
  createTestClock,
  decode,
  openStore,
  sha256,
  type StoreFactsOptions,
  type StoreFactsSubject,
} from "./store-subject.fixture.ts";
import { tenantKey } from "./store-rules.ts";

const UNKNOWN = "0".repeat(64);

/** Registers the facts every store meets. */
export function storeFacts(name: string, subject: StoreFactsSubject): void {
  const { damage } = subject;
  const open = (options: StoreFactsOptions = {}): Promise<ArchiveStore> => openStore(subject, options);

  describe(`${name}: what is put comes back`, () => {
    it("names an entry by the sha256 of its bytes and gives the same bytes back", async () => {
      const clock = createTestClock();
      const store = await open({ now: clock.now, ttlMs: 1_000 });
      const { entry } = await store.put("a", ['{"city":"Zürich"}']);
      expect(entry).toEqual({
        hash: sha256('{"city":"Zürich"}'),
        bytes: 18,
        contentType: "application/json",
        storedAtMs: clock.nowMs,
        expiresAtMs: clock.nowMs + 1_000,
      });
      const read = await store.get("a", entry.hash);
      expect(read?.entry).toEqual(entry);
      expect(decode(read?.bytes)).toBe('{"city":"Zürich"}');
    });

    it.each<[string, readonly (string | Uint8Array)[], string]>([
      ["no chunk at all", [], ""],
      ["empty chunks", ["", "", new Uint8Array(0)], ""],
      ["many chunks", ["[1", ",", "2]"], "[1,2]"],
      ["text and bytes mixed", ["a", new Uint8Array([0x62]), "c"], "abc"],
      ["a surrogate pair split over two chunks", ["\ud83d", "\ude00!"], "😀!"],
      ["a pair split around an empty chunk", ["x\ud83d", "", "\ude00"], "x😀"],
      ["a byte order mark", ["\ufeff1"], "\ufeff1"],
    ])("keeps %s", async (_, chunks, text) => {
      const store = await open();
      const { entry } = await store.put("a", chunks);
      expect(entry.hash).toBe(sha256(text));
      expect(decode((await store.get("a", entry.hash))?.bytes)).toBe(text);
    });

    it("keeps content of many blocks, compressible and not", async () => {
      const store = await open();
      const random = randomBytes(300_000);
      const chunks = ["😀x".repeat(200_000), random, "y".repeat(600_000)];
      const whole = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
      const { entry } = await store.put("a", chunks);
      const read = await store.get("a", entry.hash);
      expect(entry.bytes).toBe(whole.byteLength);
      expect(whole.equals(read?.bytes ?? new Uint8Array())).toBe(true);
    });

    it("keeps the content type", async () => {
      const store = await open();
      const { entry } = await store.put("a", ["# Title"], { contentType: "text/markdown; charset=utf-8" });
      expect(entry.contentType).toBe("text/markdown; charset=utf-8");
      expect((await store.get("a", entry.hash))?.entry.contentType).toBe("text/markdown; charset=utf-8");
    });

    it("keeps equal content once, and anew from the later put on", async () => {
      const clock = createTestClock();
      const store = await open({ now: clock.now, ttlMs: 10_000 });
      const first = await store.put("a", ["same"]);
      clock.nowMs += 9_000;
      const second = await store.put("a", ["sa", "me"]);
      expect(second.entry.hash).toBe(first.entry.hash);
      expect(second.entry.expiresAtMs).toBe(clock.nowMs + 10_000);
      clock.nowMs += 9_000;
      expect(await store.has("a", first.entry.hash)).toBe(true);
      expect(await collect(store.list("a"))).toHaveLength(1);
    });

    it("is not changed by what a reader does to its copy", async () => {
      const store = await open();
      const { entry } = await store.put("a", ["untouched"]);
      (await store.get("a", entry.hash))?.bytes.fill(0);
      expect(decode((await store.get("a", entry.hash))?.bytes)).toBe("untouched");
    });

    it("keeps nothing of content that fails half-way", async () => {
      const store = await open();
      const broken = function* (): Generator<string> {
        yield "half";
        throw new Error("The source broke.");
      };
      await expect(store.put("a", broken())).rejects.toThrow("The source broke.");
      expect(await collect(store.list())).toEqual([]);
    });
  });

  describe(`${name}: ranges`, () => {
    it.each([
      [0, 3, "abc"],
      [3, 7, "defg"],
      [8, 100, "ij"],
      [-5, 2, "ab"],
      [4, Number.POSITIVE_INFINITY, "efghij"],
      [5, 5, ""],
      [7, 2, ""],
      [100, 200, ""],
    ])("from %d to %d gives what lies within", async (start, end, expected) => {
      const store = await open();
      const { entry } = await store.put("a", ["abcdefghij"]);
      const read = await store.getRange("a", entry.hash, start, end);
      expect(decode(read?.bytes)).toBe(expected);
      expect(read?.entry).toEqual(entry);
    });

    it("cross block ends", async () => {
      const store = await open();
      const whole = randomBytes(900_000);
      const { entry } = await store.put("a", [whole]);
      const read = await store.getRange("a", entry.hash, 262_000, 800_000);
      expect(whole.subarray(262_000, 800_000).equals(read?.bytes ?? new Uint8Array())).toBe(true);
    });

    it("refuse an offset that is not a number", async () => {
      const store = await open();
      const { entry } = await store.put("a", ["abc"]);
      const refused = store.getRange("a", entry.hash, Number.NaN, 2);
      await expect(refused).rejects.toMatchObject({ code: "INVALID_OPTION" });
    });
  });

  describe(`${name}: what opens nothing`, () => {
    const openings = ["get", "getRange", "has", "delete"] as const;

    async function answers(store: ArchiveStore, tenant: string, hash: string): Promise<unknown[]> {
      return [
        await store.get(tenant, hash),
        await store.getRange(tenant, hash, 0, 10),
        await store.has(tenant, hash),
        await store.delete(tenant, hash),
      ];
    }

    it(`is another tenant's hash, to ${openings.join(", ")} and find`, async () => {
      const store = await open();
      const { entry } = await store.put("alice", ["private"]);
      expect(await answers(store, "bob", entry.hash)).toEqual([undefined, undefined, false, false]);
      expect(await store.find("bob", entry.hash.slice(0, 12))).toEqual([]);
      expect(await collect(store.list("bob"))).toEqual([]);
      expect(decode((await store.get("alice", entry.hash))?.bytes)).toBe("private");
    });

    it("is anything but 64 lower-case hex digits", async () => {
      const store = await open();
      const { hash } = (await store.put("a", ["x"])).entry;
      const wrong = [
        hash.toUpperCase(),
        `sha256:${hash}`,
        hash.slice(1),
        `${hash}0`,
        "",
        "../../etc/passwd",
        UNKNOWN,
      ];
      for (const asked of wrong) {
        expect(await answers(store, "a", asked)).toEqual([undefined, undefined, false, false]);
      }
    });

    it("is an expired entry", async () => {
      const clock = createTestClock();
      const store = await open({ now: clock.now, ttlMs: 5_000 });
      const { hash } = (await store.put("a", ["short-lived"])).entry;
      clock.nowMs += 4_999;
      expect(await store.has("a", hash)).toBe(true);
      clock.nowMs += 1;
      expect(await store.get("a", hash)).toBeUndefined();
      expect(await store.getRange("a", hash, 0, 4)).toBeUndefined();
      expect(await store.has("a", hash)).toBe(false);
      expect(await store.find("a", hash.slice(0, 12))).toEqual([]);
      expect(await collect(store.list())).toEqual([]);
    });

    it("is a deleted entry", async () => {
      const store = await open();
      const { hash } = (await store.put("a", ["gone soon"])).entry;
      expect(await store.delete("a", hash)).toBe(true);
      expect(await answers(store, "a", hash)).toEqual([undefined, undefined, false, false]);
    });

    it("is an empty tenant", async () => {
      const store = await open();
      await expect(store.put("", ["x"])).rejects.toMatchObject({ code: "INVALID_OPTION" });
    });

    it.skipIf(damage === undefined)(
      "is a corrupt entry: it is reported, never served, until put again",
      async () => {
        const store = await open();
        const text = "precious ".repeat(50);
        const { hash } = (await store.put("a", [text])).entry;
        await damage?.(store, "a", hash);
        await expect(store.get("a", hash)).rejects.toMatchObject({ name: "ArchiveError", code: "CORRUPT" });
        await store.put("a", [text]);
        expect(decode((await store.get("a", hash))?.bytes)).toBe(text);
      },
    );
  });

  describe(`${name}: finding and listing`, () => {
    it("finds entries by how their hash begins", async () => {
      const store = await open();
      const { entry } = await store.put("a", ["one"]);
      await store.put("a", ["two"]);
      expect(await store.find("a", entry.hash.slice(0, 12))).toEqual([entry]);
      expect(await store.find("a", entry.hash)).toEqual([entry]);
      expect(await store.find("a", entry.hash.slice(0, 12).toUpperCase())).toEqual([]);
      expect(await store.find("a", "*")).toEqual([]);
      expect(await store.find("a", "")).toEqual([]);
    });

    it("finds every entry that begins alike", async () => {
      const store = await open();
      const hashes = await Promise.all(
        Array.from({ length: 40 }, async (_, index) => (await store.put("a", [`item ${index}`])).entry.hash),
      );
      const digit = hashes[0]?.slice(0, 1) ?? "";
      const found = (await store.find("a", digit)).map(({ hash }) => hash);
      expect(found.toSorted()).toEqual(hashes.filter((hash) => hash.startsWith(digit)).toSorted());
    });

    it("lists one tenant or all, and names no tenant", async () => {
      const store = await open();
      const mine = (await store.put("alice@example.com", ["mine"])).entry;
      await store.put("bob@example.com", ["yours"]);
      const [own, ...more] = await collect(store.list("alice@example.com"));
      expect(more).toEqual([]);
      expect(own).toMatchObject({ ...mine, tenantKey: tenantKey("alice@example.com") });
      expect(own?.storedBytes).toBeGreaterThan(0);
      const all = await collect(store.list());
      expect(all).toHaveLength(2);
      expect(JSON.stringify(all)).not.toContain("example.com");
    });
  });

  upkeepFacts(name, subject);
}
