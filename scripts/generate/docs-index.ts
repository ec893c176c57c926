import { chapters } from "../site/pages.ts";
import { titleOf } from "../site/read-pages.ts";
import type { GeneratedFile } from "./generated-file.ts";

/** The list of all pages, in the order in which they are read. */
export function docsIndex(): GeneratedFile {
  const parts = chapters.flatMap(({ title, pages }) => [
    `## ${title}`,
    "",
    ...pages.map(({ file, says }) => `- [${titleOf(file)}](${file}.md): ${says}`),
    "",
  ]);
  const text = [
    "# The manual",
    "",
    "Start with [the first hour](first-hour.md). To understand Waybill, read [the life of a tool result](lifecycle.md).",
    "`npm run docs` in the repository builds these pages as a site that can be searched without a network;",
    "[llms.txt](llms.txt) is the same list for agents. Generated from `scripts/site/pages.ts` by `npm run generate`.",
    "",
    ...parts,
    "Why things are as they are: [decisions](decisions).",
    "",
  ].join("\n");
  return { path: "docs/README.md", text };
}
