import { readFile } from "node:fs/promises";
import { definitionCosts } from "./definition-costs.ts";
import { fillPlace } from "./fill-place.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { resultCosts } from "./result-costs.ts";
import { savedTokens } from "./saved-tokens.ts";

const path = "docs/token-costs.md";

type Costs = Readonly<Record<string, number>>;

/** A figure, and its limit in brackets. */
function cells(cost: Costs, limit: Costs): string {
  return Object.entries(cost)
    .map(([column, tokens]) => `${tokens} (${limit[column]})`)
    .join(" | ");
}

async function resultTable(): Promise<readonly string[]> {
  const rows = await resultCosts();
  return [
    "| dialect | profile | nothing to say | a list | a warning | a page | a cut | a failure | `_meta` |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows.map(({ dialect, profile, cost, limit }) => {
      const { meta, ...read } = cost;
      return `| ${dialect} | ${profile} | ${cells({ ...read, meta }, limit)} |`;
    }),
  ];
}

async function definitionTable(): Promise<readonly string[]> {
  const rows = await definitionCosts();
  return [
    "| setting | one tool, at most | `waybill_retrieve` | the whole list | one output schema, at most |",
    "| --- | --- | --- | --- | --- |",
    ...rows.map(({ setting, cost, limit }) => `| ${setting} | ${cells({ ...cost }, { ...limit })} |`),
  ];
}

/** Both counts of a figure: the older encoding first, which document 002 was written in the time of. */
async function savedTable(): Promise<readonly string[]> {
  const rows = await savedTokens();
  return [
    "| counted | `minimal` | `debug` | saved |",
    "| --- | --- | --- | --- |",
    ...rows.map(({ counted, minimal, debug }) => {
      const saved = debug.map((tokens, at) => tokens - (minimal[at] ?? 0));
      return `| ${[counted, ...[minimal, debug, saved].map((pair) => pair.join(" / "))].join(" | ")} |`;
    }),
  ];
}

/** The page of token costs, with the figures as they are now; the rest is written by hand. */
export async function tokenCostsPage(): Promise<GeneratedFile> {
  const page = await readFile(new URL(`../../${path}`, import.meta.url), "utf8");
  const fill = (text: string, name: string, lines: readonly string[]): string =>
    fillPlace(path, text, name, `\n${lines.join("\n")}\n`);
  const results = fill(page, "results", await resultTable());
  const saved = fill(results, "saved", await savedTable());
  return { path, text: fill(saved, "definitions", await definitionTable()) };
}
