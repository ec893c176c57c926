// One holder at a time, over all processes of this machine that use the folder. The lock is a file that its holder
// touches while it works; one whose holder is gone is taken over.

import { randomUUID } from "node:crypto";
import { link, open, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A lock that was not touched for this long has no holder. */
const STALE_MS = 15_000;
const TOUCH_MS = 3_000;
const POLL_MS = 25;
/** How long to wait for others; a refresh of a login takes at most 10 s. */
const WAIT_MS = 45_000;

/** Runs while no other process holds the lock. Fails if it cannot be had in time. */
export async function withFileLock<Value>(
  path: string,
  run: () => Promise<Value>,
  waitMs = WAIT_MS,
): Promise<Value> {
  const own = `${hostname()} ${process.pid} ${randomUUID()}`;
  await take(path, own, waitMs);
  const touching = setInterval(() => {
    const now = new Date();
    void utimes(path, now, now).catch(() => undefined);
  }, TOUCH_MS).unref();
  try {
    return await run();
  } finally {
    clearInterval(touching);
    // Only our own: after a pause of this process another may have taken it over.
    if ((await holderOf(path)) === own) await rm(path, { force: true });
  }
}

async function take(path: string, own: string, waitMs: number): Promise<void> {
  const until = performance.now() + waitMs;
  while (!(await isTaken(path, own))) {
    await breakStale(path);
    if (performance.now() > until) throw new Error(`${basename(path)} is held by another process`);
    await sleep(POLL_MS);
  }
}

async function isTaken(path: string, own: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile(own);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function holderOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}

/** Removes a lock whose holder is gone. Of several that try, one succeeds. */
async function breakStale(path: string): Promise<void> {
  const seen = await holderOf(path);
  if (seen === undefined || !(await isStale(path, seen))) return;
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
    // Between the look and the rename another may have taken the lock: it gets it back, unless there is a new one.
    if ((await holderOf(aside)) !== seen) await link(aside, path).catch(() => undefined);
  } catch {
    // Another was faster.
  } finally {
    await rm(aside, { force: true });
  }
}

async function isStale(path: string, holder: string): Promise<boolean> {
  const [host, pid] = holder.split(" ");
  if (host === hostname() && !isAlive(Number(pid))) return holder !== "";
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > STALE_MS;
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
