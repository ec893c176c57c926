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

/** The values of a dialect setting: one of the six, or `auto`, which chooses plain or response-v2 for each result. */
export const dialectChoices = [...dialectIds, "auto"] as const;
export type DialectChoice = (typeof dialectChoices)[number];

export function isDialectChoice(value: unknown): value is DialectChoice {
  return dialectChoices.some((choice) => choice === value);
}

const autoDialects = ["plain", "response-v2"] as const satisfies readonly DialectId[];

/** The dialects that results may have under these choices. */
export function dialectsUnder(choices: readonly DialectChoice[]): readonly DialectId[] {
  return [...new Set(choices.flatMap((choice) => (choice === "auto" ? autoDialects : [choice])))];
}

/**
 * The dialects a request may name under a choice: the choice itself, and under `auto` also response-v2, which every
 * result can have. Not plain: plain never cuts the result of a tool with a schema, so a request could evade the budget.
 */
export function askableUnder(choice: DialectChoice): readonly DialectChoice[] {
  return choice === "auto" ? ["auto", "response-v2"] : [choice];
}

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
