import { ContractError } from "../../contract/contract-error.ts";

/** Limits are whole numbers from 1; anything else is the caller's mistake, not the document's. */
export function assertLimit(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return;
  throw new ContractError(
    "INVALID_OPTION",
    `${name} must be a whole number of at least 1, not ${String(value)}: pass one, or leave it out.`,
    { option: name },
  );
}
