import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { faults, profiles } from "../../src/index.ts";
import { resolveConfig } from "../../src/engine/settings/resolve-config.ts";
import { settingsForTool } from "../../src/engine/settings/describe-config.ts";
import type { Outcome } from "../../src/core/contract/outcome.ts";
import { dialects } from "../../src/core/pipeline/dialect/dialects.ts";
import { runPipeline } from "../../src/core/pipeline/pipeline.ts";

const seed = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../fixtures/seeds/${file}`, import.meta.url), "utf8"));

const scan = { risk_level: "high", vulnerabilities: [] };
const success: Outcome = {
  ok: true,
  data: scan,
  notes: {
    requestId: "8b3e5f6c0a2f4ed4a3fb9e0b2f8f8d3a",
    toolId: "security_scan",
    toolVersion: "3.3.0",
    tier: "pro",
    telemetry: { duration_ms: 27 },
  },
};
const failure: Outcome = {
  ok: false,
  fault: {
    message: "File not found: /missing.py",
    code: "NOT_FOUND",
    type: "not_found",
    remediation: "Check the path.",
  },
  notes: {
    requestId: "0a46e6c2b6df4e938e8d16ffb567a9b2",
    toolId: "extract_code",
    toolVersion: "3.3.0",
    tier: "community",
    telemetry: { duration_ms: 3 },
  },
};
const say = (outcome: Outcome, profile: "minimal" | "debug"): string =>
  JSON.stringify(dialects.scalpel.render(outcome, { profile: profiles[profile], requestIdFrom: "server" }));

describe("the examples of seed 002", () => {
  it.each([
    ["minimal success", success, "minimal", "002-L086-success-minimal.json"],
    ["debug success", success, "debug", "002-L097-success-debug.json"],
    ["minimal error", failure, "minimal", "002-L116-error-minimal.json"],
    ["debug error", failure, "debug", "002-L127-error-debug.json"],
  ] as const)("are written to the letter: %s", (_, outcome, profile, file) => {
    expect(say(outcome, profile)).toBe(JSON.stringify(seed(file)));
  });

  // shows 002.5
  it("keep the empty list of vulnerabilities in minimal", () => {
    expect(say(success, "minimal")).toBe('{"data":{"risk_level":"high","vulnerabilities":[]}}');
  });
});

describe("the debug switch of seed 002", () => {
  const callWith = async (environment: Record<string, string>) => {
    const { settings } = resolveConfig({ environment });
    const { profile } = settingsForTool({ ...settings, dialect: "scalpel" }, "security_scan");
    const result = await runPipeline(
      { kind: "value", value: scan },
      {
        tool: { id: "security_scan", version: "3.3.0" },
        dialect: "scalpel",
        profile,
        delivery: "mirror",
        requestId: "req_1",
        requestIdFrom: "server",
        tier: "pro",
      },
    );
    return Object.keys(result.structuredContent ?? {});
  };

  // shows 002.18 with SCALPEL_MCP_INFO
  it.each(["SCALPEL_MCP_INFO", "SCALPEL_MCP_OUTPUT"])(
    "%s=DEBUG really changes what is sent",
    async (name) => {
      expect(await callWith({})).toEqual(["data"]);
      expect(await callWith({ [name]: "DEBUG" })).toEqual([
        "tier",
        "tool_version",
        "tool_id",
        "request_id",
        "capabilities",
        "duration_ms",
        "error",
        "upgrade_hints",
        "data",
      ]);
    },
  );
});

describe("an error under a filter", () => {
  it("never loses its message, whatever the tool's configuration drops", async () => {
    const file = {
      global: { profile: "minimal" },
      profiles: { minimal: { common_exclusions: ["error", "success"] } },
      tool_overrides: { extract_code: { include_only: ["functions"] } },
    };
    const { settings } = resolveConfig({
      scalpel: { file: "response_config.json", text: JSON.stringify(file) },
      environment: {},
    });
    const { profile, filter } = settingsForTool(settings, "extract_code");
    const result = await runPipeline(
      { kind: "thrown", error: faults.notFound("file", "/missing.py") },
      {
        tool: { id: "extract_code" },
        dialect: "scalpel",
        profile,
        filter,
        delivery: "text",
        requestId: "req_1",
        requestIdFrom: "server",
      },
    );
    expect(result.content[0]?.["text"]).toContain("File not found: /missing.py");
    expect(result.isError).toBe(true);
  });
});
