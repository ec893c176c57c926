import { spawnSync } from "node:child_process";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { settingsFromEnvironment } from "./read-environment.ts";
import { refusalOf } from "./refusal-of.fixture.ts";
import { resolveConfig } from "./resolve-config.ts";

function reasonOf(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
}

const load = (environment: Record<string, string>) => resolveConfig({ environment });

describe("readEnvironment", () => {
  it("sets dialect, profile and budget, and pins them", () => {
    const environment = { WAYBILL_DIALECT: "drf", WAYBILL_PROFILE: " debug ", WAYBILL_BUDGET_TOKENS: "500" };
    const { settings, origins } = load(environment);
    expect(settings).toMatchObject({ dialect: "drf", profile: "debug", budget: { tokens: 500 } });
    expect([...settings.pinned].sort()).toEqual(["budget.tokens", "dialect", "profile"]);
    expect(origins["dialect"]).toEqual({ source: "environment", where: "WAYBILL_DIALECT", value: "drf" });
  });

  it.each(["off", "OFF"])("turns the budget off with %s", (value) => {
    expect(load({ WAYBILL_BUDGET_TOKENS: value }).settings.budget.tokens).toBe("off");
  });

  it.each([
    ["true", true],
    [" TRUE ", true],
    ["1", true],
    ["false", false],
    ["0", false],
  ])("reads %j in WAYBILL_SELECT as %j", (value, select) => {
    const { settings } = load({ WAYBILL_SELECT: value });
    expect(settings).toMatchObject({ select, pinned: ["select"] });
  });

  it("turns the repair of arguments off, and refuses what is not a switch", () => {
    const { settings } = load({ WAYBILL_REPAIR_ARGUMENTS: "false" });
    expect(settings).toMatchObject({ repairArguments: false, pinned: ["repair_arguments"] });
    expect(() => load({ WAYBILL_REPAIR_ARGUMENTS: "no" })).toThrow(
      /WAYBILL_REPAIR_ARGUMENTS.*"no" is not a switch/s,
    );
  });

  it.each([
    [
      "WAYBILL_BUDGT_TOKENS",
      'WAYBILL_BUDGT_TOKENS is set, but Waybill reads no variable of that name. Did you mean "WAYBILL_BUDGET_TOKENS"?',
    ],
    ["WAYBILL_ZEBRA", "WAYBILL_ZEBRA is set, but Waybill reads no variable of that name."],
    ["WAYBILL_LOG", "WAYBILL_LOG names no form of a log. Allowed: plain, json."],
  ])("notices %s, which has no effect, and does not show its value", (name, notice) => {
    expect(load({ [name]: "s3cret" }).notices).toEqual([notice]);
    expect(settingsFromEnvironment({ [name]: "s3cret" }).notices).toEqual([notice]);
    expect(load({ [name]: " " }).notices).toEqual([]);
  });

  it("notices no variable that the config file uses", () => {
    const text =
      '{ "upstreams": { "a": { "url": "https://a.test/mcp", "headers": { "x": "${WAYBILL_ZEBRA}" } } } }';
    const waybill = { file: "waybill.config.json", text };
    expect(resolveConfig({ waybill, environment: { WAYBILL_ZEBRA: "x" } }).notices).toEqual([]);
  });

  it("notices none of what the repository and Kubernetes use", () => {
    const { stdout } = spawnSync("git", ["grep", "-hoE", "WAYBILL_[A-Z0-9_]*[A-Z0-9]"], { encoding: "utf8" });
    const misspelt = /BUDGT|ZEBRA|STOR_|ARGUMENT$/;
    const used = [...new Set(stdout.trim().split("\n"))].filter((name) => !misspelt.test(name));
    expect(used).toContain("WAYBILL_SECRET");
    const services = ["WAYBILL_SERVICE_HOST", "WAYBILL_REDIS_PORT_6379_TCP_ADDR", "WAYBILL_PORT_8080_TCP"];
    for (const name of [...used, ...services]) {
      const said = reasonOf(() => load({ [name]: "1" }).notices.join());
      expect(`${name}: ${said}`).not.toContain("reads no variable");
    }
  });

  it.each(["", "  "])("takes %j as unset", (value) => {
    const names = [
      "WAYBILL_DIALECT",
      "WAYBILL_PROFILE",
      "WAYBILL_BUDGET_TOKENS",
      "WAYBILL_SELECT",
      "WAYBILL_REPAIR_ARGUMENTS",
      "WAYBILL_CONFIG",
      "SCALPEL_MCP_INFO",
    ];
    const { settings } = load(Object.fromEntries(names.map((name) => [name, value])));
    expect(settings.pinned).toEqual([]);
  });

  it.each([
    ["SCALPEL_MCP_INFO", "DEBUG"],
    ["SCALPEL_MCP_INFO", "debug"],
    ["SCALPEL_MCP_OUTPUT", "Debug"],
  ])("selects the debug profile by %s=%s", (name, value) => {
    const { settings, origins } = load({ [name]: value });
    expect(settings.profile).toBe("debug");
    expect(origins["profile"]?.where).toBe(name);
  });

  it("leaves the profile alone for other log levels", () => {
    expect(load({ SCALPEL_MCP_INFO: "INFO", SCALPEL_MCP_OUTPUT: "1" }).settings.profile).toBe("standard");
  });

  it("lets the scalpel switch win over WAYBILL_PROFILE, and says so", () => {
    const { settings, notices } = load({ SCALPEL_MCP_OUTPUT: "DEBUG", WAYBILL_PROFILE: "minimal" });
    expect(settings.profile).toBe("debug");
    expect(notices).toEqual([
      "WAYBILL_PROFILE=minimal has no effect, because SCALPEL_MCP_OUTPUT=DEBUG selects the debug profile.",
    ]);
  });

  it.each([
    ["WAYBILL_SELECT", "yes", '"yes" is not a switch. Allowed: true, false, 1, 0.'],
    [
      "WAYBILL_DIALECT",
      "scalpl",
      'Unknown dialect "scalpl". Did you mean "scalpel"? Choose one of response-v2,',
    ],
    ["WAYBILL_PROFILE", "loud", 'Unknown profile "loud". Choose one of minimal, standard, debug.'],
    [
      "WAYBILL_BUDGET_TOKENS",
      "many",
      '"many" is not a budget. Allowed: a whole number of tokens above 0, or "off".',
    ],
    ["WAYBILL_BUDGET_TOKENS", "0", '"0" is not a budget.'],
    ["WAYBILL_BUDGET_TOKENS", "-5", '"-5" is not a budget.'],
    ["WAYBILL_BUDGET_TOKENS", "1e3", '"1e3" is not a budget.'],
    ["WAYBILL_BUDGET_TOKENS", "99999999999999999999", '"99999999999999999999" is not a budget.'],
    ["WAYBILL_SECRET", "   ", "The secret is blank."],
  ])("refuses %s=%s with the variable and what is allowed", (name, value, message) => {
    const refusal = refusalOf(() => load({ [name]: value }));
    expect(refusal.message).toContain(`${name}: ${message}`);
    expect(refusal.details["problems"]).toMatchObject([{ variable: name }]);
  });

  it("takes a profile that a file defines", () => {
    const waybill = { file: "w.json", text: '{"profiles": {"loud": {"extends": "debug"}}}' };
    const { settings } = resolveConfig({ waybill, environment: { WAYBILL_PROFILE: "loud" } });
    expect(settings.profile).toBe("loud");
  });

  it("never shows the secret, but gives it to those who ask", () => {
    const loaded = load({ WAYBILL_SECRET: "hunter2-hunter2" });
    expect(loaded.settings.secret?.reveal()).toBe("hunter2-hunter2");
    expect(loaded.origins["secret"]).toEqual({
      source: "environment",
      where: "WAYBILL_SECRET",
      value: "set",
    });
    expect(JSON.stringify(loaded)).not.toContain("hunter2");
    expect(inspect(loaded, { depth: 10, showHidden: true })).not.toContain("hunter2");
    expect(String(loaded.settings.secret)).toBe("set");
    expect(load({}).origins["secret"]).toEqual({ source: "default", value: "not set" });
  });
});
