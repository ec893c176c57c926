import { type ClientLimit, clientLimitOf, clientLimits } from "../../core/readers/client-limits.ts";
import type { Budget, Limit } from "../../core/pipeline/parcel.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";

/** A smaller budget has no room for an honest cut: envelope, names, hash and how to get the rest. */
export const MIN_BUDGET_TOKENS = 256;
export const MIN_BUDGET_BYTES = 1_024;

export interface CallBudget extends Budget {
  readonly warnings: readonly WarningDetail[];
}

function lower(a: Limit, b: number | undefined): Limit {
  if (b === undefined) return a;
  return a === "off" ? b : Math.min(a, b);
}

function floored(what: string, asked: Limit, least: number): readonly WarningDetail[] {
  if (asked === "off" || asked >= least) return [];
  return [
    {
      code: "TOKEN_BUDGET_FLOORED",
      severity: "warning",
      message: `A budget of ${asked} ${what} is too small for an honest answer: ${least} is used`,
      context: { asked, used: least },
    },
  ];
}

function atLeast(limit: Limit, least: number): Limit {
  return limit === "off" ? limit : Math.max(least, Math.floor(limit));
}

/** The limit of a client, if the table has the client's name. */
export function limitFor(
  { clientLimits: known }: { readonly clientLimits: readonly ClientLimit[] | boolean },
  clientName: string | undefined,
): ClientLimit | undefined {
  const table = known === true ? clientLimits : known;
  return table === false ? undefined : clientLimitOf(clientName, table);
}

/** The budget, lowered to the limit of a known client and raised to the minimum. */
export function settleBudget(
  { tokens, bytes }: Budget,
  clientName: string | undefined,
  known: readonly ClientLimit[] | boolean,
): CallBudget {
  const limit = limitFor({ clientLimits: known }, clientName);
  const share = (value: number | undefined): number | undefined =>
    value === undefined || limit === undefined ? undefined : Math.floor(value / limit.factor);
  const halved = limit?.factor === 2 && tokens !== "off" ? Math.floor(tokens / 2) : tokens;
  const asked = { tokens: lower(halved, share(limit?.tokens)), bytes: lower(bytes, share(limit?.bytes)) };
  return {
    tokens: atLeast(asked.tokens, MIN_BUDGET_TOKENS),
    bytes: atLeast(asked.bytes, MIN_BUDGET_BYTES),
    warnings: [
      ...floored("tokens", asked.tokens, MIN_BUDGET_TOKENS),
      ...floored("bytes", asked.bytes, MIN_BUDGET_BYTES),
    ],
  };
}
