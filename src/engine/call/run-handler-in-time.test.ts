import { describe, expect, it } from "vitest";
import { CallCancelled } from "./answered-call.ts";
import { runHandlerInTime } from "./execute-tool.ts";

function never(): Promise<never> {
  return new Promise(() => undefined);
}

describe("runHandlerInTime", () => {
  it("rejects with TIMEOUT, which says how long it waited", async () => {
    await expect(runHandlerInTime(never, { timeoutMs: 5 })).rejects.toMatchObject({
      code: "TIMEOUT",
      message: "The operation did not finish within 5 ms",
    });
  });

  it("rejects with TIMEOUT and says that it ran when a handler comes back after its time", async () => {
    const late = runHandlerInTime(
      async () => {
        const end = performance.now() + 15;
        while (performance.now() < end);
        return "done";
      },
      { timeoutMs: 5 },
    );
    await expect(late).rejects.toMatchObject({ code: "TIMEOUT", details: { executed: "yes" } });
  });

  it("rejects with CallCancelled when the caller gives up, and aborts the handler's signal with it", async () => {
    const outer = new AbortController();
    let given: AbortSignal | undefined;
    const call = runHandlerInTime(
      (signal) => {
        given = signal;
        outer.abort("the user pressed stop");
        return never();
      },
      { signal: outer.signal },
    );
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(CallCancelled.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ name: "AbortError", cause: "the user pressed stop" });
    expect(given?.reason).toBe(error);
  });

  it("gives the same to a caller who is gone before it starts", async () => {
    const call = runHandlerInTime(never, { signal: AbortSignal.abort() });
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(CallCancelled.isInstance(error)).toBe(true);
  });

  it.each([0, -1, Number.NaN, 2_147_483_648])("refuses a time of %d ms", async (timeoutMs) => {
    await expect(runHandlerInTime(never, { timeoutMs })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });
});
