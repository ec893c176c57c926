import { describe, expect, it } from "vitest";
import { type NoSlot, ProcessSlots, type Slot } from "./command-processes.ts";

/** Slots over processes that end only when a test lets them. */
function open(maxProcesses: number, maxPerCaller = maxProcesses) {
  const idle: Slot[] = [];
  const slots = new ProcessSlots({
    maxProcesses,
    maxPerCaller,
    endIdle: (principal) => {
      const at = idle.findIndex((slot) => principal === undefined || slot.principal === principal);
      const [ended] = at === -1 ? [] : idle.splice(at, 1);
      if (ended !== undefined) ended.isEnding = true;
      return ended !== undefined;
    },
  });
  const busy = async (principal: string): Promise<Slot> => (await slots.take(principal)) as Slot;
  return { slots, idle, busy };
}

/** What a promise gave so far. */
function watch(taken: Promise<Slot | NoSlot>): { value: Slot | NoSlot | undefined } {
  const seen: { value: Slot | NoSlot | undefined } = { value: undefined };
  void taken.then((value) => (seen.value = value));
  return seen;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("ProcessSlots", () => {
  it("gives no place beyond the limit while every process is in use", async () => {
    const { slots, busy } = open(2);
    await busy("ada");
    await busy("ben");
    expect(await slots.take("cy")).toBe("full");
  });

  it("gives a place only when the idle process that makes room for it is gone", async () => {
    const { slots, idle, busy } = open(1);
    const first = await busy("ada");
    idle.push(first);
    const second = watch(slots.take("ben"));
    await settled();
    expect([first.isEnding, second.value]).toEqual([true, undefined]);
    slots.release(first);
    await settled();
    expect(second.value).toMatchObject({ principal: "ben" });
    expect(await slots.take("cy")).toBe("full");
  });

  it("ends one idle process for each who waits, and no more", async () => {
    const { slots, idle, busy } = open(2);
    const [first, second] = [await busy("ada"), await busy("ada")];
    idle.push(first, second);
    const third = watch(slots.take("ben"));
    expect(second.isEnding).toBe(false);
    const fourth = watch(slots.take("ben"));
    expect(await slots.take("ben")).toBe("full");
    slots.release(second);
    slots.release(first);
    await settled();
    expect([third.value, fourth.value]).toMatchObject([{ principal: "ben" }, { principal: "ben" }]);
  });

  it("leaves a caller its share and not more, and ends the caller's own idle process first", async () => {
    const { slots, idle, busy } = open(4, 2);
    const [first] = [await busy("ada"), await busy("ada")];
    expect(await slots.take("ada")).toBe("share");
    const other = await busy("ben");
    idle.push(other, first);
    const third = watch(slots.take("ada"));
    expect([other.isEnding, first.isEnding]).toEqual([false, true]);
    slots.release(first);
    await settled();
    expect(third.value).toMatchObject({ principal: "ada" });
  });

  it("says no to callers that wait when it closes", async () => {
    const { slots, idle, busy } = open(1);
    idle.push(await busy("ada"));
    const waiting = watch(slots.take("ben"));
    slots.close();
    await settled();
    expect(waiting.value).toBe("full");
  });
});
