import { describe, expect, it } from "vitest";
import { profiles } from "../../core/contract/profile.ts";
import { defaultSettings } from "./settings.ts";
import { refusalOf } from "./refusal-of.fixture.ts";
import { resolveConfig } from "./resolve-config.ts";

const load = (config: unknown, environment = {}) =>
  resolveConfig({
    waybill: { file: "w.json", text: typeof config === "string" ? config : JSON.stringify(config) },
    environment,
  });

const problemOf = (config: unknown) => refusalOf(() => load(config)).message;

describe("resolveConfig", () => {
  it("has these defaults", () => {
    expect(defaultSettings).toMatchObject({
      dialect: "response-v2",
      profile: "standard",
      profileIsDefault: true,
      delivery: "mirror",
      encoding: "json",
      select: false,
      repairArguments: true,
      serverTool: false,
      upstream: { dialect: "auto" },
      budget: { tokens: 8000, bytes: "off" },
      fit: { strategy: "head", maxBlobBytes: 1_048_576, clientLimits: false, withoutEnvelope: "auto" },
      allow: { dialects: [], profiles: ["minimal", "standard"], budgetOff: false },
      profiles,
      tools: {},
      excludeEmptyArrays: false,
      excludeEmptyObjects: false,
      excludeNullValues: false,
      tiers: { order: ["community", "pro", "enterprise"], default: "community" },
      flags: {},
      cursors: { acceptUnsigned: false, expiresInDays: 7 },
      validate: "never",
      pinned: [],
      origins: {},
    });
  });

  it("gives the default settings without any file and environment", () => {
    expect(resolveConfig({}).settings).toEqual(defaultSettings);
  });

  it("takes every key", () => {
    const { origins, ...settings } = load({
      $schema: "./node_modules/waybill/schemas/config.json",
      dialect: "scalpel",
      profile: "terse",
      delivery: "text",
      encoding: "table",
      select: true,
      repair_arguments: false,
      server_tool: true,
      upstream: { dialect: "scalpel" },
      budget: { tokens: "off", bytes: 65536 },
      fit: { strategy: "relevance", max_blob_bytes: "off", client_limits: true, without_envelope: "never" },
      store: "./archive",
      allow: { dialects: ["response-v2"], profiles: ["terse"], max_budget_tokens: 20000, budget_off: true },
      profiles: {
        terse: { extends: "minimal", show: { telemetry: "always" }, fill_nulls: true, exclude_fields: ["x"] },
      },
      tools: {
        scan: {
          dialect: "plain",
          dialects: ["scalpel"],
          profile: "debug",
          include_only: ["a"],
          exclude: ["b"],
          include_on_error: ["c"],
          exclude_when_tier: { community: ["d"] },
          budget: { tokens: 100 },
          encoding: "json",
          select: false,
          repair_arguments: true,
          upstream: { dialect: "drf" },
          strategy: "head",
        },
      },
      exclude_empty_arrays: true,
      exclude_empty_objects: true,
      exclude_null_values: true,
      tiers: { order: ["community", "gold"], default: "gold" },
      flags: {
        beta_search: {
          state: "beta",
          default: true,
          owner: "me",
          expires: "2027-01-31",
          percentage: 5,
          allow: ["a"],
          block: ["b"],
          requires: ["c"],
        },
      },
      cursors: { accept_unsigned: true, expires_in_days: 2 },
      validate: "always",
    }).settings;
    expect(origins?.["tools.scan.dialect"]).toEqual({ source: "file", where: "w.json:1" });
    expect(settings).toMatchObject({
      dialect: "scalpel",
      profile: "terse",
      profileIsDefault: false,
      delivery: "text",
      encoding: "table",
      select: true,
      repairArguments: false,
      serverTool: true,
      upstream: { dialect: "scalpel" },
      budget: { tokens: "off", bytes: 65536 },
      fit: { strategy: "relevance", maxBlobBytes: "off", clientLimits: true, withoutEnvelope: "never" },
      store: { place: "./archive" },
      allow: { dialects: ["response-v2"], profiles: ["terse"], maxBudgetTokens: 20000, budgetOff: true },
      profiles: {
        ...profiles,
        terse: {
          name: "terse",
          show: { ...profiles.minimal.show, telemetry: "always" },
          fillNulls: true,
          excludeFields: ["x"],
        },
      },
      tools: {
        scan: {
          dialect: "plain",
          dialects: ["scalpel"],
          profile: "debug",
          includeOnly: ["a"],
          exclude: ["b"],
          includeOnError: ["c"],
          excludeWhenTier: { community: ["d"] },
          budget: { tokens: 100 },
          encoding: "json",
          select: false,
          repairArguments: true,
          upstream: { dialect: "drf" },
          strategy: "head",
        },
      },
      excludeEmptyArrays: true,
      excludeEmptyObjects: true,
      excludeNullValues: true,
      tiers: { order: ["community", "gold"], default: "gold" },
      flags: {
        beta_search: {
          state: "beta",
          default: true,
          owner: "me",
          expires: "2027-01-31",
          percentage: 5,
          allow: ["a"],
          block: ["b"],
          requires: ["c"],
        },
      },
      cursors: { acceptUnsigned: true, expiresInDays: 2 },
      validate: "always",
      pinned: [],
    });
  });

  it("merges a partial object over its defaults", () => {
    expect(load({ budget: { bytes: 10 } }).settings.budget).toEqual({ tokens: 8000, bytes: 10 });
  });

  it("makes the lowest tier the default one", () => {
    const { settings, origins } = load({ tiers: { order: ["free", "gold"] } });
    expect(settings.tiers).toEqual({ order: ["free", "gold"], default: "free" });
    expect(origins["tiers.default"]).toEqual({ source: "default", value: "free" });
  });

  it("makes minimal the default profile of the scalpel dialect, unless one is chosen", () => {
    expect(load({ dialect: "scalpel" }).settings).toMatchObject({
      profile: "minimal",
      profileIsDefault: true,
    });
    expect(load({ dialect: "scalpel", profile: "standard" }).settings).toMatchObject({ profile: "standard" });
    expect(resolveConfig({ environment: { WAYBILL_DIALECT: "scalpel" } }).settings.profile).toBe("minimal");
  });

  it.each([
    ['{\n  "bugdet": {}\n}', 'w.json:2:3: "bugdet" is not a known key. Did you mean "budget"?'],
    [{ budget: { token: 5 } }, 'w.json:1:12: "budget.token" is not a known key. Did you mean "tokens"?'],
    [
      { tools: { "a.b": { includeOnly: [] } } },
      '"tools["a.b"].includeOnly" is not a known key. Did you mean "include_only"?',
    ],
    [{ profiles: { p: { show: { requestid: "always" } } } }, 'Did you mean "request_id"?'],
    [{ zebra: 1 }, '"zebra" is not a known key. Choose one of $schema, $comment, dialect, profile,'],
    [
      { dialect: "response-v3" },
      'w.json:1:12: "dialect" is "response-v3". Did you mean "response-v2"? Choose one of response-v2,',
    ],
    [{ dialect: 5 }, '"dialect" is 5. Choose one of response-v2, response-v2-draft,'],
    [
      { allow: { dialects: ["scalpl"] } },
      'w.json:1:23: "allow.dialects[0]" is "scalpl". Did you mean "scalpel"?',
    ],
    [{ budget: { tokens: 0 } }, '"budget.tokens" is 0. Write a whole number of tokens above 0, or "off".'],
    [{ budget: { tokens: 1.5 } }, '"budget.tokens" is 1.5. Write a whole number'],
    ['{"budget": {"tokens": 1e999}}', "Write a whole number of tokens"],
    [{ budget: 8000 }, '"budget" is 8000. Write an object: { … }.'],
    [{ tools: [] }, '"tools" is an empty list. Write an object: { … }.'],
    [{ tools: { a: { exclude: "x" } } }, '"tools.a.exclude" is "x". Write a list: [ … ].'],
    [{ exclude_null_values: "yes" }, '"exclude_null_values" is "yes". Write true or false.'],
    [{ profile: "" }, '"profile" is "". Write a string that is not empty.'],
    [{ profile: null }, '"profile" is null. Write a string.'],
    [{ flags: { f: { expires: "soon" } } }, '"flags.f.expires" is "soon". Write a date as YYYY-MM-DD.'],
    [
      { flags: { f: { percentage: 101 } } },
      '"flags.f.percentage" is 101. Write a whole number from 0 to 100.',
    ],
    [
      { cursors: { expires_in_days: 0 } },
      '"cursors.expires_in_days" is 0. Write a whole number of days from 1 to 3650.',
    ],
    [{ tiers: { order: [] } }, '"tiers.order" is an empty list. Name at least one tier.'],
    [[], "w.json:1:1: The file is an empty list. Write an object"],
    ['"x"', 'w.json:1:1: The file is "x". Write an object'],
    [{ profile: "x".repeat(100), zebra: 1 }, "w.json:1:"],
  ])("refuses %j with its place and an advice", (config, message) => {
    expect(problemOf(config)).toContain(message);
  });

  it.each([
    [
      { profile: "debgu" },
      'w.json:1:12: Unknown profile "debgu". Did you mean "debug"? Choose one of minimal, standard, debug.',
    ],
    [{ tools: { a: { profile: "nope" } } }, 'Unknown profile "nope". Choose one of minimal'],
    [{ allow: { profiles: ["minimol"] } }, 'Unknown profile "minimol". Did you mean "minimal"?'],
    [{ allow: { profiles: ["debug"] } }, "A request may never choose debug."],
    [{ tools: { t: { include_only: ["tasks[0.id"] } } }, "is never closed"],
    [{ tools: { t: { exclude_when_tier: { pro: ["a..b"] } } } }, "Bad path"],
    [{ profiles: { a: { extends: "b" } } }, 'w.json:1:29: Unknown profile "b". Choose one of'],
    [{ profiles: { a: { extends: "b" }, b: { extends: "a" } } }, "Break the circle."],
    [{ profiles: { a: { extends: "a" } } }, "Break the circle."],
    [{ profile: "constructor" }, 'Unknown profile "constructor".'],
    [
      { tiers: { order: ["free"], default: "fre" } },
      'Unknown tier "fre". Did you mean "free"? Choose one of free.',
    ],
    [
      { tiers: { default: "gold" } },
      'w.json:1:21: Unknown tier "gold". Choose one of community, pro, enterprise.',
    ],
    [{ tiers: { order: ["a", "a"], default: "a" } }, 'The tier "a" is listed twice.'],
  ])("refuses the names in %j", (config, message) => {
    expect(problemOf(config)).toContain(message);
  });

  it("counts further problems in the message and lists them in the details", () => {
    const { message, details } = refusalOf(() => load({ bugdet: 1, dialekt: 2, delivery: "x" }));
    expect(message).toContain("(2 more problems in details.problems)");
    expect(details["problems"]).toHaveLength(3);
  });

  it("lists problems from top to bottom, as they are in the file", () => {
    const text = '{\n"bugdet": 1,\n"tools": {"a": {"exclud": []}},\n"delivery": "x"\n}';
    const lines = refusalOf(() => load(text)).details["problems"];
    expect(lines).toMatchObject([{ line: 2 }, { line: 3 }, { line: 4 }]);
  });

  it("resolves profiles that extend each other, in any order", () => {
    const { profiles: known } = load({
      profiles: {
        top: { extends: "middle", fill_nulls: false },
        middle: { extends: "debug", show: { telemetry: "never" }, exclude_fields: ["x"] },
        minimal: { extends: "minimal", show: { tier: "always" } },
        plain: {},
        constructor: { extends: "minimal" },
      },
    }).settings;
    expect(known["top"]).toEqual({
      name: "top",
      show: { ...profiles.debug.show, telemetry: "never" },
      fillNulls: false,
      excludeFields: ["x"],
    });
    expect(known["minimal"]?.show).toEqual({ ...profiles.minimal.show, tier: "always" });
    expect(known["plain"]).toEqual({ ...profiles.standard, name: "plain" });
    expect(known["constructor"]?.show).toEqual({ ...profiles.minimal.show, tier: "always" });
  });

  it("resolves a chain of thousands of profiles", () => {
    const chain = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`p${index}`, { extends: `p${index + 1}` }]),
    );
    const { profiles: known } = load({ profiles: { ...chain, p20000: { extends: "debug" } } }).settings;
    expect(known["p0"]).toEqual({ ...profiles.debug, name: "p0" });
  });

  it("notices a tier that is not in the order", () => {
    const { notices } = load({ tools: { a: { exclude_when_tier: { comunity: ["x"] } } } });
    expect(notices).toEqual([
      'w.json:1: The tier "comunity" is not in tiers.order. Did you mean "community"?',
    ]);
  });
});
