import { readFile } from "node:fs/promises";
import type { RuleSeverity } from "../../src/contract/rule.ts";
import type { ServerRule } from "../../src/rules/server-rule.ts";
import { serverRules } from "../../src/rules/server-rules.ts";
import type { GeneratedFile } from "./generated-file.ts";

const path = "docs/check.md";
const begin = "<!-- rules:begin -->";
const end = "<!-- rules:end -->";

const shown: Readonly<Record<RuleSeverity, string>> = { MUST: "error", SHOULD: "warning", MAY: "info" };

function groupOf({ id }: ServerRule): string {
  return id.slice(0, id.indexOf("/"));
}

/** Texts of rules may have a bar in them, which would end a cell. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function row({ id, severity, says, fix, source }: ServerRule): string {
  return `| \`${id}\` | ${shown[severity]} | ${cell(says)} | ${cell(fix)} | ${cell(source)} |`;
}

/** Every rule of a check in its order, in a table for each group. */
function ruleTables(): string {
  const count = (severity: RuleSeverity): number =>
    serverRules.filter((rule) => rule.severity === severity).length;
  const groups = [...new Set(serverRules.map(groupOf))];
  const tables = groups.flatMap((group) => [
    `### ${group}`,
    "",
    "| rule | severity | what holds | how to fix it | source |",
    "| --- | --- | --- | --- | --- |",
    ...serverRules.filter((rule) => groupOf(rule) === group).map(row),
    "",
  ]);
  const head = `${serverRules.length} rules: ${count("MUST")} errors, ${count("SHOULD")} warnings, ${count("MAY")} info. Generated from the source by \`npm run generate\`.`;
  return [head, "", ...tables].join("\n").trimEnd();
}

/** The page of the checker, with the rules as they are now; the rest is written by hand. */
export async function checkPage(): Promise<GeneratedFile> {
  const page = await readFile(new URL(`../../${path}`, import.meta.url), "utf8");
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from) throw new Error(`${path} has no place for the rules: ${begin} … ${end}`);
  return { path, text: `${page.slice(0, from)}${begin}\n\n${ruleTables()}\n\n${page.slice(to)}` };
}
