import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { withFileLock } from "./file-lock.ts";

function lockIn(): { readonly folder: string; readonly path: string } {
  const folder = mkdtempSync(join(tmpdir(), "waybill-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, path: join(folder, "a.lock") };
}

describe("withFileLock", () => {
  it("lets one run at a time, and leaves nothing behind", async () => {
    const { folder, path } = lockIn();
    let inside = 0;
    let most = 0;
    const run = async (value: number): Promise<number> => {
      most = Math.max(most, (inside += 1));
      await sleep(value % 3);
      inside -= 1;
      return value;
    };
    const values = Array.from({ length: 20 }, (_, at) => at);
    expect(await Promise.all(values.map((value) => withFileLock(path, () => run(value))))).toEqual(values);
    expect(most).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is free again after a run that failed", async () => {
    const { path } = lockIn();
    await expect(withFileLock(path, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await withFileLock(path, () => Promise.resolve(1))).toBe(1);
  });

  it("takes over the lock of a process that is gone, once for several that wait", async () => {
    const { folder, path } = lockIn();
    writeFileSync(path, `${hostname()} 999999999 gone`);
    let inside = 0;
    const alone = async (): Promise<boolean> => {
      inside += 1;
      await sleep(2);
      return inside-- === 1;
    };
    const runs = Array.from({ length: 8 }, () => withFileLock(path, alone));
    expect(await Promise.all(runs)).toEqual(Array.from({ length: 8 }, () => true));
    expect(readdirSync(folder)).toEqual([]);
  });

  it("takes over a lock of another machine that was not touched for long", async () => {
    const { path } = lockIn();
    writeFileSync(path, "elsewhere 1 gone");
    utimesSync(path, 0, 0);
    expect(await withFileLock(path, () => Promise.resolve("mine"))).toBe("mine");
  });
});
