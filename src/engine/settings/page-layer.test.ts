import { describe, expect, it } from "vitest";
import { resolveConfig } from "./resolve-config.ts";
import type { Settings, ToolOverride } from "./settings.ts";
import { SettingsResolver } from "./settings-resolver.ts";

const file = JSON.stringify({ budget: { tokens: 100 }, tools: { scan: { budget: { tokens: 200 } } } });

function resolverUnder(environment: Record<string, string>, commandLine = {}): SettingsResolver {
  const { settings } = resolveConfig({ waybill: { file: "w.json", text: file }, environment, commandLine });
  return new SettingsResolver({ config: settings, toolSettings: { scan: { budget: { tokens: 300 } } } });
}

const inGeneral = (settings: Settings, tokens: number): Settings => ({
  ...settings,
  budget: { ...settings.budget, tokens },
  origins: { ...settings.origins, "budget.tokens": { source: "page" } },
});

const nothing: ToolOverride = {
  includeOnly: [],
  exclude: [],
  includeOnError: [],
  excludeWhenTier: {},
  budget: {},
};

const ofScan = (settings: Settings, tokens: number): Settings => ({
  ...settings,
  tools: { ...settings.tools, scan: { ...nothing, ...settings.tools["scan"], page: { budget: { tokens } } } },
});

const scan = { name: "scan", config: {} };

/** Each layer that is strong elsewhere. */
const others = [
  ["a file's word for the tool", resolverUnder({})],
  ["the environment", resolverUnder({ WAYBILL_BUDGET_TOKENS: "400" })],
  ["the command line", resolverUnder({}, { budget: { tokens: 500 } })],
] as const;

describe("what the page says", () => {
  it.each(others)("beats %s, in general and more so for one tool", (_who, resolver) => {
    const before = resolver.toolContract(scan);
    expect(before.origins["budget.tokens"].source).not.toContain("page");
    const general = new Map<Settings, Settings>();
    resolver.overlay = (settings) => {
      const laid = general.get(settings) ?? inGeneral(settings, 7);
      general.set(settings, laid);
      return laid;
    };
    expect(resolver.toolContract(scan)).toMatchObject({
      budget: { tokens: 7 },
      origins: { "budget.tokens": { source: "page" } },
    });
    const both = ofScan(resolver.settings, 9);
    resolver.overlay = () => both;
    expect(resolver.toolContract(scan)).toMatchObject({
      budget: { tokens: 9 },
      origins: { "budget.tokens": { source: "page-tool" } },
    });
    expect(resolver.toolContract({ name: "other", config: {} }).budget.tokens).toBe(7);
    resolver.overlay = (settings) => settings;
    expect(JSON.stringify(resolver.toolContract(scan))).toBe(JSON.stringify(before));
  });

  it("knows the tools that were asked for", () => {
    const resolver = resolverUnder({});
    resolver.toolContract(scan);
    void resolver.general;
    expect(resolver.names()).toEqual(["scan"]);
  });
});
