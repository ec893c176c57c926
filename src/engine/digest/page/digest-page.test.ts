import { describe, expect, it } from "vitest";
import { readDocument } from "../sources/read-document.ts";
import { digestPage } from "./digest-page.ts";
import { readPage } from "./read-page.fixture.ts";
import { sampleDigest } from "./sample-digest.fixture.ts";

const text =
  "Rivers freeze from the top. Ice is lighter than water.\n\nThat keeps fish alive in winter. Nobody feeds them.";

describe("digestPage", () => {
  it("marks every quote of the evidence, numbered by rank", async () => {
    const page = digestPage(
      await sampleDigest({
        text,
        evidence: ["That keeps fish alive in winter.", "Ice is lighter than water."],
      }),
    );
    expect([...readPage(page).marks]).toEqual([
      ["evidence-2", "Ice is lighter than water."],
      ["evidence-1", "That keeps fish alive in winter."],
    ]);
    expect(page).toContain(
      '<a class="tag" href="#quote-1" aria-label="Evidence 1, score 1.00: back to the list">',
    );
  });

  it("marks a quote that goes over two paragraphs in both", async () => {
    const quote = "Ice is lighter than water.\n\nThat keeps fish alive in winter.";
    const page = digestPage(await sampleDigest({ text, evidence: [quote] }));
    expect(readPage(page).marks.get("evidence-1")).toBe(quote);
  });

  it("links sentences of the summary and key points to where they are, inside evidence too", async () => {
    const sentence = "Ice is lighter than water.";
    const page = digestPage(
      await sampleDigest({
        text,
        evidence: [sentence],
        summary: [sentence],
        keyPoints: ["lighter than water"],
      }),
    );
    const ids = readPage(page).elements.flatMap(({ attributes: { id } }) => id ?? []);
    const targets = readPage(page).elements.flatMap(({ attributes: { href } }) => href?.slice(1) ?? []);
    expect(ids).toEqual(
      expect.arrayContaining(["evidence-1", "summary-1", "point-1", "quote-1", "document"]),
    );
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("shows headings, code, lists and tables of a document as such, with their evidence marked", async () => {
    const markdown =
      "# The mill\n\nIt burned *down*.\n\n- milk <b>\n- bread\n\n| Year | Owner |\n| --- | --- |\n| 1860 | Anna |\n\n```\nconst mill = 1 < 2;\n```\n";
    const document = await readDocument(markdown, { contentType: "text/markdown", isolate: false });
    const { payload } = await sampleDigest({
      text: document.text,
      evidence: ["It burned down.", "bread\n\nYear Owner", "const mill = 1 < 2;"],
    });
    const page = digestPage({ payload, document });
    const article = page.slice(page.indexOf("<article"), page.indexOf("</article>"));
    const plain = article.replaceAll(/<a class="tag"[^]*?<\/a>|<\/?mark[^>]*>| dir="\w+"|\n/g, "");
    expect(plain).toContain("<h3>The mill</h3><p>It burned down.</p><ul><li>milk</li><li>bread</li></ul>");
    expect(plain).toContain(
      '<div class="table"><table><tr><td>Year</td><td>Owner</td></tr><tr><td>1860</td><td>Anna</td></tr></table></div>',
    );
    expect(plain).toContain("<pre><code>const mill = 1 &lt; 2;</code></pre>");
    expect(readPage(page).marks.get("evidence-1")).toBe("It burned down.");
    expect(readPage(page).marks.get("evidence-3")).toBe("const mill = 1 < 2;");
    expect(readPage(page).marks.get("evidence-2")?.replaceAll(/\s+/g, " ")).toBe("bread Year Owner");
  });

  it("shows where pages begin, and those without text", async () => {
    const page = digestPage(await sampleDigest({ text: ["One.", "", "Three."], evidence: ["Three."] }));
    const { shown } = readPage(page);
    expect(shown.replaceAll(/\s+/g, " ").trim()).toBe("Page 1 One. Page 2 no text Page 3 1Three.");
    expect(page).toContain("3 pages");
  });

  it("says how long document and digest are, what was asked and what went wrong", async () => {
    const input = await sampleDigest({ text: text.repeat(20), title: "Ice", evidence: [] });
    const page = digestPage(
      { ...input, warnings: [{ message: "2 pages were left out." }] },
      { query: "why do fish live?" },
    );
    const { original_chars: original } = input.payload;
    expect(page).toContain(`<li>${original.toLocaleString("en-US")} characters</li><li>as a digest `);
    expect(page).toMatch(/\([\d.]+\u00a0%\)<\/li>/);
    expect(page).toContain("why do fish live?");
    expect(page).toContain("2 pages were left out.");
    expect(page).toContain("No passage was chosen.");
    expect(readPage(page).title).toBe("Ice – digest");
  });

  it("takes the name or the address where there is no title", async () => {
    const input = await sampleDigest({ text, title: " ", url: "https://example.com/ice" });
    expect(readPage(digestPage(input, { name: "ice.txt" })).title).toBe("ice.txt – digest");
    expect(readPage(digestPage(input)).title).toBe("https://example.com/ice – digest");
  });

  it("links only to web addresses", async () => {
    const hrefs = (page: string) => readPage(page).elements.flatMap(({ attributes: { href } }) => href ?? []);
    const web = digestPage(await sampleDigest({ text, url: 'https://example.com/?a="b&c' }));
    expect(hrefs(web)).toContain('https://example.com/?a="b&c');
    const script = digestPage(await sampleDigest({ text, url: "javascript:alert(1)" }));
    expect(hrefs(script)).toEqual(["#document"]);
  });

  it("says who wrote the summary", async () => {
    const input = await sampleDigest({ text, summary: ["Nobody feeds them."] });
    expect(digestPage(input)).toContain("Summary, key points and evidence are quoted from the document.");
    const { spans: _, ...written } = input;
    const page = digestPage(written);
    expect(page).toContain("A model wrote the summary");
    expect(page).toContain('<p class="summary" dir="auto" lang="">Nobody feeds them.</p>');
  });

  it("does not mark twice what a payload made elsewhere quotes twice", async () => {
    const page = digestPage(
      await sampleDigest({ text, evidence: ["freeze from the top. Ice", "top. Ice is lighter"] }),
    );
    expect([...readPage(page).marks.values()]).toEqual(["freeze from the top. Ice", " is lighter"]);
  });

  it("lets nothing in but its own style", async () => {
    const page = digestPage(await sampleDigest({ text }));
    expect(page).toMatch(
      /default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'/,
    );
    expect(readPage(page).elements.some(({ attributes }) => "style" in attributes)).toBe(false);
  });
});

describe("the page of a very long document", () => {
  const filler = "Nothing of note happens here, as so often. ";
  const long = `${filler.repeat(60_000)}The mill burned down in 1831. ${filler.repeat(60_000)}`;

  it("shows its beginning and what surrounds the marks, and counts the rest", async () => {
    const input = await sampleDigest({ text: long, evidence: ["The mill burned down in 1831."] });
    const page = digestPage(input);
    const { shown, marks } = readPage(page);
    expect(marks.get("evidence-1")).toBe("The mill burned down in 1831.");
    expect(page.length).toBeLessThan(30_000);
    const gaps = [...shown.matchAll(/… ([\d,]+) characters …/g)].map(([, count = ""]) =>
      Number(count.replaceAll(",", "")),
    );
    expect(gaps).toHaveLength(2);
    const words = shown.replaceAll(/… [\d,]+ characters …/g, "").replaceAll("\n", "");
    const left = gaps.reduce((sum, gap) => sum + gap, 0);
    // The number of the mark is the one character that is not the document's.
    expect(left + Array.from(words).length - 1).toBe(input.payload.original_chars);
  });

  it("cuts no character in two where there is no space to cut at", async () => {
    const text = `${"😀".repeat(1_200_000)}x`;
    const input = await sampleDigest({ text, evidence: [{ start: 1_000_000, end: 1_000_010 }] });
    const page = digestPage(input);
    expect(readPage(page).marks.get("evidence-1")).toBe("😀".repeat(5));
    expect(Buffer.from(page).toString()).toBe(page);
  });

  it("says on which page a stretch begins", async () => {
    const pages = ["First.", filler.repeat(200) + "The mill burned down. " + filler.repeat(200), "Last."];
    const page = digestPage(await sampleDigest({ text: pages, evidence: ["The mill burned down."] }), {
      maxWholeLength: 1_000,
    });
    expect(page).toContain('<h3 class="page" lang="en">Page 2, continued</h3>');
  });
});
