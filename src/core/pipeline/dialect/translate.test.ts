import { describe, expect, it } from "vitest";
import { resolveConfig } from "../../../engine/settings/resolve-config.ts";
import { defineTool } from "../../../engine/settings/tool-definition.ts";
import { runTool } from "../../../doors/testing/run-tool.ts";
import { translate } from "./translate.ts";
import { validateResponse } from "./validate-response.ts";

const page = {
  success: true,
  data: { risk_level: "high" },
  error: null,
  meta: { version: "response-v2", request_id: "req_12345" },
};
const miss = { ...page, success: false, data: { error_code: "NOT_FOUND" }, error: "Gone" };

describe("translate, the request id", () => {
  // shows 002.10
  it.each([
    ["a success", page],
    ["a failure", miss],
  ])("is not in scalpel's minimal form of %s, whose example has none", (_name, json) => {
    expect(translate(json, { to: "scalpel", profile: "minimal" })).not.toHaveProperty("request_id");
  });

  it("is there if a client chose it, and from standard up", () => {
    const minimal = { to: "scalpel", profile: "minimal", requestIdFrom: "client" } as const;
    expect(translate(page, minimal)).toHaveProperty("request_id", "req_12345");
    expect(translate(page, { to: "scalpel", profile: "standard" })).toHaveProperty("request_id", "req_12345");
  });
});

describe("translate without options", () => {
  it.each([undefined, null, "scalpel"])("says what it needs: %j", (options) => {
    const needs = 'translate: give options such as { to: "scalpel" }, and got ';
    expect(() => translate({ a: 1 }, options as never)).toThrow(needs);
  });
});

describe("validateResponse, the tier of scalpel", () => {
  const found = (tier: string, tiers?: readonly string[]) =>
    validateResponse({ tier, data: {} }, { dialect: "scalpel", tiers });

  // shows 002.7
  it("is reported where no dialect knows it, and the response stays valid", () => {
    expect(found("platinum")).toMatchObject({
      valid: true,
      violations: [{ rule: "scalpel/tier-known", path: "/tier", severity: "SHOULD" }],
    });
    for (const tier of ["community", "pro", "enterprise"]) expect(found(tier).violations).toEqual([]);
  });

  it("is known by the order that a server has", () => {
    expect(found("gold", ["free", "gold"]).violations).toEqual([]);
    expect(found("pro", ["free", "gold"]).violations).toHaveLength(1);
  });
});

describe("the debug profile of a scalpel file that lists its keys", () => {
  // shows 002.18
  it("shows the warnings of a call", async () => {
    const file = { profiles: { debug: { envelope: { include: ["tier", "request_id", "duration_ms"] } } } };
    const { settings } = resolveConfig({
      scalpel: { file: "response_config.json", text: JSON.stringify(file) },
      environment: { SCALPEL_MCP_INFO: "DEBUG" },
    });
    const scan = defineTool("scan", { description: "Scans" }, (_args, ctx) => {
      ctx.warn({ code: "FALLBACK_USED", message: "The second parser answered" });
      return { risk_level: "high" };
    });
    const { envelope } = await runTool(scan, {}, { contract: { dialect: "scalpel", config: settings } });
    expect(envelope).toMatchObject({
      data: { risk_level: "high" },
      warnings: ["The second parser answered"],
      meta: { warning_details: [{ code: "FALLBACK_USED" }] },
    });
    expect(envelope).toHaveProperty("capabilities", null);
  });
});
