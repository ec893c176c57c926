import type { DialectId } from "../contract/dialect-id.ts";
import type { SuccessEnvelope } from "../contract/envelope.ts";
import { successResponse } from "../contract/success-responses.ts";
import { type WarningDetail, orderWarnings } from "../contract/warning.ts";
import type { JsonObject } from "../json/json-value.ts";
import { answerFeatures } from "./answer-features.ts";
import type { BudgetTokens, ContractOffer } from "./contract-offer.ts";
import { responseVersionOf } from "./response-version-of.ts";
import { CONTRACT_META_KEY } from "../contract/wire-names.ts";
import { readAsked } from "./read-asked.ts";
import { type ResolvedContract, resolveContract } from "./resolve-contract.ts";

interface Negotiated {
  readonly response_version: string;
  readonly dialect: DialectId;
  readonly profile: string;
  readonly features: Readonly<Record<string, boolean>>;
  /** Only when the request asked for one. */
  readonly budget_tokens?: BudgetTokens;
}

export interface Negotiation {
  readonly negotiated: Negotiated;
  readonly warnings: readonly WarningDetail[];
  readonly sticky: boolean;
  /** The part that the request itself settled: what a connection remembers, and `resolveContract` takes back. */
  readonly chosen: JsonObject;
  /** Where nothing is remembered: what to send with every request instead. */
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

/** Sending `debug` back would only be refused: it is the server's own choice. */
function wayToKeep({ dialect, profile }: ResolvedContract, chosen: JsonObject): JsonObject {
  const contract = { dialect, ...(profile === "debug" ? {} : { profile }), ...chosen };
  return { _meta: { [CONTRACT_META_KEY]: contract } };
}

/**
 * What a client gets of the contract it asks for. Reads every known form of asking, and never throws.
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
    warnings: orderWarnings([...contract.warnings, ...warnings]),
    sticky,
    chosen,
    ...(sticky ? {} : { howToKeep: wayToKeep(contract, chosen) }),
  };
}

export interface NegotiationData {
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
