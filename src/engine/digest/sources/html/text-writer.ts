import type { Layout } from "./element-layout.ts";
import type { BlockKind, DocumentBlock } from "../../document.ts";
import { documentTooLarge } from "../unreadable.ts";

/**
 * Blocks and links of one document; more is refused. The longest pages of the web have a tenth of it, and a page of tens of
 * millions of small elements would take all memory of the process that reads it.
 */
const MAX_BLOCKS = 1_000_000;

/** Text between two breaks. */
export interface TextBlock {
  readonly text: string;
  readonly kind: "prose" | "headline" | "heading" | "item" | "definition" | "code" | "cell";
  /** True for a heading below those of sections. */
  readonly isMinor?: boolean;
  /** True if a blank line separates it from the block before. */
  readonly isParagraph: boolean;
  /** How many of its characters are in links. */
  readonly linked: number;
  /** Where its links lead, if the writer was told: each after so many of its characters. */
  readonly targets?: readonly LinkTarget[];
}

export interface LinkTarget {
  readonly at: number;
  readonly address: string;
}

export function joinBlocks(blocks: readonly TextBlock[]): string {
  const parts: string[] = [];
  for (const { text, isParagraph } of blocks) {
    if (parts.length > 0) parts.push(isParagraph ? "\n\n" : "\n");
    parts.push(text);
  }
  return parts.join("");
}

/** True for a block that is more than a link. */
export function isTextBlock({ text, linked }: TextBlock): boolean {
  return 2 * linked < text.length;
}

/** A row of more than one cell, or a term and its definition: facts about the page's subject. */
export function isFact({ kind, text }: TextBlock): boolean {
  return kind === "definition" || (kind === "cell" && text.includes("\t"));
}

export function charactersOf(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length, 0);
}

/** White space that is not already a single space, as most is. */
const untidySpace = /[\t\n\f\r][ \t\n\f\r]*| [ \t\n\f\r]+/g;
const lineEnd = /\r\n?|\n/g;

/** In a heading, a link with only such a sign leads to the heading itself. */
const anchorSign = /^\s*[¶#§]\s*$/;

/** Where a block may be; the first of these decides its kind. */
const surroundings = ["code", "definition", "item", "headline", "heading", "cell"] as const;

type Depth = "link" | "term" | (typeof surroundings)[number];

/** So many pieces wait until they are joined. */
const PIECES_AT_ONCE = 4_096;

/** A text that comes in pieces. Of very many small ones the letters are kept, not the pieces. */
export class GrowingText {
  #pieces: string[] = [];
  #joined: string[] = [];
  length = 0;

  add(piece: string): void {
    this.#pieces.push(piece);
    this.length += piece.length;
    if (this.#pieces.length < PIECES_AT_ONCE) return;
    this.#joined.push(this.#pieces.join(""));
    this.#pieces = [];
  }

  /** All of it; the next piece begins another text. */
  take(): string {
    const last = this.#pieces.join("");
    const text = this.#joined.length === 0 ? last : `${this.#joined.join("")}${last}`;
    this.#pieces = [];
    this.#joined = [];
    this.length = 0;
    return text;
  }
}

/**
 * Writes text as a browser lays it out: white space as one space, blocks on their own lines, paragraphs after
 * a blank line, cells of a row after a tab, a definition under its term. A break is written only before the
 * next text, so none comes first, last or twice.
 */
export class TextWriter {
  readonly #blocks: TextBlock[] = [];
  /** Of the block that is being written. */
  readonly #text = new GrowingText();
  #linked = 0;
  /** Blocks and links so far. */
  #count = 0;
  #targets: LinkTarget[] = [];
  /** Of the open link, until it has a text. */
  #address: string | undefined;
  #isLinkWritten = false;
  #kind: TextBlock["kind"] = "prose";
  #isMinor = false;
  #subheadings = 0;
  #isParagraph = false;
  /** 1 between lines, 2 between paragraphs. */
  #owedBreak: 0 | 1 | 2 = 0;
  #owedGap: "" | " " | "\t" = "";
  #isRowEmpty = true;
  #isCellEmpty = false;
  #hasCellParagraphs = false;
  /** True if nothing was written since a term. */
  #isAfterTerm = false;
  #isDefinitionEmpty = false;
  #isLinkEmpty = false;
  /** A sign that is removed if its link ends with it. */
  #heldSign = "";
  readonly #depths: Record<Depth, number> = {
    link: 0,
    term: 0,
    headline: 0,
    heading: 0,
    definition: 0,
    item: 0,
    code: 0,
    cell: 0,
  };

  /** Called at the beginning and the end of an element. */
  lay(given: Layout, isOpening: boolean): void {
    const layout = given === "subheading" ? "heading" : given;
    if (given === "subheading") this.#subheadings += isOpening ? 1 : -1;
    if (layout in this.#depths) {
      const depth = layout as Depth;
      this.#depths[depth] += isOpening ? 1 : -1;
    }
    // A term is part of its definition.
    if (layout === "term") this.#depths.definition += isOpening ? 1 : -1;
    if (layout === "link") this.#link(isOpening);
    else if (layout === "term") this.#break(this.#isAfterTerm ? 1 : 2);
    else if (layout === "definition") this.#definition(isOpening);
    else if (layout === "paragraph" || layout === "headline" || layout === "heading" || layout === "code")
      this.#break(2);
    else if (layout === "line" || layout === "item") this.#break(this.#owedBreak === 2 ? 2 : 1);
    else if (layout === "row") this.#row();
    else if (layout === "cell" && isOpening) this.#cell();
    else if (layout === "break" && isOpening) this.#lineBreak();
  }

  text(text: string): void {
    // NUL is not a character of HTML.
    const clean = text.includes("\0") ? text.replaceAll("\0", "") : text;
    if (this.#isLinkEmpty && this.#isNamed() && anchorSign.test(clean)) {
      this.#heldSign += clean;
      return;
    }
    const whole = this.#heldSign + clean;
    if (clean.trim() !== "") this.#heldSign = "";
    else if (this.#heldSign !== "") return;
    if (this.#depths.code > 0) this.#code(whole);
    else this.#flow(whole);
  }

  /** Where the link leads that begins next. */
  leadTo(address: string | undefined): void {
    this.#address = address;
    this.#isLinkWritten = false;
  }

  blocks(): readonly TextBlock[] {
    this.#endBlock();
    return this.#blocks;
  }

  /** White space counts as one space. */
  #flow(text: string): void {
    const spaced = text.replaceAll(untidySpace, " ");
    const start = spaced.startsWith(" ") ? 1 : 0;
    const end = spaced.endsWith(" ") ? spaced.length - 1 : spaced.length;
    if (start === 1) this.#owedGap ||= " ";
    if (end <= start) return;
    this.#write(spaced.slice(start, end));
    if (end < spaced.length) this.#owedGap = " ";
  }

  /** Line ends and spaces are kept. */
  #code(text: string): void {
    let from = 0;
    for (const { index, 0: end } of text.matchAll(lineEnd)) {
      if (index > from) this.#write(text.slice(from, index));
      this.#lineBreak();
      from = index + end.length;
    }
    if (from < text.length) this.#write(text.slice(from));
  }

  /** A second line break in a row begins a paragraph. */
  #lineBreak(): void {
    this.#break(this.#owedBreak === 0 ? 1 : 2);
  }

  #link(isOpening: boolean): void {
    if (!isOpening) {
      this.#endTarget();
      this.#address = undefined;
    }
    this.#isLinkEmpty = isOpening;
    this.#heldSign = "";
  }

  /** A link over several blocks leads there from the first. */
  #endTarget(): void {
    if (!this.#isLinkWritten || this.#address === undefined) return;
    this.#countOne();
    this.#targets.push({ at: this.#text.length, address: this.#address });
    this.#address = undefined;
  }

  /** Inside an element to which pages often give its own address. */
  #isNamed(): boolean {
    const { headline, heading, term } = this.#depths;
    return headline + heading + term > 0;
  }

  #definition(isOpening: boolean): void {
    this.#isDefinitionEmpty = false;
    this.#break(this.#isAfterTerm || this.#owedBreak !== 2 ? 1 : 2);
    this.#isDefinitionEmpty = isOpening;
  }

  #row(): void {
    this.#isCellEmpty = false;
    this.#break(this.#owedBreak === 2 ? 2 : 1);
    this.#isRowEmpty = true;
    this.#hasCellParagraphs = false;
  }

  #cell(): void {
    if (this.#hasCellParagraphs) {
      // A cell of several paragraphs is layout, and its neighbour is a separate text.
      this.#owedBreak = 2;
    } else if (!this.#isRowEmpty) {
      this.#owedBreak = 0;
      this.#owedGap = "\t";
    }
    this.#isCellEmpty = true;
    this.#hasCellParagraphs = false;
  }

  #break(height: 1 | 2): void {
    // A block at the start of a cell or a definition needs no break.
    if (this.#isCellEmpty || this.#isDefinitionEmpty) return;
    this.#owedBreak = height;
    this.#owedGap = "";
  }

  #write(text: string): void {
    if (this.#owedBreak > 0) {
      if (!this.#isCellEmpty && this.#owedBreak === 2) this.#hasCellParagraphs = true;
      this.#endBlock();
      this.#isParagraph = this.#owedBreak === 2;
    } else if (this.#owedGap !== "" && this.#text.length > 0) this.#text.add(this.#owedGap);
    if (this.#text.length === 0) {
      this.#kind = surroundings.find((name) => this.#depths[name] > 0) ?? "prose";
      this.#isMinor = this.#kind === "heading" && this.#subheadings > 0;
    }
    this.#text.add(text);
    if (this.#depths.link > 0) {
      this.#linked += text.length;
      this.#isLinkWritten = true;
    }
    this.#owedBreak = 0;
    this.#owedGap = "";
    this.#isRowEmpty = false;
    this.#isCellEmpty = false;
    this.#isLinkEmpty = false;
    this.#isDefinitionEmpty = false;
    this.#isAfterTerm = this.#depths.term > 0;
  }

  #endBlock(): void {
    if (this.#text.length === 0) return;
    this.#endTarget();
    this.#countOne();
    const text = this.#text.take();
    const plain = { text, kind: this.#kind, isParagraph: this.#isParagraph, linked: this.#linked };
    const block = this.#isMinor ? { ...plain, isMinor: true } : plain;
    // Without a spread where there is no link: a page of millions of blocks would end the process, not its worker alone.
    this.#blocks.push(this.#targets.length === 0 ? block : { ...block, targets: this.#targets });
    this.#linked = 0;
    if (this.#targets.length > 0) this.#targets = [];
  }

  #countOne(): void {
    this.#count++;
    if (this.#count <= MAX_BLOCKS) return;
    throw documentTooLarge(`The document has more than ${MAX_BLOCKS} paragraphs, lines and links`, {
      reason: "too_many_blocks",
      remediation: "Pass a part of it.",
      details: { max_blocks: MAX_BLOCKS },
    });
  }
}

const kinds: Readonly<Record<TextBlock["kind"], BlockKind>> = {
  prose: "prose",
  headline: "heading",
  heading: "heading",
  item: "item",
  definition: "item",
  code: "code",
  cell: "prose",
};

/** A row has more than one cell; old pages use a single cell for layout. */
function kindOf(block: TextBlock): BlockKind {
  return block.kind === "cell" && isFact(block) ? "row" : kinds[block.kind];
}

function levelOf({ kind, isMinor }: TextBlock): number | undefined {
  if (kind === "headline") return 1;
  return kind === "heading" ? (isMinor === true ? 3 : 2) : undefined;
}

/** Lines of one piece of code, and broken lines of a paragraph, are one block. */
function isSameBlock(
  kind: BlockKind,
  before: DocumentBlock | undefined,
  { isParagraph }: TextBlock,
): boolean {
  if (before?.kind !== kind) return false;
  return kind === "code" || (kind === "prose" && !isParagraph);
}

/** The text of blocks, and the position of each block in it. */
export function outlineBlocks(blocks: readonly TextBlock[]): {
  readonly text: string;
  readonly blocks: readonly DocumentBlock[];
} {
  const outline: DocumentBlock[] = [];
  let end = 0;
  for (const [index, block] of blocks.entries()) {
    const start = end + (index === 0 ? 0 : block.isParagraph ? 2 : 1);
    end = start + block.text.length;
    const kind = kindOf(block);
    const before = outline.at(-1);
    if (before !== undefined && isSameBlock(kind, before, block)) outline.splice(-1, 1, { ...before, end });
    else {
      const level = levelOf(block);
      outline.push(level === undefined ? { start, end, kind } : { start, end, kind, level });
    }
  }
  return { text: joinBlocks(blocks), blocks: outline };
}
