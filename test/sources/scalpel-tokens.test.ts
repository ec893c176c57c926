import { describe, expect, it } from "vitest";
import { resolveConfig } from "../../src/engine/settings/resolve-config.ts";
import { defineTiers } from "../../src/index.ts";
import { createContract, defineTool, loadCounter } from "../../src/doors/server/index.ts";
import { runTool } from "../../src/doors/testing/index.ts";
import { contentOf } from "../journeys/clients/seed-examples.ts";

const scan = defineTool(
  "security_scan",
  { description: "Scans", dialect: "scalpel", version: "3.3.0" },
  () => ({
    risk_level: "high",
    vulnerabilities: [],
  }),
);

/** The result of the document's example as it goes over the wire, with the example's id and duration. */
async function resultIn(profile: string): Promise<string> {
  const { settings } = resolveConfig({ environment: { WAYBILL_PROFILE: profile } });
  const tiers = defineTiers({ of: () => "pro" });
  const contract = createContract({ config: settings, tiers, logLevel: "silent" });
  const meta = profile === "debug" ? { "waybill/request_id": "8b3e5f6c0a2f4ed4a3fb9e0b2f8f8d3a" } : {};
  const { result, envelope } = await runTool(scan, {}, { contract, meta });
  const file = profile === "debug" ? "002-L097-success-debug.json" : "002-L086-success-minimal.json";
  const example = contentOf(file) as object;
  expect(envelope).toEqual(profile === "debug" ? { ...example, duration_ms: expect.any(Number) } : example);
  return JSON.stringify(result).replaceAll(/(\\?"duration_ms\\?":)[\d.]+/g, "$127");
}

async function savedBy(encoding: "cl100k_base" | "o200k_base"): Promise<number> {
  const counter = await loadCounter(encoding);
  return counter.count(await resultIn("debug")) - counter.count(await resultIn("minimal"));
}

describe("the token savings of source 002", () => {
  // shows 002.33
  it.each([
    [209, "cl100k_base"],
    [212, "o200k_base"],
  ] as const)("minimal saves %i tokens on the wire, by %s", async (tokens, encoding) => {
    expect(await savedBy(encoding)).toBe(tokens);
  });

  // shows 002.37, 002.38
  it("a thousand results save what the document promises", async () => {
    expect(1_000 * (await savedBy("cl100k_base"))).toBeGreaterThanOrEqual(150_000);
  });

  it("one envelope alone saves 74 tokens", async () => {
    const counter = await loadCounter("cl100k_base");
    const [debug, minimal] = ["002-L097-success-debug.json", "002-L086-success-minimal.json"].map((file) =>
      counter.count(JSON.stringify(contentOf(file))),
    );
    expect((debug ?? 0) - (minimal ?? 0)).toBe(74);
  });
});
