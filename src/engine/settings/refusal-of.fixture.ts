import { ContractError } from "../../core/contract/contract-error.ts";

/** The error with which an action refuses a configuration. */
export function refusalOf(action: () => unknown): ContractError {
  try {
    action();
  } catch (error) {
    if (ContractError.isInstance(error) && error.code === "INVALID_CONFIG") return error;
    throw error;
  }
  throw new Error("Nothing was refused.");
}
