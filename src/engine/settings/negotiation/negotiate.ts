import type { DialectChoice } from "../../../core/contract/dialect-id.ts";
import type { SuccessEnvelope } from "../../../core/contract/envelope.ts";
import { successResponse } from "../../../core/contract/success-responses.ts";
import { type WarningDetail, orderWarnings } from "../../../core/contract/warning.ts";
import { CONTRACT_META_KEY } from "../../../core/contract/wire-names.ts";
import { type JsonObject, setOwn } from "../../../core/json/json-value.ts";
import type { BudgetTokens, ContractOffer } from "./contract-offer.ts";
import { didYouMean } from "../../../core/text/did-you-mean.ts";
import { sayName } from "../../../core/text/say-name.ts";
import { quoteAsked, showAsked, readAsked, unreadKeys } from "./grant.ts";
import { type ResolvedContract, resolveContract } from "./resolve-contract.ts";

// The draft calls itself response-v2 on the wire; the other dialects have no version besides their name.
const wireVersions: Partial<Record<DialectChoice, string>> = {
  "response-v2-draft": "response-v2",
  // Its envelopes are response-v2; results without an envelope have no version.
  auto: "response-v2",
};

/** The version that a dialect reports. */
function responseVersionOf(dialect: DialectChoice): string {
  return wireVersions[dialect] ?? dialect;
}

const MAX_FEATURES = 32;
const MAX_NAME_LENGTH = 64;
const MAX_UNREAD = 8;

interface FeatureAnswer {
  readonly features: Readonly<Record<string, boolean>>;
  readonly warnings: readonly WarningDetail[];
}

function unknown(message: string, names: readonly string[]): WarningDetail {
  return { code: "FEATURE_UNKNOWN", severity: "warning", message, context: { features: names } };
}

function lookUp(name: string, { features = {}, flags, client }: ContractOffer): boolean | undefined {
  if (Object.hasOwn(features, name)) return features[name];
  const verdict = flags?.evaluate(name, { client });
  return verdict === undefined || verdict.reason === "unknown" ? undefined : verdict.enabled;
}

/** Says of each requested feature whether it is on, or of all offered features if none was requested. */
function answerFeatures(asked: readonly unknown[] | undefined, offer: ContractOffer): FeatureAnswer {
  if (asked === undefined) return { features: { ...offer.features }, warnings: [] };
  const isName = (name: unknown): name is string =>
    typeof name === "string" && name !== "" && name.length <= MAX_NAME_LENGTH;
  const names = [...new Set(asked.filter(isName))].slice(0, MAX_FEATURES);
  const features: Record<string, boolean> = {};
  const warnings: WarningDetail[] = [];
  for (const name of names) {
    const enabled = lookUp(name, offer);
    setOwn(features, name, enabled ?? false);
    if (enabled === undefined)
      warnings.push(unknown(`Feature ${quoteAsked(name)} is not known here.`, [name]));
  }
  if (new Set(asked).size > names.length) {
    const limits = `${MAX_FEATURES} names of at most ${MAX_NAME_LENGTH} characters`;
    warnings.push(unknown(`Some features were not read: ask for up to ${limits} at a time.`, []));
  }
  return { features, warnings };
}

/** Warns of an unknown key, with the key that was probably meant. A client without a warning got what it asked for. */
function warnUnread(request: unknown): readonly WarningDetail[] {
  const unread = unreadKeys(request);
  const warnings = unread.slice(0, MAX_UNREAD).map(({ place, key, known }) => {
    const meant = didYouMean(key, known);
    const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
    return unknown(`${sayName(place + key)} is not known here and was ignored.${hint}`, [showAsked(key)]);
  });
  const more = unread.length - warnings.length;
  return more === 0 ? warnings : [...warnings, unknown(`${more} more keys are not known here.`, [])];
}

interface Negotiated {
  readonly response_version: string;
  readonly dialect: DialectChoice;
  readonly profile: string;
  readonly features: Readonly<Record<string, boolean>>;
  /** Present only if the request asked for a budget. */
  readonly budget_tokens?: BudgetTokens;
}

export interface Negotiation {
  readonly negotiated: Negotiated;
  readonly warnings: readonly WarningDetail[];
  readonly sticky: boolean;
  /** What the request itself decided: a connection remembers it, and `resolveContract` accepts it. */
  readonly chosen: JsonObject;
  /** Present if nothing is remembered: what to send with every request instead. */
  readonly howToKeep?: JsonObject;
}

function askedBudget({ budgetTokens, source }: ResolvedContract): { readonly budget_tokens?: BudgetTokens } {
  return source.budgetTokens === "request" && budgetTokens !== undefined
    ? { budget_tokens: budgetTokens }
    : {};
}

function chosenOf(contract: ResolvedContract): JsonObject {
  const { dialect, profile, source } = contract;
  return {
    ...(source.dialect === "request" ? { dialect } : {}),
    ...(source.profile === "request" ? { profile } : {}),
    ...askedBudget(contract),
  };
}

/** `debug` is left out: it is the server's own choice, so a request for it would be refused. */
function wayToKeep({ dialect, profile }: ResolvedContract, chosen: JsonObject): JsonObject {
  const contract = { dialect, ...(profile === "debug" ? {} : { profile }), ...chosen };
  return { _meta: { [CONTRACT_META_KEY]: contract } };
}

/**
 * The contract that a client gets for its wish. Reads every known form of asking, and never throws.
 *
 * @example
 * negotiate({ client_capabilities: { response_contract: "v2" } }, { sticky: true });
 */
export function negotiate(request: unknown, offer: ContractOffer = {}): Negotiation {
  const contract = resolveContract({ request }, offer);
  const { features, warnings } = answerFeatures(readAsked(request).features, offer);
  const chosen = chosenOf(contract);
  const { dialect, profile } = contract;
  const budget = askedBudget(contract);
  const sticky = offer.sticky === true;
  return {
    negotiated: { response_version: responseVersionOf(dialect), dialect, profile, features, ...budget },
    warnings: orderWarnings([...contract.warnings, ...warnings, ...warnUnread(request)]),
    sticky,
    chosen,
    ...(sticky ? {} : { howToKeep: wayToKeep(contract, chosen) }),
  };
}

interface NegotiationData {
  readonly negotiated: Negotiated;
  readonly sticky: boolean;
  readonly how_to_keep?: JsonObject;
}

/** The answer of the `server` tool to `action: "capability-negotiate"`. */
export function negotiateResponse(
  request: unknown,
  offer: ContractOffer = {},
): SuccessEnvelope<NegotiationData> {
  const { negotiated, sticky, howToKeep, warnings } = negotiate(request, offer);
  const data: NegotiationData = {
    negotiated,
    sticky,
    ...(howToKeep === undefined ? {} : { how_to_keep: howToKeep }),
  };
  return successResponse(data, { warningDetails: warnings });
}
