import { beforeEach, describe, expect, it, vi } from "vitest";

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

/** No code has asked yet: what these modules remember belongs to the process, so each test has its own copies. */
async function freshScope() {
  vi.resetModules();
  const { chooseRequestId } = await import("../../core/contract/request-id.ts");
  const { listenToScope, runInScope } = await import("./call-scope.ts");
  listenToScope();
  const runIn =
    (tool: { readonly listedSchema?: null }) =>
    <Value>(requestId: string, run: () => Value): Value =>
      runInScope({ tool, identity: { requestId } }, run);
  return {
    ask: () => chooseRequestId(undefined, undefined),
    runInCallScope: runIn({}),
    runInTrackedScope: runIn({ listedSchema: null }),
  };
}

let scope: Awaited<ReturnType<typeof freshScope>>;

/** A tool that asks for the id of its call behind a wait, and ends only after another wait. */
async function askLater(): Promise<string | undefined> {
  await pause();
  const id = scope.ask();
  await new Promise((resolve) => setTimeout(resolve, 30));
  return id;
}

/** Two calls at once. */
async function askTwice(first: string, second: string) {
  return Promise.all([scope.runInCallScope(first, askLater), scope.runInCallScope(second, askLater)]);
}

describe("the scope of a call", () => {
  beforeEach(async () => {
    scope = await freshScope();
  });

  it("is known at once, and behind a wait from the first call on that starts after somebody asked", async () => {
    expect(await scope.runInCallScope("req_a", askLater)).toBe(undefined);
    expect(await scope.runInCallScope("req_b", askLater)).toBe("req_b");
    scope = await freshScope();
    expect(scope.runInCallScope("req_c", scope.ask)).toBe("req_c");
  });

  it("is known behind a wait from the first call of an attached server's tool on, because its price is paid", async () => {
    scope.runInTrackedScope("req_a", () => undefined);
    expect(await scope.runInCallScope("req_b", askLater)).toBe("req_b");
  });

  it("is unknown outside of every call, also while one runs", async () => {
    const running = scope.runInCallScope("req_a", askLater);
    expect(scope.ask()).toBe(undefined);
    await running;
  });

  it("is no other call's: two that run before any code asked have no id behind a wait, later ones have their own", async () => {
    expect(await askTwice("req_a", "req_b")).toEqual([undefined, undefined]);
    expect(await askTwice("req_c", "req_d")).toEqual(["req_c", "req_d"]);
  });

  it("holds behind every wait for a call that is followed, whatever runs beside it", async () => {
    const both = ["req_a", "req_b"].map((id) => scope.runInTrackedScope(id, askLater));
    expect(await Promise.all(both)).toEqual(["req_a", "req_b"]);
  });

  it("ends with the call, also with one that fails", async () => {
    const failing = scope.runInCallScope("req_a", () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect(scope.ask()).toBe(undefined);
    const inner = (): string | undefined => scope.runInTrackedScope("req_in", scope.ask);
    expect(scope.runInTrackedScope("req_out", () => [inner(), scope.ask()])).toEqual(["req_in", "req_out"]);
  });
});
