import { ContractError } from "./contract-error.ts";

export const dialectIds = [
  "response-v2",
  "response-v2-draft",
  "response-v1",
  "scalpel",
  "drf",
  "plain",
] as const;
export type DialectId = (typeof dialectIds)[number];

export function isDialectId(value: unknown): value is DialectId {
  return dialectIds.some((id) => id === value);
}

export function toDialectId(value: unknown): DialectId {
  if (isDialectId(value)) return value;
  throw new ContractError(
    "UNKNOWN_DIALECT",
    `Unknown dialect "${String(value)}": choose one of ${dialectIds.join(", ")}.`,
  );
}
