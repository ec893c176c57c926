import { describe, expect, it } from "vitest";
import { reconnectDelayMs } from "./reconnect-delay.ts";

describe("reconnectDelayMs", () => {
  it("waits twice as long each time, up to 15 seconds", () => {
    expect([1, 2, 3, 4, 5, 6, 1_000].map((attempt) => reconnectDelayMs(attempt, 0))).toEqual([
      1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000,
    ]);
  });

  it("leaves off up to a fifth by chance", () => {
    expect(reconnectDelayMs(1, 1)).toBe(800);
    expect(reconnectDelayMs(9, 0.5)).toBe(13_500);
  });
});
