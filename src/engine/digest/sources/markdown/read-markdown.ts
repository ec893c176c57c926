import type { RawDocument } from "../../document.ts";
import { outlineBlocks } from "../html/text-writer.ts";
import { surveyHtml } from "../html/survey-html.ts";
import { refuseFor } from "../reader-packages.ts";
import { markdownTitle, withoutFrontMatter } from "./front-matter.ts";
import { skippedElements } from "../html/element-layout.ts";

/** A longer text is read as plain text: a Markdown parser needs many times its size in memory. */
const MAX_MARKDOWN_CHARACTERS = 8 * 1024 * 1024;

interface ReadMarkdownOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * The visible text of a Markdown document, laid out like HTML: links by their words, tables as rows, code as
 * code; no marks, no comments, no front matter. HTML inside it is read as HTML.
 */
export async function readMarkdown(
  markdown: string,
  { signal }: ReadMarkdownOptions = {},
): Promise<RawDocument> {
  const title = markdownTitle(markdown);
  if (markdown.length > MAX_MARKDOWN_CHARACTERS) return { text: markdown, title, warnings: [] };
  signal?.throwIfAborted();
  const html = await render(withoutFrontMatter(markdown));
  signal?.throwIfAborted();
  const { blocks } = await surveyHtml(html, signal, "markdown");
  return { ...outlineBlocks(blocks), title, warnings: [] };
}

async function render(markdown: string): Promise<string> {
  const { default: MarkdownIt } = await import("markdown-it").catch(refuseFor("markdown"));
  const parser = new MarkdownIt({ html: true });
  const { rules } = parser.renderer;
  // A tag inside a paragraph was often not escaped by mistake: the words beside it are text in any case.
  rules.html_inline = (tokens, index) => (/^<br\b/i.test(tokens[index]?.content ?? "") ? "<br>" : "");
  rules.html_block = (tokens, index) => closeHtml(tokens[index]?.content ?? "");
  return parser.render(markdown);
}

/** A tag, by its name, anywhere in a block. */
const tag = /<(\/?)([a-z][a-z0-9-]*)(?=[\s/>])(?:[^<>"']|"[^"]*"|'[^']*')*>?/gi;

/**
 * A block of HTML in a Markdown text. An element that hides its content, such as a script, must end in its
 * own block: otherwise its tags are removed, because all text after it would be lost.
 */
function closeHtml(html: string): string {
  const open = new Map<string, number>();
  for (const [, slash, name = ""] of html.matchAll(tag)) {
    const key = name.toLowerCase();
    if (skippedElements.has(key)) open.set(key, (open.get(key) ?? 0) + (slash === "" ? 1 : -1));
  }
  const unclosed = [...open].filter(([, count]) => count !== 0).map(([name]) => name);
  if (unclosed.length === 0) return html;
  return html.replaceAll(tag, (whole: string, _slash: string, name: string) =>
    unclosed.includes(name.toLowerCase()) ? " " : whole,
  );
}
