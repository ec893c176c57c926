import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/arbitrary/law-runs.ts";
import { canonicalText } from "../../canonical-text.ts";
import { looksLikeHtml } from "../detect-type.ts";
import { readHtml } from "./read-html.ts";

const runs = lawRuns(1_000);
const names =
  "p div span b a ul li table tr td pre h1 br script style nav article blockquote svg title".split(" ");
const attribute = fc.constantFrom(
  "",
  " hidden",
  " class=caption",
  " style='display:none'",
  ' title="<p>"',
  " x=&lt;",
);
const piece = fc.oneof(
  fc.tuple(fc.constantFrom(...names), attribute).map(([name, text]) => `<${name}${text}>`),
  fc.constantFrom(...names).map((name) => `</${name}>`),
  fc.constantFrom(
    "<!--",
    "-->",
    "<",
    ">",
    "&",
    "&amp",
    "&#0;",
    "\0",
    "\uD800",
    "</",
    "<!",
    "<?",
    "<![CDATA[",
    "]]>",
  ),
  fc.lorem({ mode: "sentences", maxCount: 3 }),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const soup = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(""));
const frame = fc.constantFrom(
  (html: string) => html,
  (html: string) => `<!doctype html>${html}`,
  (html: string) => `<html><body>${html}</body></html>`,
  (html: string) => `<body>${html}<html>`,
);

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
// In HTML a line end is a space, and NUL is nothing that can be written.
const prose = fc
  .string({ unit: "binary", maxLength: 200 })
  .map((text) => text.replaceAll(/[\0\s\u0085]+/g, " "));

interface Tree {
  readonly name: string;
  readonly children: readonly (Tree | string)[];
}

const { tree } = fc.letrec<{ tree: Tree; child: Tree | string }>((tie) => ({
  tree: fc.record({
    name: fc.constantFrom("p", "div", "b", "a", "li", "td", "h2", "em", "section", "blockquote"),
    children: fc.array(tie("child"), { maxLength: 4 }),
  }),
  child: fc.oneof({ maxDepth: 6 }, fc.stringMatching(/^[a-z]{1,8}$/), tie("tree")),
}));

function render(node: Tree | string): string {
  return typeof node === "string"
    ? node
    : `<${node.name}>${node.children.map(render).join(" ")}</${node.name}>`;
}

function wordsOf(node: Tree | string): string[] {
  return typeof node === "string" ? [node] : node.children.flatMap(wordsOf);
}

describe("readHtml, laws", () => {
  it("reads anything, the same each time", async () => {
    await fc.assert(
      fc.asyncProperty(soup, frame, async (html, around) => {
        const read = await readHtml(around(html));
        expect(typeof read.text).toBe("string");
        expect(await readHtml(around(html))).toEqual(read);
      }),
      runs,
    );
  });

  it("gives escaped prose back", async () => {
    await fc.assert(
      fc.asyncProperty(prose, async (text) => {
        const read = await readHtml(`<p>${escaped(text)}</p>`);
        expect(canonicalText(String(read.text))).toBe(canonicalText(text));
      }),
      runs,
    );
  });

  it("gives every word of a fragment in order, and no tag", async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (node) => {
        const read = await readHtml(render(node));
        expect(String(read.text).split(/\s+/).filter(Boolean)).toEqual(wordsOf(node));
      }),
      runs,
    );
  });

  it("leaves no line that is blank twice, and no white space at the edges", async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (node) => {
        const { text } = await readHtml(render(node));
        expect(text).not.toMatch(/\n\n\n|^\s|\s$/);
      }),
      runs,
    );
  });

  it("decides about any text whether it is HTML", () => {
    fc.assert(
      fc.property(soup, (text) => {
        expect(typeof looksLikeHtml(text)).toBe("boolean");
        expect(looksLikeHtml(`<!doctype html>${text}`)).toBe(true);
      }),
      runs,
    );
  });
});
