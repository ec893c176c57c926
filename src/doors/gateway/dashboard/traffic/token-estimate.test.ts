import { describe, expect, it } from "vitest";
import { loadCounter } from "../../../../core/tokens/token-counter.ts";
import { TokenEstimate, TokenRatio } from "./new-row.ts";

const words = ["ledger", "harbour", "copper", "sail", "winter", "quota", "granite", "lantern"];
const textOf = (length: number, salt: number): string =>
  Array.from({ length }, (_, at) => words[(at * 7 + salt * 3 + (at % 5)) % words.length]).join(" ");

const counter = await loadCounter();

function estimating() {
  let asked = 0;
  const estimate = new TokenEstimate();
  const counting = {
    encoding: counter.encoding,
    count: (text: string) => {
      asked += text.length;
      return counter.count(text);
    },
  };
  return { estimate, ratio: new TokenRatio(), asked: () => asked, load: () => estimate.use(counting) };
}

describe("an estimate of tokens", () => {
  it("is exact while few texts come", () => {
    const { estimate, ratio, load } = estimating();
    load();
    const texts = [textOf(30, 1), textOf(200, 2)];
    const exact = texts.reduce((sum, text) => sum + counter.count(text), 0);
    expect(estimate.of(texts, ratio, 1_000)).toEqual({ tokens: exact, isCounted: true });
    expect(estimate.of([""], ratio, 1_000)).toEqual({ tokens: 0, isCounted: true });
  });

  it("is within a tenth when many come, and counts only so many characters a second", () => {
    const { estimate, ratio, load, asked } = estimating();
    load();
    let exact = 0;
    let estimated = 0;
    for (let at = 0; at < 800; at++) {
      const text = textOf(at % 100 === 0 ? 6_000 : 100 + (at % 60), at);
      exact += counter.count(text);
      estimated += estimate.of([text], ratio, 1_000 + at).tokens;
    }
    expect(Math.abs(estimated - exact) / exact).toBeLessThan(0.1);
    expect(asked()).toBeLessThanOrEqual(262_144 + 4_096);
  });

  it("guesses before there is a counter, and says so", () => {
    const { estimate, ratio } = estimating();
    expect(estimate.of(["x".repeat(400)], ratio, 0)).toEqual({ tokens: 100, isCounted: false });
  });
});
