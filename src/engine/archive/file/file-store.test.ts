import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { storeFacts } from "../store-facts.fixture.ts";
import { createTestClock, decode } from "../store-subject.fixture.ts";
import { createTempDirectory, entryPath } from "./file-store.fixture.ts";
import { fileStore } from "./file-store.ts";

const HOUR_MS = 3_600_000;

for (const durability of ["rename", "fsync"] as const) {
  storeFacts(`fileStore, ${durability}`, {
    create: async (options) => fileStore(join(createTempDirectory(), "archive"), { ...options, durability }),
    damage: async (store, tenant, hash) => {
      const path = entryPath(store.location, tenant, hash);
      const bytes = readFileSync(path);
      bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20);
      writeFileSync(path, bytes);
    },
  });
}

describe("fileStore: what lies in the directory", () => {
  it("makes nothing before the first put", async () => {
    const directory = join(createTempDirectory(), "archive");
    const store = fileStore(directory);
    await store.get("a", "0".repeat(64));
    await store.find("a", "00");
    await store.sweep();
    expect(await store.delete("a", "0".repeat(64))).toBe(false);
    expect(existsSync(directory)).toBe(false);
  });

  it("is for its owner alone, and names no tenant", async () => {
    const directory = join(createTempDirectory(), "deep", "archive");
    const store = fileStore(directory);
    await store.put("alice@example.com", ["x"]);
    await store.secret("cursor");
    const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
    expect(names.join("\n")).not.toContain("alice");
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    for (const name of names) {
      const stat = statSync(join(directory, name));
      expect(stat.mode & 0o777).toBe(stat.isDirectory() ? 0o700 : 0o600);
    }
  });

  it("is smaller than JSON put into it, and as large as noise", async () => {
    const directory = createTempDirectory();
    const store = fileStore(directory);
    const json = JSON.stringify(Array.from({ length: 5_000 }, (_, id) => ({ id, name: `record ${id}` })));
    const { hash } = (await store.put("a", [json])).entry;
    expect(statSync(entryPath(directory, "a", hash)).size).toBeLessThan(json.length / 2);
    const noise = (await store.put("a", [randomBytes(300_000)])).entry;
    expect(statSync(entryPath(directory, "a", noise.hash)).size).toBeLessThan(300_200);
  });

  it("holds no temporary file after puts that worked and puts that failed", async () => {
    const directory = createTempDirectory();
    const store = fileStore(directory, { maxEntryBytes: 1_000 });
    await store.put("a", ["fits"]);
    await expect(store.put("a", ["x".repeat(1_001)])).rejects.toMatchObject({ code: "TOO_LARGE" });
    await store.secret("cursor");
    expect(readdirSync(join(directory, "tmp"))).toEqual([]);
  });
});

describe("fileStore: many stores on one directory", () => {
  it("read each other's entries and sign with one secret", async () => {
    const directory = createTempDirectory();
    const [first, second] = [fileStore(directory), fileStore(directory)];
    const { hash } = (await first.put("a", ["shared"])).entry;
    expect(decode((await second.get("a", hash))?.bytes)).toBe("shared");
    const secrets = await Promise.all([first.secret("cursor"), second.secret("cursor")]);
    expect(secrets[0]).toBe(secrets[1]);
  });

  it("do not evict what another put anew after the sweep looked", async () => {
    const directory = createTempDirectory();
    const clock = createTestClock();
    const store = fileStore(directory, { ttlMs: 1_000, now: clock.now });
    const { hash } = (await store.put("a", ["again"])).entry;
    clock.nowMs += 2_000;
    const [, report] = await Promise.all([store.put("a", ["again"]), store.sweep()]);
    expect(await store.has("a", hash)).toBe(true);
    expect(report.expired).toBeLessThanOrEqual(1);
  });
});

describe("fileStore: sweeping", () => {
  it("removes temporary files of writers that died, and leaves young ones", async () => {
    const directory = createTempDirectory();
    const store = fileStore(directory);
    mkdirSync(join(directory, "tmp"));
    for (const [name, ageMs] of [
      ["old", 2 * HOUR_MS],
      ["young", 1_000],
    ] as const) {
      const path = join(directory, "tmp", name);
      writeFileSync(path, "half");
      utimesSync(path, (Date.now() - ageMs) / 1_000, (Date.now() - ageMs) / 1_000);
    }
    await store.sweep();
    expect(readdirSync(join(directory, "tmp"))).toEqual(["young"]);
  });

  it("removes directories that have been empty for a day, and puts make them again", async () => {
    const directory = createTempDirectory();
    const clock = createTestClock();
    const store = fileStore(directory, { now: clock.now });
    const { hash } = (await store.put("a", ["x"])).entry;
    await store.delete("a", hash);
    clock.nowMs += 25 * HOUR_MS;
    await store.sweep();
    await store.put("a", ["x"]);
    expect(await store.has("a", hash)).toBe(true);
    await store.delete("a", hash);
    clock.nowMs += 50 * HOUR_MS;
    await store.sweep();
    utimesSync(join(directory, "entries"), 0, 0);
    await store.sweep();
    expect(readdirSync(join(directory, "entries"), { recursive: true })).toEqual([]);
  });

  it("comes by itself when the quota is passed, and leaves some room", async () => {
    const directory = createTempDirectory();
    const store = fileStore(directory, { maxBytes: 1_000_000 });
    for (let index = 0; index < 40; index++) await store.put("a", [randomBytes(100_000)]);
    await store.close();
    const files = readdirSync(join(directory, "entries"), { recursive: true, encoding: "utf8" });
    expect(files.filter((name) => name.length > 64).length).toBeLessThanOrEqual(9);
  });

  it("marks use at most once a minute", async () => {
    const directory = createTempDirectory();
    const clock = createTestClock();
    const store = fileStore(directory, { now: clock.now });
    const { hash } = (await store.put("a", ["x"])).entry;
    const usedAt = (): number => Math.round(statSync(entryPath(directory, "a", hash)).atimeMs);
    const putAtMs = clock.nowMs;
    clock.nowMs += 59_000;
    await store.get("a", hash);
    expect(usedAt()).toBe(putAtMs);
    clock.nowMs += 2_000;
    await store.get("a", hash);
    expect(usedAt()).toBe(clock.nowMs);
  });
});

describe("fileStore: options", () => {
  it.each([
    ["", {}, /has no directory: give/],
    ["a\0b", {}, /has no directory: give/],
    ["x", { durability: "maybe" as never }, /"durability" is "maybe". Choose one of rename, fsync/],
    ["x", { maxEntryBytes: Number.NaN }, /"maxEntryBytes" is NaN. Write a whole number of bytes/],
  ])("refuses %j with %o", (directory, options, message) => {
    expect(() => fileStore(directory, options)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION", message: expect.stringMatching(message) }),
    );
  });
});

describe("fileStore: the same content again", () => {
  const content = ["x".repeat(20_000)];

  it("leaves the file alone while it is as it was left", async () => {
    const store = fileStore(join(createTempDirectory(), "archive"));
    const { entry } = await store.put("a", content);
    const path = entryPath(store.location, "a", entry.hash);
    const before = statSync(path);
    const again = await store.put("a", content);
    expect(again.entry).toEqual(entry);
    expect(statSync(path).ino).toBe(before.ino);
  });

  it("starts its lifetime again", async () => {
    const clock = createTestClock();
    const store = fileStore(join(createTempDirectory(), "archive"), { now: clock.now, ttlMs: HOUR_MS });
    const { entry } = await store.put("a", content);
    clock.nowMs += HOUR_MS / 2;
    const again = await store.put("a", content);
    expect(again.entry.expiresAtMs).toBe(entry.expiresAtMs + HOUR_MS / 2);
    clock.nowMs += HOUR_MS * 0.75;
    expect(await store.has("a", entry.hash)).toBe(true);
  });

  it.each([
    ["is gone", (path: string) => rmSync(path)],
    ["was changed", (path: string) => writeFileSync(path, "other")],
  ])("writes it again where the file %s", async (_, change) => {
    const store = fileStore(join(createTempDirectory(), "archive"));
    const { entry } = await store.put("a", content);
    change(entryPath(store.location, "a", entry.hash));
    await store.put("a", content);
    const read = await store.get("a", entry.hash);
    expect(read?.bytes.byteLength).toBe(20_000);
  });

  it("is another entry for another tenant, and another file for another type", async () => {
    const store = fileStore(join(createTempDirectory(), "archive"));
    const { entry } = await store.put("a", content);
    await store.put("b", content);
    expect(await store.has("b", entry.hash)).toBe(true);
    await store.put("a", content, { contentType: "text/plain" });
    expect((await store.get("a", entry.hash))?.entry.contentType).toBe("text/plain");
  });
});
