import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileStore } from "../../src/engine/archive/file/file-store.ts";
import { collect } from "../../src/engine/archive/store-subject.fixture.ts";
import { buildStores } from "./build-stores.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

const KILLS = isFullRun ? 200 : 5;
const SIDE_BY_SIDE = 4;
const HASH = /^[0-9a-f]{64}$/;

interface Ended {
  readonly hashes: string[];
  readonly secret: string | undefined;
  readonly wasKilled: boolean;
}

let built = "";
let directory = "";

beforeAll(() => {
  built = buildStores();
  directory = mkdtempSync(join(tmpdir(), "waybill-kill-"));
});

afterAll(() => {
  for (const folder of [built, directory]) rmSync(folder, { recursive: true, force: true });
});

function startWriter(...options: readonly string[]): ChildProcess {
  const script = join(built, "test/faults/writing-child.fixture.js");
  return spawn(process.execPath, [script, directory, ...options], { stdio: ["ignore", "pipe", "inherit"] });
}

/** Reads what a writer announces until it ends; `onCount` is told how many entries it announced, from 0 on. */
async function follow(
  writer: ChildProcess,
  onCount: (count: number) => void = () => undefined,
): Promise<Ended> {
  const hashes: string[] = [];
  let secret: string | undefined;
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    writer.once("close", (_, signal) => resolve(signal));
  });
  if (writer.stdout === null) throw new Error("The writer has no output.");
  for await (const line of createInterface({ input: writer.stdout })) {
    if (HASH.test(line)) hashes.push(line);
    if (line.startsWith("ready ")) secret = line.slice("ready ".length);
    onCount(hashes.length);
  }
  return { hashes, secret, wasKilled: (await ended) === "SIGKILL" };
}

async function killOne(seed: number): Promise<Ended> {
  const writer = startWriter(`${seed}`);
  // The seed decides the moment: after so many entries, and then some milliseconds into the next.
  const digest = createHash("sha256").update(`${seed}`).digest();
  const afterCount = digest.readUInt8(0) % 5;
  const delayMs = digest.readUInt8(1) % 12;
  return await follow(writer, (count) => {
    if (count === afterCount) void sleep(delayMs).then(() => writer.kill("SIGKILL"));
  });
}

async function killMany(): Promise<Ended[]> {
  const ended: Ended[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < KILLS) ended.push(await killOne(next++));
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
  return ended;
}

describe("a directory whose writers are killed with -9", () => {
  it(`loses no announced entry over ${KILLS} kills, serves nothing corrupt, and is tidied by a sweep`, async () => {
    const ended = await killMany();
    expect(ended.filter(({ wasKilled }) => wasKilled)).toHaveLength(KILLS);
    const announced = ended.flatMap(({ hashes }) => hashes);
    expect(announced.length).toBeGreaterThan(KILLS);
    expect(new Set(ended.map(({ secret }) => secret)).size).toBe(1);

    const store = fileStore(directory, { maxBytes: 4 * 1024 ** 3 });
    for (const hash of announced) {
      const read = await store.get("local", hash);
      expect(
        createHash("sha256")
          .update(read?.bytes ?? "")
          .digest("hex"),
      ).toBe(hash);
    }
    // Everything that has a name is whole, announced or not: a file gets its name when it is complete.
    const files = readdirSync(join(directory, "entries"), { recursive: true, encoding: "utf8" });
    const named = files.map((file) => file.slice(-64)).filter((name) => HASH.test(name));
    for (const hash of named) await expect(store.get("local", hash)).resolves.toBeDefined();

    const leftovers = readdirSync(join(directory, "tmp"));
    // Of a few kills, none may hit the moment between the first byte and the name.
    expect(leftovers.length).toBeGreaterThanOrEqual(isFullRun ? 1 : 0);
    for (const name of leftovers) utimesSync(join(directory, "tmp", name), 0, 0);
    expect(await store.sweep()).toMatchObject({ expired: 0, evicted: 0, entries: named.length });
    expect(readdirSync(join(directory, "tmp"))).toEqual([]);
    await store.close();
  });
});

describe("a directory that many processes write at once", () => {
  it("holds what each of them announced, equal content once", async () => {
    const before = existsSync(directory) ? await collect(fileStore(directory).list("local")) : [];
    // Two pairs: the writers of a pair put the same entries at the same time.
    const ended = await Promise.all(["x", "x", "y", "y"].map((seed) => follow(startWriter(seed, "30"))));
    const announced = new Set(ended.flatMap(({ hashes }) => hashes));
    expect(announced.size).toBe(60);
    const store = fileStore(directory);
    for (const hash of announced) await expect(store.get("local", hash)).resolves.toBeDefined();
    expect(await collect(store.list("local"))).toHaveLength(before.length + 60);
    await store.close();
  });
});
