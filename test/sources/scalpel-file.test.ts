import { describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import { resolveConfig } from "../../src/engine/settings/resolve-config.ts";
import { createTempFolder } from "../../src/engine/settings/temp-folder.fixture.ts";
import { followConfig, watchConfig } from "../../src/engine/settings/index.ts";
import { defineTiers } from "../../src/index.ts";
import { createContract, defineTool } from "../../src/doors/server/index.ts";
import { runTool } from "../../src/doors/testing/index.ts";

const analyze = defineTool("analyze_code", { description: "Analyses a file", dialect: "scalpel" }, () => ({
  functions: [{ name: "main" }],
  classes: [],
  complexity: 3,
  comments: ["a remark"],
}));
const kept = { functions: [{ name: "main" }], classes: [], complexity: 3 };
const scalpelFile = "repo/.code-scalpel/response_config.json";
const override = { analyze_code: { include_only: ["functions", "classes", "complexity"] } };

describe(".code-scalpel/response_config.json", () => {
  // shows 002.1
  it("a server that follows its configuration obeys the file and its edits", async () => {
    const folder = createTempFolder();
    folder.write(scalpelFile, { global: { profile: "minimal" }, tool_overrides: override });
    const config = followConfig({ cwd: folder.cwd, home: folder.home, environment: {} });
    onTestFinished(() => config.close());
    const contract = createContract({ config, logLevel: "silent" });
    expect((await runTool(analyze, {}, { contract })).envelope).toEqual({ data: kept });
    folder.write(scalpelFile, { global: { profile: "debug" }, tool_overrides: override });
    await vi.waitFor(
      async () => {
        const { envelope } = await runTool(analyze, {}, { contract });
        expect(envelope).toMatchObject({ tool_id: "analyze_code", error: null, data: kept });
      },
      { timeout: 120_000, interval: 20 },
    );
  });

  // shows 002.35
  it("a broken edit of the scalpel file keeps the last good one", async () => {
    const folder = createTempFolder();
    folder.write(scalpelFile, { global: { profile: "minimal" }, tool_overrides: override });
    const watch = await watchConfig({ cwd: folder.cwd, home: folder.home, environment: {} });
    onTestFinished(() => watch.close());
    const problems: string[] = [];
    watch.onProblem(({ message }) => problems.push(message));
    folder.write(scalpelFile, '{ "global": { "profile": ');
    await vi.waitFor(() => expect(problems).toHaveLength(1), { timeout: 120_000, interval: 20 });
    expect(problems[0]).toContain("response_config.json");
    const { envelope } = await runTool(analyze, {}, { contract: { config: watch.current.settings } });
    expect(envelope).toEqual({ data: kept });
  });

  // shows 002.16
  it.each([
    ["minimal", ["data"]],
    ["standard", ["request_id", "data"]],
    [
      "debug",
      [
        "tier",
        "tool_version",
        "tool_id",
        "request_id",
        "capabilities",
        "duration_ms",
        "error",
        "upgrade_hints",
        "data",
      ],
    ],
  ])("global.profile chooses %s", async (profile, keys) => {
    const text = JSON.stringify({ global: { profile } });
    const { settings } = resolveConfig({ scalpel: { file: "response_config.json", text }, environment: {} });
    const { envelope } = await runTool(analyze, {}, { contract: { config: settings } });
    expect(Object.keys(envelope as object)).toEqual(keys);
  });
});

describe("a scalpel answer", () => {
  // shows 002.13, 002.14
  it("error and upgrade_hints are there only when there is one", async () => {
    const tiers = defineTiers();
    const gated = defineTool("deep", { description: "Deep", dialect: "scalpel", tier: "pro" }, () => ({}));
    const refused = await runTool(gated, {}, { contract: { tiers } });
    expect(refused.envelope).toMatchObject({
      error: { error_code: "upgrade_required" },
      upgrade_hints: [{ feature: "deep", tier: "pro" }],
    });
    const { envelope } = await runTool(analyze, {}, { contract: { tiers } });
    expect(Object.keys(envelope as object)).toEqual(["data"]);
  });

  // shows 002.23
  it.each(["minimal", "standard", "debug"])(
    "an error has nothing of the code, in profile %s",
    async (profile) => {
      const inputSchema = z.object({
        code: z.string().max(3).optional(),
        mode: z.enum(["deep"]).optional(),
        lines: z.array(z.string().regex(/^$/)).optional(),
        fails: z.string().optional(),
      });
      const scan = defineTool(
        "scan",
        { description: "Scans", dialect: "scalpel", inputSchema },
        ({ fails }) => {
          throw new SyntaxError(`invalid syntax: ${fails}`);
        },
      );
      const { settings } = resolveConfig({ environment: { WAYBILL_PROFILE: profile } });
      const code = "key=open()";
      const rejected = [{ code }, { mode: code }, { lines: [code] }, { fails: code }];
      for (const args of rejected) {
        const { result } = await runTool(scan, args, { contract: { config: settings } });
        expect(result["isError"]).toBe(true);
        expect(JSON.stringify(result)).not.toContain("open()");
      }
    },
  );

  // shows 002.15
  it.each(["minimal", "standard", "debug"])(
    "data is there in every success, in profile %s",
    async (profile) => {
      const { settings } = resolveConfig({ environment: { WAYBILL_PROFILE: profile } });
      const empty = defineTool("empty", { description: "Finds", dialect: "scalpel" }, () => undefined);
      const found = await runTool(analyze, {}, { contract: { config: settings } });
      const nothing = await runTool(empty, {}, { contract: { config: settings } });
      expect(found.envelope).toMatchObject({ data: kept });
      expect(Object.keys(nothing.envelope as object)).toContain("data");
    },
  );

  // shows 002.36
  it("no file hides an error or a hint", async () => {
    const text = JSON.stringify({
      profiles: { bare: { envelope: { include: [] } } },
      global: { profile: "bare" },
    });
    const { settings } = resolveConfig({ scalpel: { file: "response_config.json", text }, environment: {} });
    const gated = defineTool("deep", { description: "Deep", dialect: "scalpel", tier: "pro" }, () => ({}));
    const { envelope } = await runTool(gated, {}, { contract: { config: settings, tiers: defineTiers() } });
    expect(envelope).toMatchObject({
      error: { error_code: "upgrade_required" },
      upgrade_hints: [{ tier: "pro" }],
    });
    expect((await runTool(analyze, {}, { contract: { config: settings } })).envelope).not.toHaveProperty(
      "tool_id",
    );
  });
});
