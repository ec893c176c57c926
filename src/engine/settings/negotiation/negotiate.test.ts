import { describe, expect, test } from "vitest";
import type { DialectId } from "../../../core/contract/dialect-id.ts";
import { defineFlags } from "../flags-and-tiers/define-flags.ts";
import type { ContractOffer } from "./contract-offer.ts";
import { negotiate, negotiateResponse } from "./negotiate.ts";

const dialects: readonly DialectId[] = ["response-v2", "response-v1", "scalpel"];
const codes = (request: unknown, offer = {}): unknown[] =>
  negotiate(request, offer).warnings.map(({ code }) => code);

describe("negotiate", () => {
  test.each<[string, unknown, DialectId]>([
    ["seed 004's form", { client_capabilities: { response_contract: "v1" } }, "response-v1"],
    ["its bare form", { response_contract: "v1" }, "response-v1"],
    [
      "the form of older servers",
      { requested_version: "response-v1", requested_features: "" },
      "response-v1",
    ],
    ["our own form", { dialect: "scalpel" }, "scalpel"],
    ["the request's _meta", { _meta: { "waybill/contract": { dialect: "scalpel" } } }, "scalpel"],
    [
      "the client capability",
      { extensions: { "waybill/response-contract": { dialect: "scalpel" } } },
      "scalpel",
    ],
    [
      "the capability within client_capabilities",
      { client_capabilities: { extensions: { "waybill/response-contract": { response_contract: "v1" } } } },
      "response-v1",
    ],
    [
      "a list in order of preference",
      { client_capabilities: { response_contract: ["v9", "v1", "v2"] } },
      "response-v1",
    ],
    ["v2 as response-v2", { response_contract: "v2" }, "response-v2"],
    ["null as nothing", { response_contract: null, dialect: null }, "response-v2"],
    ["nothing at all", undefined, "response-v2"],
  ])("reads %s", (_name, request, dialect) => {
    const { negotiated, warnings } = negotiate(request, { dialects });
    expect(negotiated.dialect).toBe(dialect);
    expect(warnings).toEqual([]);
  });

  test("lets a dialect beat a version, and a request beat a capability", () => {
    expect(negotiate({ dialect: "scalpel", response_contract: "v1" }, { dialects }).negotiated.dialect).toBe(
      "scalpel",
    );
    const both = { dialect: "scalpel", client_capabilities: { dialect: "response-v1" } };
    expect(negotiate(both, { dialects }).negotiated.dialect).toBe("scalpel");
  });

  test("answers an unknown version with response-v2 and a warning", () => {
    const { negotiated, warnings } = negotiate({ client_capabilities: { response_contract: "v9" } });
    expect(negotiated.response_version).toBe("response-v2");
    expect(warnings).toEqual([
      {
        code: "VERSION_NOT_SUPPORTED",
        severity: "warning",
        message: 'Version "v9" is not supported: choose one of response-v2.',
        context: { asked: "v9", offered: ["response-v2"] },
      },
    ]);
  });

  test("answers an unknown version with the offer's own default", () => {
    const offer = { defaultDialect: "scalpel", dialects } as const;
    expect(negotiate({ response_contract: 3 }, offer).negotiated.dialect).toBe("scalpel");
    expect(codes({ response_contract: 3 }, offer)).toEqual(["VERSION_NOT_SUPPORTED"]);
  });

  test.each([
    { dialect: "drf" },
    { dialect: "esperanto" },
    { response_contract: "v1" },
    { dialect: ["drf"] },
  ])("answers %j, which is not offered, with the default and a warning", (request) => {
    expect(negotiate(request).negotiated.dialect).toBe("response-v2");
    expect(codes(request)).toEqual(["DIALECT_NOT_ALLOWED"]);
  });

  test("says what the dialect calls its version", () => {
    const versionOf = (dialect: DialectId): string =>
      negotiate({ dialect }, { dialects: [dialect] }).negotiated.response_version;
    expect(
      ["response-v2", "response-v2-draft", "response-v1", "scalpel"].map((id) => versionOf(id as DialectId)),
    ).toEqual(["response-v2", "response-v2", "response-v1", "scalpel"]);
  });

  test("starts from the dialect's own profile", () => {
    expect(negotiate({}, { dialects }).negotiated.profile).toBe("standard");
    expect(negotiate({ dialect: "scalpel" }, { dialects }).negotiated.profile).toBe("minimal");
    expect(
      negotiate({ dialect: "scalpel" }, { dialects, defaultProfile: "standard" }).negotiated.profile,
    ).toBe("standard");
  });

  test("grants a profile that is offered and no other", () => {
    expect(negotiate({ profile: "minimal" }).negotiated.profile).toBe("minimal");
    expect(negotiate({ profile: "minimal" }, { profiles: ["standard"] }).negotiated.profile).toBe("standard");
    expect(codes({ profile: "minimal" }, { profiles: ["standard"] })).toEqual(["DIALECT_NOT_ALLOWED"]);
  });

  test("never grants debug to a client, even where it is listed", () => {
    const { negotiated, warnings } = negotiate({ profile: "debug" }, { profiles: ["standard", "debug"] });
    expect(negotiated.profile).toBe("standard");
    expect(warnings[0]).toMatchObject({
      code: "DIALECT_NOT_ALLOWED",
      message: 'Profile "debug" is not offered to clients: choose one of standard.',
    });
  });

  test("keeps the debug profile that the server itself chose, and does not ask for it back", () => {
    const { negotiated, howToKeep } = negotiate({}, { defaultProfile: "debug" });
    expect(negotiated.profile).toBe("debug");
    expect(howToKeep).toEqual({ _meta: { "waybill/contract": { dialect: "response-v2" } } });
  });
});

describe("negotiate, features", () => {
  const features = { streaming: false, pagination: true };

  test.each([["pagination, streaming ,, maybe"], [["pagination", "streaming", "maybe"]]])(
    "answers for each feature in %j",
    (requested_features) => {
      const { negotiated, warnings } = negotiate({ requested_features }, { features });
      expect(negotiated.features).toEqual({ pagination: true, streaming: false, maybe: false });
      expect(warnings).toEqual([
        {
          code: "FEATURE_UNKNOWN",
          severity: "warning",
          message: 'Feature "maybe" is not known here.',
          context: { features: ["maybe"] },
        },
      ]);
    },
  );

  test("lists all that are offered when none was asked for", () => {
    expect(negotiate({}, { features }).negotiated.features).toEqual(features);
  });

  test("asks the flags about features that are not listed, for the client in question", () => {
    const flags = defineFlags({ fast_search: { state: "beta", default: true, block: ["acme"] } });
    const ask = (client: string): unknown =>
      negotiate({ features: ["fast_search"] }, { flags, client }).negotiated.features;
    expect([ask("acme"), ask("other")]).toEqual([{ fast_search: false }, { fast_search: true }]);
  });

  test("does not take a property of every object for a feature", () => {
    expect(codes({ features: ["toString", "__proto__"] }, { features, flags: defineFlags({}) })).toEqual([
      "FEATURE_UNKNOWN",
      "FEATURE_UNKNOWN",
    ]);
  });

  test("bounds its answer whatever is asked", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `feature-${index}`);
    const answer = negotiate({ features: ["x".repeat(65), 7, ...many], dialect: "y".repeat(10_000) });
    expect(Object.keys(answer.negotiated.features)).toHaveLength(32);
    expect(JSON.stringify(answer).length).toBeLessThan(10_000);
    expect(answer.warnings.at(-1)?.message).toMatch(/Some features were not read/);
  });
});

describe("negotiate, the capability flag of seed 000", () => {
  const offer: ContractOffer = { dialects: ["response-v1"] };
  const ask = (client_capabilities: unknown, given = offer) => negotiate({ client_capabilities }, given);

  // shows 000.28
  test("asks for response-v2 when it is on, and for the form before it when it is off", () => {
    expect(ask({ response_contract_v2: true }).negotiated.dialect).toBe("response-v2");
    expect(ask({ response_contract_v2: false }).negotiated.dialect).toBe("response-v1");
    expect(ask({ response_contract_v2: false, response_contract: "v2" }).negotiated.dialect).toBe(
      "response-v2",
    );
  });

  test("gets a warning where the form before it is not offered", () => {
    const { negotiated, warnings } = ask({ response_contract_v2: false }, {});
    expect(negotiated.dialect).toBe("response-v2");
    expect(warnings).toMatchObject([
      {
        code: "DIALECT_NOT_ALLOWED",
        message: 'Dialect "response-v1" is not offered here: choose one of response-v2.',
      },
    ]);
  });
});

describe("negotiate, unknown keys", () => {
  test("are named in a warning, with what may be meant", () => {
    const { warnings } = negotiate({
      action: "capability-negotiate",
      client_capabilities: { respone_contract: "v2", roots: { listChanged: true } },
      colour: "red",
    });
    expect(warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "FEATURE_UNKNOWN colour is not known here and was ignored.",
      'FEATURE_UNKNOWN client_capabilities.respone_contract is not known here and was ignored. Did you mean "response_contract"?',
    ]);
  });

  test("are counted when there are many", () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key-${index}`, 1]));
    const { warnings } = negotiate({ client_capabilities: many });
    expect(warnings).toHaveLength(9);
    expect(warnings.at(-1)?.message).toBe("992 more keys are not known here.");
  });
});

describe("negotiate, hostile input", () => {
  test.each(["dialect", "response_contract", "profile", "budget_tokens", "features", "client_capabilities"])(
    "answers when %s is nested 100,000 deep",
    (key) => {
      let deep: unknown = "v2";
      for (let depth = 0; depth < 100_000; depth++) deep = depth % 2 === 0 ? [deep] : { [key]: deep };
      expect(negotiateResponse({ [key]: deep }).data.negotiated.dialect).toBe("response-v2");
    },
  );
});

describe("negotiate, what lasts", () => {
  test("says which _meta to send where nothing sticks", () => {
    const { sticky, howToKeep } = negotiate({ profile: "minimal", budget_tokens: 2_000 });
    expect(sticky).toBe(false);
    expect(howToKeep).toEqual({
      _meta: { "waybill/contract": { dialect: "response-v2", profile: "minimal", budget_tokens: 2_000 } },
    });
  });

  test("says nothing of the kind where the connection remembers, and names what to remember", () => {
    const answer = negotiate({ dialect: "scalpel", profile: "nonsense" }, { dialects, sticky: true });
    expect(answer).not.toHaveProperty("howToKeep");
    expect(answer).toMatchObject({ sticky: true, chosen: { dialect: "scalpel" } });
  });

  test("remembers no value that the request did not settle", () => {
    expect(negotiate({ response_contract: "v9" }, { sticky: true }).chosen).toEqual({});
  });
});

describe("negotiate, response_contract_v2 off", () => {
  const notices: unknown[] = [];
  const flags = defineFlags(
    {},
    { overrides: { response_contract_v2: false }, onDeprecation: (notice) => notices.push(notice) },
  );

  test("answers in response-v1, and refuses v2", () => {
    expect(negotiate({}, { flags }).negotiated.dialect).toBe("response-v1");
    expect(negotiate({ response_contract: "v2" }, { flags }).negotiated.response_version).toBe("response-v1");
    expect(codes({ response_contract: "v2" }, { flags })).toEqual(["DIALECT_NOT_ALLOWED"]);
    expect(notices).toHaveLength(3);
  });

  test("leaves a server of another dialect alone", () => {
    notices.length = 0;
    expect(negotiate({}, { flags, defaultDialect: "scalpel" }).negotiated.dialect).toBe("scalpel");
    expect(notices).toEqual([]);
  });
});

describe("negotiateResponse", () => {
  test("is a response-v2 envelope with the answer in data and the warnings in meta", () => {
    const request = { action: "capability-negotiate", client_capabilities: { response_contract: "v3" } };
    expect(negotiateResponse(request, { features: { pagination: true } })).toEqual({
      success: true,
      data: {
        negotiated: {
          response_version: "response-v2",
          dialect: "response-v2",
          profile: "standard",
          features: { pagination: true },
        },
        sticky: false,
        how_to_keep: { _meta: { "waybill/contract": { dialect: "response-v2", profile: "standard" } } },
      },
      error: null,
      meta: {
        version: "response-v2",
        warnings: ['Version "v3" is not supported: choose one of response-v2.'],
        warning_details: [
          {
            code: "VERSION_NOT_SUPPORTED",
            severity: "warning",
            message: 'Version "v3" is not supported: choose one of response-v2.',
            context: { asked: "v3", offered: ["response-v2"] },
          },
        ],
      },
    });
  });
});
