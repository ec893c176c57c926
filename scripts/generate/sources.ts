import { readFileSync } from "node:fs";
import {
  type SourceId,
  type SourceRow,
  documents,
  sourceIds,
  sourceRows,
  verdicts,
} from "../../test/sources/source-rows.ts";
import { exampleRuns } from "./example-runs.ts";
import { fillPlace } from "./fill-place.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { answerBlock, shownExample } from "./shown-example.ts";
import { anchorOf, countOf, differenceTable, openTable, statementTable } from "./source-tables.ts";

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

/** The list of the five documents, with how much of each holds. */
export function sourcesPage(): GeneratedFile {
  const all = sourceIds.flatMap(sourceRows);
  const counts = (rows: readonly SourceRow[]): string =>
    verdicts.map((verdict) => countOf(rows, verdict)).join(" | ");
  const lines = [
    "# The sources, statement by statement",
    "",
    "The contract comes from five documents. Each has a page for its owner: its headings in its order, its examples with the call that makes them and the answer",
    "of a run, what differs, and at the end every statement with what becomes of it.",
    "",
    "| document | dialect | statements | work | with a difference | different |",
    "| --- | --- | --- | --- | --- | --- |",
    ...sourceIds.map((id) => {
      const { name, dialect, page } = documents[id];
      return `| [${id}: ${name}](${page}.md) | ${dialect} | ${sourceRows(id).length} | ${counts(sourceRows(id))} |`;
    }),
    `| all | | ${all.length} | ${counts(all)} |`,
    "",
    "A statement *works* when it happens as the document says. *With a difference* means that it happens, and something of what the document says is added to, narrowed or",
    "left out. *Different* means that something else happens. The last two have a reason each: [deviations](deviations.md).",
    "",
    "Generated from `test/sources/*.json` by `npm run generate`. Statements are in this project's own words; a line is that of the source document, and – is a fact",
    "about the real system that its document does not have.",
    "",
    "A test says in a comment above it which statements it shows: `// shows 001.3`, or `// shows 001.3 with meta/warnings` for one row of its table. So a test may be",
    "renamed or moved, and the tests of a statement are found by `grep -rnE -A 3 'shows .*001\\.3\\b' src test`. `test/sources/sources.test.ts` fails when no test shows a",
    "statement, and when a mark names a statement that does not exist.",
  ];
  return { path: "docs/sources.md", text: `${lines.join("\n")}\n` };
}

/** The page about what differs; the rest of it is written by hand. */
export function deviationsPage(): GeneratedFile {
  const path = "docs/deviations.md";
  const filled = sourceIds.reduce(
    (page, source) => fillPlace(path, page, `differences ${source}`, `\n${differenceTable(source)}\n`),
    read(path),
  );
  return { path, text: fillPlace(path, filled, "left open", `\n${openTable(sourceIds)}\n`) };
}

/** The headings of a page, each with its place: every section of a document is one click from the top. */
function contentsOf(page: string): string {
  const headings = page.replaceAll(/^```[^]*?^```/gm, "").matchAll(/^(##|###) (.+)$/gm);
  return [...headings]
    .map(([, marks = "", title = ""]) => `${marks === "##" ? "" : "  "}- [${title}](#${anchorOf(title)})`)
    .join("\n");
}

/** Notes link to pages beside deviations.md; the pages of documents stand in a folder below. */
function fromBelow(table: string): string {
  return table.replaceAll(/\]\((?=[\w-]+\.md)/g, "](../");
}

function tally(source: SourceId): string {
  const rows = sourceRows(source);
  const [works, differing, different] = verdicts.map((verdict) => countOf(rows, verdict));
  return `${rows.length} statements: ${works} work, ${differing} work with a difference, ${different} are different.`;
}

/** The pages for the owners of the documents: examples as they are answered now, and every statement. */
export async function documentPages(): Promise<GeneratedFile[]> {
  const runs = await exampleRuns();
  return sourceIds.map((source) => {
    const path = `docs/${documents[source].page}.md`;
    const page = read(path);
    const examples = Array.from(page.matchAll(/<!-- run (\S+):begin -->/g), ([, file = ""]) => file);
    const shown = examples.reduce(
      (text, file) => fillPlace(path, text, `run ${file}`, shownExample(file, runs)),
      page,
    );
    const differing = fillPlace(path, shown, "differences", `\n${fromBelow(differenceTable(source))}\n`);
    const stated = fillPlace(
      path,
      differing,
      "statements",
      `\n${tally(source)}\n\n${fromBelow(statementTable(source))}\n`,
    );
    return { path, text: fillPlace(path, stated, "contents", `\n${contentsOf(stated)}\n`) };
  });
}

/** The README, whose first envelope is a run's answer too. */
export async function readmePage(): Promise<GeneratedFile> {
  const path = "README.md";
  const answer = answerBlock("004-L227-edge-partial-work.json", await exampleRuns());
  return { path, text: fillPlace(path, read(path), "envelope", answer) };
}
