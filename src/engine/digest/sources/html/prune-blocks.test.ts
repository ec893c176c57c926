import { describe, expect, it } from "vitest";
import { mainColumn, pruneBlocks } from "./prune-blocks.ts";
import type { TextBlock } from "./text-writer.ts";

function block(text: string, kind: TextBlock["kind"] = "prose", linked = 0): TextBlock {
  return { text, kind, isParagraph: true, linked };
}

const headline = block("Kettle", "headline");
const answer = block("a".repeat(100));
const question = block("q".repeat(40));

describe("mainColumn", () => {
  it("finds what is between the headline and the first paragraph that was kept", () => {
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

  it("misses rows and definitions wherever they are, but no other lines", () => {
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
    expect(column.headline).toBeUndefined();
    expect(mainColumn([], [])).toMatchObject({ lead: [], body: [], share: 1 });
  });
});

const sentence =
  "This is a sentence of an article, which is long enough to be taken for one of its paragraphs.";

function prose(text: string, linked = 0): TextBlock {
  return { text, kind: "prose", isParagraph: true, linked };
}

function link(text: string): TextBlock {
  return { text, kind: "item", isParagraph: false, linked: text.length };
}

function kept(...blocks: readonly TextBlock[]): string[] {
  return pruneBlocks(blocks).map(({ text }) => text);
}

describe("pruneBlocks", () => {
  it("drops links and the label that introduces them", () => {
    expect(kept(prose(sentence), prose("Lire aussi :"), link("Un"), link("Deux"), prose(sentence))).toEqual([
      sentence,
      sentence,
    ]);
    expect(kept(prose(sentence), prose("You may also like..."), link("One"))).toEqual([sentence]);
  });

  it("drops a list of links at the end", () => {
    expect(kept(prose(sentence), link("One"), link("Two"))).toEqual([sentence]);
  });

  it("keeps links that are in the text, or alone at its end", () => {
    expect(kept(prose(sentence), link("One"), link("Two"), prose(sentence), link("Three"))).toEqual([
      sentence,
      "One",
      "Two",
      sentence,
      "Three",
    ]);
  });

  it("drops a line that is one link behind a word", () => {
    expect(kept(prose(sentence), prose("Related: Another article", 15), prose(sentence))).toEqual([
      sentence,
      sentence,
    ]);
  });

  it("drops date, author and menu lines before the first sentence, and keeps headings and other lines", () => {
    const heading: TextBlock = { text: "Heading", kind: "heading", isParagraph: true, linked: 0 };
    const lines = [prose("By Somebody"), prose("Posted on 3 May 2020 at noon"), heading];
    expect(kept(...lines, prose("and - conditionally execute a command"), prose(sentence))).toEqual([
      "Heading",
      "and - conditionally execute a command",
      sentence,
    ]);
  });

  it("keeps rows, definitions and prices before the first sentence", () => {
    const row: TextBlock = { text: "Born\t4 May 1852", kind: "cell", isParagraph: true, linked: 0 };
    const term: TextBlock = { text: "Died", kind: "definition", isParagraph: true, linked: 0 };
    const cell: TextBlock = { text: "4 May 1852", kind: "cell", isParagraph: true, linked: 0 };
    expect(kept(row, term, cell, prose(sentence))).toEqual([row.text, term.text, sentence]);
    expect(kept(prose("€ 49.90"), prose(sentence))).toEqual(["€ 49.90", sentence]);
  });

  it("keeps short lines where no sentence follows", () => {
    expect(kept(prose("One"), prose("Two"))).toEqual(["One", "Two"]);
  });

  it("keeps code", () => {
    const code: TextBlock = { text: "url: x", kind: "code", isParagraph: true, linked: 6 };
    expect(kept(prose(sentence), prose("Run:"), code)).toEqual([sentence, "Run:", "url: x"]);
  });

  it("keeps all of a page that is a list of links", () => {
    const links = Array.from({ length: 20 }, (_, index) => link(`Chapter number ${index}`));
    expect(kept(prose("Contents:"), ...links)).toHaveLength(21);
  });

  it("leaves out a paragraph that is nothing but a link, and keeps an address that is spelled out", () => {
    const teaser = prose("Another story that you might like to read", 41);
    const address = prose("http://example.org/report", 25);
    const kept = [prose(sentence), address, prose(sentence)];
    expect(pruneBlocks([prose(sentence), teaser, address, prose(sentence)])).toEqual(kept);
  });

  it("leaves out headings and labels that have nothing under them", () => {
    const under = block("What it costs", "heading");
    const article = [prose(sentence), under, prose(sentence)];
    const tail = [block("Latest news", "heading"), prose("You may also like:")];
    expect(pruneBlocks([...article, ...tail])).toEqual(article);
  });

  it("takes a long address before the first sentence for no sentence", () => {
    const address = prose(`https://example.org/${"a-long-title-".repeat(8)}14848164.php`);
    const article = [prose(sentence), prose(sentence), prose(sentence)];
    expect(pruneBlocks([address, prose("Close"), ...article])).toEqual(article);
  });
});
