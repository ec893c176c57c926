import { Parser } from "htmlparser2";

interface ReadElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

interface ReadPage {
  readonly elements: readonly ReadElement[];
  /** The text of each mark, in the order of the page; one that goes on in the next paragraph is one. */
  readonly marks: ReadonlyMap<string, string>;
  /** The text inside the article. */
  readonly shown: string;
  readonly title: string;
}

/** What a parser makes of a page. */
export function readPage(html: string): ReadPage {
  const elements: ReadElement[] = [];
  const marks = new Map<string, string>();
  const open: string[] = [];
  let [lastMark, shown, title] = ["", "", ""];
  const parser = new Parser({
    onopentag(name, attributes) {
      elements.push({ name, attributes });
      open.push(name);
      if (name !== "mark") return;
      const { id } = attributes;
      lastMark = id ?? lastMark;
      // The blank line between two paragraphs is drawn, not written.
      marks.set(lastMark, id === undefined ? `${marks.get(lastMark) ?? ""}\n\n` : "");
    },
    ontext(text) {
      if (open.includes("mark")) marks.set(lastMark, (marks.get(lastMark) ?? "") + text);
      if (open.includes("article")) shown += text;
      if (open.at(-1) === "title") title += text;
    },
    onclosetag: () => void open.pop(),
  });
  parser.end(html);
  return { elements, marks, shown, title };
}
