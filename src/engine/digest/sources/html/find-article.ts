import { foldText, wordRuns } from "../../../../core/text/words.ts";
import {
  type DomDocument,
  type DomElement,
  type DomNode,
  type Step,
  isElement,
  isText,
  walkTree,
} from "./dom-tree.ts";
import { isHidden, layoutOf } from "./element-layout.ts";
import { type MainColumn, mainColumn, pruneBlocks } from "./prune-blocks.ts";
import { prunePage } from "./prune-page.ts";
import { type HtmlSurvey, isProse } from "./survey-html.ts";
import { type TextBlock, TextWriter, charactersOf } from "./text-writer.ts";

/** The text of an element and all that is seen in it, laid out, without the elements that are left out by name. */
function elementBlocks(root: DomElement, leftOut: ReadonlySet<string> = new Set()): readonly TextBlock[] {
  const writer = new TextWriter();
  const enter = (node: DomNode): Step => {
    if (isText(node)) writer.text(node.data);
    if (!isElement(node)) return "over";
    const layout = layoutOf(node.localName);
    if (layout === "skipped" || leftOut.has(node.localName)) return "over";
    if (isHidden(node.getAttribute("hidden"), node.getAttribute("style"))) return "over";
    if (layout !== undefined) writer.lay(layout, true);
    return "into";
  };
  const leave = (element: DomElement): void => {
    const layout = layoutOf(element.localName);
    if (layout !== undefined) writer.lay(layout, false);
  };
  walkTree(root, enter, leave);
  return writer.blocks();
}

/** An extraction with less of a page's prose took a side column, or one of many equal parts, for the article. */
const MIN_SHARE_OF_PROSE = 0.25;
/** Where a page has no prose, most of what it has must be there. */
const MIN_SHARE_OF_TEXT = 0.5;
/** From here on, what stands under the headline is no line about the article but a part of it. */
const MIN_LOST_LEAD = 0.2;
/** With more lost than kept, the wrong part was taken for the article. */
const MAX_LOST = 1;
/** Measured on articles: they lose a hundredth in rows and definitions. */
const MAX_SILENT_FACTS = 0.1;
/** Articles with less of their page's text have more than menus and teasers around them. */
const MIN_SILENT_SHARE = 0.4;

const besides = new Set(["nav", "footer", "aside", "form", "button"]);

interface Article {
  readonly blocks: readonly TextBlock[];
  /** How much of the page's text it is, navigation not counted: 0 to 1. */
  readonly share: number;
  /** True when somebody may miss what is left out. */
  readonly isPartial: boolean;
}

/**
 * The main content of a page: Readability's choice, with what a page's own names and the form of its lines tell about
 * clutter. Undefined when no part stands out, or when too much of the page would be lost.
 */
export async function findArticle(html: string, survey: HtmlSurvey): Promise<Article | undefined> {
  const extraction = await extract(
    survey.isFramed ? html : `<html><head></head><body>${html}</body></html>`,
    survey,
  );
  if (extraction === undefined) return undefined;
  const kept = elementBlocks(extraction.content);
  const column = mainColumn(extraction.page, kept);
  const { lostLead, lostFacts, share } = column;
  if (!isMain(kept, survey.blocks) || lostLead + lostFacts > MAX_LOST) return undefined;
  return {
    blocks: withLead(column, kept, survey.title),
    share,
    isPartial: share < MIN_SILENT_SHARE || lostFacts > MAX_SILENT_FACTS,
  };
}

function withLead(
  { headline, lead, lostLead, body }: MainColumn,
  kept: readonly TextBlock[],
  title = "",
): readonly TextBlock[] {
  const blocks = lostLead < MIN_LOST_LEAD ? pruneBlocks(kept) : [...lead, ...pruneBlocks(body)];
  if (headline === undefined || isSaid(headline.text, title)) return blocks;
  return blocks.some(({ text }) => text === headline.text) ? blocks : [headline, ...blocks];
}

/** A title often is the headline in a few other words, and the document has it already. */
function isSaid(headline: string, title: string): boolean {
  const words = wordsOf(headline);
  const said = new Set(wordsOf(title));
  return 2 * words.filter((one) => said.has(one)).length >= words.length;
}

function wordsOf(text: string): readonly string[] {
  return wordRuns(foldText(text).folded);
}

interface Extraction {
  readonly content: DomElement;
  /** The page before the extractor took it apart. */
  readonly page: readonly TextBlock[];
}

async function extract(html: string, survey: HtmlSurvey): Promise<Extraction | undefined> {
  const [{ parseHTML }, { Readability }] = await Promise.all([
    // The one build of linkedom that needs nothing of Node.
    import("linkedom/worker"),
    import("@mozilla/readability"),
  ]);
  try {
    const { document } = parseHTML(html) as unknown as { readonly document: DomDocument };
    prunePage(document.documentElement, charactersOf(survey.blocks));
    const page = elementBlocks(document.documentElement, besides);
    const reader = new Readability<DomElement>(document, {
      keepClasses: true,
      disableJSONLD: true,
      // The tree itself: as a string it would be written and read again.
      serializer: (node: unknown) => node as DomElement,
    });
    const content = reader.parse()?.content ?? undefined;
    return content === undefined ? undefined : { content, page };
  } catch {
    // Parser and extractor were not made for hostile pages; their whole text is still there.
    return undefined;
  }
}

function isMain(kept: readonly TextBlock[], all: readonly TextBlock[]): boolean {
  const prose = charactersOf(all.filter(isProse));
  const least = prose > 0 ? MIN_SHARE_OF_PROSE * prose : MIN_SHARE_OF_TEXT * charactersOf(all);
  return charactersOf(kept) >= least;
}
