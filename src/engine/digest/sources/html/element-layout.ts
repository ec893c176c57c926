import { documentTooLarge } from "../unreadable.ts";

/** The layout of an element, as far as its text is concerned; an element that is not listed is inline. */
export type Layout =
  | "skipped"
  | "paragraph"
  | "headline"
  | "heading"
  | "subheading"
  | "code"
  | "line"
  | "item"
  | "term"
  | "definition"
  | "row"
  | "cell"
  | "break"
  | "link";

const names: Readonly<Record<Layout, string>> = {
  // Content that is not text, that only replaces other content, or that a reader must open first.
  skipped:
    "title script style template noscript noframes noembed iframe object embed applet canvas audio video svg " +
    "select datalist textarea map",
  paragraph:
    "address article aside blockquote body center details dialog dir div dl fieldset figcaption figure footer form " +
    "header hgroup hr html main menu nav ol p section summary table ul",
  headline: "h1",
  heading: "h2",
  subheading: "h3 h4 h5 h6",
  code: "pre listing xmp plaintext",
  line: "caption legend option optgroup rtc",
  item: "li",
  term: "dt",
  definition: "dd",
  row: "tr",
  cell: "td th",
  break: "br",
  link: "a",
};

const layouts = new Map<string, Layout>(
  (Object.entries(names) as [Layout, string][]).flatMap(([layout, list]) =>
    list.split(" ").map((name): [string, Layout] => [name, layout]),
  ),
);

/** Elements whose content is not visible. */
export const skippedElements: ReadonlySet<string> = new Set(names.skipped.split(" "));

/** The layout of the element with this lower-case name. */
export function layoutOf(name: string): Layout | undefined {
  return layouts.get(name);
}

const hidingStyle = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i;

/** True if its own attributes hide an element; style sheets are not read. */
export function isHidden(hidden: string | null | undefined, style: string | null | undefined): boolean {
  return typeof hidden === "string" || (typeof style === "string" && style !== "" && hidingStyle.test(style));
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

const voidElements = words(
  "area base basefont br col embed frame hr img input link meta param source track wbr",
);
/** They may come anywhere and twice, and contain the rest of the page. */
const frames = words("html head body");
const paragraph = words("p");

/** The elements that an opening element closes, as in the tree's parser. */
const closedBy = new Map<string, ReadonlySet<string>>([
  ["li", words("li")],
  ["dt", words("dt dd")],
  ["dd", words("dt dd")],
  ["tr", words("tr th td")],
  ["th", words("th td")],
  ["td", words("th td thead")],
  ["tbody", words("thead tbody")],
  ["tfoot", words("thead tbody")],
  ["option", words("option")],
  ["optgroup", words("option optgroup")],
  ["rt", words("rt rp")],
  ["rp", words("rt rp")],
  ["a", words("a")],
]);

/** Elements inside one another; more is refused. Each takes memory until it is closed, and browsers stop at 512. */
const MAX_OPEN_ELEMENTS = 1_000_000;

/**
 * The elements that are open at a position of a page, as in its tree, in linear time for any page. `leave` is
 * called for each that ends, by its own end tag or by another's.
 */
export class OpenElements {
  readonly #open: string[] = [];
  readonly #counts = new Map<string, number>();
  readonly #leave: (name: string) => void;
  deepest = 0;
  /** The sum of the depths of all elements. */
  weight = 0;

  constructor(leave: (name: string) => void) {
    this.#leave = leave;
  }

  get depth(): number {
    return this.#open.length;
  }

  /** False for an element that has no content, or that contains the whole page: it is not left again. */
  enter(name: string): boolean {
    if (frames.has(name)) return false;
    const closed = closedBy.get(name) ?? (isBlock(name) ? paragraph : undefined);
    while (closed?.has(this.#open.at(-1) ?? "") === true) this.#pop();
    this.weight += this.#open.length;
    if (voidElements.has(name)) return false;
    if (this.#open.length === MAX_OPEN_ELEMENTS) throw nestedTooDeep();
    this.#open.push(name);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    if (this.#open.length > this.deepest) this.deepest = this.#open.length;
    return true;
  }

  /** An end tag also ends everything open inside its element; false if no such element is open. */
  end(name: string): boolean {
    if (!this.#counts.has(name)) return false;
    while (this.#pop() !== name);
    return true;
  }

  #pop(): string | undefined {
    const name = this.#open.pop();
    if (name === undefined) return undefined;
    const left = (this.#counts.get(name) ?? 0) - 1;
    // A page can make up names without end: those of closed elements are forgotten.
    if (left > 0) this.#counts.set(name, left);
    else this.#counts.delete(name);
    this.#leave(name);
    return name;
  }
}

function nestedTooDeep(): Error {
  return documentTooLarge(`The document has more than ${MAX_OPEN_ELEMENTS} elements inside one another`, {
    reason: "nested_too_deep",
    remediation: "Do not trust this page; or pass a part of it.",
    details: { max_open_elements: MAX_OPEN_ELEMENTS },
  });
}

function isBlock(name: string): boolean {
  const layout = layoutOf(name);
  return (
    layout === "paragraph" ||
    layout === "headline" ||
    layout === "heading" ||
    layout === "subheading" ||
    layout === "code"
  );
}
