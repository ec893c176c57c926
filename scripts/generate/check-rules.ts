import { readFile } from "node:fs/promises";
import type { Rule } from "../../src/core/contract/rule.ts";
import { severityOf } from "../../src/core/rules/finding-severity.ts";
import { serverRules } from "../../src/core/rules/server-rules.ts";
import { lintRules } from "../../src/doors/server/judge-tools.ts";
import { fillPlace } from "./fill-place.ts";
import type { GeneratedFile } from "./generated-file.ts";

function groupOf({ id }: Rule): string {
  return id.slice(0, id.indexOf("/"));
}

/** Texts of rules may have a bar in them, which would end a cell. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function row(rule: Rule): string {
  const { id, says, fix, source } = rule;
  return `| \`${id}\` | ${severityOf(rule)} | ${cell(says)} | ${cell(fix)} | ${cell(source)} |`;
}

/** Rules in their order, in a table for each group. */
function ruleTables(rules: readonly Rule[]): string {
  const count = (severity: string): number => rules.filter((rule) => severityOf(rule) === severity).length;
  const groups = [...new Set(rules.map(groupOf))];
  const tables = groups.flatMap((group) => [
    `### ${group}`,
    "",
    "| rule | severity | what holds | how to fix it | source |",
    "| --- | --- | --- | --- | --- |",
    ...rules.filter((rule) => groupOf(rule) === group).map(row),
    "",
  ]);
  const head = `${rules.length} rules: ${count("error")} errors, ${count("warning")} warnings, ${count("info")} info. Generated from the source by \`npm run generate\`.`;
  return [head, "", ...tables].join("\n").trimEnd();
}

/** A page with rules as they are now; the rest is written by hand. */
async function pageOf(path: string, rules: readonly Rule[]): Promise<GeneratedFile> {
  const page = await readFile(new URL(`../../${path}`, import.meta.url), "utf8");
  return { path, text: fillPlace(path, page, "rules", `\n${ruleTables(rules)}\n`) };
}

/** The page of the checker. */
export function checkPage(): Promise<GeneratedFile> {
  return pageOf("docs/check.md", serverRules);
}

/** The page of the linter. */
export function lintPage(): Promise<GeneratedFile> {
  return pageOf("docs/lint.md", lintRules);
}
