import type { JsonObject } from "../json/json-value.ts";

/** What the envelope around the data costs at most: its keys, a request id, the cursor and the pagination. */
const ENVELOPE_TOKENS = 120;
/** As for every result: below it nothing useful fits. */
const FLOOR_TOKENS = 256;

export interface Budget {
  readonly budgetTokens: number | "off";
  readonly count: (text: string, limit?: number) => number;
}

/** Tokens a budget leaves beside this data; Infinity when it is off, below zero when the data alone is too much. */
export function roomFor(data: JsonObject, { budgetTokens, count }: Budget): number {
  if (budgetTokens === "off") return Number.POSITIVE_INFINITY;
  // Written so that a budget that is no number counts as the floor.
  const budget = budgetTokens > FLOOR_TOKENS ? budgetTokens : FLOOR_TOKENS;
  const room = budget - ENVELOPE_TOKENS;
  return room - count(JSON.stringify(data), room);
}
