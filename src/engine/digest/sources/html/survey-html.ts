import { type ReaderKind, refuseFor } from "../reader-packages.ts";
import { OpenElements, isHidden, layoutOf } from "./element-layout.ts";
import { GrowingText, type TextBlock, TextWriter } from "./text-writer.ts";
import type { Tokenizer } from "htmlparser2";

interface TokenHandler {
  /** Names are in lower case; only the requested attributes are included. */
  open(
    name: string,
    attributes: ReadonlyMap<string, string>,
    attributeCount: number,
    isClosed: boolean,
  ): void;
  close(name: string): void;
  text(text: string): void;
  comment(): void;
  /** A declaration such as a document type. */
  declaration(): void;
}

interface TokenOptions {
  readonly attributes: ReadonlySet<string>;
  readonly signal?: AbortSignal | undefined;
  /** The kind of the document: Markdown is read as HTML. */
  readonly kind: ReaderKind;
}

/** Of a longer value of an attribute the rest is not kept; above half of it, class names are refused. */
const MAX_VALUE_CHARACTERS = 128 * 1024;
/** About a fiftieth of a second of work. */
const CHARACTERS_BETWEEN_PAUSES = 1_000_000;

const nextTurn = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 0));

/**
 * Reads the tokens of a page in order. No tree and no stack of open elements, whose cost would grow with the
 * square of the depth: the time is linear for any input, with pauses for other work.
 */
async function readTokens(html: string, handler: TokenHandler, options: TokenOptions): Promise<void> {
  const { attributes: asked, signal, kind } = options;
  const { Tokenizer } = await import("htmlparser2").catch(refuseFor(kind));
  let name = "";
  let attribute = "";
  let value = "";
  let count = 0;
  let attributes = new Map<string, string>();
  let nextPause = CHARACTERS_BETWEEN_PAUSES;
  const isKept = (): boolean => value.length <= MAX_VALUE_CHARACTERS && asked.has(attribute);
  const opened = (isClosed: boolean): void => {
    handler.open(name, attributes, count, isClosed);
    if (attributes.size > 0) attributes = new Map();
  };
  const tokenizer: Tokenizer = new Tokenizer(
    {},
    {
      ontext: (start, end) => handler.text(html.slice(start, end)),
      ontextentity: (codePoint) => handler.text(String.fromCodePoint(codePoint)),
      onopentagname: (start, end) => {
        name = html.slice(start, end).toLowerCase();
        count = 0;
        if (end < nextPause) return;
        nextPause = end + CHARACTERS_BETWEEN_PAUSES;
        tokenizer.pause();
      },
      onattribname: (start, end) => {
        count++;
        attribute = html.slice(start, end).toLowerCase();
        value = "";
      },
      onattribdata: (start, end) => {
        if (isKept()) value += html.slice(start, end);
      },
      onattribentity: (codePoint) => {
        if (isKept()) value += String.fromCodePoint(codePoint);
      },
      onattribend: () => {
        if (asked.has(attribute) && !attributes.has(attribute)) attributes.set(attribute, value);
      },
      onopentagend: () => opened(false),
      onselfclosingtag: () => opened(true),
      onclosetag: (start, end) => handler.close(html.slice(start, end).toLowerCase()),
      ondeclaration: () => handler.declaration(),
      oncdata: () => handler.comment(),
      oncomment: () => handler.comment(),
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  );
  tokenizer.write(html);
  while (!tokenizer.running) {
    await nextTurn();
    signal?.throwIfAborted();
    tokenizer.resume();
  }
  tokenizer.end();
}

/** The results of one pass over a page. */
export interface HtmlSurvey {
  /** The whole visible text. */
  readonly blocks: readonly TextBlock[];
  /** The title for sharing, the title of the window, or the first heading. */
  readonly title: string | undefined;
  /** A page has a document around its content; a fragment is only content. */
  readonly isPage: boolean;
  /** True if the tags for document and body are present; they may be omitted. */
  readonly isFramed: boolean;
  /** How many nodes its tree would have. */
  readonly nodes: number;
  readonly depth: number;
  /** The sum of the depths of all elements: an extractor reads a text once for each element around it. */
  readonly weight: number;
  /** The most attributes of one element. */
  readonly attributes: number;
  /** The longest class attribute. */
  readonly classCharacters: number;
}

const asked = new Set(["hidden", "style", "property", "content", "rel", "href", "class"]);

const shared = new Set(["og:title", "og:site_name", "og:url", "canonical"]);

class Surveyor implements TokenHandler {
  readonly #writer = new TextWriter();
  readonly #open = new OpenElements((name) => this.#leave(name));
  #isPage = false;
  #hasHtml = false;
  #hasBody = false;
  #nodes = 0;
  #attributes = 0;
  #classCharacters = 0;
  /** The depth of the element whose content is not visible; 0 if all content is visible. */
  #skippedDepth = 0;
  #title: string | undefined;
  /** Set while the first title is read. */
  #titleText: GrowingText | undefined;
  /** The page's metadata for sharing, by name. */
  readonly #shared = new Map<string, string>();

  open(name: string, attributes: ReadonlyMap<string, string>, count: number, isClosed: boolean): void {
    this.#nodes++;
    if (count > this.#attributes) this.#attributes = count;
    if (name === "html" || name === "head" || name === "body") this.#isPage = true;
    if (name === "body") this.#hasBody = true;
    if (name === "html") this.#hasHtml = true;
    if (attributes.size > 0) this.#share(name, attributes);
    this.#classCharacters = Math.max(this.#classCharacters, attributes.get("class")?.length ?? 0);
    // Only foreign elements end with a slash: elsewhere it means nothing.
    if (name === "svg" && isClosed) return;
    const isEntered = this.#open.enter(name);
    if (this.#skippedDepth > 0) return;
    const layout = layoutOf(name);
    if (isEntered && (layout === "skipped" || isHidden(attributes.get("hidden"), attributes.get("style")))) {
      this.#skippedDepth = this.#open.depth;
      if (name === "title" && this.#title === undefined) this.#titleText = new GrowingText();
    } else if (layout !== undefined) {
      if (layout === "link") this.#writer.leadTo(attributes.get("href"));
      this.#writer.lay(layout, true);
    }
  }

  close(name: string): void {
    if (this.#open.end(name) || name !== "p") return;
    // An end tag without an open paragraph makes an empty one.
    this.#nodes++;
    if (this.#skippedDepth === 0) this.#writer.lay("paragraph", false);
  }

  text(text: string): void {
    // The tree's parser begins a piece of text at each of these, even if no entity follows.
    this.#nodes++;
    for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1)) this.#nodes++;
    if (this.#skippedDepth === 0) this.#writer.text(text);
    else this.#titleText?.add(text);
  }

  comment(): void {
    this.#nodes++;
  }

  declaration(): void {
    this.#isPage = true;
  }

  result(): HtmlSurvey {
    const blocks = this.#writer.blocks();
    const title = pageTitle({
      titles: [
        this.#shared.get("og:title"),
        this.#title,
        blocks.find(({ kind }) => kind === "headline" || kind === "heading")?.text,
      ],
      siteName: this.#shared.get("og:site_name"),
      urls: [this.#shared.get("og:url"), this.#shared.get("canonical")],
    });
    return {
      blocks,
      title,
      isPage: this.#isPage,
      isFramed: this.#hasHtml && this.#hasBody,
      nodes: this.#nodes,
      depth: this.#open.deepest,
      weight: this.#open.weight,
      attributes: this.#attributes,
      classCharacters: this.#classCharacters,
    };
  }

  #share(name: string, attributes: ReadonlyMap<string, string>): void {
    const key = attributes.get(name === "link" ? "rel" : "property");
    const value = attributes.get(name === "link" ? "href" : "content");
    const isTold = key !== undefined && value !== undefined && shared.has(key);
    if (isTold && !this.#shared.has(key)) this.#shared.set(key, value);
  }

  #leave(name: string): void {
    if (this.#skippedDepth === 0) {
      const layout = layoutOf(name);
      if (layout !== undefined) this.#writer.lay(layout, false);
    } else if (this.#open.depth < this.#skippedDepth) {
      this.#skippedDepth = 0;
      this.#title ??= this.#titleText?.take();
      this.#titleText = undefined;
    }
  }
}

const PROSE_CHARACTERS = 80;

/** True for a block that reads like a paragraph and not like a label, a menu or a teaser. */
export function isProseBlock({ text, linked }: TextBlock): boolean {
  return text.length >= PROSE_CHARACTERS && 2 * linked < text.length;
}

/** Reads a page once: its visible text, its title, and what its tree would cost. */
export async function surveyHtml(
  html: string,
  signal?: AbortSignal,
  kind: ReaderKind = "html",
): Promise<HtmlSurvey> {
  const surveyor = new Surveyor();
  await readTokens(html, surveyor, { attributes: asked, signal, kind });
  return surveyor.result();
}

/** The names in a page; any of them may be missing. */
interface PageNames {
  /** The best one first. */
  readonly titles: readonly (string | undefined)[];
  readonly siteName: string | undefined;
  /** The addresses of the page itself. */
  readonly urls: readonly (string | undefined)[];
}

const separator = / (?:[|\-–—·•»«:/]|::) | ?[|｜] ?/g;
/** No page has a longer address, and each dot in it makes another name. */
const MAX_URL_CHARACTERS = 2_048;
const notInName = /[^\p{L}\p{N}]+/gu;

/** The first useful title, without the site's name at its start or end. */
export function pageTitle({ titles, siteName, urls }: PageNames): string | undefined {
  const title = titles.map((one) => one?.replaceAll(/\s+/g, " ").trim()).find((one) => one);
  if (title === undefined) return undefined;
  const names = new Set(
    [...(siteName === undefined ? [] : [siteName]), ...urls.flatMap(hostNames)].map(bare),
  );
  const breaks = [...title.matchAll(separator)];
  const [first, last] = [breaks.at(0), breaks.at(-1)];
  if (first === undefined || last === undefined) return title;
  const [start, end] = [title.slice(0, first.index), title.slice(last.index + last[0].length)];
  if (isNamed(end, names)) return title.slice(0, last.index) || title;
  return isNamed(start, names) ? title.slice(first.index + first[0].length) || title : title;
}

function isNamed(part: string, names: ReadonlySet<string>): boolean {
  const name = bare(part);
  return name !== "" && names.has(name);
}

/** Sites write their name with and without spaces, dots and capitals. */
function bare(name: string): string {
  return name.toLowerCase().replaceAll(notInName, "");
}

/** The parts of a host, with and without the parts after them: sites use either as their name. */
function hostNames(url: string | undefined): readonly string[] {
  if (url === undefined || url.length > MAX_URL_CHARACTERS || !URL.canParse(url)) return [];
  const parts = new URL(url).hostname.split(".");
  return parts.slice(0, -1).flatMap((part, index) => [part, parts.slice(index).join(".")]);
}
