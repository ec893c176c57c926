import { ContractError } from "../contract/contract-error.ts";
import type { ClientOptions } from "./client-options.ts";
import type { RetryOptions } from "./retry-policy.ts";

const known: Readonly<Record<keyof ClientOptions, true>> = {
  budget: true,
  dialect: true,
  profile: true,
  retry: true,
  strict: true,
  strictWarnings: true,
  onWarning: true,
  onConflict: true,
  onCall: true,
  timeoutMs: true,
  maxArchiveBytes: true,
  now: true,
  random: true,
  wait: true,
};
const knownRetry: Readonly<Record<keyof RetryOptions, true>> = {
  attempts: true,
  baseMs: true,
  maxMs: true,
  budgetMs: true,
  repeat: true,
};

function refuse(message: string): never {
  throw new ContractError("INVALID_OPTION", message);
}

function checkKeys(owner: string, value: object, names: object): void {
  const stray = Object.keys(value).find((key) => !Object.hasOwn(names, key));
  if (stray !== undefined)
    refuse(`${owner} has no option "${stray}": choose of ${Object.keys(names).join(", ")}.`);
}

function checkNumber(name: string, value: unknown, least: number): void {
  if (value === undefined || (typeof value === "number" && value >= least)) return;
  refuse(`${name} is ${JSON.stringify(value)}: give a number of at least ${least}.`);
}

/** Refuses options that no type checker saw: they would be ignored without a word. */
export function checkClientOptions(options: ClientOptions): void {
  checkKeys("contractClient", options, known);
  checkNumber("timeoutMs", options.timeoutMs, 1);
  checkNumber("maxArchiveBytes", options.maxArchiveBytes, 1);
  const { retry = {} } = options;
  if (retry === false) return;
  if (typeof retry !== "object")
    refuse("retry is no object: give { attempts, baseMs, maxMs, budgetMs, repeat }, or false.");
  checkKeys("retry", retry, knownRetry);
  checkNumber("retry.attempts", retry.attempts, 1);
  for (const key of ["baseMs", "maxMs", "budgetMs"] as const) checkNumber(`retry.${key}`, retry[key], 0);
}
