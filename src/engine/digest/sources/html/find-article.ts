import { foldText, wordRuns } from "../../../../core/text/bm25.ts";
import { refuseFor } from "../reader-packages.ts";
import { isHidden, layoutOf } from "./element-layout.ts";
import { type MainColumn, mainColumn, pruneBlocks } from "./prune-blocks.ts";
import { type HtmlSurvey, isProseBlock } from "./survey-html.ts";
import { type TextBlock, TextWriter, charactersOf } from "./text-writer.ts";

/** The text of an element and its visible content, laid out, without the elements that are excluded by name. */
function elementBlocks(root: DomElement, leftOut: ReadonlySet<string> = new Set()): readonly TextBlock[] {
  const writer = new TextWriter();
  const enter = (node: DomNode): WalkStep => {
    if (isTextNode(node)) writer.text(node.data);
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

/** An extraction with less of a page's prose chose a side column, or one of many equal parts. */
const MIN_SHARE_OF_PROSE = 0.25;
/** If a page has no prose, an extraction must contain most of its text. */
const MIN_SHARE_OF_TEXT = 0.5;
/** From this share on, the text under the headline is part of the article and not a line about it. */
const MIN_LOST_LEAD = 0.2;
/** If more is lost than kept, the wrong part was chosen. */
const MAX_LOST = 1;
/** Measured on articles: they lose a hundredth in rows and definitions. */
const MAX_SILENT_FACTS = 0.1;
/** If an article has a smaller share of its page's text, more than menus and teasers surround it. */
const MIN_SILENT_SHARE = 0.4;

const besides = new Set(["nav", "footer", "aside", "form", "button"]);

interface Article {
  readonly blocks: readonly TextBlock[];
  /** The article's share of the page's text, without navigation: 0 to 1. */
  readonly share: number;
  /** True if a reader may miss what is left out. */
  readonly isPartial: boolean;
}

/**
 * The main content of a page: Readability's choice, corrected by the page's own names and the form of its
 * lines. Undefined if no part is clearly the best, or if too much of the page would be lost.
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

/** A title is often the headline in slightly different words, and the document already has the title. */
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
  /** The page before the extractor changed it. */
  readonly page: readonly TextBlock[];
}

async function extract(html: string, survey: HtmlSurvey): Promise<Extraction | undefined> {
  const [{ parseHTML }, { Readability }] = await Promise.all([
    // The only build of linkedom that needs nothing from Node.
    import("linkedom/worker").catch(refuseFor("html")),
    import("@mozilla/readability").catch(refuseFor("html")),
  ]);
  try {
    const { document } = parseHTML(html) as unknown as { readonly document: DomDocument };
    prunePage(document.documentElement, charactersOf(survey.blocks));
    const page = elementBlocks(document.documentElement, besides);
    const reader = new Readability<DomElement>(document, {
      keepClasses: true,
      disableJSONLD: true,
      // The tree itself: as a string it would be written and parsed again.
      serializer: (node: unknown) => node as DomElement,
    });
    const content = reader.parse()?.content ?? undefined;
    return content === undefined ? undefined : { content, page };
  } catch {
    // Parser and extractor are not made for hostile pages; the whole text is still available.
    return undefined;
  }
}

function isMain(kept: readonly TextBlock[], all: readonly TextBlock[]): boolean {
  const prose = charactersOf(all.filter(isProseBlock));
  const least = prose > 0 ? MIN_SHARE_OF_PROSE * prose : MIN_SHARE_OF_TEXT * charactersOf(all);
  return charactersOf(kept) >= least;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** Words in a class or an id that authors use for the parts around an article. */
const clutterNames = words(
  "ad ads adslot advert advertisement advertising author bio breadcrumb breadcrumbs byline caption captions cookie " +
    "cookies credit credits gdpr newsletter outbrain promo promos recirc recirculation recommended related share " +
    "sharebar sharing signup sponsor sponsored subscribe taboola timestamp",
);
/** Shown only on request, often in the middle of a sentence. */
const popupNames = words("popover popup rollover tooltip");
const clutterElements = words("nav figcaption");
/** They may have any name, which then refers to the whole page. */
const frames = words("html body main article");

/** Larger parts are never clutter, whatever their name: it may name a theme or a topic. */
const MAX_CLUTTER_CHARACTERS = 2_000;
const MAX_CLUTTER_SHARE = 0.3;

const nameWord = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/**
 * Removes the parts of a page that its own names mark as clutter, and unwraps quotes whose wrappers an
 * extractor would drop. `characters` is the length of the page's text.
 */
export function prunePage(root: DomElement, characters: number): void {
  const limit = Math.min(MAX_CLUTTER_CHARACTERS, MAX_CLUTTER_SHARE * characters);
  const clutter: DomElement[] = [];
  const quotes: DomElement[] = [];
  walkTree(root, (node) => {
    if (!isElement(node)) return "over";
    if (isClutter(node, limit)) {
      clutter.push(node);
      return "over";
    }
    if (node.localName === "blockquote") quotes.push(node);
    return "into";
  });
  for (const element of clutter) element.remove();
  for (const quote of quotes) unwrap(quote);
}

function isClutter(element: DomElement, limit: number): boolean {
  const { localName } = element;
  if (frames.has(localName)) return false;
  if (clutterElements.has(localName) || element.getAttribute("role") === "navigation") return true;
  const names = namesOf(element);
  const isNamed =
    names.some((name) => popupNames.has(name)) ||
    (names.some((name) => clutterNames.has(name)) && !isInSentence(element));
  return isNamed && !hasMoreTextThan(element, limit);
}

function namesOf(element: DomElement): readonly string[] {
  const names = `${element.getAttribute("class") ?? ""} ${element.getAttribute("id") ?? ""}`;
  return names === " " ? [] : (names.match(nameWord) ?? []).map((word) => word.toLowerCase());
}

/** A sentence must not lose a word, whatever the name of the word's element. */
function isInSentence(element: DomElement): boolean {
  const layout = layoutOf(element.localName);
  const isInline = layout === undefined || layout === "link";
  return isInline && (isWords(element.previousSibling) || isWords(element.nextSibling));
}

function hasMoreTextThan(element: DomElement, limit: number): boolean {
  let characters = 0;
  walkTree(element, (node) => {
    if (isTextNode(node)) characters += node.data.trim().length;
    if (characters > limit) return "stop";
    return isElement(node) && layoutOf(node.localName) !== "skipped" ? "into" : "over";
  });
  return characters > limit;
}

/** A quoted post is often alone in a wrapper called social or embed. */
function unwrap(quote: DomElement): void {
  const wrapper = quote.parentNode;
  if (wrapper?.localName !== "div") return;
  for (let node = wrapper.firstChild; node !== null; node = node.nextSibling) {
    if (node !== quote && !isNothing(node)) return;
  }
  wrapper.replaceWith(quote);
}

function isNothing(node: DomNode): boolean {
  return isElement(node) ? layoutOf(node.localName) === "skipped" : !isWords(node);
}

/** The parts of a document tree that are used; our types do not include those of browsers. */
export interface DomNode {
  readonly nodeType: number;
  readonly parentNode: DomElement | null;
  readonly firstChild: DomNode | null;
  readonly previousSibling: DomNode | null;
  readonly nextSibling: DomNode | null;
}

interface DomText extends DomNode {
  readonly data: string;
}

export interface DomElement extends DomNode {
  readonly localName: string;
  getAttribute(name: string): string | null;
  remove(): void;
  replaceWith(node: DomNode): void;
}

export interface DomDocument {
  readonly documentElement: DomElement;
}

export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === 1;
}

export function isTextNode(node: DomNode): node is DomText {
  return node.nodeType === 3;
}

/** True for text that is more than white space. */
export function isWords(node: DomNode | null): boolean {
  return node !== null && isTextNode(node) && node.data.trim() !== "";
}

/** Whether to enter a node, skip it, or stop. */
export type WalkStep = "into" | "over" | "stop";

/** Walks a tree depth first, without recursion; elements that were entered are left again. */
export function walkTree(
  root: DomElement,
  enter: (node: DomNode) => WalkStep,
  leave: (element: DomElement) => void = () => undefined,
): void {
  let node: DomNode | null = root;
  while (node !== null) {
    const step = enter(node);
    if (step === "stop") return;
    const child: DomNode | null = step === "into" ? node.firstChild : null;
    if (child !== null) {
      node = child;
      continue;
    }
    if (step === "into" && isElement(node)) leave(node);
    let next: DomNode | null = null;
    while (next === null && node !== null && node !== root) {
      next = node.nextSibling;
      if (next !== null) break;
      node = node.parentNode;
      if (node !== null && isElement(node)) leave(node);
    }
    node = next;
  }
}
