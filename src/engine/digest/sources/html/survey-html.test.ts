import { describe, expect, it } from "vitest";
import { surveyHtml } from "./survey-html.ts";
import { joinBlocks } from "./text-writer.ts";

async function textOf(html: string): Promise<string> {
  const { blocks } = await surveyHtml(html);
  return joinBlocks(blocks);
}

describe("surveyHtml", () => {
  it.each([
    ["parts paragraphs by a blank line", "<p>one</p><p>two</p>", "one\n\ntwo"],
    ["ends a paragraph whose end tag is left out", "<p>one<p>two", "one\n\ntwo"],
    ["puts headings on lines of their own", "<h1>Title</h1>text", "Title\n\ntext"],
    ["puts list items on lines of their own", "<ul><li>one<li>two</ul>end", "one\ntwo\n\nend"],
    ["keeps the space between inline elements", "<b>one</b> <i>two</i>", "one two"],
    ["adds no space inside a word", "<b>o</b>ne<wbr>two", "onetwo"],
    ["takes white space for one space", "one\n\t two", "one two"],
    ["breaks lines where the page does", "one<br>two<br/><br>three", "one\ntwo\n\nthree"],
    [
      "puts a definition under its term, and parts it from the next",
      "<dl><dt>a<dd>b<dd>c<dt>d<dt>e<dd><p>f</p><p>g</p></dl>h",
      "a\nb\nc\n\nd\ne\nf\n\ng\n\nh",
    ],
    [
      "puts a definition under its term where both are wrapped",
      "<dl><div><dt><p>a</p></dt><div><dd><p>b</p></dd></div></div></dl>",
      "a\nb",
    ],
    [
      "drops a sign that links a heading or a term to itself",
      "<h1>a<a href=#a>¶</a></h1><h2><a href=#b> # </a>b</h2><dt>c <a href=#c>&sect;</a>",
      "a\n\nb\n\nc",
    ],
    [
      "keeps such a sign where it is a part of something",
      "<h2><a>#<b>1</b></a> # <a>&#35;2</a></h2><p><a>§</a> <a>#</a>",
      "#1 # #2\n\n§ #",
    ],
    ["separates cells by tabs", "<table><tr><th>a<th>b<tr><td>1<td>2</table>", "a\tb\n1\t2"],
    ["keeps one row in a line when cells hold paragraphs", "<tr><td><p>1</p></td><td><p>2</p></td>", "1\t2"],
    ["passes over empty cells", "<tr><td></td><td>2</td><td></td><td>4</td></tr>", "2\t4"],
    [
      "reads a table used for layout as texts of their own",
      "<table><tr><td><p>one</p><p>two</p></td><td>three</td></tr></table>",
      "one\n\ntwo\n\nthree",
    ],
    ["keeps lines and indents of code", "a<pre>\nif x:\n\n\n  y\n</pre>b", "a\n\nif x:\n\n  y\n\nb"],
    [
      "decodes entities",
      "&lt;p&gt; &amp;amp; &eacute;&#233;&#x1F600; &copy 2020 &amp",
      "<p> &amp; éé😀 © 2020 &",
    ],
    ["leaves what is not an entity", "AT&T &unknown; R&D;", "AT&T &unknown; R&D;"],
    [
      "leaves out what is not text",
      "a<script>if (1 < 2) b()</script><style>p{}</style><!-- c --><template>d</template><noscript>e</noscript>f",
      "af",
    ],
    ["leaves out what is hidden", "a<div hidden>b<div>c</div>d</div><p style='display: none'>e</p>f", "af"],
    ["hides a paragraph that the next one ends", "<p hidden>a<p>b", "b"],
    ["shows a page that a script would show", "<body style='visibility:hidden'>a</body>", "a"],
    ["begins a paragraph at an end tag that ends none", "a</p>b</i>c", "a\n\nbc"],
    ["goes on after a drawing that closes itself", "a<svg/>b<svg><title>c</title></svg>d", "abd"],
    ["drops NUL", "a\0b", "ab"],
    ["keeps lone surrogates for the canonical text to replace", "a\uD800b", "a\uD800b"],
    ["keeps text that only looks like a tag", "a <3 b < c > d <= e", "a <3 b < c > d <= e"],
    ["reads a tag that never ends as no text", "a<p title='b", "a"],
    ["hides what a script that never ends would swallow", "a<script>b</p>c", "a"],
    ["hides what a comment that never ends would swallow", "a<!-- b<p>c", "a"],
    ["knows names in any case", "<DIV>a</DIV><Script>b</SCRIPT>c", "a\n\nc"],
  ])("%s", async (_fact, html, text) => {
    expect(await textOf(html)).toBe(text);
  });

  it.each([
    ["<meta property='og:title' content='Shared &amp; short'><title>Long | Site</title>", "Shared & short"],
    ["<title>\n First </title><svg><title>Second</title></svg>", "First"],
    ["<title></title><p>text</p><h2>The <i>first</i> heading</h2><h1>Another</h1>", "The first heading"],
    ["<ul><li><a name=top>one<li>two</ul><h2>After a list</h2>", "After a list"],
    ["<p>text", undefined],
  ])("finds the title of %j", async (html, title) => {
    const survey = await surveyHtml(html);
    expect(survey.title).toBe(title);
  });

  it("tells a page from a fragment", async () => {
    const pages = ["<!doctype html>a", "<html>a", "<body>a", "<p>a", "a", ""];
    const surveys = await Promise.all(pages.map((html) => surveyHtml(html)));
    expect(surveys.map(({ isPage }) => isPage)).toEqual([true, true, true, false, false, false]);
  });

  it("counts how many characters of a block are links, and says where they lead", async () => {
    const { blocks } = await surveyHtml("<p>see <a href=x>this</a> and <a href=y>that one</a></p>");
    const targets = [
      { at: 8, address: "x" },
      { at: 21, address: "y" },
    ];
    expect(blocks).toEqual([
      { text: "see this and that one", kind: "prose", isParagraph: true, linked: 12, targets },
    ]);
  });

  it("says where a link over several blocks leads after the first of them that has a text", async () => {
    const { blocks } = await surveyHtml(
      "<a href=/one><div><img></div><h3>One</h3><p>first</p></a><a href=/none></a><p>two <a>three</a></p>",
    );
    expect(blocks.map(({ text, targets }) => [text, targets?.map(({ address }) => address)])).toEqual([
      ["One", ["/one"]],
      ["first", undefined],
      ["two three", undefined],
    ]);
  });

  it.each([
    ["<ul><li>a".repeat(3), 6],
    ["<p>a".repeat(9), 1],
    ["<p><div>a</div>".repeat(9), 1],
    ["<table><tr><td>a<td>b<tr><td>c</table>".repeat(9), 3],
    ["<dl><dt>a<dd>b<dt>c".repeat(2), 4],
    ["<div></b>".repeat(5), 5],
    ["<div><b></div>".repeat(9), 2],
    ["<br><img>".repeat(9), 0],
  ])("measures the depth of %j", async (html, depth) => {
    expect((await surveyHtml(html)).depth).toBe(depth);
  });

  it("counts elements and pieces of text, and the attributes of the one that has most", async () => {
    const survey = await surveyHtml("<p a b=1 c='2'>a&amp;b<i><br></i><p a>");
    expect([survey.nodes, survey.attributes]).toEqual([8, 3]);
  });

  it("stops when it is told to", async () => {
    const abort = new AbortController();
    const survey = surveyHtml("<p>word".repeat(1_000_000), abort.signal);
    abort.abort(new Error("enough"));
    await expect(survey).rejects.toThrow("enough");
  });
});
