import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ToolFault, errorResponse } from "../../src/core/contract/tool-fault.ts";
import { successResponse } from "../../src/core/contract/success-responses.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { type ContractOptions, type ToolContext, defineTool } from "../../src/doors/server/index.ts";
import { runTool } from "../../src/doors/testing/run-tool.ts";

const quota = { limit: 100, remaining: 95, reset_at: "2025-12-04T12:00:00Z" };
const telemetry = { duration_ms: 45, cache_hit: true };
const detail = { code: "FALLBACK_USED", severity: "info", message: "A copy answered", context: { age: 3 } };

type Handler = (ctx: ToolContext) => unknown;

async function metaOf(handler: Handler, contract: ContractOptions = {}) {
  const tool = defineTool("t", { description: "Answers.", inputSchema: z.object({}) }, (_args, ctx) =>
    handler(ctx),
  );
  const { envelope, result } = await runTool(tool, {}, { contract });
  return { meta: (envelope as { meta: JsonObject }).meta, envelope, result };
}

const said: Readonly<Record<string, Handler>> = {
  successResponse: () =>
    successResponse(
      { a: 1 },
      { telemetry, rateLimit: quota, warningDetails: [{ ...detail, severity: "info" }] },
    ),
  errorResponse: () =>
    errorResponse("No", { telemetry, rateLimit: quota, warningDetails: [{ ...detail, severity: "info" }] }),
  "a thrown fault": () => {
    throw new ToolFault("No", {
      telemetry,
      rateLimit: quota,
      warningDetails: [{ ...detail, severity: "info" }],
    });
  },
  "ctx.partial": (ctx) =>
    ctx.partial([{ id: "a" }], {
      telemetry,
      rateLimit: quota,
      warningDetails: [{ ...detail, severity: "info" }],
    }),
};

describe.each(["response-v2", "response-v2-draft"] as const)("in %s", (dialect) => {
  describe.each(["minimal", "standard", "debug"] as const)("under %s", (profile) => {
    // shows 001.6, 001.7
    it.each(Object.entries(said))("what a tool says with %s is sent", async (_name, handler) => {
      const { meta } = await metaOf(handler, { dialect, profile });
      expect(meta).toMatchObject({ telemetry, rate_limit: quota, warning_details: [detail] });
      expect(meta["warnings"]).toEqual([detail.message]);
    });

    // shows 001.7
    it("what a tool says with its context is sent", async () => {
      const { meta } = await metaOf(
        (ctx) => {
          ctx.telemetry({ rows: 3, duration_ms: 7 });
          ctx.cached({ ageSeconds: 7200, maxFreshnessSeconds: 3600 });
          ctx.warn({ code: "OWN_NOTE", severity: "info", message: "Look here" });
        },
        { dialect, profile },
      );
      expect(meta["telemetry"]).toMatchObject({ rows: 3, duration_ms: 7, cache_hit: true });
      expect(meta["warning_details"]).toMatchObject([{ code: "STALE_CACHE" }, { code: "OWN_NOTE" }]);
    });
  });

  it("a profile hides what Waybill adds: the time it measured, the quota it keeps", async () => {
    const limited = { dialect, rateLimit: { limit: 100, periodSeconds: 60 } } as const;
    const { meta, result } = await metaOf((ctx) => ctx.telemetry({ rows: 3 }), limited);
    expect(meta["telemetry"]).toEqual({ rows: 3 });
    expect(meta).not.toHaveProperty("rate_limit");
    expect(result["_meta"]).toMatchObject({
      "waybill/notes": {
        telemetry: { rows: 3, duration_ms: expect.any(Number) },
        rate_limit: { limit: 100 },
      },
    });
    expect((await metaOf(() => ({ a: 1 }), limited)).meta).toEqual({
      version: "response-v2",
      request_id: expect.any(String),
    });
  });
});

it("scalpel's minimal stays as its document prints it", async () => {
  const { envelope } = await metaOf(
    (ctx) => {
      ctx.telemetry({ rows: 3 });
      return successResponse({ a: 1 }, { telemetry, rateLimit: quota });
    },
    { dialect: "scalpel" },
  );
  expect(envelope).toEqual({ data: { a: 1 } });
});

it("a secret in a tool's own warning is masked, and the warning stays its own", async () => {
  const { meta } = await metaOf(
    () => {
      throw new ToolFault("No", {
        warningDetails: [
          { code: "OWN_NOTE", severity: "info", message: "Used ghp_16C7e42F292c6912E7710c838347Ae178B4a" },
        ],
      });
    },
    { profile: "minimal" },
  );
  expect(meta["warning_details"]).toMatchObject([{ code: "OWN_NOTE", severity: "info" }]);
  expect(JSON.stringify(meta)).not.toContain("ghp_16C7");
});

it("what changes from call to call never moves a cut", async () => {
  const items = Array.from({ length: 400 }, (_, at) => ({ id: `item-${at}`, text: "some words of an item" }));
  const kept = async (duration_ms: number, remaining: number): Promise<number> => {
    const { envelope } = await metaOf(
      () => successResponse({ items }, { telemetry: { duration_ms }, rateLimit: { ...quota, remaining } }),
      { budget: { tokens: 1_000 } },
    );
    return (envelope as { data: { items: unknown[] } }).data.items.length;
  };
  expect(new Set([await kept(1, 99), await kept(123_456.78, 9), await kept(45, 50)]).size).toBe(1);
});
