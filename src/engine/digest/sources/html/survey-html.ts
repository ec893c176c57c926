import { OpenElements, isHidden, layoutOf } from "./element-layout.ts";
import { pageTitle } from "./page-title.ts";
import { type TokenHandler, readTokens } from "./read-tokens.ts";
import { type TextBlock, TextWriter } from "./text-writer.ts";

/** What one pass over a page finds out. */
export interface HtmlSurvey {
  /** Its whole visible text. */
  readonly blocks: readonly TextBlock[];
  /** As the page is shared, as its window is called, or its first heading. */
  readonly title: string | undefined;
  /** A page has a document around its content; a fragment is nothing but content. */
  readonly isPage: boolean;
  /** True when its tags for document and body are there; they may be left out. */
  readonly isFramed: boolean;
  /** How many nodes a tree of it would have. */
  readonly nodes: number;
  readonly depth: number;
  /** The depths of all elements together: an extractor reads a text once for each element around it. */
  readonly weight: number;
  /** Of the element that has most. */
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
  /** How deep the element stands whose content is not seen; 0 when every content is seen. */
  #skippedDepth = 0;
  #title: string | undefined;
  /** There while the first title is read. */
  #titleParts: string[] | undefined;
  /** What the page says of itself to those who share it, by name. */
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
      if (name === "title" && this.#title === undefined) this.#titleParts = [];
    } else if (layout !== undefined) this.#writer.lay(layout, true);
  }

  close(name: string): void {
    if (this.#open.end(name) || name !== "p") return;
    // An end tag that ends no paragraph makes an empty one.
    this.#nodes++;
    if (this.#skippedDepth === 0) this.#writer.lay("paragraph", false);
  }

  text(text: string): void {
    // The tree's parser begins a piece of text at each of these, also where no entity follows.
    this.#nodes++;
    for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1)) this.#nodes++;
    if (this.#skippedDepth === 0) this.#writer.text(text);
    else this.#titleParts?.push(text);
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
      this.#title ??= this.#titleParts?.join("");
      this.#titleParts = undefined;
    }
  }
}

const PROSE_CHARACTERS = 80;

/** True for what reads like a paragraph of a text rather than a label, a menu or a teaser. */
export function isProse({ text, linked }: TextBlock): boolean {
  return text.length >= PROSE_CHARACTERS && 2 * linked < text.length;
}

/** Reads a page once: its visible text, its title, and what a tree of it would cost. */
export async function surveyHtml(html: string, signal?: AbortSignal): Promise<HtmlSurvey> {
  const surveyor = new Surveyor();
  await readTokens(html, surveyor, { attributes: asked, signal });
  return surveyor.result();
}
