import type { BareCuts } from "../config/settings.ts";
import { ContractError } from "../contract/contract-error.ts";
import { checkStoreSpec } from "../stores/open-store.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { fitStrategies } from "../pipeline/parcel.ts";
import { type TokenCounter, tokenEncodings } from "../tokens/token-counter.ts";

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

/** A limit such as NaN, which compares with nothing, would let every result pass, or none. */
function checkLimit(option: string, value: unknown, unit: string): void {
  if (value === undefined || value === "off" || (Number.isSafeInteger(value) && Number(value) >= 1)) return;
  refuse(option, value, `give a whole number of ${unit} of at least 1, or "off"`);
}

/** A misspelt key would be ignored silently, and the limit would stay as it was. */
function checkKeys(option: string, value: object, known: readonly string[]): void {
  for (const key of Object.keys(value).filter((name) => !known.includes(name))) {
    const meant = didYouMean(key, known);
    const hint = meant === undefined ? `Known are ${known.join(", ")}.` : `Did you mean "${meant}"?`;
    throw new ContractError("INVALID_OPTION", `${option} has no "${key}". ${hint}`, { option });
  }
}

function checkChoice(option: string, value: unknown, choices: readonly string[]): void {
  if (value === undefined || (typeof value === "string" && choices.includes(value))) return;
  refuse(option, value, `choose one of ${choices.join(", ")}`);
}

/** Refuses an invalid budget or strategy; `owner` says whose it is. */
export function checkBudget(owner: string, { budget = {}, strategy }: Budgeted): void {
  if (typeof budget !== "object" || budget === null)
    refuse(`${owner}budget`, budget, "give { tokens, bytes }");
  checkKeys(`${owner}budget`, budget, ["tokens", "bytes"]);
  const { tokens, bytes } = budget as { readonly tokens?: unknown; readonly bytes?: unknown };
  checkLimit(`${owner}budget.tokens`, tokens, "tokens");
  checkLimit(`${owner}budget.bytes`, bytes, "bytes");
  checkChoice(`${owner}strategy`, strategy, fitStrategies);
}

/** Refuses invalid options of `createContract` about cutting. */
export function checkFit(fit: FitChoices): void {
  const { strategy, maxBlobBytes, withoutEnvelope, counter } = fit;
  checkKeys("fit", fit, ["strategy", "maxBlobBytes", "clientLimits", "withoutEnvelope", "counter"]);
  checkChoice("fit.strategy", strategy, fitStrategies);
  checkLimit("fit.maxBlobBytes", maxBlobBytes, "bytes");
  checkChoice("fit.withoutEnvelope", withoutEnvelope, Object.keys(bareCuts));
  checkCounter(counter);
}

/** A counter whose answer is not a number, such as a promise, would let every result pass. */
function checkCounter(counter: unknown): void {
  if (counter === undefined || tokenEncodings.some((name) => name === counter)) return;
  const own: Partial<TokenCounter> | null = typeof counter === "object" ? counter : null;
  if (typeof own?.count !== "function") {
    const message = `fit.counter is not a counter: give one of ${tokenEncodings.join(", ")}, or an object { encoding, count(text, limit) }.`;
    throw new ContractError("INVALID_OPTION", message, { option: "fit.counter" });
  }
  const counted: unknown = own.count("a test of the counter");
  if (typeof counted === "number" && counted >= 1 && Number.isFinite(counted)) return;
  const message =
    "fit.counter does not give a number: count() must return a whole number of tokens, at once.";
  throw new ContractError("INVALID_OPTION", message, { option: "fit.counter" });
}

/** What a cut needs of a store; a command that lists or sweeps needs more. */
const storeMethods = ["put", "get", "getRange", "find"];

/** Refuses anything that is not a store: otherwise the first cut would lose its content. */
export function checkStore(store: unknown): void {
  if (store === undefined || store === false) return;
  if (typeof store === "string") return checkStoreSpec(store);
  const missing = storeMethods.filter(
    (name) => typeof (store as Readonly<Record<string, unknown>> | null)?.[name] !== "function",
  );
  if (missing.length === 0) return;
  const message =
    "store is not a store: give memoryStore(), fileStore(directory), redisStore(url), a text such as ./archive or redis://host, or false.";
  throw new ContractError("INVALID_OPTION", message, { option: "store" });
}
