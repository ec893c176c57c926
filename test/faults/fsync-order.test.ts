import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArchiveError, type ArchiveStore } from "../../src/engine/archive/archive-store.ts";
import type { Durability } from "../../src/engine/archive/file/file-store-options.ts";
import { fileStore } from "../../src/engine/archive/file/file-store.ts";
import { type Chance, ForgetfulFiles } from "./forgetful-files.fixture.ts";
import { storyOf } from "./story.fixture.ts";
import { isFullRun, lawRuns } from "../arbitrary/law-runs.ts";

const PUTS = 6;
const DIRECTORY = "/var/waybill/archive";

interface Run {
  readonly announced: readonly string[];
  readonly secret: string | undefined;
  readonly files: ForgetfulFiles;
}

/** The power goes at every step in the full suite, at every fifth in the quick one. */
const STRIDE = isFullRun ? 1 : 25;

/** Puts entries until the power goes; what was announced before is what must still be there. */
async function runUntilCut(durability: Durability, cutAfterSteps: number): Promise<Run> {
  const files = new ForgetfulFiles();
  files.cutAfterSteps = cutAfterSteps;
  const store = fileStore(DIRECTORY, { durability, files });
  const announced: string[] = [];
  let secret: string | undefined;
  try {
    for (let number = 0; number < PUTS; number++) {
      announced.push((await store.put(`tenant ${number % 2}`, storyOf(`${number}`))).entry.hash);
      if (number === 2) secret = await store.secret("cursor");
    }
  } catch (error) {
    if (!ArchiveError.isInstance(error) || error.code !== "UNREACHABLE") throw error;
  }
  await store.close();
  return { announced, secret, files };
}

const reopen = (files: ForgetfulFiles, durability: Durability): ArchiveStore =>
  fileStore(DIRECTORY, { durability, files });

/** How an announced entry reads after the cut. */
async function readAfter(store: ArchiveStore, hash: string, number: number): Promise<string> {
  try {
    return (await store.get(`tenant ${number % 2}`, hash)) === undefined ? "lost" : "kept";
  } catch (error) {
    if (ArchiveError.isInstance(error)) return error.code;
    throw error;
  }
}

async function fatesAfter(
  { announced, files }: Run,
  durability: Durability,
  chance?: Chance,
): Promise<string[]> {
  files.cutPower(chance);
  const store = reopen(files, durability);
  return await Promise.all(announced.map((hash, number) => readAfter(store, hash, number)));
}

async function stepsOf(durability: Durability): Promise<number> {
  return (await runUntilCut(durability, Number.POSITIVE_INFINITY)).files.steps;
}

describe("a power cut at any step", () => {
  it("takes nothing that was announced with durability fsync", async () => {
    const steps = await stepsOf("fsync");
    expect(steps).toBeGreaterThan(PUTS * 6);
    for (let cut = 0; cut <= steps; cut += STRIDE) {
      const run = await runUntilCut("fsync", cut);
      expect([cut, await fatesAfter(run, "fsync")]).toEqual([cut, run.announced.map(() => "kept")]);
    }
  });

  it("takes announced entries with durability rename, so this test can tell the two apart", async () => {
    const steps = await stepsOf("rename");
    const fates: string[] = [];
    for (let cut = 0; cut <= steps; cut += STRIDE)
      fates.push(...(await fatesAfter(await runUntilCut("rename", cut), "rename")));
    expect(fates.length).toBeGreaterThan(0);
    expect(fates).toContain("lost");
  });

  it("takes no secret that was given out, in either mode", async () => {
    for (const durability of ["rename", "fsync"] as const) {
      const steps = await stepsOf(durability);
      for (let cut = 0; cut <= steps; cut += STRIDE) {
        const { secret, files } = await runUntilCut(durability, cut);
        files.cutPower();
        const after = await reopen(files, durability).secret("cursor");
        expect(after).toBe(secret ?? after);
      }
    }
  });

  it("leaves nothing wrong, whatever of the unsynced survives by chance", async () => {
    const steps = { rename: await stepsOf("rename"), fsync: await stepsOf("fsync") };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Durability>("rename", "fsync"),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }),
        async (durability, share, coins) => {
          let toss = 0;
          const chance = (): boolean => coins[toss++ % coins.length] ?? false;
          const run = await runUntilCut(durability, Math.floor(share * steps[durability]));
          const fates = await fatesAfter(run, durability, chance);
          const allowed = durability === "fsync" ? ["kept"] : ["kept", "lost", "CORRUPT"];
          expect(fates.filter((fate) => !allowed.includes(fate))).toEqual([]);
        },
      ),
      lawRuns(1_000, 20),
    );
  });

  it("leaves a directory that goes on working: what was lost can be put again", async () => {
    const run = await runUntilCut("rename", await stepsOf("rename"));
    run.files.cutPower();
    const store = reopen(run.files, "fsync");
    const { hash } = (await store.put("tenant 0", storyOf("0"))).entry;
    run.files.cutPower();
    expect(await readAfter(reopen(run.files, "fsync"), hash, 0)).toBe("kept");
  });
});
