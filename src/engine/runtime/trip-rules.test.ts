import { describe, expect, it } from "vitest";
import { createCallWindow } from "./trip-rules.ts";

describe("createCallWindow", () => {
  it("counts calls and failures", () => {
    const window = createCallWindow(1_000);
    window.add(0, true);
    window.add(10, false);
    window.add(150, false);
    expect(window.totals(150)).toEqual({ calls: 3, failures: 2 });
  });

  it("forgets a call after the window, a tenth of it early at most", () => {
    const window = createCallWindow(1_000);
    window.add(99, false);
    expect(window.totals(999).calls).toBe(1);
    expect(window.totals(1_000).calls).toBe(0);
  });

  it("leaves out calls of a time that the clock has not reached again", () => {
    const window = createCallWindow(1_000);
    window.add(5_000, false);
    expect(window.totals(0).calls).toBe(0);
  });

  it("is empty after it is cleared", () => {
    const window = createCallWindow(1_000);
    window.add(0, false);
    window.clear();
    expect(window.totals(0)).toEqual({ calls: 0, failures: 0 });
  });
});
