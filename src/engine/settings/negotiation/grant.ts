import { type DialectChoice, type DialectId, isDialectChoice } from "../../../core/contract/dialect-id.ts";
import type { WarningDetail } from "../../../core/contract/warning.ts";
import type { BudgetTokens, ContractOffer } from "./contract-offer.ts";
import { markIn } from "../../../core/contract/contract-mark.ts";
import { CONTRACT_FLAG } from "../flags-and-tiers/define-flags.ts";
import { CONTRACT_EXTENSION } from "../../../core/contract/wire-names.ts";
import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";

const MAX_CHARACTERS = 64;

/** What a client sent, shortened for a warning's context. */
export function showAsked(value: unknown): string {
  if (typeof value === "string") {
    const characters = Array.from(value.slice(0, 2 * MAX_CHARACTERS));
    const kept = characters.slice(0, MAX_CHARACTERS).join("");
    return kept.length < value.length ? `${kept}…` : kept;
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === null || value === undefined) return "null";
  return Array.isArray(value) ? "a list" : "an object";
}

/** The same for a message: strings are quoted. */
export function quoteAsked(value: unknown): string {
  return typeof value === "string" ? `"${showAsked(value)}"` : showAsked(value);
}

/** The part of a client's wish that is granted; a warning names the part that is not. */
export interface Grant<Value> {
  readonly value?: Value;
  readonly warning?: WarningDetail;
}

const aliases: Readonly<Record<string, DialectId>> = { v1: "response-v1", v2: "response-v2" };

function readDialect(name: unknown): DialectChoice | undefined {
  if (isDialectChoice(name)) return name;
  return typeof name === "string" && Object.hasOwn(aliases, name) ? aliases[name] : undefined;
}

function refuse(
  code: string,
  what: string,
  asked: unknown,
  why: string,
  offered: readonly string[],
): WarningDetail {
  const message = `${what} ${quoteAsked(asked)} ${why}: choose one of ${offered.join(", ")}.`;
  return { code, severity: "warning", message, context: { asked: showAsked(asked), offered } };
}

/** The first dialect on the client's list that is offered. */
export function grantDialect(
  { dialects, isVersion }: AskedSettings,
  offered: readonly DialectChoice[],
): Grant<DialectChoice> {
  if (dialects.length === 0) return {};
  const known = dialects.map(readDialect).filter((id) => id !== undefined);
  const value = known.find((id) => offered.includes(id));
  if (value !== undefined) return { value };
  const [first] = dialects;
  const warning =
    isVersion && known.length === 0
      ? refuse("VERSION_NOT_SUPPORTED", "Version", first, "is not supported", offered)
      : refuse("DIALECT_NOT_ALLOWED", "Dialect", first, "is not offered here", offered);
  return { warning };
}

/** The requested profile, if it is offered. */
export function grantProfile({ profile }: AskedSettings, offered: readonly string[]): Grant<string> {
  if (profile === undefined) return {};
  const value = offered.find((name) => name === profile);
  if (value !== undefined) return { value };
  return { warning: refuse("DIALECT_NOT_ALLOWED", "Profile", profile, "is not offered to clients", offered) };
}

/** The requested budget, lowered to the server's maximum. The fit stage applies the minimum. */
export function grantBudget({ budget }: AskedSettings, offer: ContractOffer): Grant<BudgetTokens> {
  if (budget === undefined) return {};
  const max = offer.maxBudgetTokens;
  const warn = (message: string): WarningDetail => ({
    code: "BUDGET_NOT_ALLOWED",
    severity: "warning",
    message,
    context: { asked: showAsked(budget), ...(max === undefined ? {} : { max_budget_tokens: max }) },
  });
  if (budget === "off") {
    if (offer.allowBudgetOff === true) return { value: budget };
    return { warning: warn("The token budget cannot be turned off here: ask for a number of tokens.") };
  }
  if (typeof budget !== "number" || !Number.isInteger(budget) || budget < 1) {
    return { warning: warn('budget_tokens is not valid: send a whole number of tokens, or "off".') };
  }
  if (max === undefined || budget <= max) return { value: budget };
  return { value: max, warning: warn(`A budget of ${budget} tokens is over the limit: ${max} is used.`) };
}

const MAX_NAMES = 16;

/** What a client asked for, not yet checked: every value may be any JSON. */
export interface AskedSettings {
  /** In the client's order of preference. */
  readonly dialects: readonly unknown[];
  /** True if the client named a version and not a dialect. */
  readonly isVersion: boolean;
  readonly profile: unknown;
  readonly budget: unknown;
  readonly features: readonly unknown[] | undefined;
}

function objectAt(value: unknown, key: string): JsonObject | undefined {
  const found = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(found) ? found : undefined;
}

/** The places in a request that may contain a wish, most specific first. */
function layersOf(request: unknown): readonly JsonObject[] {
  const capabilities = objectAt(request, "client_capabilities");
  const layers = [
    markIn(objectAt(request, "_meta")),
    isJsonObject(request) ? request : undefined,
    objectAt(objectAt(request, "extensions"), CONTRACT_EXTENSION),
    capabilities,
    objectAt(objectAt(capabilities, "extensions"), CONTRACT_EXTENSION),
  ];
  return layers.filter((layer) => layer !== undefined);
}

function firstOf(layers: readonly JsonObject[], ...keys: readonly string[]): unknown {
  for (const layer of layers) {
    for (const key of keys) {
      const value = Object.hasOwn(layer, key) ? layer[key] : undefined;
      if (value !== undefined && value !== null) return value;
    }
  }
  return undefined;
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value.slice(0, MAX_NAMES) : [value];
}

function readFeatures(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return undefined;
  const names = value.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}

/** The capability flag of seed 000: true asks for response-v2, false for the earlier form. */
function readFlag(flag: unknown): string | undefined {
  return typeof flag === "boolean" ? (flag ? "response-v2" : "response-v1") : undefined;
}

const wishes = [
  "dialect",
  "response_contract",
  CONTRACT_FLAG,
  "requested_version",
  "profile",
  "budget_tokens",
  "requested_features",
  "features",
  "extensions",
] as const;

/** Other keys of a client's capabilities, by the revisions of MCP; they need no warning. */
const mcpCapabilities = ["experimental", "roots", "sampling", "elicitation", "tasks"];

/** Unknown keys, with the known keys of the same place: most likely a misspelt wish. */
export function unreadKeys(
  request: unknown,
): readonly { readonly place: string; readonly key: string; readonly known: readonly string[] }[] {
  const places = [
    { place: "", value: request, besides: ["action", "tool", "client_capabilities", "_meta"] },
    {
      place: "client_capabilities.",
      value: objectAt(request, "client_capabilities"),
      besides: mcpCapabilities,
    },
  ];
  return places.flatMap(({ place, value, besides }) => {
    if (!isJsonObject(value)) return [];
    const known = [...wishes, ...besides];
    const strange = Object.keys(value).filter((key) => !known.includes(key));
    return strange.map((key) => ({ place, key, known }));
  });
}

/** Reads every known form: seed 004's, the form of older servers, our own, and the client capability. Never throws. */
export function readAsked(request: unknown): AskedSettings {
  const layers = layersOf(request);
  const dialect = firstOf(layers, "dialect");
  const version =
    firstOf(layers, "response_contract", "requested_version") ?? readFlag(firstOf(layers, CONTRACT_FLAG));
  return {
    dialects: listOf(dialect ?? version),
    isVersion: dialect === undefined,
    profile: firstOf(layers, "profile"),
    budget: firstOf(layers, "budget_tokens"),
    features: readFeatures(firstOf(layers, "requested_features", "features")),
  };
}
