import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ArchiveStore } from "../../src/engine/archive/archive-store.ts";
import { createTempDirectory } from "../../src/engine/archive/file/file-store.fixture.ts";
import { fileStore } from "../../src/engine/archive/file/file-store.ts";
import { collect } from "../../src/engine/archive/store-subject.fixture.ts";
import { failingFiles } from "./failing-files.fixture.ts";

const content = (): Uint8Array[] => Array.from({ length: 8 }, () => randomBytes(200_000));

/** Expects that a failed put left nothing behind, and that the store works once the reason is gone. */
async function expectUnharmed(directory: string, store: ArchiveStore): Promise<void> {
  expect(readdirSync(join(directory, "tmp"))).toEqual([]);
  expect(await collect(store.list())).toHaveLength(1);
  const { entry } = await store.put("a", ["after"]);
  expect(await store.has("a", entry.hash)).toBe(true);
}

describe("a disk that runs full", () => {
  it.each([0, 1, 2, 3, 4])(
    "answers FULL when it happens at write %d, and leaves no trace",
    async (failing) => {
      const directory = createTempDirectory();
      let writes = Number.NEGATIVE_INFINITY;
      const files = failingFiles((call) => (call === "write" && writes++ === failing ? "ENOSPC" : undefined));
      const store = fileStore(directory, { files });
      await store.put("a", ["before"]);
      writes = 0;
      await expect(store.put("a", content())).rejects.toMatchObject({ name: "ArchiveError", code: "FULL" });
      expect(writes).toBe(failing + 1);
      await expectUnharmed(directory, store);
    },
  );

  it("is met at every write: a content of eight chunks takes five", async () => {
    let writes = 0;
    const files = failingFiles((call) => {
      writes += call === "write" ? 1 : 0;
      return undefined;
    });
    await fileStore(createTempDirectory(), { files }).put("a", content());
    expect(writes).toBe(5);
  });

  it.each([
    ["create", "ENOSPC", "FULL"],
    ["create", "EROFS", "READ_ONLY"],
    ["create", "EACCES", "READ_ONLY"],
    ["create", "EMFILE", "UNREACHABLE"],
    ["write", "EDQUOT", "FULL"],
    ["write", "EIO", "UNREACHABLE"],
    ["setTimes", "EIO", "UNREACHABLE"],
    ["sync", "EIO", "UNREACHABLE"],
    ["sync", "ENOSPC", "FULL"],
    ["rename", "ENOSPC", "FULL"],
    ["rename", "EROFS", "READ_ONLY"],
    ["syncDirectory", "EIO", "UNREACHABLE"],
  ])("or fails at %s with %s answers %s", async (failingCall, errno, code) => {
    const directory = createTempDirectory();
    let isFailing = false;
    const files = failingFiles((call) => (isFailing && call === failingCall ? errno : undefined));
    const store = fileStore(directory, { files, durability: "fsync" });
    await store.put("a", ["before"]);
    isFailing = true;
    await expect(store.put("a", ["during"])).rejects.toMatchObject({ name: "ArchiveError", code });
    isFailing = false;
    expect(readdirSync(join(directory, "tmp"))).toEqual([]);
    const { entry } = await store.put("a", ["after"]);
    expect(await store.has("a", entry.hash)).toBe(true);
  });

  it.each(["open", "stat", "read"])(
    "or cannot %s what it keeps answers UNREACHABLE, never a miss",
    async (failingCall) => {
      const directory = createTempDirectory();
      let isFailing = false;
      const files = failingFiles((call) => (isFailing && call === failingCall ? "EIO" : undefined));
      const store = fileStore(directory, { files });
      const { hash } = (await store.put("a", ["kept"])).entry;
      isFailing = true;
      await expect(store.get("a", hash)).rejects.toMatchObject({ code: "UNREACHABLE" });
    },
  );

  it("answers FULL on a real one", async (context) => {
    const directory = createTempDirectory();
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", directory]);
    if (mounted.status !== 0) {
      context.skip("No tmpfs can be mounted here: the real full disk is left out.");
      return;
    }
    onTestFinished(() => {
      spawnSync("umount", ["-l", directory]);
    });
    const store = fileStore(directory);
    await store.put("a", ["before"]);
    await expect(store.put("a", content())).rejects.toMatchObject({ name: "ArchiveError", code: "FULL" });
    await expectUnharmed(directory, store);
  });
});

describe("a directory that cannot be written", () => {
  it("is still read, use and all, and answers READ_ONLY to puts", async () => {
    const directory = createTempDirectory();
    const { hash } = (await fileStore(directory).put("a", ["kept"])).entry;
    const changing = ["create", "write", "rename", "unlink", "setTimes", "makeDirectory", "link"];
    const files = failingFiles((call) => (changing.includes(call) ? "EROFS" : undefined));
    const store = fileStore(directory, { files, now: () => Date.now() + 600_000 });
    expect((await store.get("a", hash))?.entry.bytes).toBe(4);
    await expect(store.put("a", ["new"])).rejects.toMatchObject({ code: "READ_ONLY" });
    await expect(store.delete("a", hash)).rejects.toMatchObject({ code: "READ_ONLY" });
    await expect(store.secret("cursor")).rejects.toMatchObject({ code: "READ_ONLY" });
  });

  it("answers READ_ONLY when its permissions say so", async (context) => {
    if (process.getuid?.() === 0) {
      context.skip("Root may write everywhere: permissions are left out.");
      return;
    }
    const directory = join(createTempDirectory(), "closed");
    mkdirSync(directory);
    chmodSync(directory, 0o500);
    await expect(fileStore(directory).put("a", ["x"])).rejects.toMatchObject({ code: "READ_ONLY" });
  });

  it("answers UNREACHABLE when it is a file", async () => {
    const store = fileStore(import.meta.filename);
    await expect(store.put("a", ["x"])).rejects.toMatchObject({ code: "UNREACHABLE" });
    await expect(store.get("a", "0".repeat(64))).rejects.toMatchObject({ code: "UNREACHABLE" });
  });
});
