import { describe, expect, it } from "vitest";
import { BestList } from "./pick-passages.ts";

describe("BestList", () => {
  const text = "abcdefghij".repeat(10);
  const at = (start: number, score: number, length = 1) => ({ start, end: start + length, score });

  it("keeps the best, best first, equal ones in document order", () => {
    const list = new BestList(text, 3);
    for (const item of [at(3, 0.2), at(1, 0.5), at(0, 0.5), at(4, 0.9), at(5, 0.1), at(6, 0.3), at(7, 0.4)]) {
      list.add(item);
    }
    expect(list.items().map(({ start }) => start)).toEqual([4, 0, 1]);
  });

  it("keeps what is said twice only once, so that others find room", () => {
    const list = new BestList(text, 2);
    for (const start of [0, 10, 20, 30, 40]) list.add(at(start, 0.9));
    list.add(at(5, 0.1));
    expect(list.items().map(({ start }) => start)).toEqual([0, 5]);
  });

  it("turns away what is worse than all it keeps, once it is full", () => {
    const list = new BestList(text, 1);
    list.add(at(0, 0.5));
    expect(list.admits(0.1)).toBe(true);
    list.add(at(1, 0.6));
    expect(list.admits(0.1)).toBe(false);
    expect(list.admits(0.7)).toBe(true);
  });
});
