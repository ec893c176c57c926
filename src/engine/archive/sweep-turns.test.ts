import { describe, expect, it } from "vitest";
import type { SweepReport } from "./archive-store.ts";
import { createTestClock } from "./store-subject.fixture.ts";
import { SweepTurns } from "./sweep-turns.ts";

const MAX_BYTES = 1_000;

interface Setting {
  readonly turns: SweepTurns;
  readonly swept: number[];
  readonly clock: { nowMs: number };
}

/** Turns over a store that holds `storedBytes` whatever is swept; each sweep notes how much it was told to keep. */
function setUp(storedBytes: () => number): Setting {
  const clock = createTestClock();
  const swept: number[] = [];
  const turns = new SweepTurns(
    { maxBytes: MAX_BYTES, now: clock.now },
    async (keepBytes): Promise<SweepReport> => {
      swept.push(keepBytes);
      return { expired: 0, evicted: 0, freedBytes: 0, entries: 1, storedBytes: storedBytes() };
    },
  );
  return { turns, swept, clock };
}

async function write({ turns }: Setting, ...sizes: readonly number[]): Promise<void> {
  for (const bytes of sizes) {
    turns.wrote(bytes);
    await turns.idle();
  }
}

describe("SweepTurns", () => {
  it("looks once after the first put, and not at the next ones", async () => {
    const setting = setUp(() => 10);
    await write(setting, 10, 10, 10);
    expect(setting.swept).toEqual([900]);
  });

  it("sweeps when the quota is passed, and leaves a tenth free", async () => {
    const setting = setUp(() => 950);
    await write(setting, 10, 20, 20, 20);
    expect(setting.swept).toEqual([900, 900]);
  });

  it("looks again after writing a tenth of the quota, since others write too", async () => {
    const setting = setUp(() => 0);
    await write(setting, 10, 60, 60, 60, 60);
    expect(setting.swept).toHaveLength(3);
  });

  it("looks again after an hour, and after the clock went back by one", async () => {
    const setting = setUp(() => 0);
    await write(setting, 1);
    setting.clock.nowMs += 3_700_000;
    await write(setting, 1, 1);
    setting.clock.nowMs -= 7_400_000;
    await write(setting, 1, 1);
    expect(setting.swept).toHaveLength(3);
  });

  it("sweeps again when the quota was passed during a sweep", async () => {
    let stored = 0;
    const setting = setUp(() => stored);
    await write(setting, 1);
    setting.turns.wrote(200);
    stored = 900;
    setting.turns.wrote(200);
    await setting.turns.idle();
    expect(setting.swept).toHaveLength(3);
  });

  it("keeps up to the quota when asked for", async () => {
    const setting = setUp(() => 0);
    await setting.turns.run();
    expect(setting.swept).toEqual([MAX_BYTES]);
  });

  it("tells a failure to the caller that asked, and does not try at every put", async () => {
    let tries = 0;
    const turns = new SweepTurns({ maxBytes: MAX_BYTES, now: Date.now }, async () => {
      tries++;
      throw new Error("no access");
    });
    for (let put = 0; put < 5; put++) {
      turns.wrote(1);
      await turns.idle();
    }
    expect(tries).toBe(1);
    await expect(turns.run()).rejects.toThrow("no access");
  });

  it("tells one put why its own sweeps fail, and another after one went well", async () => {
    const clock = createTestClock();
    let failure: Error | undefined = new Error("too slow");
    const report = { expired: 0, evicted: 0, freedBytes: 0, entries: 1, storedBytes: 1 };
    const turns = new SweepTurns({ maxBytes: MAX_BYTES, now: clock.now }, async () => {
      if (failure !== undefined) throw failure;
      return report;
    });
    const told = async (): Promise<unknown> => {
      clock.nowMs += 3_700_000;
      const said = turns.wrote(1);
      await turns.idle();
      return said;
    };
    expect([await told(), await told(), await told()]).toEqual([undefined, failure, undefined]);
    failure = undefined;
    expect(await told()).toBeUndefined();
    failure = new Error("away");
    expect([await told(), await told(), await told()]).toEqual([undefined, failure, undefined]);
  });
});
