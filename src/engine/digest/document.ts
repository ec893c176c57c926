import type { WarningDetail } from "../../core/contract/warning.ts";

/** A stretch of a text in UTF-16 units, end exclusive; only payloads count code points. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A stretch, and how well it answers: 0 to 1. */
export interface ScoredSpan extends Span {
  readonly score: number;
}

/** Where a page of a paged document stands in its canonical text; a page without text is empty. */
export interface Page extends Span {
  /** Counted from 1. */
  readonly number: number;
}

/** What a stretch of a document is, where its format says so. Only prose and items hold sentences. */
export type BlockKind = "prose" | "heading" | "item" | "row" | "code";

/** A paragraph, a heading, an item of a list, a row of a table, or a piece of code. */
export interface DocumentBlock extends Span {
  readonly kind: BlockKind;
  /** Of a row: where each of its cells stands. */
  readonly cells?: readonly Span[] | undefined;
}

export const documentTypes = ["text", "markdown", "html", "pdf"] as const;
export type DocumentType = (typeof documentTypes)[number];

/** What a reader of one type makes of a document: texts that are not yet canonical. */
export interface RawDocument {
  /** One text, or one for each page. */
  readonly text: string | readonly string[];
  /** Where the parts of the one text stand; cells of a row are parted by tabs. */
  readonly blocks?: readonly DocumentBlock[] | undefined;
  readonly title?: string | undefined;
  readonly warnings: readonly WarningDetail[];
}

/** A document as it is digested: its canonical text, and where its pages begin and end. */
export interface CanonicalDocument {
  readonly type: DocumentType;
  readonly text: string;
  readonly pages?: readonly Page[];
  /** In order, without overlaps; absent where the format knows no such parts, as in plain text and PDF. */
  readonly blocks?: readonly DocumentBlock[];
  readonly title?: string;
  readonly warnings: readonly WarningDetail[];
}

/** How far a long job is: parts done of all. */
export type OnProgress = (progress: {
  readonly stage: "fetch" | "read" | "select" | "summarise";
  readonly done: number;
  readonly total: number;
}) => void;
