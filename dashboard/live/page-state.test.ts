import { describe, expect, it } from "vitest";
import { callRow } from "../traffic/call-row.fixture.ts";
import { calls, skippedCalls, takeEvent } from "./page-state.ts";

const tell = (seq: number, skipped: number): void =>
  takeEvent("calls", JSON.stringify({ rows: [callRow(seq)], skipped }));

describe("what the page is told of calls", () => {
  it("counts as left out what came while it was open, and not what ended before", () => {
    tell(900, 899);
    expect([calls.rows.length, skippedCalls.value]).toEqual([1, 0]);
    tell(920, 19);
    expect([calls.rows.length, skippedCalls.value]).toEqual([2, 19]);
  });

  it("passes over events that it does not know", () => {
    takeEvent("weather", "{");
    expect(calls.rows).toHaveLength(2);
  });
});
