import { describe, expect, it } from "vitest";
import { defineFlags } from "../gates/define-flags.ts";
import { EffectiveSettings } from "./effective-settings.ts";

const off = { overrides: { response_contract_v2: false } };

describe("advertisedDialectsOf", () => {
  it("allows for the legacy dialect where the flag of response-v2 can be off", () => {
    const settings = new EffectiveSettings({ flags: defineFlags({}, off) });
    expect(settings.advertisedDialectsOf("task", {})).toEqual(["response-v2", "response-v1"]);
  });

  it("does so when the flag is off for a single client", () => {
    const flags = defineFlags({}, { clientOverrides: { "sub:ann": off.overrides } });
    expect(new EffectiveSettings({ flags }).advertisedDialectsOf("task", {})).toContain("response-v1");
  });

  it("does not where the flag is on for everybody, or the tool never speaks response-v2", () => {
    const on = new EffectiveSettings({ flags: defineFlags({}) });
    expect(on.advertisedDialectsOf("task", {})).toEqual(["response-v2"]);
    const legacy = new EffectiveSettings({ flags: defineFlags({}, off) });
    expect(legacy.advertisedDialectsOf("scan", { dialect: "scalpel" })).toEqual(["scalpel"]);
  });

  it("offers the legacy dialect to no request that asks for it", () => {
    const settings = new EffectiveSettings({ flags: defineFlags({}) });
    expect(settings.dialectsOf("task", {})).toEqual(["response-v2"]);
  });
});
