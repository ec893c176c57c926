import { describe, expect, it } from "vitest";
import type { LedgerDay } from "../../../src/doors/gateway/dashboard/protocol/places.ts";
import { byDay, byServer, dayAfter, sumOf } from "./ledger-sums.ts";

function rowOf(day: string, server: string, tokensIn: number, tokensOut: number): LedgerDay {
  const counts = { calls: 1, isEstimated: false, cuts: 0, retrievals: 0, errorsRepaired: 0 };
  return { day, server, tokensIn, tokensOut, ...counts };
}

const rows = [
  rowOf("2026-02-27", "files", 100, 40),
  rowOf("2026-03-01", "files", 10, 10),
  { ...rowOf("2026-03-01", "notes", 900, 90), isEstimated: true },
];

describe("the sums of the ledger", () => {
  it("have the servers that cost most first", () => {
    expect(byServer(rows).map(({ server, calls, tokensOut }) => [server, calls, tokensOut])).toEqual([
      ["notes", 1, 90],
      ["files", 2, 50],
    ]);
  });

  it("have every day, also one without a call, and none that is older", () => {
    expect(byDay(rows, "2026-03-01", 3).map(({ day, tokensIn }) => [day, tokensIn])).toEqual([
      ["2026-02-27", 100],
      ["2026-02-28", 0],
      ["2026-03-01", 910],
    ]);
    expect(byDay(rows, "2026-03-01", 1).map(({ day }) => day)).toEqual(["2026-03-01"]);
  });

  it("are estimated as soon as one of them is", () => {
    expect(sumOf(rows)).toMatchObject({ calls: 3, tokensIn: 1_010, tokensOut: 140, isEstimated: true });
    expect(sumOf([])).toMatchObject({ calls: 0, isEstimated: false });
  });

  it("go over the end of a month and a year", () => {
    expect([dayAfter("2026-12-31", 1), dayAfter("2028-03-01", -1)]).toEqual(["2027-01-01", "2028-02-29"]);
  });
});
