import { readdirSync, readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);

/**
 * A test says which statements of the sources it shows, in comments right above it:
 *
 *     // shows 000.2, 001.25
 *     // shows 001.3 with meta/warnings
 *
 * The words after "with" name the row of the table that the test runs over.
 */
export interface SourceMark {
  readonly file: string;
  readonly line: number;
  readonly ids: readonly string[];
  /** The row of the test's table. */
  readonly row?: string;
  /** Why the mark means nothing. */
  readonly fault?: string;
}

const markLine = /^\s*\/\/ shows (?=\d)(.*)$/;
const markText = /^(\d{3}\.\d+(?:, \d{3}\.\d+)*)(?: with (.+))?$/;
const testStart = /^\s*(?:it|test)\b/;

/** Lists that tests read their rows from. */
const rowLists = [
  "examples/workshop/examples.json",
  "test/fixtures/broken/index.json",
  "test/fixtures/seeds/index.json",
  "schemas/rules.yaml",
];

function read(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

/** The marks in the text of a test file. */
export function marksIn(file: string, text: string, rowsElsewhere: string): readonly SourceMark[] {
  const lines = text.split("\n");
  const rows = [...lines.filter((line) => !markLine.test(line)), rowsElsewhere].join("\n");
  return lines.flatMap((written, index) => {
    const said = markLine.exec(written)?.[1];
    if (said === undefined) return [];
    const [, ids, row] = markText.exec(said) ?? [];
    const below = lines.slice(index + 1).find((line) => !line.trimStart().startsWith("//"));
    const fault = faultOf({ ids, row, rows, below });
    return [
      {
        file,
        line: index + 1,
        ids: ids?.split(", ") ?? [],
        ...(row === undefined ? {} : { row }),
        ...(fault === undefined ? {} : { fault }),
      },
    ];
  });
}

interface MarkParts {
  readonly ids: string | undefined;
  readonly row: string | undefined;
  readonly rows: string;
  readonly below: string | undefined;
}

function faultOf({ ids, row, rows, below }: MarkParts): string | undefined {
  if (ids === undefined) return "cannot be read: write `shows 001.3, 001.4` or `shows 001.3 with ROW`";
  if (below === undefined || !testStart.test(below)) return "is not above a test";
  if (row !== undefined && !rows.includes(row)) return `names a row that no table has: ${row}`;
  return undefined;
}

/** The marks of every test file. */
export function sourceMarks(): readonly SourceMark[] {
  const rowsElsewhere = rowLists.map(read).join("\n");
  return ["src", "test"].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".test.ts"))
      .toSorted()
      .flatMap((path) => marksIn(`${folder}/${path}`, read(`${folder}/${path}`), rowsElsewhere)),
  );
}
