import { pages } from "../site/pages.ts";
import { type PublicName, publicNames } from "../site/public-names.ts";
import { readPage } from "../site/read-pages.ts";
import { wrapProse } from "./fill-place.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { uses } from "./uses.ts";

/** Lists, introductions and figures name much and explain little. */
const passing = new Set(
  "sources deviations migration performance first-hour faq comparison releasing dashboard house".split(" "),
);

/** A page's code: its TypeScript, and what is between backquotes. */
function codeOf(file: string): string {
  const text = readPage(file);
  const blocks = Array.from(text.matchAll(/^```ts\n([^]*?)^```/gm), ([, code = ""]) => code);
  const spans = Array.from(
    text.replaceAll(/^```[^]*?^```/gm, "").matchAll(/`([^`\n]+)`/g),
    ([, code = ""]) => code,
  );
  return [...blocks, ...spans].join("\n");
}

const pageCodes = pages
  .filter(({ file }) => !passing.has(file) && !/^(?:documents|reference)\//.test(file))
  .map(({ file }) => ({ file, code: codeOf(file) }));

/** The first page of the menu that names something in code. */
export function pageNaming(name: string): string | undefined {
  const word = new RegExp(`\\b${name}\\b`);
  return pageCodes.find(({ code }) => word.test(code))?.file;
}

function row({ name }: PublicName): string {
  const file = pageNaming(name);
  return `| \`${name}\` | ${file === undefined ? "" : `[${file}](../${file}.md)`} |`;
}

function sectionOf(entry: string, names: readonly PublicName[]): string[] {
  const sorted = names.toSorted((left, right) => left.name.localeCompare(right.name, "en"));
  const types = sorted.filter(({ isType }) => isType);
  return [
    `## ${entry}`,
    "",
    "| name | see |",
    "| --- | --- |",
    ...sorted.filter(({ isType }) => !isType).map(row),
    "",
    ...(types.length === 0
      ? []
      : [wrapProse(`Types: ${types.map(({ name }) => `\`${name}\``).join(", ")}.`), ""]),
  ];
}

/** Every public name of the package by its entry, with the pages that explain it. */
export function exportsPage(): GeneratedFile {
  const entries = [...new Set(publicNames.map(({ entry }) => entry))];
  const text = [
    "# Exports",
    "",
    "Every public name of the package. What is not listed here is not public, wherever in `dist/` it is.",
    "Types are explained where the functions that take or give them are, and in the declarations that your editor shows.",
    "Generated from the public lists of `src/` by `npm run generate`.",
    "",
    "## By what you want to do",
    "",
    ...uses,
    "",
    ...entries.flatMap((entry) =>
      sectionOf(
        entry,
        publicNames.filter((one) => one.entry === entry),
      ),
    ),
  ].join("\n");
  return { path: "docs/reference/exports.md", text: `${text.trimEnd()}\n` };
}
