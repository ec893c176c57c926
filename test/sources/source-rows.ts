import { readFileSync } from "node:fs";

/** The five documents that the contract comes from, by the number that code and docs call them by. */
export const sourceIds = ["000", "001", "002", "003", "004"] as const;
export type SourceId = (typeof sourceIds)[number];

/** Each document by its name, the dialect that it describes here, and the page for its owner. */
export const documents: Readonly<
  Record<
    SourceId,
    { readonly name: string; readonly title: string; readonly dialect: string; readonly page: string }
  >
> = {
  "000": {
    name: "Foundry MCP, the first response schema guide",
    title: "MCP Response Schema Guide",
    dialect: "`response-v2-draft`",
    page: "documents/000-foundry-first-guide",
  },
  "001": {
    name: "Foundry MCP, the later response schema guide",
    title: "MCP Response Schema Guide",
    dialect: "`response-v2`",
    page: "documents/001-foundry-later-guide",
  },
  "002": {
    name: "Code Scalpel, MCP response envelope",
    title: "MCP Response Envelope (V2.0 Contract - v3.3.0)",
    dialect: "`scalpel`",
    page: "documents/002-code-scalpel-envelope",
  },
  "003": {
    name: "django-rest-framework-mcp, response schemas",
    title: "MCP Response Schemas",
    dialect: "`drf`",
    page: "documents/003-drf-mcp-schemas",
  },
  "004": {
    name: "Foundry's user guide, response contract page",
    title: "Response Contract",
    dialect: "`response-v2`; its legacy format is `response-v1`",
    page: "documents/004-foundry-user-guide",
  },
};

/**
 * "works": it happens as the document says. "with a difference": it happens, and something of what the document says is
 * added to, narrowed or left out. "different": something else happens.
 */
export const verdicts = ["works", "with a difference", "different"] as const;
export type Verdict = (typeof verdicts)[number];

/** What the document says or leaves open, what happens here, and why; deviations.md is made of these. */
interface SourceNote {
  readonly document: string;
  readonly here: string;
  readonly because: string;
}

/** One statement of a source, in our words; the test that shows it has a mark with its id (source-marks.ts). */
export interface SourceRow {
  readonly id: string;
  /** The line in the source; 0 for a fact about the real system that its document does not have. */
  readonly line: number;
  readonly says: string;
  readonly verdict: Verdict;
  /** Of every statement that is not met as written; of one that works, where the document leaves something open. */
  readonly note?: SourceNote;
}

export function sourceRows(source: SourceId): readonly SourceRow[] {
  return JSON.parse(readFileSync(new URL(`${source}.json`, import.meta.url), "utf8")) as readonly SourceRow[];
}

/** A heading of a source, with its line and its depth. */
export interface SourceHeading {
  readonly line: number;
  readonly level: number;
  readonly title: string;
}

export function sourceHeadings(source: SourceId): readonly SourceHeading[] {
  const text = readFileSync(new URL("headings.json", import.meta.url), "utf8");
  return (JSON.parse(text) as Readonly<Record<SourceId, readonly SourceHeading[]>>)[source];
}
