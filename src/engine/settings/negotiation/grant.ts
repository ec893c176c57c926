import { type DialectChoice, type DialectId, isDialectChoice } from "../../../core/contract/dialect-id.ts";
import type { WarningDetail } from "../../../core/contract/warning.ts";
import type { BudgetTokens, ContractOffer } from "./contract-offer.ts";
import type { Asked } from "./read-asked.ts";

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
  { dialects, isVersion }: Asked,
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
export function grantProfile({ profile }: Asked, offered: readonly string[]): Grant<string> {
  if (profile === undefined) return {};
  const value = offered.find((name) => name === profile);
  if (value !== undefined) return { value };
  return { warning: refuse("DIALECT_NOT_ALLOWED", "Profile", profile, "is not offered to clients", offered) };
}

/** The requested budget, lowered to the server's maximum. The fit stage applies the minimum. */
export function grantBudget({ budget }: Asked, offer: ContractOffer): Grant<BudgetTokens> {
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
