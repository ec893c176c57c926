import type { BareCuts } from "../config/settings.ts";
import { ContractError } from "../contract/contract-error.ts";
import { fitStrategies } from "../pipeline/parcel.ts";
import { type TokenCounter, encodings } from "../tokens/token-counter.ts";

/** Typed so that a choice added elsewhere fails to compile here. */
const bareCuts: Readonly<Record<BareCuts, true>> = { auto: true, always: true, never: true };

/** What a tool or a contract says of its budget, before anybody looked at it. */
interface Budgeted {
  readonly budget?: unknown;
  readonly strategy?: unknown;
}

interface FitChoices {
  readonly strategy?: unknown;
  readonly maxBlobBytes?: unknown;
  readonly withoutEnvelope?: unknown;
  readonly counter?: unknown;
}

function refuse(option: string, value: unknown, advice: string): never {
  const shown = typeof value === "string" ? `"${value.slice(0, 100)}"` : String(value);
  throw new ContractError("INVALID_OPTION", `${option} is ${shown}: ${advice}.`, { option });
}

/** A limit nothing compares with, such as NaN, would let every result pass, or none. */
function checkLimit(option: string, value: unknown, unit: string): void {
  if (value === undefined || value === "off" || (Number.isSafeInteger(value) && Number(value) >= 1)) return;
  refuse(option, value, `give a whole number of ${unit} of at least 1, or "off"`);
}

function checkChoice(option: string, value: unknown, choices: readonly string[]): void {
  if (value === undefined || (typeof value === "string" && choices.includes(value))) return;
  refuse(option, value, `choose one of ${choices.join(", ")}`);
}

/** Refuses a budget or strategy that no result could be cut by; `owner` says whose it is. */
export function checkBudget(owner: string, { budget = {}, strategy }: Budgeted): void {
  if (typeof budget !== "object" || budget === null)
    refuse(`${owner}budget`, budget, "give { tokens, bytes }");
  const { tokens, bytes } = budget as { readonly tokens?: unknown; readonly bytes?: unknown };
  checkLimit(`${owner}budget.tokens`, tokens, "tokens");
  checkLimit(`${owner}budget.bytes`, bytes, "bytes");
  checkChoice(`${owner}strategy`, strategy, fitStrategies);
}

/** Refuses what `createContract` cannot cut by. */
export function checkFit({ strategy, maxBlobBytes, withoutEnvelope, counter }: FitChoices): void {
  checkChoice("fit.strategy", strategy, fitStrategies);
  checkLimit("fit.maxBlobBytes", maxBlobBytes, "bytes");
  checkChoice("fit.withoutEnvelope", withoutEnvelope, Object.keys(bareCuts));
  const isOwn = typeof (counter as Partial<TokenCounter> | null | undefined)?.count === "function";
  if (!isOwn) checkChoice("fit.counter", counter, encodings);
}
