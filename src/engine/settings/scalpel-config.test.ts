import { describe, expect, it } from "vitest";
import { profiles } from "../../core/contract/profile.ts";
import { refusalOf } from "./refusal-of.fixture.ts";
import { resolveConfig } from "./resolve-config.ts";

const load = (config: unknown) =>
  resolveConfig({
    scalpel: { file: "r.json", text: typeof config === "string" ? config : JSON.stringify(config) },
  });

const problemOf = (config: unknown) => refusalOf(() => load(config)).message;

const seedExample = `{
  "global": {
    "profile": "minimal"  // or "standard", "debug"
  },
  "tool_overrides": {
    "analyze_code": {
      "include_only": ["functions", "classes", "complexity"]
    }
  }
}`;

describe("readScalpelConfig", () => {
  // shows 002.17
  it("reads the example of seed 002 as it is printed there", () => {
    const { settings, notices, origins } = load(seedExample);
    expect(settings.profile).toBe("minimal");
    expect(settings.tools["analyze_code"]?.includeOnly).toEqual(["functions", "classes", "complexity"]);
    expect(notices).toEqual([]);
    expect(origins["profile"]).toEqual({ source: "scalpel-file", where: "r.json:3", value: "minimal" });
    expect(origins["tools.analyze_code.include_only"]?.where).toBe("r.json:7");
  });

  it("changes the dialect only for who follows it, and proposes it to everybody else", () => {
    const { settings, proposal } = load(seedExample);
    expect(settings.dialect).toBe("response-v2");
    expect(proposal).toBe(
      'r.json: its settings are used, and serve() follows it into the scalpel dialect, but the gateway, attachContract and createContract do not: for those, write "dialect": "scalpel" into waybill.config.json, or set WAYBILL_DIALECT=scalpel.',
    );
    const scalpel = { file: "r.json", text: seedExample };
    // Beside a file of Waybill's own, serve() does not follow it either.
    expect(resolveConfig({ scalpel, waybill: { file: "w.json", text: "{}" } }).proposal).toBe(
      'r.json: its settings are used, but results are not written in the scalpel dialect. For that, write "dialect": "scalpel" into waybill.config.json, or set WAYBILL_DIALECT=scalpel.',
    );
    const followed = resolveConfig({ scalpel, followScalpel: true });
    expect(followed.settings).toMatchObject({ dialect: "scalpel", profile: "minimal" });
    expect(followed.origins["dialect"]).toEqual({
      source: "scalpel-file",
      where: "r.json",
      value: "scalpel",
    });
    expect(followed.notices).toEqual([
      "r.json: results are written in the scalpel dialect, because this file is here and nothing chooses a dialect. To choose another, give serve() a dialect, or write one into waybill.config.json.",
    ]);
    expect(followed.proposal).toBeUndefined();
  });

  it.each([
    ["a waybill.config.json", { waybill: { file: "w.json", text: "{}" } }, "response-v2", true],
    ["a dialect in it", { waybill: { file: "w.json", text: '{"dialect":"drf"}' } }, "drf", false],
    ["a dialect in the environment", { environment: { WAYBILL_DIALECT: "plain" } }, "plain", false],
    ["a dialect on the command line", { commandLine: { dialect: "drf" as const } }, "drf", false],
  ])("is not followed beside %s", (_, sources, dialect, isProposed) => {
    const scalpel = { file: "r.json", text: seedExample };
    const loaded = resolveConfig({ scalpel, followScalpel: true, ...sources });
    expect(loaded.settings.dialect).toBe(dialect);
    expect(loaded.proposal !== undefined).toBe(isProposed);
  });

  it("keeps empties unless the file says otherwise", () => {
    expect(load({ global: { profile: "minimal" } }).settings).toMatchObject({
      excludeEmptyArrays: false,
      excludeEmptyObjects: false,
      excludeNullValues: false,
    });
    const global = { exclude_empty_arrays: true, exclude_empty_objects: true, exclude_null_values: true };
    expect(load({ global }).settings).toMatchObject({
      excludeEmptyArrays: true,
      excludeEmptyObjects: true,
      excludeNullValues: true,
    });
  });

  it("takes exclude_default_values with a notice", () => {
    const { notices } = load('{\n"global": {\n"exclude_default_values": true}}');
    expect(notices).toEqual(["r.json: without effect here: global.exclude_default_values."]);
  });

  // shows 002.34
  it("reads every key of a tool", () => {
    const tool = {
      profile: "debug",
      exclude_fields: ["a"],
      include_only: ["b"],
      include_on_error: ["c"],
      exclude_when_tier: { community: ["d"], pro: ["e"], enterprise: [] },
    };
    expect(load({ tool_overrides: { scan: tool, bare: {} } }).settings.tools).toEqual({
      scan: {
        profile: "debug",
        exclude: ["a"],
        includeOnly: ["b"],
        includeOnError: ["c"],
        excludeWhenTier: { community: ["d"], pro: ["e"], enterprise: [] },
        budget: {},
      },
      bare: { exclude: [], includeOnly: [], includeOnError: [], excludeWhenTier: {}, budget: {} },
    });
  });

  it("builds a profile with an envelope list on minimal, listed notes always shown", () => {
    const include = [
      "tier",
      "tool_version",
      "tool_id",
      "request_id",
      "capabilities",
      "duration_ms",
      "error",
      "upgrade_hints",
    ];
    const { profiles: known } = load({
      profiles: {
        verbose: { envelope: { include }, common_exclusions: ["server_version"] },
        standard: { envelope: { include: ["error"] } },
        debug: { envelope: { include } },
        minimal: { envelope: { include: [] }, common_exclusions: ["x"] },
      },
    }).settings;
    const all = {
      ...profiles.minimal.show,
      tier: "always",
      toolVersion: "always",
      toolId: "always",
      requestId: "always",
      capabilities: "always",
      telemetry: "always",
    };
    expect(known["verbose"]).toEqual({
      name: "verbose",
      show: all,
      fillNulls: false,
      excludeFields: ["server_version"],
    });
    expect(known["standard"]).toEqual({ ...profiles.minimal, name: "standard" });
    // The list has no name for warnings, so it says nothing about them.
    expect(known["debug"]).toEqual(profiles.debug);
    expect(known["minimal"]).toEqual({ ...profiles.minimal, excludeFields: ["x"] });
  });

  it("leaves the notes of a profile without an envelope list as they are", () => {
    const { profiles: known } = load({
      profiles: { debug: { common_exclusions: ["x"] }, mine: {} },
    }).settings;
    expect(known["debug"]).toEqual({ ...profiles.debug, excludeFields: ["x"] });
    expect(known["mine"]).toEqual({ ...profiles.minimal, name: "mine" });
  });

  it("builds on the built-in minimal even when the file changes minimal", () => {
    const config = {
      profiles: {
        minimal: { envelope: { include: ["tier"] } },
        mine: { envelope: { include: ["tool_id"] } },
      },
    };
    expect(load(config).settings.profiles["mine"]?.show).toEqual({
      ...profiles.minimal.show,
      toolId: "always",
    });
  });

  it("passes remarks and inert keys with a notice", () => {
    const { notices, settings } = load({
      $schema: "./response_config.schema.json",
      version: "1.0",
      description: "d",
      _comment: "c",
      author: "me",
      parsing: { mode: { any: [1] } },
      global: { _comment: "c", profile: "strict" },
      profiles: {
        _comment: "c",
        strict: { description: "d", parsing: { x: 1 }, envelope: { note: "n", include: [] } },
      },
      tool_overrides: { _comment: "c", scan: { why: "w", exclude_when_tier: { _comment: "c" } } },
    });
    expect(settings.profile).toBe("strict");
    expect(settings.tools["scan"]).toMatchObject({ exclude: [], excludeWhenTier: {} });
    expect(notices).toEqual([
      "r.json: without effect here: _comment, author, global._comment, profiles._comment, profiles.strict.envelope.note, tool_overrides._comment, tool_overrides.scan.why, tool_overrides.scan.exclude_when_tier._comment and 6 more.",
    ]);
  });

  it.each([
    [{ globals: {} }, 'r.json:1: "globals" is not known here and is ignored. Did you mean "global"?'],
    [{ dialect: {} }, 'r.json:1: "dialect" is not known here and is ignored.'],
    [
      { global: { include_tool_id: true } },
      'r.json:1: "global.include_tool_id" is not known here and is ignored.',
    ],
    [{ global: { profle: "debug" } }, 'Did you mean "profile"?'],
    [{ tool_overrides: { scan: { exclude_field: ["x"] } } }, 'Did you mean "exclude_fields"?'],
    [{ tool_overrides: { scan: { zebra: 1 } } }, '"tool_overrides.scan.zebra" is not known here'],
    [{ tool_overrides: { scan: 7 } }, '"tool_overrides.scan" is not known here'],
    [
      { profiles: { p: { envelope: { include: ["toolid", "error"] } } } },
      '"profiles.p.envelope.include.toolid" is not known here and is ignored. Did you mean "tool_id"?',
    ],
  ])("takes %j with a notice", (config, notice) => {
    expect(load(config).notices.join()).toContain(notice);
  });

  it("says no more than twenty lines about unknown keys", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, {}]));
    expect(load(many).notices).toHaveLength(20);
  });

  it("knows the profile verbose without a definition, and takes the file's where there is one", () => {
    const builtIn = load({ global: { profile: "verbose" } }).settings;
    expect(builtIn.profile).toBe("verbose");
    expect(builtIn.profiles["verbose"]).toEqual({
      name: "verbose",
      show: { ...profiles.minimal.show, telemetry: "always" },
      fillNulls: false,
      excludeFields: ["server_version"],
    });
    const ofTool = load({ tool_overrides: { scan: { profile: "verbose" } } }).settings;
    expect(ofTool.profiles["verbose"]).toEqual(builtIn.profiles["verbose"]);
    const own = load({ global: { profile: "verbose" }, profiles: { verbose: { common_exclusions: ["x"] } } });
    expect(own.settings.profiles["verbose"]).toEqual({
      ...profiles.minimal,
      name: "verbose",
      excludeFields: ["x"],
    });
  });

  it.each([
    [
      { global: { profile: "terse" } },
      'r.json:1:22: Unknown profile "terse". Choose one of minimal, standard, debug.',
    ],
    [
      { tool_overrides: { scan: { include_only: "x" } } },
      '"tool_overrides.scan.include_only" is "x". Write a list',
    ],
    ["{", 'r.json:1:2: A closing "}" is missing.'],
  ])("refuses %j", (config, message) => {
    expect(problemOf(config)).toContain(message);
  });
});
