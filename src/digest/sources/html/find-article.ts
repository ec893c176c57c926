import type { DomDocument, DomElement } from "./dom-node.ts";
import { elementBlocks } from "./element-blocks.ts";
import { pruneBlocks } from "./prune-blocks.ts";
import { prunePage } from "./prune-page.ts";
import { type HtmlSurvey, isProse } from "./survey-html.ts";
import { type TextBlock, charactersOf } from "./text-block.ts";

/** An extraction with less of a page's prose took a side column, or one of many equal parts, for the article. */
const MIN_SHARE_OF_PROSE = 0.25;
/** Where a page has no prose, most of what it has must be there. */
const MIN_SHARE_OF_TEXT = 0.5;

/**
 * The main content of a page: Readability's choice, with what a page's own names and the form of its lines tell about
 * clutter. Undefined when there is none, or when too much of the page would be lost.
 */
export async function findArticle(
  html: string,
  survey: HtmlSurvey,
): Promise<readonly TextBlock[] | undefined> {
  const content = await extract(
    survey.isFramed ? html : `<html><head></head><body>${html}</body></html>`,
    survey,
  );
  if (content === undefined) return undefined;
  const blocks = elementBlocks(content);
  return isMain(blocks, survey.blocks) ? pruneBlocks(blocks) : undefined;
}

async function extract(html: string, survey: HtmlSurvey): Promise<DomElement | undefined> {
  const [{ parseHTML }, { Readability }] = await Promise.all([
    // The one build of linkedom that needs nothing of Node.
    import("linkedom/worker"),
    import("@mozilla/readability"),
  ]);
  const { document } = parseHTML(html) as unknown as { readonly document: DomDocument };
  prunePage(document.documentElement, charactersOf(survey.blocks));
  const reader = new Readability<DomElement>(document, {
    keepClasses: true,
    disableJSONLD: true,
    // The tree itself: as a string it would be written and read again.
    serializer: (node: unknown) => node as DomElement,
  });
  try {
    return reader.parse()?.content ?? undefined;
  } catch {
    // The extractor was not made for hostile pages; their whole text is still there.
    return undefined;
  }
}

function isMain(kept: readonly TextBlock[], all: readonly TextBlock[]): boolean {
  const prose = charactersOf(all.filter(isProse));
  const least = prose > 0 ? MIN_SHARE_OF_PROSE * prose : MIN_SHARE_OF_TEXT * charactersOf(all);
  return charactersOf(kept) >= least;
}
