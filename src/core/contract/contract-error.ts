import type { JsonObject } from "../json/json-value.ts";

/** The mistakes a programmer can make; never sent to a model. */
const contractErrorCodes = [
  "EMPTY_MESSAGE",
  "NOT_JSON",
  "INVALID_OPTION",
  "INVALID_ENVELOPE",
  "UNKNOWN_DIALECT",
  "UNKNOWN_PROFILE",
  "CANNOT_CARRY",
  "UNREADABLE",
  "INVALID_CONFIG",
  "INVALID_PAYLOAD",
  "MISSING_KEY",
] as const;

export type ContractErrorCode = (typeof contractErrorCodes)[number];

// Two copies of the package may be installed side by side, so identity is a registered symbol, not the class.
const brand = Symbol.for("waybill.ContractError");

/** An error for the programmer: the message says what happened, then what to do. */
export class ContractError extends Error {
  override readonly name: string = "ContractError";
  readonly code: ContractErrorCode;
  readonly details: JsonObject;

  constructor(code: ContractErrorCode, message: string, details: JsonObject = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
    Object.defineProperty(this, brand, { value: true });
  }

  static isInstance(value: unknown): value is ContractError {
    return typeof value === "object" && value !== null && brand in value;
  }
}

interface NumberRange {
  readonly min: number;
  readonly max?: number;
  readonly whole?: boolean;
}

/** The longest delay a Node timer keeps; a longer one fires at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** Throws if an option is not a number within its range. */
export function assertNumber(option: string, value: number, { min, max, whole = false }: NumberRange): void {
  const isNumber = whole ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (isNumber && value >= min && value <= (max ?? value)) return;
  const kind = whole ? "whole number" : "number";
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new ContractError("INVALID_OPTION", `${option} is ${String(value)}: give a ${kind} ${range}.`, {
    option,
  });
}
