import type { WarningDetail } from "../contract/warning.ts";

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

export const documentTypes = ["text", "markdown", "html", "pdf"] as const;
export type DocumentType = (typeof documentTypes)[number];

/** What a reader of one type makes of a document: texts that are not yet canonical. */
export interface RawDocument {
  /** One text, or one for each page. */
  readonly text: string | readonly string[];
  readonly title?: string | undefined;
  readonly warnings: readonly WarningDetail[];
}

/** A document as it is digested: its canonical text, and where its pages begin and end. */
export interface CanonicalDocument {
  readonly type: DocumentType;
  readonly text: string;
  readonly pages?: readonly Page[];
  readonly title?: string;
  readonly warnings: readonly WarningDetail[];
}

/** How far a long job is: parts done of all. */
export type OnProgress = (progress: {
  readonly stage: "fetch" | "read" | "select" | "summarise";
  readonly done: number;
  readonly total: number;
}) => void;
