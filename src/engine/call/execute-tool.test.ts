import { describe, expect, it } from "vitest";
import { faults } from "../../core/contract/faults.ts";
import { defineFlags } from "../settings/flags-and-tiers/define-flags.ts";
import { defineTiers } from "../settings/flags-and-tiers/define-tiers.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { runTool } from "../../doors/testing/run-tool.ts";
import { createContract } from "../../doors/server/create-contract.ts";
import type { ContractOptions } from "../settings/contract-options.ts";
import { type ToolConfig, type ToolHandler, defineTool } from "../settings/tool-definition.ts";

const KEY = "waybill/idempotency_key";

/** A tool, a contract that lasts from call to call, and a clock. */
function setUp(
  config: ToolConfig<undefined, undefined>,
  handler: ToolHandler<undefined>,
  options: ContractOptions = {},
) {
  const clock = { ms: 1_000_000 };
  const contract = createContract({
    validate: "always",
    logLevel: "silent",
    profile: "debug",
    now: () => clock.ms,
    ...options,
  });
  const tool = defineTool("t", { description: "t", ...config }, handler);
  const call = async (args: JsonObject = {}, meta: JsonObject = {}, subject?: string) => {
    const auth = subject === undefined ? {} : { auth: { subject } };
    const { envelope } = await runTool(tool, args, { contract, meta, ...auth });
    const { data, meta: notes } = envelope as { data: JsonObject; meta: JsonObject };
    return { data, code: data["error_code"], telemetry: notes["telemetry"] as JsonObject, meta: notes };
  };
  return { call, clock };
}

describe("a timeout", () => {
  it("fails as TIMEOUT, and tells the handler to stop", async () => {
    let reason: unknown;
    const { call } = setUp({ timeoutMs: 20 }, async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      reason = signal.reason;
    });
    const { data } = await call();
    expect(data).toMatchObject({ error_code: "TIMEOUT", error_type: "unavailable" });
    expect(data["remediation"]).toMatch(/retry/i);
    expect(reason).toMatchObject({ code: "TIMEOUT" });
  });

  it("is not to be repeated unseen where the tool is said to change things", async () => {
    const never = (): Promise<object> => new Promise(() => undefined);
    const writes = setUp({ timeoutMs: 20, annotations: { destructiveHint: true } }, never);
    expect((await writes.call()).data).toMatchObject({
      error_code: "TIMEOUT",
      remediation: expect.stringContaining("Check first whether the call took effect"),
      details: { executed: "unknown" },
    });
    const reads = setUp({ timeoutMs: 20, annotations: { readOnlyHint: true } }, never);
    expect((await reads.call()).data["remediation"]).toMatch(/^Retry/);
  });

  it("says that the handler ran when it came back after its time", async () => {
    const { call } = setUp({ timeoutMs: 5 }, () => {
      const end = performance.now() + 15;
      while (performance.now() < end);
      return { done: true };
    });
    const { data } = await call();
    expect(data).toMatchObject({ error_code: "TIMEOUT", details: { executed: "yes" } });
    expect(data).not.toHaveProperty("done");
  });
});

describe("a breaker", () => {
  const rule = { failureShare: 0.5, minimumCalls: 2, resetMs: 10_000 };

  it("rests after failures of the server, says for how long, and tries again", async () => {
    let isBroken = true;
    let runs = 0;
    const { call, clock } = setUp({ breaker: rule }, () => {
      runs++;
      if (isBroken) throw new Error("down");
      return { fine: true };
    });
    expect([(await call()).code, (await call()).code]).toEqual(["INTERNAL_ERROR", "INTERNAL_ERROR"]);
    const { data } = await call();
    expect(data).toMatchObject({
      error_code: "UNAVAILABLE",
      error_type: "unavailable",
      retry_after_seconds: 10,
    });
    expect(runs).toBe(2);
    isBroken = false;
    clock.ms += 10_000;
    expect((await call()).data).toEqual({ fine: true });
    expect((await call()).data).toEqual({ fine: true });
  });

  it("does not count a caller's mistakes", async () => {
    const { call } = setUp({ breaker: rule }, () => {
      throw faults.notFound("task", "x");
    });
    for (let index = 0; index < 5; index++) expect((await call()).code).toBe("NOT_FOUND");
  });
});

describe("a concurrency limit", () => {
  it("refuses what is too much at once, with a retry hint, and lets go when calls end", async () => {
    let finish: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (finish = resolve));
    const { call } = setUp({ concurrency: 1 }, () => gate);
    const first = call();
    const { data } = await call();
    expect(data).toMatchObject({
      error_code: "RATE_LIMIT_EXCEEDED",
      error_type: "rate_limit",
      retry_after_seconds: 1,
    });
    finish();
    expect((await first).code).toBeUndefined();
    expect((await call()).code).toBeUndefined();
  });
});

describe("a result cache", () => {
  const counted = (config: ToolConfig<undefined, undefined>) => {
    let runs = 0;
    return setUp(config, (_, context) => {
      context.warn("noted by the handler");
      return { run: ++runs };
    });
  };

  it("answers the same arguments of the same tenant, and says so", async () => {
    const { call } = counted({ cache: { ttlMs: 1_000 } });
    expect((await call({ q: "a", n: 1 })).telemetry).not.toHaveProperty("cache_hit");
    const hit = await call({ n: 1, q: "a" });
    expect(hit.data).toEqual({ run: 1 });
    expect(hit.telemetry).toMatchObject({ cache_hit: true });
    expect(hit.meta["warnings"]).toEqual(["noted by the handler"]);
    expect((await call({ q: "b", n: 1 })).data).toEqual({ run: 2 });
    expect((await call({ q: "a", n: 1 }, {}, "eve")).data).toEqual({ run: 3 });
  });

  it("serves a stale answer once more, marked, while it is refreshed", async () => {
    const { call, clock } = counted({ cache: { ttlMs: 1_000, staleMs: 5_000 } });
    await call();
    clock.ms += 3_000;
    const stale = await call();
    expect(stale.data).toEqual({ run: 1 });
    expect(stale.meta["warning_details"]).toContainEqual({
      code: "STALE_CACHE",
      severity: "warning",
      message: "Cache data is 3 seconds old",
      context: { cache_age_seconds: 3, max_freshness_seconds: 1 },
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await call()).data).toEqual({ run: 2 });
  });

  it("keeps no failures", async () => {
    let runs = 0;
    const { call } = setUp({ cache: { ttlMs: 1_000 } }, () => {
      if (++runs === 1) throw faults.unavailable();
      return { run: runs };
    });
    expect((await call()).code).toBe("UNAVAILABLE");
    expect((await call()).data).toEqual({ run: 2 });
  });

  it("tells the pages that _waybill asks for apart", async () => {
    let runs = 0;
    const { call } = setUp({ cache: { ttlMs: 1_000 }, waybillArgument: true }, () => ({ run: ++runs }));
    expect((await call({ q: "a" })).data).toEqual({ run: 1 });
    expect((await call({ q: "a", _waybill: { cursor: "c2" } })).data).toEqual({ run: 2 });
    expect((await call({ q: "a", _waybill: { fields: ["run"] } })).data).toEqual({ run: 1 });
  });
});

describe("an idempotency key", () => {
  it("runs the tool once, and gives the stored answer again", async () => {
    let runs = 0;
    const { call, clock } = setUp({}, () => ({ run: ++runs }), { idempotencyMs: 60_000 });
    expect((await call({ a: 1 }, { [KEY]: "k" })).telemetry).not.toHaveProperty("idempotent_replay");
    const again = await call({ a: 1 }, { [KEY]: "k" });
    expect(again.data).toEqual({ run: 1 });
    expect(again.telemetry).toMatchObject({ idempotent_replay: true });
    expect((await call({ a: 1 }, { [KEY]: "k" }, "eve")).data).toEqual({ run: 2 });
    clock.ms += 60_000;
    expect((await call({ a: 1 }, { [KEY]: "k" })).data).toEqual({ run: 3 });
  });

  it("is refused for another call", async () => {
    const { call } = setUp({}, () => ({}));
    await call({ a: 1 }, { [KEY]: "k" });
    const { data } = await call({ a: 2 }, { [KEY]: "k" });
    expect(data).toMatchObject({ error_code: "CONFLICT", details: { reason: "IDEMPOTENCY" } });
  });

  it("is joined by the same call while it runs", async () => {
    let runs = 0;
    const { call } = setUp({}, async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return { run: ++runs };
    });
    const both = await Promise.all([call({}, { [KEY]: "k" }), call({}, { [KEY]: "k" })]);
    expect(both.map(({ data }) => data)).toEqual([{ run: 1 }, { run: 1 }]);
  });

  it("remembers a refusal, but not trouble of the server's own", async () => {
    const errors = [faults.notFound("task", "x"), faults.internal()];
    const { call } = setUp({}, (args) => {
      const error = errors[Number((args as JsonObject)["which"])];
      errors[Number((args as JsonObject)["which"])] = faults.conflict("changed");
      throw error;
    });
    expect((await call({ which: 0 }, { [KEY]: "a" })).code).toBe("NOT_FOUND");
    expect((await call({ which: 0 }, { [KEY]: "a" })).code).toBe("NOT_FOUND");
    expect((await call({ which: 1 }, { [KEY]: "b" })).code).toBe("INTERNAL_ERROR");
    expect((await call({ which: 1 }, { [KEY]: "b" })).code).toBe("CONFLICT");
  });

  it.each(["", "x".repeat(513), [1]])("is refused when it cannot be kept: %j", async (key) => {
    const { call } = setUp({}, () => ({}));
    expect((await call({}, { [KEY]: key })).code).toBe("VALIDATION_ERROR");
  });
});

describe("a gate", () => {
  it("refuses a lower tier with UPGRADE_REQUIRED and a hint", async () => {
    const tiers = defineTiers({ of: ({ auth }: { auth?: { subject?: string } }) => auth?.subject });
    const { call } = setUp({ tier: "pro" }, () => ({ fine: true }), { tiers: tiers });
    const { data } = await call({}, {}, "community");
    expect(data).toMatchObject({
      error_code: "UPGRADE_REQUIRED",
      error_type: "feature_flag",
      upgrade_hints: [{ feature: "t", tier: "pro" }],
    });
    expect((await call({}, {}, "enterprise")).data).toEqual({ fine: true });
  });

  it("stays shut where the contract knows no tiers or no flags", async () => {
    expect((await setUp({ tier: "pro" }, () => ({})).call()).code).toBe("UPGRADE_REQUIRED");
    expect((await setUp({ flag: "beta" }, () => ({})).call()).code).toBe("FEATURE_DISABLED");
  });

  it("refuses a flag that is off with FEATURE_DISABLED", async () => {
    const flags = defineFlags({ beta: { state: "beta", default: false } });
    const { call } = setUp({ flag: "beta" }, () => ({}), { flags });
    expect((await call()).data).toMatchObject({
      error_code: "FEATURE_DISABLED",
      error_type: "feature_flag",
      feature: "beta",
      details: { reason: "default" },
    });
    expect(
      (await setUp({ flag: "beta" }, () => ({}), { flags: flags.withOverride("beta", true) }).call()).code,
    ).toBeUndefined();
  });

  it("does not spend the quota of those it refuses", async () => {
    const flags = defineFlags({ beta: { state: "beta", default: false } });
    const { call } = setUp({ flag: "beta", rateLimit: { limit: 1, periodSeconds: 60 } }, () => ({}), {
      flags,
    });
    await call();
    expect((await call()).code).toBe("FEATURE_DISABLED");
  });
});

describe("a rate limit", () => {
  it("takes a call's cost of the tool's quota, client by client", async () => {
    const { call } = setUp({ rateLimit: { limit: 4, periodSeconds: 60 }, cost: 2 }, () => ({}));
    await call({}, {}, "ada");
    expect((await call({}, {}, "ada")).meta["warnings"]).toEqual(["0 of 4 calls are left until the limit"]);
    const { data, meta } = await call({}, {}, "ada");
    expect(data).toMatchObject({ error_code: "RATE_LIMIT_EXCEEDED", error_type: "rate_limit" });
    expect(Number(data["retry_after_seconds"])).toBeGreaterThan(0);
    expect(meta["rate_limit"]).toMatchObject({ limit: 4, remaining: 0 });
    expect((await call({}, {}, "eve")).code).toBeUndefined();
  });
});
