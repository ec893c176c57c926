import { describe, expect, it } from "vitest";
import { highlightWords } from "../commands/digest.ts";

const highlight = (query: string, line: string) => highlightWords(query, (word) => `[${word}]`)(line);

describe("highlightWords", () => {
  it("paints words in other cases and forms, and leaves short ones alone", () => {
    expect(highlight("How did the mill burn?", "The mills of Burnley: one burned, one MILL did not.")).toBe(
      "The [mills] of Burnley: one burned, one [MILL] did not.",
    );
    expect(highlight("surrender", "They surrendered.")).toBe("They [surrendered].");
  });

  it("paints numbers, however short", () => {
    expect(highlight("in 99", "In 99 or 199")).toBe("In [99] or 199");
  });

  it("takes short words when there are no others", () => {
    expect(highlight("who am I", "I am he")).toBe("[I] [am] he");
  });

  it("paints the pairs of characters that were searched in scripts without spaces", () => {
    expect(highlight("黑豹队防守", "卡罗来纳黑豹队的防守很强")).toBe("卡罗来纳[黑豹队]的[防守]很强");
  });

  it("paints nothing without a query", () => {
    expect(highlight("", "anything")).toBe("anything");
  });
});
