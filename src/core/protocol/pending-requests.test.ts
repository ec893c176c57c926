import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_PENDING, PendingRequests } from "./pending-requests.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a pending request", () => {
  it("is given out once, by the value of its id", () => {
    const pending = new PendingRequests<string>();
    pending.add(1, "a number");
    pending.add("1", "a text");
    expect([pending.take("1"), pending.take("1"), pending.take(1)]).toEqual([
      "a text",
      undefined,
      "a number",
    ]);
  });

  it("is late once its time is over, and has left the table by then", () => {
    const pending = new PendingRequests<string>();
    const late = vi.fn<(request: string) => void>(() => expect(pending.has(1)).toBe(false));
    pending.add(1, "slow", { ms: 50, late });
    pending.add(2, "quick", { ms: 50, late });
    pending.take(2);
    vi.advanceTimersByTime(50);
    expect(late.mock.calls).toEqual([["slow"]]);
  });

  it("that was given up is known until its late answer comes", () => {
    const pending = new PendingRequests<string>();
    pending.add(1, "given up");
    expect(pending.giveUp(1)).toBe("given up");
    expect([pending.has(1), pending.isGivenUp(1), pending.forget(1), pending.forget(1)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it("gets an answer that was too long, by its id or because it alone waits", () => {
    const pending = new PendingRequests<string>();
    pending.add("a", "first");
    pending.add("b", "second");
    expect(pending.takeOversized(undefined)).toBeUndefined();
    expect(pending.takeOversized('"b"')).toBe("second");
    expect(pending.takeOversized(undefined)).toBe("first");
    expect(pending.takeOversized(undefined)).toBeUndefined();
  });
});

describe("a table of pending requests", () => {
  it("is full at its limit", () => {
    const pending = new PendingRequests<number>();
    for (let id = 0; id < MAX_PENDING; id++) pending.add(id, id);
    expect([pending.isFull, pending.size, pending.takeAll().length, pending.size]).toEqual([
      true,
      MAX_PENDING,
      MAX_PENDING,
      0,
    ]);
  });

  it("remembers a limited number of ids that were given up", () => {
    const pending = new PendingRequests<number>();
    for (let id = 0; id <= MAX_PENDING; id++) {
      pending.add(id, id);
      pending.giveUp(id);
    }
    expect([pending.isGivenUp(0), pending.isGivenUp(1)]).toEqual([false, true]);
  });

  it("tells when its last request is gone, or that its time is over", async () => {
    const pending = new PendingRequests<string>();
    expect(await pending.idle(50)).toBe(true);
    pending.add(1, "one");
    const idle = pending.idle(50);
    pending.take(1);
    expect(await idle).toBe(true);
    pending.add(2, "two");
    const late = pending.idle(50);
    vi.advanceTimersByTime(50);
    expect(await late).toBe(false);
  });
});
