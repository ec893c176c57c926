import { describe, expect, it } from "vitest";
import { profiles } from "../contract/profile.ts";
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
  it("reads the example of seed 002 as it is printed there", () => {
    const { settings, notices, origins } = load(seedExample);
    expect(settings.profile).toBe("minimal");
    expect(settings.tools["analyze_code"]?.includeOnly).toEqual(["functions", "classes", "complexity"]);
    expect(notices).toEqual([]);
    expect(origins["profile"]).toEqual({ source: "scalpel-file", where: "r.json:3", value: "minimal" });
    expect(origins["tools.analyze_code.include_only"]?.where).toBe("r.json:7");
  });

  it("never changes the dialect", () => {
    expect(load(seedExample).settings.dialect).toBe("response-v2");
    expect(problemOf({ dialect: {} })).toContain('"dialect" is not a known key');
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
    expect(notices).toEqual(['r.json:3: "global.exclude_default_values" is accepted and has no effect.']);
  });

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
      'r.json:1: "_comment" is taken as a remark.',
      'r.json:1: "author" is taken as a remark.',
      'r.json:1: "global._comment" is taken as a remark.',
      'r.json:1: "profiles._comment" is taken as a remark.',
      'r.json:1: "profiles.strict.envelope.note" is taken as a remark.',
      'r.json:1: "tool_overrides._comment" is taken as a remark.',
      'r.json:1: "tool_overrides.scan.why" is taken as a remark.',
      'r.json:1: "tool_overrides.scan.exclude_when_tier._comment" is taken as a remark.',
      'r.json:1: "$schema" is accepted and has no effect.',
      'r.json:1: "version" is accepted and has no effect.',
      'r.json:1: "description" is accepted and has no effect.',
      'r.json:1: "parsing" is accepted and has no effect.',
      'r.json:1: "profiles.strict.description" is accepted and has no effect.',
      'r.json:1: "profiles.strict.parsing" is accepted and has no effect.',
    ]);
  });

  it.each([
    [{ globals: {} }, 'r.json:1:2: "globals" is not a known key. Did you mean "global"?'],
    [{ global: { profle: "debug" } }, '"global.profle" is not a known key. Did you mean "profile"?'],
    [{ tool_overrides: { scan: { exclude_field: ["x"] } } }, 'Did you mean "exclude_fields"?'],
    [
      { tool_overrides: { scan: { zebra: 1 } } },
      '"tool_overrides.scan.zebra" is not a known key. Choose one of profile,',
    ],
    [
      { profiles: { p: { envelope: { include: ["toolid"] } } } },
      '"profiles.p.envelope.include[0]" is "toolid". Did you mean "tool_id"?',
    ],
    [
      { global: { profile: "verbose" } },
      'r.json:1:22: Unknown profile "verbose". Choose one of minimal, standard, debug.',
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
