import type { WarningDetail } from "../../core/contract/warning.ts";

/** A range of a text in UTF-16 units, end exclusive; only payloads count code points. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A range, and how well it answers: 0 to 1. */
export interface ScoredSpan extends TextSpan {
  readonly score: number;
}

/** The range of a page in the canonical text; a page without text is empty. */
export interface DocumentPage extends TextSpan {
  /** Counted from 1. */
  readonly number: number;
}

/** The kind of a block, if the format marks it. Only prose and items contain sentences. */
export type BlockKind = "prose" | "heading" | "item" | "row" | "code";

/** A paragraph, a heading, an item of a list, a row of a table, or a piece of code. */
export interface DocumentBlock extends TextSpan {
  readonly kind: BlockKind;
  /** For a heading: 1 for the title or a chapter, 2 for a section, 3 for what is below. */
  readonly level?: number | undefined;
  /** The ranges of the cells, for a row. */
  readonly cells?: readonly TextSpan[] | undefined;
}

export const documentTypes = ["text", "markdown", "html", "pdf"] as const;
export type DocumentType = (typeof documentTypes)[number];

/** The result of reading one type of document: texts that are not yet canonical. */
export interface RawDocument {
  /** One text, or one per page. */
  readonly text: string | readonly string[];
  /** The ranges of the parts of a single text; cells of a row are separated by tabs. */
  readonly blocks?: readonly DocumentBlock[] | undefined;
  readonly title?: string | undefined;
  readonly warnings: readonly WarningDetail[];
}

/** A document as it is digested: its canonical text, and the ranges of its pages. */
export interface CanonicalDocument {
  readonly type: DocumentType;
  readonly text: string;
  readonly pages?: readonly DocumentPage[];
  /** In order, without overlaps; absent if the format has no such parts, as in plain text and PDF. */
  readonly blocks?: readonly DocumentBlock[];
  readonly title?: string;
  readonly warnings: readonly WarningDetail[];
}

/** The progress of a long job: parts done of all parts. */
export type OnProgress = (progress: {
  readonly stage: "fetch" | "read" | "select" | "summarise";
  readonly done: number;
  readonly total: number;
}) => void;
