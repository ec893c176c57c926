import { describe, expect, it } from "vitest";
import { defineFlags } from "./flags-and-tiers/define-flags.ts";
import type { ToolConfig } from "./tool-definition.ts";
import { SettingsResolver } from "./settings-resolver.ts";

const off = { overrides: { response_contract_v2: false } };

const contractOf = (resolver: SettingsResolver, name: string, config: ToolConfig = {}) =>
  resolver.toolContract({ name, config });

describe("the advertised dialects of a tool", () => {
  it("allows for the legacy dialect where the flag of response-v2 can be off", () => {
    const settings = new SettingsResolver({ flags: defineFlags({}, off) });
    expect(contractOf(settings, "task", {}).advertisedDialects).toEqual(["response-v2", "response-v1"]);
  });

  it("does so when the flag is off for a single client", () => {
    const flags = defineFlags({}, { clientOverrides: { "sub:ann": off.overrides } });
    expect(contractOf(new SettingsResolver({ flags }), "task").advertisedDialects).toContain("response-v1");
  });

  it("does not where the flag is on for everybody, or the tool never speaks response-v2", () => {
    const on = new SettingsResolver({ flags: defineFlags({}) });
    expect(contractOf(on, "task", {}).advertisedDialects).toEqual(["response-v2"]);
    const legacy = new SettingsResolver({ flags: defineFlags({}, off) });
    expect(contractOf(legacy, "scan", { dialect: "scalpel" }).advertisedDialects).toEqual(["scalpel"]);
  });

  // shows 000.29
  it("offers the legacy dialect to no request that asks for it", () => {
    const settings = new SettingsResolver({ flags: defineFlags({}) });
    expect(contractOf(settings, "task").dialects).toEqual(["response-v2"]);
  });
});
