// The source of a web page. There is no parser here: tags, comments and scripts are found as written, so that lines
// that say something can be kept before lines that only lay it out.

import { noteLines, setLine } from "./line-walk.ts";
import { DECORATION, FIRST, ORDINARY, type ReadForm, STRUCTURE, lineEnd } from "./text-form.ts";

/** A page begins so, perhaps after a line that says where it is from, or after HTTP headers; or it is most of a text with tags. */
const BEGINNING =
  /^\uFEFF?(?:[^<`]{1,1000}(?::[ \t]*|\n[ \t]*\r?)\n)?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[^>]{0,500}-->\s*)*(?:<!doctype html\b|<html\b|<head\b|<body\b)/i;
const SAMPLE_LENGTH = 20_000;
/** A page has at least one tag for this many characters; only tags that other texts do not have count. */
const CHARS_PER_TAG = 120;
const PAGE_TAG =
  /<\/?(?:div|span|p|a|li|ul|ol|td|tr|table|section|article|h[1-6]|br|img|button|form|input|label)\b/gi;

/** What these contain is not read by people. */
const unread = new Set([
  "script",
  "style",
  "svg",
  "noscript",
  "template",
  "iframe",
  "object",
  "canvas",
  "math",
]);
/** What these contain is around the page's own text. */
const aside = new Set(["nav", "footer", "aside"]);
/** A line with this much text outside of links is content of the page. */
const PROSE_LENGTH = 80;

export const readHtml: ReadForm = (text, lineStarts) => {
  if (!isHtml(text)) return undefined;
  const notes = noteLines(lineStarts.length);
  const page = new PageReading(text);
  let headings: readonly number[] = [];
  for (let line = 0; line < lineStarts.length; line++) {
    const sense = page.readTo(lineEnd(text, lineStarts, line));
    const { level, isAside } = sense;
    const around = level === 0 ? headings : headings.slice(0, level - 1);
    if (level > 0 && !isAside) headings = [...around, ...NO_HEADINGS.slice(around.length, level - 1), line];
    const isUnder = sense.letters > 0 && !isAside;
    setLine(notes, line, rankOf(sense), isUnder ? (around.findLast((at) => at >= 0) ?? -1) : -1);
  }
  return { kind: "html", ...notes };
};

const NO_HEADINGS: readonly number[] = [-1, -1, -1, -1, -1, -1];

function rankOf({ letters, prose, level, isTitle, isAside }: LineSense): number {
  if (isTitle) return FIRST;
  if (letters === 0) return DECORATION;
  return (prose >= PROSE_LENGTH || level > 0) && !isAside ? STRUCTURE : ORDINARY;
}

/** Whether a text is the source of a web page, or of a part of one. */
export function isHtml(text: string): boolean {
  const sample = text.slice(0, SAMPLE_LENGTH);
  if (BEGINNING.test(sample)) return true;
  if (!/^\s*</.test(sample)) return false;
  const tags = sample.match(PAGE_TAG)?.length ?? 0;
  return tags >= 8 && tags * CHARS_PER_TAG >= sample.length;
}

/** What a line says to a reader. */
interface LineSense {
  /** Characters of text, and those of them outside of links. */
  letters: number;
  prose: number;
  /** The level of a heading in it, 1 to 6; 0 without a heading. */
  level: number;
  isTitle: boolean;
  isAside: boolean;
}

const TAG = /^<(\/?)([a-z][a-z0-9]*)/i;
/** The longest name that is looked for, with what is written before it. */
const TAG_LENGTH = 16;
/** The end of a tag, or a value in quotes, in which ">" is a letter. */
const END_OR_VALUE = />|=\s*["']/g;

/** Goes through a page once, from line to line; a tag, a comment or a script may go over many. */
class PageReading {
  readonly #text: string;
  #at = 0;
  #asides = 0;
  #isInLink = false;
  #isInTitle = false;
  /** The level of the open heading, 1 to 6; 0 outside of one. */
  #level = 0;
  /** What was searched for and does not occur in the rest of the page. */
  readonly #gone = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  /** What the text says between the last place and this one. */
  readTo(end: number): LineSense {
    const sense = { letters: 0, prose: 0, level: 0, isTitle: false, isAside: this.#asides > 0 };
    while (this.#at < end) {
      const open = this.#find("<", this.#at);
      const to = open === undefined ? end : Math.min(open, end);
      this.#takeText(this.#text.slice(this.#at, to), sense);
      this.#at = to < end ? this.#afterTag(to) : to;
    }
    return sense;
  }

  #takeText(said: string, sense: LineSense): void {
    const letters = said.replaceAll(/\s+|&(?:nbsp|#160|zwnj|shy);/g, " ").trim().length;
    if (letters === 0) return;
    sense.letters += letters;
    if (!this.#isInLink) sense.prose += letters;
    sense.level = this.#level === 0 ? sense.level : this.#level;
    sense.isTitle ||= this.#isInTitle;
    sense.isAside ||= this.#asides > 0;
  }

  /** The place after the tag that begins here, and after what is not read in it. */
  #afterTag(at: number): number {
    if (this.#text.startsWith("<!--", at)) return this.#after("-->", at + 4);
    const [, slash = "", spelled = ""] = TAG.exec(this.#text.slice(at, at + TAG_LENGTH)) ?? [];
    if (spelled === "") return /[!?]/.test(this.#text.charAt(at + 1)) ? this.#after(">", at) : at + 1;
    const name = spelled.toLowerCase();
    const end = this.#endOfTag(at);
    const isEmpty = this.#text[end - 2] === "/" && name !== "script";
    if (slash === "" && !isEmpty && unread.has(name)) return this.#afterElement(name, end);
    this.#turn(name, slash === "");
    return end;
  }

  #turn(name: string, isOpened: boolean): void {
    if (name === "a") this.#isInLink = isOpened;
    else if (name === "title") this.#isInTitle = isOpened;
    else if (/^h[1-6]$/.test(name)) this.#level = isOpened ? Number(name.charAt(1)) : 0;
    else if (aside.has(name)) this.#asides = Math.max(0, this.#asides + (isOpened ? 1 : -1));
  }

  #endOfTag(at: number): number {
    END_OR_VALUE.lastIndex = at;
    for (let found = END_OR_VALUE.exec(this.#text); found !== null; found = END_OR_VALUE.exec(this.#text)) {
      const quote = found[0].at(-1) ?? ">";
      if (quote === ">") return END_OR_VALUE.lastIndex;
      END_OR_VALUE.lastIndex = this.#after(quote, END_OR_VALUE.lastIndex);
    }
    return this.#text.length;
  }

  /** The place after an element is closed; if it never is, the place after its tag. */
  #afterElement(name: string, from: number): number {
    if (this.#gone.has(name)) return from;
    const close = new RegExp(`</${name}[\\s>]`, "gi");
    close.lastIndex = from;
    if (close.test(this.#text)) return close.lastIndex;
    this.#gone.add(name);
    return from;
  }

  #after(mark: string, from: number): number {
    const found = this.#find(mark, from);
    return found === undefined ? this.#text.length : found + mark.length;
  }

  /** A search that found nothing is not repeated: each would go to the end of the text. */
  #find(mark: string, from: number): number | undefined {
    if (this.#gone.has(mark)) return undefined;
    const found = this.#text.indexOf(mark, from);
    if (found < 0) this.#gone.add(mark);
    return found < 0 ? undefined : found;
  }
}
