import { ContractError } from "../../../../core/contract/contract-error.ts";
import { ToolFault } from "../../../../core/contract/tool-fault.ts";
import type { WarningDetail } from "../../../../core/contract/warning.ts";
import type { RawDocument } from "../../document.ts";
import { documentTooLarge } from "../unreadable.ts";
import { findArticle } from "./find-article.ts";
import { type HtmlSurvey, surveyHtml } from "./survey-html.ts";
import { outlineBlocks } from "./text-writer.ts";

/** More is refused: a digest of that much text would not help, and the text must be in memory twice. */
export const MAX_HTML_CHARACTERS = 64 * 1024 * 1024;

/** Above these limits no document tree is built: the visible text is read in one pass, with a warning. */
export const MAX_TREE_CHARACTERS = 4 * 1024 * 1024;
/** Elements, comments and pieces of text; the tree's parser begins a piece at every ampersand. */
export const MAX_TREE_NODES = 50_000;
/** The sum of the depths of all elements. */
export const MAX_TREE_WEIGHT = 1_000_000;
/** The tree's parser finds an attribute by a walk over all attributes of its element. */
export const MAX_ATTRIBUTES_OF_ONE_ELEMENT = 256;
/** The limit for the class attribute of one element; real ones stay under 2,000. More is refused. */
export const MAX_CLASS_CHARACTERS = 64 * 1024;
/** The default of `maxDepth`. The extractor's time grows with the depth, and real pages stay under 50. */
export const DEFAULT_MAX_DEPTH = 200;

export interface ReadHtmlOptions {
  readonly signal?: AbortSignal | undefined;
  /** For pages with deeper nesting, the whole visible text is read. Default: 200. */
  readonly maxDepth?: number | undefined;
}

/** Why the whole visible text is used as the main content. */
type Reason = "no_article" | "too_deep" | "too_large";

/**
 * The main content of a page as plain text: paragraphs separated by blank lines; headings, list items and
 * table rows on their own lines, cells by tabs. A fragment, and a page whose main content is unclear, give
 * their whole visible text; the latter with a warning. If much other text is left out, a warning says how
 * much was kept.
 */
export async function readHtml(html: string, options: ReadHtmlOptions = {}): Promise<RawDocument> {
  const { signal, maxDepth = DEFAULT_MAX_DEPTH } = options;
  assertMaxDepth(maxDepth);
  signal?.throwIfAborted();
  assertSize(html);
  const survey = await surveyHtml(html, signal);
  assertClassNames(survey);
  const { title } = survey;
  if (!survey.isPage) return { ...outlineBlocks(survey.blocks), title, warnings: [] };
  const unfit = whyUnfit(html, survey, maxDepth);
  const article = unfit === undefined ? await findArticle(html, survey) : undefined;
  signal?.throwIfAborted();
  if (article !== undefined) {
    return {
      ...outlineBlocks(article.blocks),
      title,
      warnings: article.isPartial ? [partial(article.share)] : [],
    };
  }
  return { ...outlineBlocks(survey.blocks), title, warnings: [notFound(unfit ?? "no_article")] };
}

function assertMaxDepth(maxDepth: number): void {
  if (Number.isInteger(maxDepth) && maxDepth > 0) return;
  throw new ContractError("INVALID_OPTION", "maxDepth is a whole number above 0: pass one, or leave it out.");
}

function assertSize(html: string): void {
  if (html.length <= MAX_HTML_CHARACTERS) return;
  throw new ToolFault(`The page has more than ${MAX_HTML_CHARACTERS} characters`, {
    errorCode: "TOO_LARGE",
    details: { reason: "html_too_large", max_characters: MAX_HTML_CHARACTERS },
    remediation: "Pass a part of the page.",
  });
}

/** The tree splits all class names of an element at once, and fails above some number. */
function assertClassNames({ classCharacters }: HtmlSurvey): void {
  if (classCharacters <= MAX_CLASS_CHARACTERS) return;
  throw documentTooLarge("An element of the page has more class names than any page needs", {
    reason: "too_many_class_names",
    remediation: "Do not trust this page; or take the class names away, and digest it then.",
    details: { max_characters: MAX_CLASS_CHARACTERS, characters: classCharacters },
  });
}

/** For some pages it is not worth, or not safe, to build a tree. */
function whyUnfit(html: string, survey: HtmlSurvey, maxDepth: number): Reason | undefined {
  const isLarge =
    html.length > MAX_TREE_CHARACTERS ||
    survey.nodes > MAX_TREE_NODES ||
    survey.weight > MAX_TREE_WEIGHT ||
    survey.attributes > MAX_ATTRIBUTES_OF_ONE_ELEMENT;
  if (isLarge) return "too_large";
  return survey.depth > maxDepth ? "too_deep" : undefined;
}

function partial(share: number): WarningDetail {
  return {
    code: "MAIN_CONTENT_ONLY",
    severity: "info",
    message: "The page has more than its main content, such as comments or tables: they are left out.",
    context: { share_kept: Math.round(100 * share) / 100 },
  };
}

function notFound(reason: Reason): WarningDetail {
  return {
    code: "MAIN_CONTENT_NOT_FOUND",
    severity: "info",
    message: "The page's main content could not be told from the rest: its whole visible text is used.",
    context: { reason },
  };
}
