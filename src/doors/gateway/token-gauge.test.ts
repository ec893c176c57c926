import { describe, expect, it } from "vitest";
import { loadCounter } from "../../core/tokens/token-counter.ts";
import { TokenGauge } from "./served-set.ts";

const words = ["ledger", "harbour", "copper", "sail", "winter", "quota", "granite", "lantern"];
const textOf = (length: number, salt: number): string =>
  Array.from({ length }, (_, at) => words[(at * 7 + salt * 3 + (at % 5)) % words.length]).join(" ");

describe("a token gauge", () => {
  it("counts a few short texts exactly", async () => {
    const counter = await loadCounter();
    const gauge = new TokenGauge();
    const texts = [textOf(10, 1), textOf(40, 2), ""];
    for (const text of texts) gauge.add(text);
    const exact = texts.reduce((sum, text) => sum + counter.count(text), 0);
    expect(gauge.total(counter)).toEqual({ tokens: exact, isEstimated: false });
  });

  it("is within a tenth of the truth for many texts, some of them long, and says that it estimates", async () => {
    const counter = await loadCounter();
    const gauge = new TokenGauge();
    let exact = 0;
    for (let at = 0; at < 1_000; at++) {
      const text = textOf(at % 100 === 0 ? 5_000 : 20 + (at % 60), at);
      gauge.add(text);
      exact += counter.count(text);
    }
    const { tokens, isEstimated } = gauge.total(counter);
    expect(isEstimated).toBe(true);
    expect(Math.abs(tokens - exact) / exact).toBeLessThan(0.1);
  });

  it("has nothing to estimate before the first text", async () => {
    expect(new TokenGauge().total(await loadCounter())).toEqual({ tokens: 0, isEstimated: false });
  });
});
