import { describe, expect, test } from "vitest";
import { listPages } from "./read-pdf.ts";

describe("listPages", () => {
  test("writes runs as people do", () => {
    expect(listPages([3, 5, 6, 7, 9])).toBe("3, 5-7, 9");
  });

  test("counts what would make the list long", () => {
    const odd = Array.from({ length: 40 }, (_, index) => 2 * index + 1);
    expect(listPages(odd)).toBe("1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23 and 28 more");
  });
});
