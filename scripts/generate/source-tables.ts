import {
  type SourceId,
  type SourceRow,
  type Verdict,
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
  return heading === undefined ? lineOf(row) : `[${lineOf(row)}](#${anchorOf(heading.title)})`;
}

/** How many statements have a verdict. */
export function countOf(rows: readonly SourceRow[], verdict: Verdict): number {
  return rows.filter((row) => row.verdict === verdict).length;
}

/** Every statement of a document, and what becomes of it. */
export function statementTable(source: SourceId): string {
  const rows = inOrder(sourceRows(source)).map((row) => {
    const { id, says, verdict, note } = row;
    const told = verdict === "works" || note === undefined ? verdict : `${verdict}: ${cell(note.here)}`;
    return `| ${id} | ${placeOn(source, row)} | ${cell(says)} | ${told} |`;
  });
  return ["| id | line | statement | verdict |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

/** What a document says and Waybill does not do, or does with a difference. */
export function differenceTable(source: SourceId): string {
  const rows = inOrder(sourceRows(source)).flatMap(({ id, line, verdict, note }) =>
    note === undefined || verdict === "works"
      ? []
      : [
          `| ${id} | ${line} | ${cell(note.document)} | ${verdict}: ${cell(note.here)} | ${cell(note.because)} |`,
        ],
  );
  return ["| id | line | the document | here | why |", "| --- | --- | --- | --- | --- |", ...rows].join("\n");
}

/** What a document leaves open, or its system does otherwise than its document, and what Waybill does there. */
export function openTable(sources: readonly SourceId[]): string {
  const rows = sources.flatMap((source) =>
    inOrder(sourceRows(source)).flatMap(({ id, line, verdict, note }) =>
      note === undefined || verdict !== "works"
        ? []
        : [`| ${id} | ${line} | ${cell(note.document)} | ${cell(note.here)} | ${cell(note.because)} |`],
    ),
  );
  return ["| id | line | the document | here | why |", "| --- | --- | --- | --- | --- |", ...rows].join("\n");
}
