import { describe, expect, test } from "vitest";
import { ContractError } from "../../../core/contract/contract-error.ts";
import { ToolFault } from "../../../core/contract/tool-fault.ts";
import {
  type DeprecationNotice,
  defineFlags,
  legacyDialect,
  flagBucket,
  type FlagDefinition,
} from "./define-flags.ts";

const beta = (more: Partial<FlagDefinition> = {}): FlagDefinition => ({
  state: "beta",
  default: true,
  ...more,
});
const now = (): Date => new Date("2026-08-01T00:00:00Z");

function verdict(more: Partial<FlagDefinition>, client?: string): string {
  const { enabled, reason } = defineFlags({ flag: beta(more) }, { now }).evaluate("flag", { client });
  return `${reason}: ${enabled}`;
}

describe("evaluate", () => {
  test.each<[string, Partial<FlagDefinition>, string | undefined]>([
    ["default: true", {}, "acme"],
    ["default: false", { default: false }, "acme"],
    ["expired: true", { expires: "2026-08-01", block: ["acme"] }, "acme"],
    ["expired: false", { expires: "2026-07-31T23:59:59Z", default: false, percentage: 100 }, "acme"],
    ["default: true", { expires: "2026-08-02" }, "acme"],
    ["blocked: false", { block: ["acme"] }, "acme"],
    ["default: true", { block: ["acme"] }, "other"],
    ["blocked: false", { block: ["acme"], allow: ["acme"] }, "acme"],
    ["not_allowed: false", { allow: ["acme"] }, "other"],
    ["not_allowed: false", { allow: ["acme"] }, undefined],
    ["not_allowed: false", { allow: [] }, "acme"],
    ["default: true", { allow: ["acme"] }, "acme"],
    ["default: false", { allow: ["acme"], default: false }, "acme"],
    ["percentage: true", { percentage: 100, default: false }, "acme"],
    ["percentage: false", { percentage: 0, default: true }, "acme"],
    ["percentage: true", { percentage: 100, default: false }, undefined],
  ])("answers %s for %j and client %s", (expected, definition, client) => {
    expect(verdict(definition, client)).toBe(expected);
  });

  // shows 001.107
  test("gives the definition along with the verdict", () => {
    const flag = beta({ owner: "search team" });
    expect(defineFlags({ flag }).evaluate("flag")).toEqual({ enabled: true, reason: "default", flag });
  });

  test("is off for an unknown flag, also one named like a property of every object", () => {
    const flags = defineFlags({});
    expect(flags.evaluate("nope")).toEqual({ enabled: false, reason: "unknown" });
    expect(flags.evaluate("toString", { client: "constructor" })).toEqual({
      enabled: false,
      reason: "unknown",
    });
  });

  test("lets a client's override beat the general one, and that beat every rule", () => {
    const flags = defineFlags(
      { flag: beta({ block: ["acme", "other"], expires: "2020-01-01" }) },
      { now, overrides: { flag: false }, clientOverrides: { acme: { flag: true } } },
    );
    expect(flags.evaluate("flag", { client: "acme" })).toMatchObject({
      enabled: true,
      reason: "client_override",
    });
    expect(flags.evaluate("flag", { client: "other" })).toMatchObject({ enabled: false, reason: "override" });
  });

  test("is off while a required flag is off for the same client, however far away", () => {
    const flags = defineFlags({
      a: beta({ requires: ["b"] }),
      b: beta({ requires: ["c"] }),
      c: beta({ block: ["acme"] }),
    });
    expect(flags.evaluate("a", { client: "acme" })).toMatchObject({ enabled: false, reason: "dependency" });
    expect(flags.evaluate("a", { client: "other" })).toMatchObject({ enabled: true, reason: "default" });
  });

  test("reaches the client in bucket 10 from 11 percent on, and no sooner", () => {
    const reached = [0, 10, 11, 100].map((percentage) =>
      defineFlags({ fast_search: beta({ percentage }) }).isEnabled("fast_search", { client: "acme" }),
    );
    expect(reached).toEqual([false, false, true, true]);
  });

  test("pins the buckets, so that no release moves a client in or out of a rollout", () => {
    const clients = ["acme", "client-1", "client-2", "", "é", "😀"];
    expect(clients.map((client) => flagBucket("fast_search", client))).toEqual([10, 31, 56, 75, 79, 7]);
  });
});

describe("require", () => {
  test("throws FEATURE_DISABLED with the feature and the reason", () => {
    const flags = defineFlags({ flag: beta({ allow: ["acme"] }) });
    let fault: unknown;
    try {
      flags.require("flag", { client: "other" });
    } catch (error) {
      fault = error;
    }
    if (!ToolFault.isInstance(fault)) throw new Error("no fault was thrown");
    expect(fault.fault).toMatchObject({
      code: "FEATURE_DISABLED",
      type: "feature_flag",
      details: { reason: "not_allowed" },
      data: { feature: "flag" },
    });
  });

  test("is silent when the flag is on", () => {
    expect(() => defineFlags({ flag: beta() }).require("flag")).not.toThrow();
  });
});

describe("withOverride", () => {
  test("gives a copy and leaves the original alone", () => {
    const flags = defineFlags({ flag: beta() });
    const off = flags.withOverride("flag", false);
    const onForAcme = off.withOverride("flag", true, { client: "acme" });
    expect([flags, off, onForAcme].map((each) => each.isEnabled("flag"))).toEqual([true, false, false]);
    expect(onForAcme.isEnabled("flag", { client: "acme" })).toBe(true);
  });
});

describe("list", () => {
  test("shows every flag by name, the predefined one first", () => {
    const flags = defineFlags({ fast_search: beta({ owner: "search team" }) });
    expect(flags.list().map(({ name, state }) => [name, state])).toEqual([
      ["response_contract_v2", "stable"],
      ["fast_search", "beta"],
    ]);
  });
});

describe("defineFlags", () => {
  test.each<[RegExp, Partial<FlagDefinition>]>([
    [/no known state/, { state: "new" as never }],
    [/no default/, { default: undefined as never }],
    [/percentage 101/, { percentage: 101 }],
    [/percentage 0.5/, { percentage: 0.5 }],
    [/date that cannot be read/, { expires: "soon" }],
    [/date that cannot be read/, { sunset: "later" }],
    [/"ghost", which is not defined/, { requires: ["ghost"] }],
    [/requires itself \(flag -> flag\)/, { requires: ["flag"] }],
  ])("refuses a flag that %s", (message, definition) => {
    expect(() => defineFlags({ flag: beta(definition) })).toThrow(message);
  });

  test("names the circle when flags require each other", () => {
    const circle = {
      a: beta({ requires: ["b"] }),
      b: beta({ requires: ["c"] }),
      c: beta({ requires: ["b"] }),
    };
    expect(() => defineFlags(circle)).toThrow(ContractError);
    expect(() => defineFlags(circle)).toThrow("b -> c -> b");
  });

  test("accepts two flags that require the same third", () => {
    const flags = defineFlags({ a: beta({ requires: ["b", "c"] }), b: beta({ requires: ["c"] }), c: beta() });
    expect(flags.isEnabled("a")).toBe(true);
  });
});

describe("legacyDialect", () => {
  // shows 004.69
  test("is nothing while response_contract_v2 is on, as it is by default", () => {
    const notices: DeprecationNotice[] = [];
    const flags = defineFlags({}, { onDeprecation: (notice) => notices.push(notice) });
    expect(legacyDialect(flags, "acme")).toBeUndefined();
    expect(notices).toEqual([]);
  });

  // shows 001.105
  test("is response-v1 where the flag is off, and tells of each use with the sunset date", () => {
    const notices: DeprecationNotice[] = [];
    const flags = defineFlags(
      {},
      {
        clientOverrides: { acme: { response_contract_v2: false } },
        onDeprecation: (notice) => notices.push(notice),
      },
    );
    expect([legacyDialect(flags, "acme"), legacyDialect(flags, "acme"), legacyDialect(flags)]).toEqual([
      "response-v1",
      "response-v1",
      undefined,
    ]);
    expect(notices).toEqual([
      { flag: "response_contract_v2", sunset: "2027-12-31" },
      { flag: "response_contract_v2", sunset: "2027-12-31" },
    ]);
  });

  test("follows a redefinition of the flag", () => {
    const flags = defineFlags({ response_contract_v2: { state: "stable", default: false } });
    expect(legacyDialect(flags)).toBe("response-v1");
  });
});

describe("canBeOff", () => {
  const stable = { state: "stable", default: true } as const;

  test("is false where only a default of true decides, or everybody is overridden to on", () => {
    expect(defineFlags({}).canBeOff("response_contract_v2")).toBe(false);
    expect(defineFlags({ a: { ...stable, default: false } }, { overrides: { a: true } }).canBeOff("a")).toBe(
      false,
    );
  });

  test.each([
    ["a default of false", { a: { ...stable, default: false } }, {}],
    ["a share of clients", { a: { ...stable, percentage: 99 } }, {}],
    ["a list of allowed clients", { a: { ...stable, allow: ["x"] } }, {}],
    ["a list of blocked clients", { a: { ...stable, block: ["x"] } }, {}],
    ["an override", { a: stable }, { overrides: { a: false } }],
    [
      "one client's override",
      { a: stable },
      { clientOverrides: { x: { a: false } }, overrides: { a: true } },
    ],
    ["an undefined flag", {}, {}],
  ])("is true with %s", (_, definitions, options) => {
    expect(defineFlags(definitions, options).canBeOff("a")).toBe(true);
  });
});
