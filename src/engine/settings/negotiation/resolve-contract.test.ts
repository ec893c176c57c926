import { describe, expect, test } from "vitest";
import type { DialectId } from "../../../core/contract/dialect-id.ts";
import { defineFlags } from "../flags-and-tiers/define-flags.ts";
import type { ContractOffer, ContractSources } from "./contract-offer.ts";
import { negotiate } from "./negotiate.ts";
import { resolveContract } from "./resolve-contract.ts";

const every: ContractOffer = {
  dialects: ["response-v2", "response-v2-draft", "response-v1", "scalpel", "drf", "plain"],
  profiles: ["a", "b", "c", "d", "e", "f"],
};

const all: Required<ContractSources> = {
  request: { dialect: "plain", profile: "a", budget_tokens: 1_001 },
  capability: { dialect: "drf", profile: "b", budget_tokens: 1_002 },
  negotiated: { dialect: "scalpel", profile: "c", budget_tokens: 1_003 },
  scalpelDebug: true,
  environment: { dialect: "response-v1", profile: "d", budgetTokens: 1_004 },
  tool: { dialect: "response-v2-draft", profile: "e", budgetTokens: 1_005 },
  config: { dialect: "scalpel", profile: "f", budgetTokens: 1_006 },
};

const names = Object.keys(all) as (keyof ContractSources)[];

function without(count: number): ContractSources {
  return Object.fromEntries(names.slice(count).map((name) => [name, all[name]]));
}

describe("resolveContract", () => {
  test.each<[number, DialectId, string, string, string, number | undefined, string]>([
    [0, "plain", "request", "a", "request", 1_001, "request"],
    [1, "drf", "capability", "b", "capability", 1_002, "capability"],
    [2, "scalpel", "negotiated", "c", "negotiated", 1_003, "negotiated"],
    [3, "response-v1", "environment", "debug", "scalpel_debug", 1_004, "environment"],
    [4, "response-v1", "environment", "d", "environment", 1_004, "environment"],
    [5, "response-v2-draft", "tool", "e", "tool", 1_005, "tool"],
    [6, "scalpel", "config", "f", "config", 1_006, "config"],
    [7, "response-v2", "default", "standard", "default", undefined, "default"],
  ])(
    "without the strongest %d sources takes what the next one says",
    (count, dialect, dialectFrom, profile, profileFrom, budgetTokens, budgetFrom) => {
      expect(resolveContract(without(count), every)).toEqual({
        dialect,
        profile,
        budgetTokens,
        source: { dialect: dialectFrom, profile: profileFrom, budgetTokens: budgetFrom },
        warnings: [],
      });
    },
  );

  test("decides each value on its own", () => {
    const { dialect, profile, budgetTokens, source } = resolveContract(
      { request: { budget_tokens: 500 }, capability: { profile: "minimal" }, config: { dialect: "scalpel" } },
      {},
    );
    expect([dialect, profile, budgetTokens]).toEqual(["scalpel", "minimal", 500]);
    expect(source).toEqual({ dialect: "config", profile: "capability", budgetTokens: "request" });
  });

  test("falls through a refused wish to the next source, and says so", () => {
    const { dialect, source, warnings } = resolveContract(
      { request: { dialect: "drf" }, capability: { response_contract: "v1" } },
      { dialects: ["response-v1"] },
    );
    expect([dialect, source.dialect]).toEqual(["response-v1", "capability"]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'Dialect "drf" is not offered here: choose one of response-v2, response-v1.',
    ]);
  });

  test("reads a request that repeats the mark of a result in minimal", () => {
    const offer: ContractOffer = { dialects: ["scalpel"] };
    expect(resolveContract({ request: "scalpel" }, offer)).toMatchObject({
      dialect: "scalpel",
      profile: "minimal",
      source: { dialect: "request", profile: "request" },
      warnings: [],
    });
    expect(resolveContract({ request: "morse" }, offer).warnings).toHaveLength(1);
  });

  test("does not warn about wishes that a stronger source made idle", () => {
    const sources = { request: { profile: "minimal" }, capability: { profile: "debug" } };
    expect(resolveContract(sources).warnings).toEqual([]);
  });

  test("always lets a client ask for what the server does anyway", () => {
    const { dialect, profile, warnings } = resolveContract(
      { request: { dialect: "drf", profile: "debug" }, config: { dialect: "drf" }, scalpelDebug: true },
      { profiles: [] },
    );
    expect([dialect, profile, warnings]).toEqual(["drf", "debug", []]);
  });

  test.each(["request", "capability", "negotiated"] as const)("never takes debug from the %s", (source) => {
    const { profile, warnings } = resolveContract(
      { [source]: { profile: "debug" } },
      { profiles: ["debug"] },
    );
    expect(profile).toBe("standard");
    expect(warnings.map(({ code }) => code)).toEqual(["DIALECT_NOT_ALLOWED"]);
  });

  test("takes debug from the server's own environment", () => {
    expect(resolveContract({ environment: { profile: "debug" } }).profile).toBe("debug");
  });

  test("gives the scalpel dialect its own profile whatever layer chose it", () => {
    expect(resolveContract({ config: { dialect: "scalpel" } }).profile).toBe("minimal");
    expect(resolveContract({ request: { dialect: "scalpel" } }, every).profile).toBe("minimal");
  });

  test("takes back what was negotiated", () => {
    const offer: ContractOffer = { dialects: ["scalpel"], sticky: true };
    const { chosen } = negotiate({ dialect: "scalpel" }, offer);
    const later = resolveContract({ negotiated: chosen, tool: { profile: "standard" } }, offer);
    expect(later).toMatchObject({ dialect: "scalpel", profile: "standard", source: { profile: "tool" } });
  });

  test("answers in response-v1 where the flag is off, and names the flag as the source", () => {
    const flags = defineFlags({}, { clientOverrides: { acme: { response_contract_v2: false } } });
    expect(resolveContract({}, { flags, client: "acme" })).toMatchObject({
      dialect: "response-v1",
      source: { dialect: "flag" },
    });
    expect(resolveContract({}, { flags, client: "other" }).dialect).toBe("response-v2");
    expect(resolveContract({ config: { dialect: "scalpel" } }, { flags, client: "acme" }).dialect).toBe(
      "scalpel",
    );
  });
});

describe("resolveContract, budget", () => {
  const config = { budgetTokens: 8_000 };

  test.each([
    [500, {}, 500, 0],
    [50_000, {}, 50_000, 0],
    [50_000, { maxBudgetTokens: 20_000 }, 20_000, 1],
    ["off", {}, 8_000, 1],
    ["off", { allowBudgetOff: true }, "off", 0],
    [0, {}, 8_000, 1],
    [-5, {}, 8_000, 1],
    [1.5, {}, 8_000, 1],
    ["many", {}, 8_000, 1],
    [{}, {}, 8_000, 1],
    [null, {}, 8_000, 0],
  ])("answers %j under %j with %j and %d warnings", (asked, offer, budget, count) => {
    const { budgetTokens, warnings } = resolveContract({ request: { budget_tokens: asked }, config }, offer);
    expect(budgetTokens).toBe(budget);
    expect(warnings.map(({ code }) => code)).toEqual(
      Array.from({ length: count }, () => "BUDGET_NOT_ALLOWED"),
    );
  });
});
