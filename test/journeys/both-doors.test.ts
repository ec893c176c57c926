// The guards of a tool hold behind every door alike: one list of facts, run against each.

import { afterEach, describe, expect, it } from "vitest";
import { faults } from "../../src/core/contract/faults.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import {
  type DoorTool,
  type OpenDoor,
  callWith,
  codeOf,
  doors,
  envelopeIn,
  gate,
  notesOf,
  openDoor,
} from "./both-doors.fixture.ts";

const hour = 3_600;
const warningsIn = (result: Parameters<typeof envelopeIn>[0]): string =>
  JSON.stringify(envelopeIn(result).meta["warning_details"] ?? []);

describe.each(doors)("$door", (door) => {
  let opened: OpenDoor | undefined;
  afterEach(() => opened?.close());

  async function open(tools: readonly DoorTool[], options: ContractOptions = {}): Promise<OpenDoor> {
    opened = await openDoor(door, tools, options);
    return opened;
  }

  // shows 001.52
  it("shows what is left of a tool's quota, warns near its end, and refuses without calling the tool", async () => {
    let runs = 0;
    const rateLimit = { limit: 10, periodSeconds: hour };
    const { call } = await open([{ name: "t", guards: { rateLimit, cost: 3 }, run: () => ({ n: ++runs }) }]);
    const results = [await call("t"), await call("t"), await call("t"), await call("t")];
    expect(results.map(codeOf)).toEqual(["ok", "ok", "ok", "RATE_LIMIT_EXCEEDED"]);
    expect(notesOf(results[0] ?? {})).toMatchObject({ rate_limit: { limit: 10, remaining: 7 } });
    expect(results.map(warningsIn).map((text) => text.includes("RATE_LIMIT_APPROACHING"))).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(envelopeIn(results[3] ?? {}).data["retry_after_seconds"]).toBeGreaterThan(0);
    expect(runs).toBe(3);
  });

  it("counts all tools against the contract's quota", async () => {
    const tools = ["a", "b"].map((name) => ({ name, run: () => ({ name }) }));
    const { call } = await open(tools, { rateLimit: { limit: 2, periodSeconds: hour } });
    const results = [await call("a"), await call("b"), await call("a")];
    expect(results.map(codeOf)).toEqual(["ok", "ok", "RATE_LIMIT_EXCEEDED"]);
  });

  it("runs no more calls at once than it may, and has room again afterwards", async () => {
    const { opened: go, open: letGo } = gate();
    const started = gate();
    const run = async () => {
      started.open();
      await go;
      return { done: true };
    };
    const { call } = await open([{ name: "t", guards: { concurrency: 1 }, run }]);
    const first = call("t", { n: 1 });
    await started.opened;
    expect(codeOf(await call("t", { n: 2 }))).toBe("RATE_LIMIT_EXCEEDED");
    letGo();
    expect(codeOf(await first)).toBe("ok");
    expect(codeOf(await call("t", { n: 3 }))).toBe("ok");
  });

  it("rests after failures of the server, not after mistakes of the caller, and comes back", async () => {
    let now = 1_000_000;
    let runs = 0;
    const run: DoorTool["run"] = ({ said }) => {
      runs += 1;
      if (said === "missing") throw faults.notFound("task", "T-9");
      if (said === "away") throw faults.unavailable("The database is away");
      if (said === "broken") throw new Error("The disk is full");
      return { fine: true };
    };
    const breaker = { minimumCalls: 2, failureShare: 1, resetMs: 5_000 };
    const { call } = await open([{ name: "t", guards: { breaker }, run }], { now: () => now });
    const mistakes = [await call("t", { said: "missing" }), await call("t", { n: "one" })];
    expect(mistakes.map((result) => codeOf(result) === "ok")).toEqual([false, false]);
    expect(codeOf(await call("t", { said: "missing" }))).toBe("NOT_FOUND");
    // The window forgets the mistakes: only what follows is counted.
    now += 60_000;
    expect(codeOf(await call("t", { said: "away" }))).toBe("UNAVAILABLE");
    await call("t", { said: "broken" });
    const before = runs;
    const resting = await call("t");
    expect(envelopeIn(resting)).toMatchObject({ error: "t is paused after repeated failures" });
    expect(envelopeIn(resting).data["retry_after_seconds"]).toBe(5);
    expect(runs).toBe(before);
    now += 6_000;
    expect(codeOf(await call("t"))).toBe("ok");
  });

  it("answers TIMEOUT, aborts the handler, and drops what it answers later", async () => {
    const aborted = gate();
    let runs = 0;
    const run: DoorTool["run"] = async (_args, { signal }) => {
      runs += 1;
      if (runs > 1) return { late: false };
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve());
      });
      aborted.open();
      return { late: true };
    };
    const { call } = await open([{ name: "t", guards: { timeoutMs: 200 }, run }]);
    const result = await call("t");
    expect(codeOf(result)).toBe("TIMEOUT");
    await aborted.opened;
    expect(envelopeIn(await call("t")).data).toEqual({ late: false });
  });

  it("tells the handler of a call that its client cancels, and keeps nothing of it", async () => {
    const started = gate();
    const aborted = gate();
    const run: DoorTool["run"] = async ({ n }, { signal }) => {
      if (n === 2) return { n };
      started.open();
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve());
      });
      aborted.open();
      return {};
    };
    const { call } = await open([{ name: "t", guards: { concurrency: 1 }, run }]);
    const controller = new AbortController();
    const first = call("t", { n: 1 }, { signal: controller.signal });
    const refused = first.then(
      () => "answered",
      () => "given up",
    );
    await started.opened;
    controller.abort("Enough");
    expect(await refused).toBe("given up");
    await aborted.opened;
    await expect.poll(async () => codeOf(await call("t", { n: 2 }))).toBe("ok");
  });

  it("passes progress on", async () => {
    const run: DoorTool["run"] = async (_args, { progress }) => {
      await progress(1);
      return { done: true };
    };
    const { call } = await open([{ name: "t", guards: { timeoutMs: 30_000, concurrency: 5 }, run }]);
    const seen: number[] = [];
    const result = await call("t", {}, { onprogress: ({ progress }) => void seen.push(progress) });
    expect(codeOf(result)).toBe("ok");
    expect(seen).toEqual([1]);
  });

  it("answers from the cache, for each tenant its own, and says so", async () => {
    let runs = 0;
    const cache = { ttlMs: 60_000 };
    const { call } = await open([{ name: "t", guards: { cache }, run: () => ({ run: ++runs }) }]);
    const of = (tenant: string) => ({ meta: { "test/tenant": tenant } });
    const results = [
      await call("t", {}, of("a")),
      await call("t", {}, of("a")),
      await call("t", {}, of("b")),
    ];
    expect(results.map((result) => envelopeIn(result).data["run"])).toEqual([1, 1, 2]);
    const telemetry = results.map((result) => (notesOf(result)["telemetry"] as object) ?? {});
    expect(telemetry.map((each) => "cache_hit" in each)).toEqual([false, true, false]);
  });

  it("serves a stale answer marked as such while one call refreshes it", async () => {
    let now = 1_000_000;
    let runs = 0;
    const run = async () => {
      const mine = ++runs;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { run: mine };
    };
    const cache = { ttlMs: 1_000, staleMs: 600_000 };
    const { call } = await open([{ name: "t", guards: { cache }, run }], { now: () => now });
    await call("t");
    now += 5_000;
    const stale = await call("t");
    expect(envelopeIn(stale).data).toEqual({ run: 1 });
    expect(warningsIn(stale)).toContain("STALE_CACHE");
    await expect.poll(async () => envelopeIn(await call("t")).data["run"]).toBe(2);
  });

  it("does not cache failures, however they come", async () => {
    let runs = 0;
    const run: DoorTool["run"] = ({ said }) => {
      runs += 1;
      if (said === "missing") throw faults.notFound("task", "T-9");
      return { content: [{ type: "text", text: "No paper" }], isError: true };
    };
    const { call } = await open([{ name: "t", guards: { cache: { ttlMs: 60_000 } }, run }]);
    for (const said of ["missing", "missing", "failed", "failed"]) await call("t", { said });
    expect(runs).toBe(4);
  });

  it("shares one run among callers, and one's cancellation does not end the other's", async () => {
    const { opened: go, open: letGo } = gate();
    const started = gate();
    let runs = 0;
    const run = async () => {
      runs += 1;
      started.open();
      await go;
      return { runs };
    };
    const { call, another } = await open([{ name: "t", guards: { cache: { ttlMs: 60_000 } }, run }]);
    const other = await another();
    const controller = new AbortController();
    const first = call("t", {}, { signal: controller.signal });
    const refused = first.then(
      () => "answered",
      () => "given up",
    );
    await started.opened;
    const second = callWith(other, "t");
    await new Promise((resolve) => setTimeout(resolve, 50));
    controller.abort("Enough");
    expect(await refused).toBe("given up");
    await new Promise((resolve) => setTimeout(resolve, 50));
    letGo();
    expect(envelopeIn(await second).data).toEqual({ runs: 1 });
  });

  it("does a call with an idempotency key once, and refuses the key for another call", async () => {
    let runs = 0;
    const { call } = await open([{ name: "t", run: () => ({ run: ++runs }) }]);
    const meta = { "waybill/idempotency_key": "k1", "test/tenant": "a" };
    const results = [await call("t", { n: 1 }, { meta }), await call("t", { n: 1 }, { meta })];
    expect(results.map((result) => envelopeIn(result).data["run"])).toEqual([1, 1]);
    expect(notesOf(results[1] ?? {})).toMatchObject({ telemetry: { idempotent_replay: true } });
    expect(codeOf(await call("t", { n: 2 }, { meta }))).toBe("CONFLICT");
    expect(runs).toBe(1);
  });

  it("keeps a refusal under its key, but not a failure of the server's own", async () => {
    let runs = 0;
    const run: DoorTool["run"] = ({ said }) => {
      runs += 1;
      if (said === "missing") throw faults.notFound("task", "T-9");
      if (said === "away") throw faults.unavailable("Away");
      throw new Error("The disk is full");
    };
    const { call } = await open([{ name: "t", run }]);
    const counts: number[] = [];
    for (const said of ["missing", "away", "broken"]) {
      const meta = { "waybill/idempotency_key": said, "test/tenant": "a" };
      runs = 0;
      for (let time = 0; time < 2; time += 1) await call("t", { said }, { meta });
      counts.push(runs);
    }
    expect(counts).toEqual([1, 2, 2]);
  });

  it.runIf(door.isHttp)("refuses a key of a caller that nothing tells from others", async () => {
    let runs = 0;
    const tools: readonly DoorTool[] = [
      { name: "writes", run: () => ({ run: ++runs }) },
      { name: "reads", annotations: { readOnlyHint: true }, run: () => ({ run: ++runs }) },
    ];
    const { call } = await open(tools);
    const meta = { "waybill/idempotency_key": "k1" };
    expect(codeOf(await call("writes", {}, { meta }))).toBe("VALIDATION_ERROR");
    expect(runs).toBe(0);
    expect(codeOf(await call("reads", {}, { meta }))).toBe("ok");
  });
});
