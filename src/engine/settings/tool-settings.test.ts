import { describe, expect, it } from "vitest";
import { profiles } from "../../core/contract/profile.ts";
import { settingsForTool } from "./describe-config.ts";
import { resolveConfig } from "./resolve-config.ts";
import { defaultSettings } from "./settings.ts";

const load = (config: unknown, environment = {}) =>
  resolveConfig({ waybill: { file: "w.json", text: JSON.stringify(config) }, environment }).settings;

describe("settingsForTool", () => {
  it("gives the general settings to a tool that no setting mentions", () => {
    const expected = {
      dialect: "response-v2",
      dialects: ["response-v2"],
      profile: profiles.standard,
      encoding: "json",
      select: false,
      repairArguments: true,
      filter: {
        includeOnly: [],
        exclude: [],
        includeOnError: [],
        excludeWhenTier: {},
        excludeFields: [],
        dropEmptyArrays: false,
        dropEmptyObjects: false,
        dropNulls: false,
      },
      budget: { tokens: 8000, bytes: "off" },
    };
    expect(settingsForTool(defaultSettings, "scan")).toMatchObject(expected);
    expect(settingsForTool(defaultSettings, "constructor")).toMatchObject(expected);
    expect(settingsForTool(defaultSettings, "__proto__")).toMatchObject(expected);
  });

  it("lays a tool's own settings over the general ones", () => {
    const settings = load({
      budget: { tokens: 500, bytes: 9000 },
      allow: { dialects: ["drf"] },
      encoding: "table",
      select: true,
      exclude_null_values: true,
      profiles: { mine: { exclude_fields: ["secret"] } },
      tools: {
        scan: { dialect: "plain", profile: "mine", include_only: ["a"], budget: { tokens: "off" } },
        list: { dialects: ["response-v2", "scalpel"], encoding: "json", select: false },
      },
    });
    expect(settingsForTool(settings, "scan")).toMatchObject({
      dialect: "plain",
      dialects: ["plain", "drf"],
      profile: { name: "mine" },
      encoding: "table",
      select: true,
      filter: { includeOnly: ["a"], excludeFields: ["secret"], dropNulls: true },
      budget: { tokens: "off", bytes: 9000 },
    });
    expect(settingsForTool(settings, "list").dialects).toEqual(["response-v2", "scalpel"]);
    expect(settingsForTool(settings, "list")).toMatchObject({ encoding: "json", select: false });
  });

  it("gives a scalpel tool the minimal profile when none was chosen", () => {
    const tools = { scan: { dialect: "scalpel" } };
    expect(settingsForTool(load({ tools }), "scan").profile.name).toBe("minimal");
    expect(settingsForTool(load({ tools }), "other").profile.name).toBe("standard");
    expect(settingsForTool(load({ tools, profile: "standard" }), "scan").profile.name).toBe("standard");
  });

  it("lets the environment win over a tool's own settings", () => {
    const tools = { scan: { dialect: "plain", profile: "minimal", budget: { tokens: 5, bytes: 6 } } };
    const environment = { WAYBILL_DIALECT: "drf", SCALPEL_MCP_INFO: "DEBUG", WAYBILL_BUDGET_TOKENS: "7" };
    expect(settingsForTool(load({ tools }, environment), "scan")).toMatchObject({
      dialect: "drf",
      dialects: ["drf"],
      profile: { name: "debug" },
      budget: { tokens: 7, bytes: 6 },
    });
  });
});
