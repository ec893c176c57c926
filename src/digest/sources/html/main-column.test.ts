import { describe, expect, it } from "vitest";
import { mainColumn } from "./main-column.ts";
import type { TextBlock } from "./text-block.ts";

function block(text: string, kind: TextBlock["kind"] = "prose", linked = 0): TextBlock {
  return { text, kind, isParagraph: true, linked };
}

const headline = block("Kettle", "headline");
const answer = block("a".repeat(100));
const question = block("q".repeat(40));

describe("mainColumn", () => {
  it("finds what stands between the headline and the first paragraph that was kept", () => {
    const column = mainColumn([block("Site"), headline, question, answer], [answer]);
    expect(column).toMatchObject({ headline, lead: [question], lostLead: 0.4, body: [answer] });
  });

  it("takes the last headline before it", () => {
    const site = block("Site", "headline");
    expect(mainColumn([site, question, headline, answer, site], [answer])).toMatchObject({
      headline,
      lead: [],
    });
  });

  it("misses nothing that was kept", () => {
    const column = mainColumn([headline, question, answer], [question, answer]);
    expect(column).toMatchObject({ lead: [question], lostLead: 0, body: [answer] });
  });

  it("takes no menu for a lead", () => {
    const menu = block("m".repeat(50), "item", 50);
    expect(mainColumn([headline, menu, question, answer], [answer])).toMatchObject({ lead: [], lostLead: 0 });
  });

  it("misses rows and definitions wherever they stand, but no other lines", () => {
    const row = block("Power\t2200 W", "cell");
    const term = block("Capacity", "definition");
    expect(mainColumn([answer, row, term, question], [answer])).toMatchObject({ lostFacts: 0.2 });
  });

  it("tells how much of the page's text was kept, links not counted", () => {
    const link = block("l".repeat(50), "item", 50);
    expect(mainColumn([link, answer, block("c".repeat(300))], [answer]).share).toBe(0.25);
  });

  it("says nothing of a page whose first paragraph it does not find", () => {
    const column = mainColumn([headline, question], [answer]);
    expect(column).toMatchObject({ lead: [], lostLead: 0 });
    expect(column).not.toHaveProperty("headline");
    expect(mainColumn([], [])).toMatchObject({ lead: [], body: [], share: 1 });
  });
});
