import { ContractError } from "./contract-error.ts";

export interface NumberRange {
  readonly min: number;
  readonly max?: number;
  readonly whole?: boolean;
}

/** The longest delay a Node timer keeps; a longer one fires at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** Refuses an option that is no number of its range. */
export function assertNumber(option: string, value: number, { min, max, whole = false }: NumberRange): void {
  const isNumber = whole ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (isNumber && value >= min && value <= (max ?? value)) return;
  const kind = whole ? "whole number" : "number";
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new ContractError("INVALID_OPTION", `${option} is ${String(value)}: give a ${kind} ${range}.`, {
    option,
  });
}
