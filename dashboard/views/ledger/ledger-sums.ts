// The rows of the ledger summed up, by server and by day.

import type { LedgerDay } from "../../../src/doors/gateway/dashboard/protocol/places.ts";

export type LedgerSum = Omit<LedgerDay, "day" | "server">;

export interface DaySum extends LedgerSum {
  readonly day: string;
}

export interface ServerSum extends LedgerSum {
  readonly server: string;
}

const none: LedgerSum = {
  calls: 0,
  tokensIn: 0,
  tokensOut: 0,
  isEstimated: false,
  cuts: 0,
  retrievals: 0,
  errorsRepaired: 0,
};

function add(one: LedgerSum, other: LedgerSum): LedgerSum {
  return {
    calls: one.calls + other.calls,
    tokensIn: one.tokensIn + other.tokensIn,
    tokensOut: one.tokensOut + other.tokensOut,
    isEstimated: one.isEstimated || other.isEstimated,
    cuts: one.cuts + other.cuts,
    retrievals: one.retrievals + other.retrievals,
    errorsRepaired: one.errorsRepaired + other.errorsRepaired,
  };
}

export function sumOf(rows: readonly LedgerDay[]): LedgerSum {
  return rows.reduce<LedgerSum>(add, none);
}

/** The servers, those that cost most first. */
export function byServer(rows: readonly LedgerDay[]): readonly ServerSum[] {
  const sums = new Map<string, LedgerSum>();
  for (const row of rows) sums.set(row.server, add(sums.get(row.server) ?? none, row));
  return [...sums]
    .map(([server, sum]) => ({ server, ...sum }))
    .sort((one, other) => other.tokensOut - one.tokensOut);
}

/** `2026-11-19` and so many days on. A day of the calendar has no zone. */
export function dayAfter(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** The newest days up to `today`, each one also without a call, oldest first. */
export function byDay(rows: readonly LedgerDay[], today: string, count: number): readonly DaySum[] {
  const sums = new Map<string, LedgerSum>();
  for (const row of rows) sums.set(row.day, add(sums.get(row.day) ?? none, row));
  return Array.from({ length: count }, (_, at) => {
    const day = dayAfter(today, at - count + 1);
    return { day, ...(sums.get(day) ?? none) };
  });
}
