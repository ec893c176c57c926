import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ToolFault } from "../../contract/tool-fault.ts";
import { CallCancelled } from "./call-cancelled.ts";
import { runWithDeadline } from "./deadline.ts";

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
    expect(await runWithDeadline(() => Promise.resolve(7), { timeoutMs: 50, signal })).toBe(7);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("passes on the handler's failure, thrown or rejected", async () => {
    const thrown = runWithDeadline(() => {
      throw new Error("at once");
    });
    await expect(thrown).rejects.toThrow("at once");
    await expect(runWithDeadline(() => Promise.reject(new Error("later")))).rejects.toThrow("later");
  });

  it("rejects with TIMEOUT when the time is up, and aborts the handler's signal with it", async () => {
    let given: AbortSignal | undefined;
    const refusal = refusalOf(
      runWithDeadline(
        (signal) => {
          given = signal;
          return never();
        },
        { timeoutMs: 50 },
      ),
    );
    vi.advanceTimersByTime(49);
    expect(given?.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    const error = await refusal;
    expect(ToolFault.isInstance(error) && [error.code, error.message]).toEqual([
      "TIMEOUT",
      "The operation did not finish within 50 ms",
    ]);
    expect(given?.reason).toBe(error);
  });

  it("rejects with CallCancelled when the caller gives up, and aborts the handler's signal", async () => {
    const outer = new AbortController();
    let given: AbortSignal | undefined;
    const refusal = refusalOf(
      runWithDeadline(
        (signal) => {
          given = signal;
          return never();
        },
        { timeoutMs: 50, signal: outer.signal },
      ),
    );
    outer.abort("the user pressed stop");
    const error = await refusal;
    expect(CallCancelled.isInstance(error) && [error.name, error.cause]).toEqual([
      "AbortError",
      "the user pressed stop",
    ]);
    expect(given?.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("never starts a handler for a caller who is gone already", async () => {
    const run = vi.fn<() => Promise<never>>(never);
    const error = await refusalOf(runWithDeadline(run, { signal: AbortSignal.abort() }));
    expect(CallCancelled.isInstance(error)).toBe(true);
    expect(run).not.toHaveBeenCalled();
  });

  it("does not abort the handler's signal after the handler is done", async () => {
    const outer = new AbortController();
    const signal = await runWithDeadline((given) => Promise.resolve(given), {
      timeoutMs: 5,
      signal: outer.signal,
    });
    outer.abort();
    vi.advanceTimersByTime(10);
    expect(signal.aborted).toBe(false);
  });

  it("keeps the first of two reasons to stop", async () => {
    const outer = new AbortController();
    const refusal = refusalOf(runWithDeadline(never, { timeoutMs: 5, signal: outer.signal }));
    outer.abort();
    vi.advanceTimersByTime(10);
    expect(CallCancelled.isInstance(await refusal)).toBe(true);
  });

  it("prefers its own reason to the error a handler throws because of the abort", async () => {
    const refusal = refusalOf(
      runWithDeadline(
        (signal) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(new Error("stopped")));
          }),
        { timeoutMs: 5 },
      ),
    );
    vi.advanceTimersByTime(5);
    expect(await refusal).toMatchObject({ code: "TIMEOUT" });
  });

  it("swallows what a handler does too late", async () => {
    const unhandled = vi.fn<() => void>();
    process.on("unhandledRejection", unhandled);
    let fail: (error: Error) => void = () => undefined;
    const run = (): Promise<never> => new Promise((_, reject) => (fail = reject));
    const refusal = refusalOf(runWithDeadline(run, { timeoutMs: 5 }));
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
      outer.abort();
      throw new Error("at once");
    };
    const error = await refusalOf(runWithDeadline(run, { signal: outer.signal }));
    await settleEverything();
    process.off("unhandledRejection", unhandled);
    expect(CallCancelled.isInstance(error)).toBe(true);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it.each([0, -1, Number.NaN, 2_147_483_648])("refuses a time of %d ms", async (timeoutMs) => {
    await expect(runWithDeadline(never, { timeoutMs })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });
});
