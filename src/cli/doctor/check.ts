import type { JsonObject } from "../../json/json-value.ts";

export const checkStatuses = ["ok", "note", "problem"] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/** One line of `waybill doctor`. */
export interface Check {
  /** Stays the same whatever is found, for scripts. */
  readonly id: string;
  readonly status: CheckStatus;
  readonly says: string;
  /** What to do about it. */
  readonly advice?: string;
  readonly details?: JsonObject;
}
