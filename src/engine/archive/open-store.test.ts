import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { storeProblem, openStore } from "./open-store.ts";

const folder = mkdtempSync(join(tmpdir(), "waybill open store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("openStore", () => {
  it.each([
    ["memory", "memory"],
    ["memory:", "memory"],
    [folder, "file"],
    [`file:${folder}`, "file"],
    [pathToFileURL(folder).href, "file"],
    ["redis://localhost:1", "redis"],
    ["rediss://localhost:1", "redis"],
    ["valkey://localhost:1", "redis"],
    ["postgres://localhost:1/archive", "postgres"],
    ["postgresql://localhost:1/archive?ttl=1d", "postgres"],
  ])("%s is a store", async (spec, kind) => {
    const store = await openStore(spec);
    expect(store.kind).toBe(kind);
    await store.close();
  });

  it("means one place by a path, by file: and by a file URL", async () => {
    const [plain, prefixed, url] = await Promise.all(
      [folder, `file:${folder}`, pathToFileURL(folder).href].map((spec) => openStore(spec)),
    );
    const { entry } = (await plain?.put("a", ["[1]"])) ?? {};
    expect(await prefixed?.has("a", entry?.hash ?? "")).toBe(true);
    expect(await url?.has("a", entry?.hash ?? "")).toBe(true);
    for (const store of [plain, prefixed, url]) await store?.close();
  });

  it.each([
    "",
    "  ",
    "file:",
    "sqlite:archive.db",
    "http://ann:s3cret@cache",
    "file://elsewhere/archive",
    "a\0b",
  ])("refuses %j and says what there is", async (spec) => {
    const refusal = {
      code: "INVALID_OPTION",
      message: expect.stringContaining('give "memory", a directory'),
    };
    await expect(openStore(spec)).rejects.toMatchObject(refusal);
    await expect(openStore(spec)).rejects.not.toMatchObject({ message: expect.stringContaining("s3cret") });
  });

  it.runIf(process.platform === "linux")(
    "says of a folder where none can be made that it cannot be written, now and when it is used",
    async () => {
      expect(storeProblem("/proc/nope/deep")).toMatch(/^cannot be written: .*"\/proc"/);
      expect(storeProblem(join(folder, "new", "deep"))).toBeUndefined();
      expect(readdirSync(folder).filter((name) => name.startsWith(".waybill"))).toEqual([]);
      const store = await openStore("/proc/nope");
      await expect(store.put("a", ["[1]"])).rejects.toMatchObject({ name: "ArchiveError" });
      await store.close();
    },
  );

  it("hands its options on", async () => {
    await expect(openStore("memory", { ttlMs: 0 })).rejects.toMatchObject({ code: "INVALID_OPTION" });
    await expect(openStore("redis://cache", { maxBytes: -1 })).rejects.toMatchObject({
      code: "INVALID_OPTION",
    });
  });
});
