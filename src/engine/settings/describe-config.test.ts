import { describe, expect, it } from "vitest";
import { describeConfig } from "./describe-config.ts";
import { resolveConfig } from "./resolve-config.ts";

describe("describeConfig", () => {
  it("gives one row a setting with value, source and place, sorted", () => {
    const loaded = resolveConfig({
      scalpel: { file: "/r.json", text: '{\n"global": {"exclude_null_values": true}}' },
      waybill: { file: "/w.json", text: '{\n\n"tools": {"fs.read": {"exclude": ["a"]}}}' },
      environment: { WAYBILL_PROFILE: "debug", WAYBILL_SECRET: "hunter2" },
    });
    const rows = describeConfig({ ...loaded, files: [] });
    const names = rows.map(({ setting }) => setting);
    expect(names).toEqual([...new Set(names)].sort());
    const expected = [
      { setting: "allow.budget_off", value: false, source: "default", where: "" },
      { setting: "allow.dialects", value: [], source: "default", where: "" },
      { setting: "allow.profiles", value: ["minimal", "standard"], source: "default", where: "" },
      { setting: "budget.bytes", value: "off", source: "default", where: "" },
      { setting: "budget.tokens", value: 8000, source: "default", where: "" },
      { setting: "cursors.accept_unsigned", value: false, source: "default", where: "" },
      { setting: "cursors.expires_in_days", value: 7, source: "default", where: "" },
      { setting: "delivery", value: "mirror", source: "default", where: "" },
      { setting: "dialect", value: "response-v2", source: "default", where: "" },
      { setting: "encoding", value: "json", source: "default", where: "" },
      { setting: "exclude_empty_arrays", value: false, source: "default", where: "" },
      { setting: "exclude_empty_objects", value: false, source: "default", where: "" },
      { setting: "exclude_null_values", value: true, source: "scalpel-file", where: "/r.json:2" },
      { setting: "fit.client_limits", value: false, source: "default", where: "" },
      { setting: "fit.max_blob_bytes", value: 1048576, source: "default", where: "" },
      { setting: "fit.strategy", value: "head", source: "default", where: "" },
      { setting: "fit.without_envelope", value: "auto", source: "default", where: "" },
      { setting: "profile", value: "debug", source: "environment", where: "WAYBILL_PROFILE" },
      { setting: "repair_arguments", value: true, source: "default", where: "" },
      { setting: "secret", value: "set", source: "environment", where: "WAYBILL_SECRET" },
      { setting: "select", value: false, source: "default", where: "" },
      { setting: "server_tool", value: false, source: "default", where: "" },
      { setting: "tiers.default", value: "community", source: "default", where: "" },
      { setting: "tiers.order", value: ["community", "pro", "enterprise"], source: "default", where: "" },
      { setting: 'tools["fs.read"].exclude', value: ["a"], source: "file", where: "/w.json:3" },
      { setting: "upstream.dialect", value: "auto", source: "default", where: "" },
      { setting: "validate", value: "never", source: "default", where: "" },
    ];
    expect(rows).toEqual(expect.arrayContaining(expected));
  });
});
