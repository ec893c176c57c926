import type { RawDocument } from "../../document.ts";
import { outlineBlocks } from "../html/outline-blocks.ts";
import { surveyHtml } from "../html/survey-html.ts";
import { markdownTitle, withoutFrontMatter } from "./front-matter.ts";
import { closeHtml } from "./raw-html.ts";

/** A longer text is read as plain text: a parser of Markdown holds it many times over. */
const MAX_MARKDOWN_CHARACTERS = 8 * 1024 * 1024;

interface ReadMarkdownOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * What a reader sees of a Markdown text, laid out as HTML is: links by their words, tables as rows, code as code;
 * no marks, no comments, no front matter. HTML that stands in it is read as HTML.
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
  const { blocks } = await surveyHtml(html, signal);
  return { ...outlineBlocks(blocks), title, warnings: [] };
}

async function render(markdown: string): Promise<string> {
  const { default: MarkdownIt } = await import("markdown-it");
  const parser = new MarkdownIt({ html: true });
  const { rules } = parser.renderer;
  // A tag inside a paragraph, often one that somebody forgot to escape: the words beside it are text in any case.
  rules.html_inline = (tokens, index) => (/^<br\b/i.test(tokens[index]?.content ?? "") ? "<br>" : "");
  rules.html_block = (tokens, index) => closeHtml(tokens[index]?.content ?? "");
  return parser.render(markdown);
}
