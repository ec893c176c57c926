import { type DomElement, type DomNode, isElement, isText, isWords, walkTree } from "./dom-tree.ts";
import { layoutOf } from "./element-layout.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** What authors of pages call the things around an article, as words of a class or an id. */
const clutterNames = words(
  "ad ads adslot advert advertisement advertising author bio breadcrumb breadcrumbs byline caption captions cookie " +
    "cookies credit credits gdpr newsletter outbrain promo promos recirc recirculation recommended related share " +
    "sharebar sharing signup sponsor sponsored subscribe taboola timestamp",
);
/** Shown on request only, often in the middle of a sentence. */
const popupNames = words("popover popup rollover tooltip");
const clutterElements = words("nav figcaption");
/** They may carry any name for the sake of the whole page. */
const frames = words("html body main article");

/** Larger parts are never taken for clutter, whatever their name: it may be that of a theme or a topic. */
const MAX_CLUTTER_CHARACTERS = 2_000;
const MAX_CLUTTER_SHARE = 0.3;

const nameWord = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/**
 * Takes from a page what is not its main content by the page's own words, and frees quotes from wrappers that an
 * extractor would throw away. `characters` is how much text the page has.
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

/** A sentence must not lose a word, whatever the word's element is called. */
function isInSentence(element: DomElement): boolean {
  const layout = layoutOf(element.localName);
  const isInline = layout === undefined || layout === "link";
  return isInline && (isWords(element.previousSibling) || isWords(element.nextSibling));
}

function hasMoreTextThan(element: DomElement, limit: number): boolean {
  let characters = 0;
  walkTree(element, (node) => {
    if (isText(node)) characters += node.data.trim().length;
    if (characters > limit) return "stop";
    return isElement(node) && layoutOf(node.localName) !== "skipped" ? "into" : "over";
  });
  return characters > limit;
}

/** A quoted post often stands alone in a wrapper called social or embed. */
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
