import { readFileSync } from "node:fs";

/** The five documents that the contract comes from, by the number that code and docs call them by. */
export const sourceIds = ["000", "001", "002", "003", "004"] as const;
export type SourceId = (typeof sourceIds)[number];

/** A test by its file and title; `case` is the row of a table that the test runs over. */
export interface ShownBy {
  readonly file: string;
  readonly test: string;
  readonly case?: string;
}

/** One statement of a source, in our words, and the test that shows what becomes of it here. */
export interface SourceRow {
  readonly id: string;
  /** The line in the source; 0 for a fact about the real system that its document does not have. */
  readonly line: number;
  readonly says: string;
  readonly verdict: "works" | "different";
  readonly shownBy: readonly ShownBy[];
  /** Why it is different. */
  readonly because?: string;
}

export function sourceRows(source: SourceId): readonly SourceRow[] {
  return JSON.parse(readFileSync(new URL(`${source}.json`, import.meta.url), "utf8")) as readonly SourceRow[];
}

/** How deviations.md names the place of a row. */
export function placeOf({ id, line }: SourceRow): string {
  return `${id.slice(0, id.indexOf("."))}:${line}`;
}
