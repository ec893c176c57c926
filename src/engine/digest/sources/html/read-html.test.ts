import { describe, expect, it } from "vitest";
import { readHtml } from "./read-html.ts";

const sentences = [
  "The harbour was quiet when the first boats came in, and nobody on the quay had slept.",
  "By noon the baskets were weighed, counted and sold, which took longer than in other years.",
  "In the evening the council met, argued about the new wall, and put the question off again.",
];
const paragraphs = sentences.map((sentence) => `<p>${sentence} ${sentence}</p>`);
const body = sentences.map((sentence) => `${sentence} ${sentence}`).join("\n\n");

function page(content: string): string {
  return `<!doctype html><html><head><title>Harbour news</title><style>p{}</style></head><body>${content}</body></html>`;
}

const menu = `<nav><ul>${"<li><a href=/x>Section</a></li>".repeat(12)}</ul></nav>`;
const article = `<article>${paragraphs.join("")}</article>`;

describe("readHtml", () => {
  it("gives the article of a page, and the page's title", async () => {
    const read = await readHtml(page(`${menu}<main>${article}</main><footer>Imprint and contact</footer>`));
    expect(read).toMatchObject({ text: body, title: "Harbour news", warnings: [] });
  });

  it.each([
    [
      "captions",
      "<figure><img src=a.png><figcaption>The quay at dawn, seen from the sea.</figcaption></figure>",
    ],
    [
      "what is named after clutter",
      "<div class=inlineImageCaption>The quay at dawn, seen from the sea.</div>",
    ],
    ["notices about cookies", "<div id=cookie-notice><p>We use cookies, and hope that you agree.</p></div>"],
    ["what is hidden", "<p hidden>Nobody sees this sentence, long as it may be, on the page itself.</p>"],
    [
      "templates and scripts",
      "<template><p>Not yet shown.</p></template><script>document.write('x')</script>",
    ],
    [
      "related links",
      "<h3>More:</h3><ul><li><a href=/a>The wall</a></li><li><a href=/b>The fish</a></li></ul>",
    ],
    ["what only a pointer shows", "<div><span class=tooltip>A person of note</span></div>"],
  ])("leaves out %s", async (_what, clutter) => {
    const [first, ...rest] = paragraphs;
    const read = await readHtml(page(`${menu}<article>${first}${clutter}${rest.join("")}</article>`));
    expect(read.text).toBe(body);
  });

  it("keeps a word of a sentence, whatever its element is called", async () => {
    const said =
      "<p>They gave <span class=credit>five credits</span> and <a class=promo href=x>a bonus</a> to each of them, said the council.</p>";
    const read = await readHtml(page(`<article>${paragraphs.join("")}${said}</article>`));
    expect(read.text).toContain("They gave five credits and a bonus to each of them");
  });

  it("keeps quoted posts that are in a wrapper", async () => {
    const quote =
      "<div class=social-embed><blockquote><p>No boats today <a href=//t.example/1>t.example/1</a></p>— Somebody <a href=//t.example/2>May 3</a></blockquote><script></script></div>";
    const read = await readHtml(page(`<article>${paragraphs.join(quote)}</article>`));
    expect(read.text).toContain("No boats today t.example/1");
  });

  it("keeps code, tables and lists of documentation", async () => {
    const docs = `<main><h2>Use</h2>${paragraphs.join("")}<pre><code>waybill digest\n  --query x</code></pre>
      <table><tr><th>Option</th><th>Means</th></tr><tr><td>query</td><td>what to look for</td></tr></table>
      <ul><li>first point</li><li>second point</li></ul></main>`;
    const { text } = await readHtml(page(menu + docs));
    expect(text).toContain("waybill digest\n  --query x");
    expect(text).toContain("Option\tMeans\nquery\twhat to look for");
    expect(text).toContain("first point\nsecond point");
  });

  it("gives all of a page that is a list of links", async () => {
    const rows = Array.from({ length: 40 }, (_, index) => `<li><a href=/${index}>Chapter ${index}</a></li>`);
    const { text } = await readHtml(page(`<h1>Contents</h1><ul>${rows.join("")}</ul>`));
    expect(
      String(text)
        .split("\n")
        .filter((line) => line.startsWith("Chapter ")),
    ).toHaveLength(40);
  });

  it("gives all of a page whose main content it cannot tell, and says so", async () => {
    const read = await readHtml(page(`${menu}${menu}<p>Choose</p>`));
    expect(String(read.text).match(/Section/g)).toHaveLength(24);
    expect(read.warnings).toMatchObject([
      { code: "MAIN_CONTENT_NOT_FOUND", severity: "info", context: { reason: "no_article" } },
    ]);
  });

  it("gives all of a page that is a table", async () => {
    const rows = Array.from({ length: 50 }, (_, index) => `<tr><td>${index}</td><td>item ${index}</td></tr>`);
    const { text } = await readHtml(page(`<table>${rows.join("")}</table>`));
    expect(String(text).split("\n")).toHaveLength(50);
  });

  it.each([
    ["a very short page", page("<p>Hello</p>"), "Hello"],
    ["a page without tags for its frame", "<!doctype html><title>Harbour news</title><p>Hello", "Hello"],
    ["a page whose body has no document", "<body><p>Hello</body>", "Hello"],
    [
      "a fragment",
      "<p>Advertisement</p><p>Related: <a href=x>more</a></p>",
      "Advertisement\n\nRelated: more",
    ],
    ["text without tags", "just text & more", "just text & more"],
    ["an empty page", page(""), ""],
    ["nothing", "", ""],
  ])("gives the text of %s", async (_what, html, text) => {
    expect(await readHtml(html)).toMatchObject({ text });
  });

  it("warns of nothing where there is nothing but content", async () => {
    const reads = await Promise.all(["<p>Hello", page("<p>Hello</p>"), ""].map((html) => readHtml(html)));
    expect(reads.map(({ warnings }) => warnings)).toEqual([[], [], []]);
  });

  it("reads an article whose tags for document and body are left out", async () => {
    const read = await readHtml(`<!doctype html><title>Harbour news</title>${menu}${article}`);
    expect(read).toMatchObject({ text: body, title: "Harbour news", warnings: [] });
  });

  it("refuses an invalid depth", async () => {
    await expect(readHtml("", { maxDepth: 0 })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });

  it("stops when it is told to", async () => {
    await expect(readHtml("<p>", { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow(
      "enough",
    );
  });
});
