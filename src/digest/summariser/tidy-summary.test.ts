import { describe, expect, it } from "vitest";
import { tidySummary } from "./tidy-summary.ts";

const limits = { maxSummaryChars: 60, maxKeyPoints: 2, maxKeyPointChars: 20 };

describe("tidySummary", () => {
  it("keeps what is in order as it is", () => {
    const given = { summary: "Bees dance. 蜜蜂跳舞。", keyPoints: ["Bees dance.", "They fly."] };
    expect(tidySummary(given, limits)).toEqual(given);
  });

  it("drops blank and repeated key points before it counts them", () => {
    const keyPoints = ["", "a", " \n", "a ", "b", "c"];
    expect(tidySummary({ summary: "x", keyPoints }, limits).keyPoints).toEqual(["a", "b"]);
  });

  it("passes nothing on that steers a terminal, turns the writing or hides words", () => {
    const hidden = String.fromCodePoint(0xe0041, 0xe0042);
    const summary = `One\u001b[31m\r\n two\u0000 \u202ethree\u2069 ${hidden}four \ud800`;
    expect(tidySummary({ summary, keyPoints: [] }, limits).summary).toBe("One [31m two three four");
  });

  it.each([
    [null, "is no object"],
    [{ keyPoints: [] }, "has no summary"],
    [{ summary: "x" }, "has no list of key points"],
    [{ summary: "x", keyPoints: "y" }, "has no list of key points"],
    [{ summary: "x", keyPoints: [1] }, "has a key point that is no text"],
    [{ summary: "\u202e \n", keyPoints: ["y"] }, "is empty"],
  ])("refuses %j", (given, says) => {
    expect(() => tidySummary(given, limits)).toThrow(
      expect.objectContaining({ reason: "invalid_answer", message: `The summariser's answer ${says}.` }),
    );
  });
});
