import {
  type ShownBy,
  type SourceId,
  type SourceRow,
  sourceIds,
  sourceRows,
} from "../../test/sources/source-rows.ts";
import type { GeneratedFile } from "./generated-file.ts";

const titles: Readonly<Record<SourceId, string>> = {
  "000": "Foundry MCP, the first response schema guide",
  "001": "Foundry MCP, the later response schema guide",
  "002": "Code Scalpel, MCP response envelope",
  "003": "django-rest-framework-mcp, response schemas",
  "004": "Foundry's user guide, response contract page",
};

const cell = (text: string): string => text.replaceAll("|", "\\|");

function shown({ file, test, case: name }: ShownBy): string {
  return `\`${file}\`: ${cell(test)}${name === undefined ? "" : ` (\`${name}\`)`}`;
}

function row({ id, line, says, verdict, shownBy, because }: SourceRow): string {
  const place = line === 0 ? "–" : String(line);
  const told = because === undefined ? verdict : `${verdict}: ${cell(because)}`;
  return `| ${id} | ${place} | ${cell(says)} | ${told} | ${shownBy.map(shown).join("<br>")} |`;
}

function section(source: SourceId): readonly string[] {
  return [
    `## Source ${source}: ${titles[source]}`,
    "",
    "| id | line | statement | verdict | shown by |",
    "| --- | --- | --- | --- | --- |",
    ...sourceRows(source).map(row),
    "",
  ];
}

/** Every statement of the five sources, with the test that shows what becomes of it. */
export function sourcesPage(): GeneratedFile {
  const rows = sourceIds.flatMap(sourceRows);
  const different = rows.filter(({ verdict }) => verdict === "different").length;
  const lines = [
    "# The sources, statement by statement",
    "",
    "Generated from `test/sources/*.json` by `npm run generate`. Statements are in this project's own words; the line is that of the source document.",
    "A line of – is a fact about the real system that its document does not have. A test that runs over a table is named by its title as it stands in the",
    "file, with its case in brackets. `test/sources/sources.test.ts` fails when a test named here is renamed or removed.",
    "",
    `${rows.length} statements: ${rows.length - different} work, ${different} are different, each for a reason ([deviations](deviations.md)).`,
    "",
    ...sourceIds.flatMap(section),
  ];
  return { path: "docs/sources.md", text: `${lines.join("\n").trimEnd()}\n` };
}
