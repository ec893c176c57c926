import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { GeneratedFile } from "../generate/generated-file.ts";
import { chapters, pages } from "./pages.ts";
import { readPage, titleOf } from "./read-pages.ts";

const site = fileURLToPath(new URL("../../.cache/docs-site/", import.meta.url));

const about = `# Waybill

> The response contract for MCP (Model Context Protocol): one honest envelope for every tool result. A gateway for servers that you do not own, a library for servers that you own, a checker, and a client. TypeScript, Node 20.19 or newer, MIT.

Every result has \`success\`, \`data\`, \`error\`, \`meta\`. A failure has \`error_code\`, \`error_type\` and \`remediation\`. A result over its token budget is cut: \`meta.content_fidelity\` and \`meta.dropped_content_ids\` say what is missing, and the tool \`waybill_retrieve\` gives it back by the hash in \`meta.content_archive_hashes\`.`;

/** The index for agents: each page with a sentence about it; links are relative, so that they hold in the package too. */
export function llmsIndex(): GeneratedFile {
  const parts = chapters.map(({ title, pages: listed }) =>
    [`## ${title}`, "", ...listed.map(({ file, says }) => `- [${titleOf(file)}](${file}.md): ${says}`)].join(
      "\n",
    ),
  );
  return { path: "docs/llms.txt", text: `${[about, ...parts].join("\n\n")}\n` };
}

/** All pages in one file, in the order of the menu; marks for tests are left out. */
function llmsFull(): string {
  const texts = pages.map(({ file }) =>
    readPage(file)
      .replaceAll(/^<!--.*?-->\n/gms, "")
      .trim(),
  );
  return `${[about, ...texts].join("\n\n---\n\n")}\n`;
}

/** Puts llms.txt, llms-full.txt and the pages' own Markdown beside the built site. */
export async function writeForAgents(): Promise<void> {
  await writeFile(`${site}llms.txt`, llmsIndex().text);
  await writeFile(`${site}llms-full.txt`, llmsFull());
  for (const { file } of pages) await writeFile(`${site}${file}.md`, readPage(file));
}
