import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runWithDeadline, withinDeadline } from "./deadline.ts";

const late = new Error("late");
const onTimeout = (): Error => late;

function never(): Promise<never> {
  return new Promise(() => undefined);
}

async function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function settleEverything(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

describe("runWithDeadline", () => {
  it("gives what the handler gives, and leaves no timer and no listener", async () => {
    const { signal } = new AbortController();
    expect(await runWithDeadline(() => Promise.resolve(7), { timeoutMs: 50, signal, onTimeout })).toBe(7);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("passes on the handler's failure, thrown or rejected", async () => {
    const thrown = runWithDeadline(
      () => {
        throw new Error("at once");
      },
      { onTimeout },
    );
    await expect(thrown).rejects.toThrow("at once");
    const rejected = runWithDeadline(() => Promise.reject(new Error("later")), { onTimeout });
    await expect(rejected).rejects.toThrow("later");
  });

  it("rejects with the error for it when the time is up, and aborts the handler's signal with it", async () => {
    let given: AbortSignal | undefined;
    const refusal = refusalOf(
      runWithDeadline(
        (signal) => {
          given = signal;
          return never();
        },
        { timeoutMs: 50, onTimeout },
      ),
    );
    vi.advanceTimersByTime(49);
    expect(given?.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await refusal).toBe(late);
    expect(given?.reason).toBe(late);
  });

  it("rejects with what it is told when the caller gives up, and aborts the handler's signal", async () => {
    const outer = new AbortController();
    let given: AbortSignal | undefined;
    const refusal = refusalOf(
      runWithDeadline(
        (signal) => {
          given = signal;
          return never();
        },
        {
          timeoutMs: 50,
          signal: outer.signal,
          onTimeout,
          onCancel: (reason) => new Error("cancelled", { cause: reason }),
        },
      ),
    );
    outer.abort("the user pressed stop");
    const error = await refusal;
    expect(error).toMatchObject({ message: "cancelled", cause: "the user pressed stop" });
    expect(given?.reason).toBe(error);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("never starts a handler for a caller who is gone already", async () => {
    const run = vi.fn<() => Promise<never>>(never);
    const signal = AbortSignal.abort("gone");
    expect(await refusalOf(runWithDeadline(run, { signal, onTimeout }))).toBe("gone");
    expect(run).not.toHaveBeenCalled();
  });

  it("does not abort the handler's signal after the handler is done", async () => {
    const outer = new AbortController();
    const signal = await runWithDeadline((given) => Promise.resolve(given), {
      timeoutMs: 5,
      signal: outer.signal,
      onTimeout,
    });
    outer.abort();
    vi.advanceTimersByTime(10);
    expect(signal.aborted).toBe(false);
  });

  it("keeps the first of two reasons to stop", async () => {
    const outer = new AbortController();
    const refusal = refusalOf(runWithDeadline(never, { timeoutMs: 5, signal: outer.signal, onTimeout }));
    outer.abort("first");
    vi.advanceTimersByTime(10);
    expect(await refusal).toBe("first");
  });

  it("prefers its own reason to the error a handler throws because of the abort", async () => {
    const refusal = refusalOf(
      runWithDeadline(
        (signal) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(new Error("stopped")));
          }),
        { timeoutMs: 5, onTimeout },
      ),
    );
    vi.advanceTimersByTime(5);
    expect(await refusal).toBe(late);
  });

  it("swallows what a handler does too late", async () => {
    const unhandled = vi.fn<() => void>();
    process.on("unhandledRejection", unhandled);
    let fail: (error: Error) => void = () => undefined;
    const run = (): Promise<never> => new Promise((_, reject) => (fail = reject));
    const refusal = refusalOf(runWithDeadline(run, { timeoutMs: 5, onTimeout }));
    vi.advanceTimersByTime(5);
    await refusal;
    fail(new Error("too late"));
    await settleEverything();
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("leaves nothing unhandled when a handler cancels its caller and throws at once", async () => {
    const unhandled = vi.fn<() => void>();
    process.on("unhandledRejection", unhandled);
    const outer = new AbortController();
    const run = (): Promise<never> => {
      outer.abort("stop");
      throw new Error("at once");
    };
    const error = await refusalOf(runWithDeadline(run, { signal: outer.signal, onTimeout }));
    await settleEverything();
    process.off("unhandledRejection", unhandled);
    expect(error).toBe("stop");
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe("withinDeadline", () => {
  it("gives what comes in time, and leaves no timer", async () => {
    expect(await withinDeadline(() => Promise.resolve(7), { timeoutMs: 50, onTimeout })).toBe(7);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("has no limit by default", () => {
    void withinDeadline(never, { onTimeout });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("tells of the error it stops with", async () => {
    const onStop = vi.fn<(error: unknown) => void>();
    const refusal = refusalOf(withinDeadline(never, { timeoutMs: 5, onTimeout, onStop }));
    vi.advanceTimersByTime(5);
    expect(await refusal).toBe(late);
    expect(onStop).toHaveBeenCalledExactlyOnceWith(late);
  });
});
