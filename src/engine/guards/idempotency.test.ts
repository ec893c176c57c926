import { describe, expect, it, vi } from "vitest";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { type IdempotencyOptions, createIdempotency } from "./kept-results.ts";

function setUp(options: IdempotencyOptions = {}) {
  const clock = { ms: 0 };
  return { clock, idempotency: createIdempotency<string>({ now: () => clock.ms, ...options }) };
}

function deferred() {
  let resolve: (value: string) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<string>((yes, no) => ([resolve, reject] = [yes, no]));
  return { work: vi.fn<() => Promise<string>>(() => promise), resolve, reject };
}

function gives(value: string) {
  return vi.fn<() => Promise<string>>(() => Promise.resolve(value));
}

async function faultOf(promise: Promise<unknown>): Promise<ToolFault> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (ToolFault.isInstance(error)) return error;
  throw new Error("It was not refused.", { cause: error });
}

describe("createIdempotency", () => {
  it("replays the stored outcome for the same key and call", async () => {
    const { idempotency } = setUp();
    const again = gives("second");
    expect(await idempotency.run("k", "call", gives("first"))).toEqual({ value: "first", replayed: false });
    expect(await idempotency.run("k", "call", again)).toEqual({ value: "first", replayed: true });
    expect(again).not.toHaveBeenCalled();
  });

  it("joins a call that is still running", async () => {
    const { idempotency } = setUp();
    const { work, resolve } = deferred();
    const both = Promise.all([idempotency.run("k", "call", work), idempotency.run("k", "call", work)]);
    resolve("v");
    expect(await both).toEqual([
      { value: "v", replayed: false },
      { value: "v", replayed: true },
    ]);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it("refuses another call under a key that is stored or running", async () => {
    const { idempotency } = setUp();
    const { work, resolve } = deferred();
    const running = idempotency.run("k", "call", work);
    const other = gives("other");
    const early = await faultOf(idempotency.run("k", "other call", other));
    resolve("v");
    await running;
    const late = await faultOf(idempotency.run("k", "other call", other));
    for (const fault of [early, late]) {
      expect([fault.code, fault.type]).toEqual(["CONFLICT", "conflict"]);
      expect(fault.details).toEqual({ reason: "IDEMPOTENCY" });
    }
    expect(other).not.toHaveBeenCalled();
  });

  it("gives a failure to all who joined, and runs the work again for the next", async () => {
    const { idempotency } = setUp();
    const { work, reject } = deferred();
    const both = Promise.allSettled([idempotency.run("k", "call", work), idempotency.run("k", "call", work)]);
    reject(new Error("down"));
    expect((await both).map((one) => one.status)).toEqual(["rejected", "rejected"]);
    expect(await idempotency.run("k", "call", gives("v"))).toEqual({ value: "v", replayed: false });
  });

  it("frees the key of a failure for another call", async () => {
    const { idempotency } = setUp();
    await expect(idempotency.run("k", "call", () => Promise.reject(new Error("down")))).rejects.toThrow(
      "down",
    );
    expect((await idempotency.run("k", "other call", gives("v"))).replayed).toBe(false);
  });

  it("recovers from work that throws at once", async () => {
    const { idempotency } = setUp();
    const broken = (): Promise<string> => {
      throw new Error("at once");
    };
    await expect(idempotency.run("k", "call", broken)).rejects.toThrow("at once");
    expect((await idempotency.run("k", "call", gives("v"))).replayed).toBe(false);
  });

  it("remembers for a day by default", async () => {
    const { idempotency, clock } = setUp();
    await idempotency.run("k", "call", gives("v"));
    clock.ms = 86_399_999;
    expect((await idempotency.run("k", "call", gives("w"))).replayed).toBe(true);
    clock.ms = 86_400_000;
    expect(await idempotency.run("k", "other call", gives("w"))).toEqual({ value: "w", replayed: false });
  });

  it("still replays when the clock is set back, rather than do the work twice", async () => {
    const { idempotency, clock } = setUp();
    await idempotency.run("k", "call", gives("v"));
    clock.ms = -5_000;
    expect((await idempotency.run("k", "call", gives("w"))).replayed).toBe(true);
  });

  it("forgets the oldest outcome first when there are too many", async () => {
    const { idempotency } = setUp({ maxEntries: 2 });
    for (const key of ["a", "b", "c"]) await idempotency.run(key, "call", gives(key));
    expect((await idempotency.run("c", "call", gives("x"))).replayed).toBe(true);
    expect((await idempotency.run("b", "call", gives("x"))).replayed).toBe(true);
    expect((await idempotency.run("a", "call", gives("x"))).replayed).toBe(false);
  });

  it("takes an outcome that was made again for a young one", async () => {
    const { idempotency, clock } = setUp({ maxEntries: 2, ttlMs: 100 });
    for (const [key, ms] of [
      ["a", 0],
      ["b", 50],
      ["a", 120],
      ["c", 120],
    ] as const) {
      clock.ms = ms;
      await idempotency.run(key, "call", gives(key));
    }
    expect((await idempotency.run("a", "call", gives("x"))).replayed).toBe(true);
  });

  it("never forgets a running call; one too many is refused before it starts", async () => {
    const { idempotency } = setUp({ maxEntries: 1 });
    const { work, resolve } = deferred();
    const running = idempotency.run("a", "call", work);
    const other = gives("b");
    expect((await faultOf(idempotency.run("b", "call", other))).code).toBe("UNAVAILABLE");
    resolve("v");
    await running;
    expect(other).not.toHaveBeenCalled();
    expect((await idempotency.run("b", "call", other)).value).toBe("b");
  });

  it.each([{ ttlMs: 0 }, { maxEntries: 0.5 }])("refuses the options %j", (options) => {
    expect(() => setUp(options)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
  });
});
