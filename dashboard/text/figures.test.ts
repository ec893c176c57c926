import { describe, expect, it } from "vitest";
import {
  formatAge,
  formatBytes,
  formatCount,
  formatMany,
  formatMs,
  formatShare,
  formatShort,
} from "./figures.ts";

describe("figures", () => {
  it("shortens counts to three digits, and never shows 1000 of a unit", () => {
    const counts = [0, 7, 999, 1_000, 1_234, 9_999, 45_600, 99_960, 999_499, 999_500, 7_890_000, -6_030_000];
    expect(counts.map(formatShort)).toEqual([
      "0",
      "7",
      "999",
      "1.00k",
      "1.23k",
      "10.0k",
      "45.6k",
      "100k",
      "999k",
      "1.00M",
      "7.89M",
      "\u22126.03M",
    ]);
    expect(formatCount(1_234_567)).toBe("1,234,567");
  });

  it("shows times in the unit that they are read in", () => {
    const times = [0, 0.004, 0.04, 0.999, 1, 9.94, 9.96, 114.3, 999.6, 1_234, 59_940, 252_000];
    expect(times.map(formatMs)).toEqual([
      "0 ms",
      "<0.01 ms",
      "0.04 ms",
      "1.0 ms",
      "1.0 ms",
      "9.9 ms",
      "10 ms",
      "114 ms",
      "1.00 s",
      "1.23 s",
      "59.9 s",
      "4.2 min",
    ]);
  });

  it("rounds no share to nothing or to all", () => {
    expect([
      formatShare(0, 10),
      formatShare(1, 10_000),
      formatShare(37, 100),
      formatShare(1, 30),
      formatShare(9_999, 10_000),
      formatShare(5, 5),
      formatShare(-82, 100),
      formatShare(5, 0),
    ]).toEqual(["0 %", "<0.1 %", "37 %", "3.3 %", ">99 %", "100 %", "\u221282 %", "0 %"]);
  });

  it("shows sizes and ages", () => {
    expect([512, 1_536, 1_023 * 1_024 + 700, 33_554_432].map(formatBytes)).toEqual([
      "512 B",
      "1.5 KiB",
      "1.0 MiB",
      "32 MiB",
    ]);
    expect([-5, 8_900, 61_000, 7_300_000, 180_000_000].map(formatAge)).toEqual([
      "0 s",
      "8 s",
      "1 min",
      "2 h",
      "2 d",
    ]);
    expect([formatMany(1, "call"), formatMany(2_000, "call"), formatMany(0, "retry", "retries")]).toEqual([
      "1 call",
      "2,000 calls",
      "0 retries",
    ]);
  });
});
