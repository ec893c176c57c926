import * as fc from "fast-check";
import { readMark } from "../../../core/contract/contract-mark.ts";
import { describe, expect, test } from "vitest";
import { dialectIds } from "../../../core/contract/dialect-id.ts";
import { defineFlags } from "../flags-and-tiers/define-flags.ts";
import type { ContractOffer } from "./contract-offer.ts";
import { negotiate, negotiateResponse } from "./negotiate.ts";
import { readAsked } from "./grant.ts";
import { resolveContract } from "./resolve-contract.ts";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";

const runs = lawRuns(1_000);
const flags = defineFlags({ beta: { state: "beta", default: true } });
const word = fc.oneof(
  fc.constantFrom(...dialectIds, "v1", "v2", "v9", "minimal", "standard", "debug", "off", "beta", "toString"),
  fc.string({ unit: "binary" }),
);
const value = fc.oneof({ weight: 3, arbitrary: word }, fc.array(word, { maxLength: 3 }), fc.jsonValue());
const wish = fc.record(
  {
    dialect: value,
    response_contract: value,
    response_contract_v2: fc.oneof(fc.boolean(), value),
    requested_version: value,
    profile: value,
    budget_tokens: fc.oneof(fc.integer(), value),
    requested_features: value,
    features: value,
  },
  { requiredKeys: [] },
);
const request = fc.oneof(
  wish,
  fc.record({ client_capabilities: fc.oneof(wish, fc.jsonValue()) }),
  fc.record({ extensions: fc.record({ "waybill/response-contract": fc.oneof(wish, fc.jsonValue()) }) }),
  fc.record({ _meta: fc.record({ "waybill/contract": fc.oneof(wish, fc.jsonValue()) }) }),
  fc.jsonValue(),
);
const offer: fc.Arbitrary<ContractOffer> = fc.record(
  {
    dialects: fc.subarray([...dialectIds]),
    defaultDialect: fc.constantFrom(...dialectIds),
    profiles: fc.subarray(["minimal", "standard", "debug", "own"]),
    features: fc.dictionary(fc.string(), fc.boolean(), { maxKeys: 3 }),
    sticky: fc.boolean(),
    allowBudgetOff: fc.boolean(),
    maxBudgetTokens: fc.integer({ min: 256, max: 10_000 }),
    flags: fc.constant(flags),
  },
  { requiredKeys: [] },
);

describe("negotiate", () => {
  test("answers any JSON with something that is offered, in a valid envelope", () =>
    fc.assert(
      fc.property(request, offer, (asked, offered) => {
        const { negotiated } = negotiate(asked, offered);
        const fallback = offered.defaultDialect ?? "response-v2";
        expect([fallback, ...(offered.dialects ?? [])]).toContain(negotiated.dialect);
        expect(negotiated.profile).not.toBe("debug");
        expect(negotiateResponse(asked, offered).success).toBe(true);
      }),
      runs,
    ));

  test("repeats itself: what it says to send gets the same answer without a warning", () =>
    fc.assert(
      fc.property(request, offer, (asked, offered) => {
        const first = negotiate(asked, { ...offered, sticky: false });
        const again = negotiate(first.howToKeep, { ...offered, sticky: false });
        const { features: _, ...said } = first.negotiated;
        expect(again.negotiated).toMatchObject(said);
        expect(again.warnings).toEqual([]);
      }),
      runs,
    ));
});

describe("resolveContract", () => {
  test("warns exactly when the dialect or profile a client asked for is not the one it gets", () =>
    fc.assert(
      fc.property(request, offer, (asked, offered) => {
        const { source, warnings } = resolveContract({ request: asked }, offered);
        const { dialects, profile } = readAsked(readMark(asked));
        const warned = (start: RegExp): boolean => warnings.some(({ message }) => start.test(message));
        expect(warned(/^(Dialect|Version) /)).toBe(dialects.length > 0 && source.dialect !== "request");
        expect(warned(/^Profile /)).toBe(profile !== undefined && source.profile !== "request");
      }),
      runs,
    ));

  test("takes any JSON from all three client sources, and is silent when they are", () =>
    fc.assert(
      fc.property(request, request, request, offer, (asked, capability, negotiated, offered) => {
        const { dialect } = resolveContract({ request: asked, capability, negotiated }, offered);
        expect(dialectIds).toContain(dialect);
        expect(resolveContract({}, offered).warnings).toEqual([]);
      }),
      runs,
    ));
});
