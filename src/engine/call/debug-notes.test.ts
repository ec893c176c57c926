import { describe, expect, it } from "vitest";
import * as z from "zod";
import { faults } from "../../core/contract/faults.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { createContract } from "../../doors/server/create-contract.ts";
import { runTool } from "../../doors/testing/run-tool.ts";
import type { ContractOptions } from "../settings/contract-options.ts";
import { defineTool } from "../settings/tool-definition.ts";

const tool = defineTool(
  "t",
  { description: "t", inputSchema: z.object({ fails: z.string().optional() }) },
  ({ fails }) => {
    if (fails === "thrown") throw faults.notFound("task", "task-9");
    if (fails === "unforeseen") throw new Error("x");
    return fails === undefined ? { n: 1 } : { isError: true, content: [{ type: "text", text: "no" }] };
  },
);

async function metaOf(args: JsonObject, contract: ContractOptions = {}): Promise<JsonObject> {
  const options = { profile: "debug", logLevel: "silent", validate: "always", ...contract } as const;
  const { envelope } = await runTool(tool, args, { contract: options });
  const meta = isJsonObject(envelope) ? envelope["meta"] : undefined;
  return isJsonObject(meta) ? meta : {};
}

describe("capabilities in the debug profile", () => {
  it("name what the call offers besides its answer", async () => {
    expect((await metaOf({}))["capabilities"]).toEqual(["retrieve", "idempotency-key"]);
    expect((await metaOf({}, { waybillArgument: true }))["capabilities"]).toContain("waybill-argument");
    const allow = { dialects: ["scalpel"] } as const;
    expect((await metaOf({}, { allow }))["capabilities"]).toContain("dialect-choice");
  });

  it("do not name what is turned off", async () => {
    expect((await metaOf({}, { store: false }))["capabilities"]).not.toContain("retrieve");
  });

  it("are on a failure too", async () => {
    expect((await metaOf({ fails: "thrown" }))["capabilities"]).toContain("retrieve");
  });
});

describe("provenance in the debug profile", () => {
  it.each([
    ["handler", "a fault that the handler threw", { fails: "thrown" }],
    ["handler", "an unforeseen error", { fails: "unforeseen" }],
    ["upstream", "a ready-made error result", { fails: "ready-made" }],
    ["contract", "arguments that the schema refuses", { fails: 7 }],
  ])("is %s for %s", async (provenance, _, args) => {
    expect((await metaOf(args))["provenance"]).toBe(provenance);
  });

  it("is left out of a success", async () => {
    expect(await metaOf({})).not.toHaveProperty("provenance");
  });

  it("is contract again when a repeated idempotency key gets the same refusal", async () => {
    const meta = { "waybill/idempotency_key": "k-1" };
    const contract = createContract({ profile: "debug", logLevel: "silent" });
    await runTool(tool, { fails: 7 }, { contract, meta });
    const { envelope } = await runTool(tool, { fails: 7 }, { contract, meta });
    expect(envelope).toMatchObject({
      meta: { provenance: "contract", telemetry: { idempotent_replay: true } },
    });
  });
});

describe("other profiles and dialects", () => {
  it.each(["minimal", "standard"])("%s shows neither", async (profile) => {
    const meta = await metaOf({ fails: "thrown" }, { profile });
    expect(meta).not.toHaveProperty("capabilities");
    expect(meta).not.toHaveProperty("provenance");
  });

  it("scalpel sends what its source document shows: its envelope alone, and nothing of a handler that failed", async () => {
    const options = { dialect: "scalpel", profile: "debug", logLevel: "silent" } as const;
    const { result } = await runTool(tool, { fails: "thrown" }, { contract: options });
    const root = result["structuredContent"] as JsonObject;
    expect(root["capabilities"]).toEqual(["envelope-v1"]);
    expect(root).not.toHaveProperty("meta");
  });
});
