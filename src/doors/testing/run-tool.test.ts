import { describe, expect, it } from "vitest";
import * as z from "zod";
import { faults } from "../../core/contract/faults.ts";
import { createContract } from "../server/create-contract.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import { runTool } from "./run-tool.ts";

const specGet = defineTool(
  "spec_get",
  { description: "One spec", inputSchema: z.object({ spec_id: z.string() }) },
  ({ spec_id }, ctx) => {
    if (spec_id === "login") throw faults.notFound("spec", spec_id);
    ctx.warn("The index is being rebuilt");
    return { spec_id, tier: ctx.tier ?? null, who: ctx.auth?.subject ?? null };
  },
);

describe("runTool", () => {
  it("refuses options it does not know", async () => {
    const tool = defineTool("t", { description: "T" }, () => ({}));
    const wrong = runTool(tool, {}, { contarct: {} } as never);
    await expect(wrong).rejects.toThrow('runTool: "contarct" is not a known key. Did you mean "contract"?');
    const none = runTool(undefined as never);
    await expect(none).rejects.toThrow("runTool: The tool is undefined. Give a tool made by defineTool().");
  });

  it("gives the result, the envelope in it, and what it says", async () => {
    const { result, envelope, outcome } = await runTool(specGet, { spec_id: "search" });
    expect(outcome).toMatchObject({ ok: true, data: { spec_id: "search" } });
    expect(envelope).toMatchObject({ success: true, meta: { warnings: ["The index is being rebuilt"] } });
    expect(result["structuredContent"]).toEqual(envelope);
  });

  it("gives a failure as an outcome; it does not throw", async () => {
    const { outcome } = await runTool(specGet, { spec_id: "login" });
    expect(outcome).toMatchObject({
      ok: false,
      fault: { code: "NOT_FOUND", message: "Spec not found: login" },
    });
    const refused = await runTool(specGet);
    expect(refused.outcome).toMatchObject({ ok: false, fault: { code: "MISSING_REQUIRED" } });
  });

  it.each(["scalpel", "response-v2-draft", "response-v1", "drf", "plain"] as const)(
    "says the same in %s",
    async (dialect) => {
      const { outcome } = await runTool(specGet, { spec_id: "search" }, { contract: { dialect } });
      expect(outcome).toMatchObject({ ok: true, data: { spec_id: "search" } });
    },
  );

  it("keeps limits and caches from call to call with a contract, and not with options", async () => {
    const rule = { rateLimit: { limit: 1, periodSeconds: 60 } };
    const contract = createContract({ logLevel: "silent", ...rule });
    await runTool(specGet, { spec_id: "a" }, { contract });
    const refused = await runTool(specGet, { spec_id: "a" }, { contract });
    expect(refused.outcome).toMatchObject({ ok: false, fault: { code: "RATE_LIMIT_EXCEEDED" } });
    await runTool(specGet, { spec_id: "a" }, { contract: rule });
    expect((await runTool(specGet, { spec_id: "a" }, { contract: rule })).outcome.ok).toBe(true);
  });

  it("plays the caller: who it is, its _meta, its signal", async () => {
    const options = { auth: { subject: "ada" }, meta: { "waybill/request_id": "mine-1" } };
    const { outcome } = await runTool(specGet, { spec_id: "a" }, options);
    expect(outcome).toMatchObject({ data: { who: "ada" }, notes: { requestId: "mine-1" } });
    const gone = await runTool(specGet, { spec_id: "a" }, { signal: AbortSignal.abort() });
    expect(gone.outcome).toMatchObject({ ok: false, fault: { code: "UNAVAILABLE" } });
  });

  // shows 000.26, 003.30
  it("checks every result against the contract", async () => {
    const broken = defineTool("t", { description: "t" }, (_, ctx) => {
      ctx.warn({ message: "careful", severity: "loud" as never });
    });
    await expect(runTool(broken)).rejects.toMatchObject({ code: "INVALID_ENVELOPE" });
  });
});
