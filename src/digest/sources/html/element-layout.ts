/** How an element stands on the page, as far as its text is concerned; one that is not named flows with the text. */
export type Layout =
  | "skipped"
  | "paragraph"
  | "headline"
  | "heading"
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
  // What is no text, what only stands in for something else, and what a reader has to open first.
  skipped:
    "title script style template noscript noframes noembed iframe object embed applet canvas audio video svg " +
    "select datalist textarea map",
  paragraph:
    "address article aside blockquote body center details dialog dir div dl fieldset figcaption figure footer form " +
    "header hgroup hr html main menu nav ol p section summary table ul",
  headline: "h1",
  heading: "h2 h3 h4 h5 h6",
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

/** The layout of the element with this lower-case name. */
export function layoutOf(name: string): Layout | undefined {
  return layouts.get(name);
}

const hidingStyle = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i;

/** True for what its own attributes hide; style sheets are not read. */
export function isHidden(hidden: string | null | undefined, style: string | null | undefined): boolean {
  return typeof hidden === "string" || (typeof style === "string" && style !== "" && hidingStyle.test(style));
}
