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
import { fillPlace, wrapProse } from "./fill-place.ts";
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
    "The contract comes from five documents. Each has a page for its owner: its headings in its order, its examples with the call that makes them, and the",
    "answer of a run. [Statements](reference/statements.md) lists all that they say; [deviations](deviations.md) says where Waybill differs, and why.",
    "",
    "| document | dialect | statements | work | with a difference | different |",
    "| --- | --- | --- | --- | --- | --- |",
    ...sourceIds.map((id) => {
      const { name, dialect, page } = documents[id];
      return `| [${id}: ${name}](${page}.md) | ${dialect} | ${sourceRows(id).length} | ${counts(sourceRows(id))} |`;
    }),
    `| all | | ${all.length} | ${counts(all)} |`,
    "",
    "- *Works*: it happens as the document says.",
    "- *With a difference*: it happens, and something of it is added to, narrowed or left out.",
    "- *Different*: something else happens.",
    "",
    "A test says in a comment which statements it shows: `// shows 001.3`, or `// shows 001.3 with meta/warnings` for one row of its table. So a test may be",
    "renamed or moved, and the tests of a statement are found by `grep -rnE -A 3 'shows .*001\\.3\\b' src test`. `test/sources/sources.test.ts` fails when no",
    "test shows a statement, and when a mark names a statement that does not exist.",
    "",
    "Generated from `test/sources/*.json` by `npm run generate`.",
  ];
  return { path: "docs/sources.md", text: `${lines.join("\n")}\n` };
}

/** Every statement of every document, and what the documents leave open. */
export function statementsPage(): GeneratedFile {
  const parts = sourceIds.flatMap((source) => [
    `## Document ${source}`,
    "",
    `[${documents[source].name}](../${documents[source].page}.md). ${tally(source)}`,
    "",
    statementTable(source),
    "",
    "These work too. Where the document is silent, contradicts itself, or its own system does otherwise, Waybill does this:",
    "",
    fromBelow(openTable(source)),
    "",
  ]);
  const lines = [
    "# Every statement of the sources",
    "",
    "Statements are in this project's own words. A line is that of the document; – is a fact about the real system that its document does not have.",
    "[Sources](../sources.md) says how to find the test of a statement, [deviations](../deviations.md) what differs. Generated from `test/sources/*.json`.",
    "",
    ...parts,
  ];
  return { path: "docs/reference/statements.md", text: `${lines.join("\n").trimEnd()}\n` };
}

/** The page about what differs; the rest of it is written by hand. */
export function deviationsPage(): GeneratedFile {
  const path = "docs/deviations.md";
  const text = sourceIds.reduce(
    (page, source) => fillPlace(path, page, `differences ${source}`, `\n${differenceTable(source)}\n`),
    read(path),
  );
  return { path, text };
}

/** The headings of a page, each with its place: every section of a document is one click from the top. */
function contentsOf(page: string): string {
  const headings = page.replaceAll(/^```[^]*?^```/gm, "").matchAll(/^(##|###) (.+)$/gm);
  return [...headings]
    .map(([, marks = "", title = ""]) => `${marks === "##" ? "" : "  "}- [${title}](#${anchorOf(title)})`)
    .join("\n");
}

/** Notes link to pages of docs/ from that folder; the list of statements is in a folder below. */
function fromBelow(table: string): string {
  return table.replaceAll(/\]\((?=[\w-]+\.md)/g, "](../");
}

function tally(source: SourceId): string {
  const rows = sourceRows(source);
  const [works, differing, different] = verdicts.map((verdict) => countOf(rows, verdict));
  return `${rows.length} statements: ${works} work, ${differing} work with a difference, ${different} are different.`;
}

function whereToRead(source: SourceId): string {
  return `[What differs, and why](../deviations.md#source-${source}); [every statement](../reference/statements.md#document-${source}).`;
}

/** The pages for the owners of the documents: examples as they are answered now. */
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
    const summed = fillPlace(
      path,
      shown,
      "differences",
      `\n${wrapProse(`${tally(source)} ${whereToRead(source)}`)}\n`,
    );
    return { path, text: fillPlace(path, summed, "contents", `\n${contentsOf(summed)}\n`) };
  });
}

/** The README, whose first envelope is a run's answer too. */
export async function readmePage(): Promise<GeneratedFile> {
  const path = "README.md";
  const answer = answerBlock("004-L227-edge-partial-work.json", await exampleRuns());
  return { path, text: fillPlace(path, read(path), "envelope", answer) };
}
