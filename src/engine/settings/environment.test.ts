import { afterEach, describe, expect, it, vi } from "vitest";
import { createContract } from "../../doors/server/create-contract.ts";
import { createState } from "../call/contract-state.ts";
import { defaultSettings } from "./settings.ts";

const scan = {
  name: "scan",
  config: { dialect: "plain", profile: "minimal", budget: { tokens: 500 } },
} as const;

afterEach(() => vi.unstubAllEnvs());

describe("the environment, without any code", () => {
  it("sets dialect, profile and budget of every tool", () => {
    vi.stubEnv("WAYBILL_DIALECT", "drf");
    vi.stubEnv("WAYBILL_PROFILE", "debug");
    vi.stubEnv("WAYBILL_BUDGET_TOKENS", "900");
    const contract = createState({}).effective.toolContract(scan);
    expect(contract).toMatchObject({ dialect: "drf", profile: "debug", budget: { tokens: 900 } });
    expect(contract.origins).toMatchObject({
      dialect: { source: "environment", where: "WAYBILL_DIALECT" },
      profile: { source: "environment", where: "WAYBILL_PROFILE" },
      "budget.tokens": { source: "environment", where: "WAYBILL_BUDGET_TOKENS" },
    });
  });

  // shows 002.18
  it.each(["SCALPEL_MCP_INFO", "SCALPEL_MCP_OUTPUT"])("turns debug on by %s", (name) => {
    vi.stubEnv(name, "DEBUG");
    expect(createState({}).effective.toolContract(scan).profile).toBe("debug");
  });

  it("counts though it says what is the default anyway", () => {
    vi.stubEnv("WAYBILL_DIALECT", "response-v2");
    expect(createState({}).effective.toolContract(scan).dialect).toBe("response-v2");
  });

  it("is read once, when the contract is made", () => {
    const { effective } = createState({});
    vi.stubEnv("WAYBILL_DIALECT", "drf");
    expect(effective.toolContract(scan).dialect).toBe("plain");
  });

  it("is not read where a configuration was given", () => {
    vi.stubEnv("WAYBILL_DIALECT", "drf");
    const { effective } = createState({ config: defaultSettings });
    expect(effective.toolContract(scan).dialect).toBe("plain");
  });

  it.each([
    ["WAYBILL_DIALECT", "xml"],
    ["WAYBILL_PROFILE", "loud"],
    ["WAYBILL_BUDGET_TOKENS", "many"],
    ["WAYBILL_SECRET", "  "],
  ])("is refused by createContract where %s is wrong", (name, value) => {
    vi.stubEnv(name, value);
    expect(() => createContract({})).toThrow(new RegExp(`^${name}: `));
  });
});
