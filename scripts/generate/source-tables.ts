import {
  type SourceId,
  type SourceRow,
  type Verdict,
  documents,
  sourceHeadings,
  sourceRows,
} from "../../test/sources/source-rows.ts";

const cell = (text: string): string => text.replaceAll(/(?<!\\)\|/g, "\\|");

const lineOf = ({ line }: SourceRow): string => (line === 0 ? "–" : String(line));

/** In the order of the document; what its text does not have comes last. */
function inOrder(rows: readonly SourceRow[]): readonly SourceRow[] {
  const placeOf = ({ line }: SourceRow): number => (line === 0 ? Number.POSITIVE_INFINITY : line);
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The place of a heading on its page, as GitHub and the site name it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

/** A line of a document with a link to the section of its page that is about it. */
function placeOn(source: SourceId, row: SourceRow): string {
  const heading = sourceHeadings(source).findLast(({ line }) => line <= row.line);
  const { page } = documents[source];
  return heading === undefined ? lineOf(row) : `[${lineOf(row)}](../${page}.md#${anchorOf(heading.title)})`;
}

/** How many statements have a verdict. */
export function countOf(rows: readonly SourceRow[], verdict: Verdict): number {
  return rows.filter((row) => row.verdict === verdict).length;
}

/** Every statement of a document, and what becomes of it. */
export function statementTable(source: SourceId): string {
  const rows = inOrder(sourceRows(source)).map((row) => {
    const { id, says, verdict } = row;
    const told = verdict === "works" ? verdict : `[${verdict}](../deviations.md#source-${source})`;
    return `| ${id} | ${placeOn(source, row)} | ${cell(says)} | ${told} |`;
  });
  return ["| id | line | statement | verdict |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

interface NotedRow extends SourceRow {
  readonly note: NonNullable<SourceRow["note"]>;
}

const isNoted = (row: SourceRow): row is NotedRow => row.note !== undefined;
const unique = (texts: readonly string[]): string => [...new Set(texts)].join("; ");

/** Rows with the same answer and reason become one row. */
function noteTable(rows: readonly NotedRow[], hereOf: (row: NotedRow) => string): string {
  const groups = new Map<string, NotedRow[]>();
  for (const row of rows) {
    const told = `${hereOf(row)} | ${cell(row.note.because)}`;
    groups.set(told, [...(groups.get(told) ?? []), row]);
  }
  return [
    "| id | line | the document | here | why |",
    "| --- | --- | --- | --- | --- |",
    ...Array.from(groups, ([told, alike]) =>
      [
        "",
        alike.map(({ id }) => id).join(", "),
        unique(alike.map(lineOf)).replaceAll(";", ","),
        unique(alike.map(({ note }) => cell(note.document))),
        told,
        "",
      ]
        .join(" | ")
        .trim(),
    ),
  ].join("\n");
}

/** What a document says and Waybill does not do, or does with a difference. */
export function differenceTable(source: SourceId): string {
  const rows = inOrder(sourceRows(source)).filter(isNoted);
  return noteTable(
    rows.filter(({ verdict }) => verdict !== "works"),
    ({ verdict, note }) => `${verdict}: ${cell(note.here)}`,
  );
}

/** What a document leaves open, or its system does otherwise than its document, and what Waybill does there. */
export function openTable(source: SourceId): string {
  const rows = inOrder(sourceRows(source)).filter(isNoted);
  return noteTable(
    rows.filter(({ verdict }) => verdict === "works"),
    ({ note }) => cell(note.here),
  );
}
