import { describe, expect, it } from "vitest";
import { addEarlierCuts } from "./endings.ts";

const now = { droppedCount: 6, totalCount: 10, noun: "rows" };
const other = { code: "STALE_CACHE", message: "Cache data is 2 hours old" };

describe("a cut of what was cut before", () => {
  it("counts from the first whole, and says it once", () => {
    const context = { dropped_count: 1990, total_count: 2000 };
    const earlier = { code: "CONTENT_TRUNCATED", message: "1990 rows omitted due to token limits", context };
    expect(addEarlierCuts(now, [other, earlier])).toEqual({
      counts: { droppedCount: 1996, totalCount: 2000, noun: "rows" },
      others: [other],
    });
  });

  it("reads the numbers off the message where nothing else came along", () => {
    const text = { droppedCount: 50, totalCount: 100, noun: "characters" };
    const earlier = { message: "19,589 of 19,689 characters omitted due to token limits" };
    expect(addEarlierCuts(text, [earlier]).counts).toMatchObject({
      droppedCount: 19_639,
      totalCount: 19_689,
    });
    expect(addEarlierCuts(now, [{ message: "1 row omitted" }]).counts).toMatchObject({ totalCount: 11 });
    expect(addEarlierCuts(now, [{ message: "3 of 9 omitted" }]).counts).toMatchObject({ totalCount: 13 });
  });

  it("leaves a warning about something else as it is", () => {
    const others = [{ message: "7 findings omitted" }, { message: "Files were omitted" }, other];
    expect(addEarlierCuts(now, others)).toEqual({ counts: now, others });
  });
});
