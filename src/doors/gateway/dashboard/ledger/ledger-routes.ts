// What the page shows of the ledger: the counts of all stdio gateways of this user, those of this one included.

import { type LedgerRow, UnreadableLedger } from "../../ledger/ledger-file.ts";
import { type ApiRoute, ApiProblem, type WatchedGateway } from "../dashboard-parts.ts";
import type { LedgerDay, LedgerReport } from "../protocol/places.ts";

/** `GET /api/ledger`. */
export function ledgerRoutes({ ledger }: WatchedGateway): readonly ApiRoute[] {
  const answer = async (): Promise<LedgerReport> => {
    if (ledger === undefined) return { isOn: false, rows: [] };
    return { isOn: true, rows: (await readRows(ledger)).map(toDay) };
  };
  return [{ method: "GET", path: "/api/ledger", answer }];
}

async function readRows(ledger: NonNullable<WatchedGateway["ledger"]>): Promise<readonly LedgerRow[]> {
  try {
    return await ledger();
  } catch (error) {
    if (!(error instanceof UnreadableLedger)) throw error;
    const remedy = error.isNewer
      ? "Use the newer version of Waybill."
      : "The next write puts it aside and begins a new one.";
    throw new ApiProblem("failed", `${error.message}.`, remedy);
  }
}

function toDay(row: LedgerRow): LedgerDay {
  return {
    day: row.day,
    server: row.server,
    calls: row.calls,
    tokensIn: row.tokens_in,
    tokensOut: row.tokens_out,
    isEstimated: row.is_estimated,
    cuts: row.cuts,
    retrievals: row.retrievals,
    errorsRepaired: row.errors_repaired,
  };
}
