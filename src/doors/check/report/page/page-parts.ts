import { formatCount, showText, escapeHtml } from "../../../../core/report/page-text.ts";
import { type FindingSeverity, findingSeverities } from "../../../../core/rules/server-rule.ts";
import type { CheckFinding, CheckReport, RuleOutcome, ToolOutcome } from "../check-report.ts";
import { groupOf } from "../../../../core/rules/server-rule.ts";
import { ruleDetails, groupRules, rulesOf } from "../report-rules.ts";
import { type Bar, barChart } from "../../../../core/report/bar-chart.ts";

/** How many findings of a rule are open; the rest is folded, and findings beyond the second number are left out. */
const SHOWN_OPEN = 3;
const SHOWN_IN_ALL = 50;

const titles: Readonly<Record<FindingSeverity, string>> = {
  error: "Errors",
  warning: "Warnings",
  info: "Remarks",
};

const explains: Readonly<Record<FindingSeverity, string>> = {
  error: "Something that must hold does not: clients or models are misled or fail.",
  warning: "Something that should hold does not: it works, at a cost.",
  info: "Worth knowing.",
};

/** Findings of a severity, by rule: the problem and its fix once, then where it occurs. */
export function findingsSection({ findings }: CheckReport): string {
  const fresh = findings.filter(({ isKnown }) => !isKnown);
  if (fresh.length === 0)
    return `<p class="none">Nothing was found${findings.length > 0 ? " that the baseline does not know" : ""}.</p>`;
  return (["error", "warning", "info"] as const)
    .map((severity) => {
      const own = fresh.filter((finding) => finding.severity === severity);
      if (own.length === 0) return "";
      const cards = [...byRule(own)].map(([rule, found]) => card(rule, severity, found));
      return `<section aria-labelledby="${severity}s"><h3 id="${severity}s" class="severity ${severity}">${titles[severity]} <span class="amount">${formatCount(own.length)}</span></h3>
<p class="note">${explains[severity]}</p>
${cards.join("\n")}
</section>`;
    })
    .filter((part) => part !== "")
    .join("\n");
}

function byRule(findings: readonly CheckFinding[]): ReadonlyMap<string, readonly CheckFinding[]> {
  const rules = new Map<string, CheckFinding[]>();
  for (const finding of findings) {
    const own = rules.get(finding.rule);
    if (own === undefined) rules.set(finding.rule, [finding]);
    else own.push(finding);
  }
  return rules;
}

function card(rule: string, severity: FindingSeverity, found: readonly CheckFinding[]): string {
  const [first] = found;
  const says = ruleDetails(rule)?.says;
  const open = found.slice(0, SHOWN_OPEN).map(place);
  const folded = found.slice(SHOWN_OPEN, SHOWN_IN_ALL).map(place);
  const left = found.length - SHOWN_IN_ALL;
  const more =
    folded.length === 0
      ? ""
      : `<details><summary>${formatCount(found.length - SHOWN_OPEN)} more</summary><ul class="places">${folded.join("\n")}</ul>${
          left > 0 ? `<p class="note">and ${formatCount(left)} that are in the JSON report</p>` : ""
        }</details>`;
  return `<article class="card ${severity}">
<div><h4><code>${showText(rule)}</code>${found.length > 1 ? ` <span class="amount">${formatCount(found.length)}</span>` : ""}</h4>
${says === undefined ? "" : `<p class="says">${showText(says)}</p>`}
<ul class="places">${open.join("\n")}</ul>${more}</div>
<div class="mend"><p class="fix"><strong>Fix</strong> ${showText(first?.fix ?? "")}</p>
<p class="source">Source: ${showText(first?.source ?? "")}</p></div>
</article>`;
}

function place({ tool, path, message, call }: CheckFinding): string {
  const where = [
    ...(tool === undefined ? [] : [`<span class="tool"><bdi>${showText(tool)}</bdi></span>`]),
    ...(path === "" ? [] : [`<code class="path"><bdi>${showText(path)}</bdi></code>`]),
  ];
  const shown =
    call === undefined
      ? ""
      : `<details class="call"><summary>The call that shows it</summary>
<pre><code><bdi>${showText(call.tool)}</bdi> ${showText(JSON.stringify(call.arguments, null, 2))}</code></pre>
<p class="note">${purposeWords[call.purpose] ?? ""} It was answered with:</p>
<pre><code>${showText(call.replyExcerpt)}</code></pre></details>`;
  return `<li>${where.length === 0 ? "" : `<p class="where">${where.join(" ")}</p>`}<p dir="auto">${showText(message)}</p>${shown}</li>`;
}

const purposeWords: Readonly<Partial<Record<string, string>>> = {
  given: "The arguments were given.",
  valid: "The arguments were made from the input schema.",
  boundary: "The arguments are valid, at the edge of what the input schema allows.",
  invalid: "The arguments are wrong on purpose.",
  "unknown-tool": "There is no such tool: that is what was tried.",
  repeat: "The call was made a second time.",
  page: "The call asks for a further page.",
  cancelled: "The call was cancelled.",
  retrieve: "The call asks for what an earlier answer left out.",
};

/** Changes since the snapshot, stale and known entries of the baseline; empty without any. */
export function furtherOf({ changes = [], stale = [], differences = [], findings }: CheckReport): string {
  const known = findings.filter(({ isKnown }) => isKnown);
  const line = (tool: string | undefined, path: string, text: string): string =>
    `<li>${tool === undefined ? "" : `<span class="tool"><bdi>${showText(tool)}</bdi></span> `}${
      path === "" ? "" : `<code class="path"><bdi>${showText(path)}</bdi></code> `
    }<span dir="auto">${showText(text)}</span></li>`;
  const part = (id: string, title: string, note: string, lines: readonly string[]): string =>
    lines.length === 0
      ? ""
      : `<section aria-labelledby="${id}"><h2 id="${id}">${title} <span class="amount">${formatCount(lines.length)}</span></h2>
<p class="note">${note}</p><ul class="lines">${lines.slice(0, 200).join("\n")}</ul></section>`;
  const changed = (kind: "breaking" | "harmless"): readonly string[] =>
    changes
      .filter((change) => change.kind === kind)
      .map(({ tool, path, message }) => line(tool, path, message));
  return [
    part(
      "differences",
      "Recorded answers that differ",
      "Against the folder of recorded answers, by file and place in it.",
      differences.map(({ file, path, message }) => line(file, path, message)),
    ),
    part(
      "breaking",
      "Breaking changes",
      "Against the snapshot: callers that rely on it can fail.",
      changed("breaking"),
    ),
    part(
      "harmless",
      "Harmless changes",
      "Against the snapshot: callers that rely on it still work.",
      changed("harmless"),
    ),
    part(
      "stale",
      "Stale entries",
      "The baseline lists them, and they are gone: take them out.",
      stale.map(({ rule, tool, path }) => line(tool, path, rule)),
    ),
    part(
      "known",
      "Known failures",
      "The baseline lists them, so they fail nothing.",
      known.map(({ rule, tool, path, message }) => line(tool, path, `${rule}: ${message}`)),
    ),
  ].join("");
}

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
