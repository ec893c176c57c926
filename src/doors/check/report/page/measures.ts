import { type Bar, barChart } from "../../../../core/report/bar-chart.ts";
import { escapeHtml, formatCount, showText } from "../../../../core/report/page-text.ts";
import { findingSeverities } from "../../../../core/rules/server-rule.ts";
import type { CheckReport, RuleOutcome, ToolOutcome } from "../check-report.ts";
import { groupOf, groupRules, ruleDetails, rulesOf } from "../report-rules.ts";

const MAX_BARS = 12;
const MAX_ROWS = 300;

/** Tokens of definitions and results by tool, findings by group. */
export function chartsOf(report: CheckReport): string {
  const { tools, list } = report;
  const charts = [
    chartOf(tools, "definitionTokens", `Tokens of the definitions: ${formatCount(list.tokens)} in all`),
    chartOf(tools, "maxResultTokens", "Tokens of the largest result"),
    groupChart(report),
  ].filter((chart) => chart !== "");
  return charts.length === 0 ? `<p class="none">There is nothing to draw.</p>` : charts.join("\n");
}

function chartOf(
  tools: readonly ToolOutcome[],
  key: "definitionTokens" | "maxResultTokens",
  title: string,
): string {
  const largest = tools.filter((tool) => tool[key] > 0).sort((one, other) => other[key] - one[key]);
  const bars = largest.slice(0, MAX_BARS).map((tool): Bar => ({
    label: tool.name,
    parts: [{ kind: key === "definitionTokens" ? "definition" : "result", amount: tool[key] }],
  }));
  const left = largest.slice(MAX_BARS);
  const rest = left.reduce((sum, tool) => sum + tool[key], 0);
  const note =
    left.length === 0
      ? ""
      : left.length === 1
        ? `One further tool has ${formatCount(rest)}.`
        : `${formatCount(left.length)} further tools have ${formatCount(rest)} together.`;
  return bars.length === 0 ? "" : barChart(title, bars, note);
}

function groupChart({ findings }: CheckReport): string {
  const fresh = findings.filter(({ isKnown }) => !isKnown);
  const groups = [...new Set(fresh.map(({ rule }) => groupOf(rule)))];
  const bars = groups.map((group): Bar => {
    const own = fresh.filter(({ rule }) => groupOf(rule) === group);
    const parts = findingSeverities.map((kind) => ({
      kind,
      amount: own.filter(({ severity }) => severity === kind).length,
    }));
    const says = parts
      .filter(({ amount }) => amount > 0)
      .map(({ kind, amount }) => `${amount} ${kind === "info" ? "remark" : kind}${amount === 1 ? "" : "s"}`);
    return { label: group, parts, says: says.join(", ") };
  });
  return bars.length === 0 ? "" : barChart("Findings by group of rules", bars);
}

/** Every tool: its cost, how often it was called, what was found. */
export function toolTable({ tools }: CheckReport): string {
  if (tools.length === 0) return `<p class="none">The server lists no tools.</p>`;
  const rows = tools.slice(0, MAX_ROWS).map((tool) => {
    const { name, definitionTokens, calls, medianMs, maxResultTokens, findings, notProbed } = tool;
    const cell = (label: string, text: string): string => `<td data-label="${label}">${text}</td>`;
    const isCalled = notProbed === undefined;
    const cells = [
      cell("Definition tokens", formatCount(definitionTokens)),
      cell("Result tokens", isCalled && calls > 0 ? formatCount(maxResultTokens) : "–"),
      cell("Calls", formatCount(calls)),
      cell("Median", medianMs === undefined ? "–" : `${formatCount(Math.round(medianMs))} ms`),
      cell("Findings", formatCount(findings)),
    ];
    const why = isCalled ? "" : `<span class="note">not called: ${showText(notProbed)}</span>`;
    return `<tr><th scope="row"><bdi>${showText(name)}</bdi>${why}</th>${cells.join("")}</tr>`;
  });
  const heads = ["Definition, tokens", "Largest result, tokens", "Calls", "Median", "Findings"];
  const left = tools.length - MAX_ROWS;
  return `<table class="tools"><caption class="hidden">Tools, what they cost and what was found</caption>
<thead><tr><th scope="col">Tool</th>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead>
<tbody>
${rows.join("\n")}
</tbody></table>${left > 0 ? `<p class="note">and ${formatCount(left)} that are in the JSON report</p>` : ""}`;
}

/** Every rule with its outcome, by group. */
export function ruleTable(report: CheckReport): string {
  const groups = [...groupRules(rulesOf(report))].map(([group, rules]) => {
    const count = (wanted: RuleOutcome["status"]): number =>
      rules.filter(({ status }) => status === wanted).length;
    const parts = [
      [count("failed"), "broken"],
      [count("passed"), "kept"],
      [count("untested"), "untested"],
    ] as const;
    const says = parts.filter(([amount]) => amount > 0).map(([amount, word]) => `${amount} ${word}`);
    const sorted = rules.toSorted((one, other) => ranks[one.status] - ranks[other.status]);
    // Groups with broken rules are open; the others are folded.
    return `<details class="group"${count("failed") > 0 ? " open" : ""}><summary><strong>${showText(group)}</strong> <span class="note">${says.join(", ")}</span></summary>
<table class="rules"><caption class="hidden">Rules of ${showText(group)}</caption>
<thead class="hidden"><tr><th scope="col">Outcome</th><th scope="col">Rule</th></tr></thead>
<tbody>
${sorted.map(ruleRow).join("\n")}
</tbody></table></details>`;
  });
  return groups.length === 0 ? `<p class="none">No rule was tried.</p>` : groups.join("\n");
}

const ranks = { failed: 0, passed: 1, untested: 2 } as const;
const statusWords = { passed: "kept", failed: "broken", untested: "untested" } as const;

function ruleRow({ id, status, because, findings }: RuleOutcome): string {
  const says = ruleDetails(id)?.says;
  const detail =
    status === "untested" && because !== undefined
      ? `<span class="note">${showText(because)}</span>`
      : says === undefined
        ? ""
        : `<span class="note">${showText(says)}</span>`;
  const amount = findings > 0 ? ` <span class="amount">${formatCount(findings)}</span>` : "";
  return `<tr><td><span class="status ${escapeHtml(status)}">${statusWords[status]}</span></td><th scope="row"><span><code>${showText(id)}</code>${amount}</span>${detail}</th></tr>`;
}
