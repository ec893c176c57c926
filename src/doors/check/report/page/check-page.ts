import { createHash } from "node:crypto";
import { showText, escapeHtml, formatCount } from "../../../../core/report/page-text.ts";
import { type CheckReport, type VerdictOptions, verdictOf, whyUnscored } from "../check-report.ts";
import { chartsOf, findingsSection, furtherOf, ruleTable, toolTable } from "./page-parts.ts";
import { barChartLook } from "../../../../core/report/bar-chart.ts";
import { pageLook, reportPage, reportPart } from "../../../../core/report/report-page.ts";

export const checkPageStyle = `${pageLook}${barChartLook}
:root { --error: #a8241c; --error-tint: #fbe6e3; --warning: #7d5200; --warning-tint: #f8ecd2; --warning-fill: #b87a10; --info: #2a5a93; --info-tint: #e3edf8; --bar: #3a8f86; --bar-two: #6f8fc0; }
@media (prefers-color-scheme: dark) {
  :root { --error: #f59a92; --error-tint: #41211f; --warning: #e3b765; --warning-tint: #3a2f17; --warning-fill: #e3b765; --info: #93bdf0; --info-tint: #1d2f45; --bar: #5fb8ac; --bar-two: #8aa9d8; }
}
.about li { min-width: 0; white-space: normal; }
.target { margin: .75rem 0 0; color: var(--quiet); font-size: .9375rem; }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.note { color: var(--quiet); font-size: .875rem; }
h2 { margin: 3.5rem 0 1rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
h3 { margin: 0 0 .5rem; font-size: 1rem; }
.amount { display: inline-block; min-width: 1.6em; padding: 0 .45em; border-radius: 1em; background: var(--line); color: var(--ink); font: 600 .75rem/1.35rem var(--sans); text-align: center; vertical-align: .1em; letter-spacing: 0; }
.summary { display: grid; gap: 1.5rem 3rem; padding: clamp(1.25rem, 3vw, 2rem); background: var(--panel); border: 1px solid var(--line); border-radius: .75rem; }
.score { display: flex; align-items: center; gap: 1.5rem; }
.score p { margin: 0; }
.score > div, .reasons, .summary > * { min-width: 0; }
.ring { flex: none; width: clamp(6rem, 22vw, 8.5rem); height: auto; fill: none; stroke-width: 11; }
.ring .track { stroke: var(--line); }
.ring text { fill: var(--ink); font: 600 2.25rem var(--serif); stroke: none; }
.ring.passed .value { stroke: var(--bar); } .ring.warning .value { stroke: var(--warning-fill); } .ring.error .value { stroke: var(--error); }
.verdict { font-size: 1.125rem; line-height: 1.4; }
.verdict strong { display: block; font: 600 1.5rem/1.2 var(--serif); }
.verdict.error strong { color: var(--error); } .verdict.passed strong { color: var(--accent); }
.tried, .cut { color: var(--quiet); font-size: .9375rem; }
.cut { color: var(--warning); }
.reasons h3 { color: var(--quiet); font-size: .875rem; font-weight: 600; }
.reasons ul { margin: 0; padding: 0; list-style: none; font-size: .9375rem; }
.reasons li { display: grid; grid-template-columns: 2.25rem minmax(0, 1fr); gap: .75rem; }
.points { text-align: right; font-variant-numeric: tabular-nums; color: var(--quiet); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); gap: .75rem; margin: 0; padding: 0; list-style: none; }
.tiles li { padding: .6rem .85rem; border-radius: .5rem; border: 1px solid var(--line); }
.tiles strong { display: block; font: 600 1.5rem/1.3 var(--serif); font-variant-numeric: tabular-nums; }
.tiles span { font-size: .875rem; color: var(--quiet); }
.tiles .error { background: var(--error-tint); border-color: transparent; } .tiles .error strong, .tiles .error span { color: var(--error); }
.tiles .warning { background: var(--warning-tint); border-color: transparent; } .tiles .warning strong, .tiles .warning span { color: var(--warning); }
.tiles .info { background: var(--info-tint); border-color: transparent; } .tiles .info strong, .tiles .info span { color: var(--info); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 1.5rem 0 0; padding: 0; list-style: none; font-size: .9375rem; }
.severity { margin-top: 2rem; font: 600 1.25rem/1.3 var(--serif); }
.severity.error { color: var(--error); } .severity.warning { color: var(--warning); } .severity.info { color: var(--info); }
.severity + .note { margin: 0 0 1rem; }
.card { margin: 0 0 1rem; padding: 1rem 1.25rem; background: var(--panel); border: 1px solid var(--line); border-left: 4px solid var(--line); border-radius: .5rem; }
.card.error { border-left-color: var(--error); } .card.warning { border-left-color: var(--warning); } .card.info { border-left-color: var(--info); }
.card h4 { margin: 0; font-size: 1rem; }
.card p { margin: .25rem 0; }
.says { color: var(--quiet); }
.places { margin: .5rem 0; padding: 0; list-style: none; }
.places > li { padding: .5rem 0; border-top: 1px solid var(--line); }
.where { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; font-size: .9375rem; }
.tool { padding: 0 .5em; border-radius: .3em; background: var(--tint); font: 600 .875rem/1.5 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; }
.path { color: var(--quiet); font-size: .8125rem; }
.card details + .mend, .places + .mend { margin-top: .75rem; }
.fix strong { margin-right: .4em; color: var(--accent); }
.source { color: var(--quiet); font-size: .875rem; }
summary { width: fit-content; color: var(--accent); font-size: .9375rem; cursor: pointer; }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 2px; }
pre { margin: .5rem 0; padding: .75rem 1rem; background: var(--paper); border: 1px solid var(--line); border-radius: .375rem; font-size: .875rem; line-height: 1.5; white-space: pre-wrap; }
.lines { margin: 0; padding: 0; list-style: none; }
.lines li { padding: .5rem 0; border-top: 1px solid var(--line); }
.ring .track { fill: none; }
.definition { fill: var(--bar); } .result { fill: var(--bar-two); }
.bar .error { fill: var(--error); } .bar .warning { fill: var(--warning-fill); } .bar .info { fill: var(--info); }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
thead th { overflow-wrap: normal; color: var(--quiet); font-size: .8125rem; font-weight: 600; }
.tools td, .tools thead th:not(:first-child) { text-align: end; font-variant-numeric: tabular-nums; }
.tools tbody th { font: 600 .875rem/1.5 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; }
.tools .note { display: block; font: .8125rem/1.4 var(--sans); }
.group { border-top: 1px solid var(--line); }
.group[open] { padding-bottom: 1.25rem; }
.group summary { width: auto; padding: .5rem 0; color: var(--ink); font-size: 1rem; }
.rules tr { break-inside: avoid; }
.rules td { width: 5.5rem; }
.rules tr { border-bottom: 1px solid var(--line); }
.rules tr:last-child { border-bottom: 0; }
.rules td, .rules th { padding-block: .35rem; border: 0; }
.rules th { font-weight: 400; }
.rules .note { display: block; }
.status { display: inline-block; padding: 0 .55em; border-radius: 1em; font: 600 .75rem/1.4rem var(--sans); }
.status.passed { background: var(--tint); color: var(--accent); } .status.failed { background: var(--error-tint); color: var(--error); } .status.untested { background: var(--line); color: var(--ink); }
@media (min-width: 52rem) {
  .summary { grid-template-columns: auto minmax(0, 1fr); align-items: center; }
  .tiles { grid-column: 1 / -1; }
  .rules th { display: grid; grid-template-columns: minmax(0, 19rem) minmax(0, 1fr); gap: 1.5rem; }
}
@media (min-width: 64rem) {
  .card { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 22rem); gap: 0 3rem; }
  .card .mend { margin-top: 0; padding-left: 1.5rem; border-left: 1px solid var(--line); }
}
@media (max-width: 44rem) {
  .tools thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .tools, .tools tbody { display: block; }
  .tools tr { display: grid; grid-template-columns: 1.2fr 1fr; gap: .1rem 1rem; padding: .75rem 0; border-bottom: 1px solid var(--line); }
  .tools th, .tools td { padding: 0; border: 0; text-align: start; font-size: .8125rem; }
  .tools th { grid-column: 1 / -1; }
  .tools td::before { content: attr(data-label) ": "; color: var(--quiet); }
}
@media print {
  :root { --accent: #000; }
  body { font-size: 10pt; }
  .skip, nav { display: none; }
  .card { break-inside: avoid; }
  details::details-content { content-visibility: visible; }
}
`;

const styleHash = `sha256-${createHash("sha256").update(checkPageStyle).digest("base64")}`;

/** One self-contained page to send on: score, findings, costs of tools, every rule. */
export function checkPage(report: CheckReport, options: VerdictOptions = {}): string {
  const { target, server, seed, era } = report;
  const title = server?.name ?? target;
  const shown = title.length > 80 ? `${title.slice(0, 80)}…` : title;
  const body = `<main>
${summaryOf(report, options)}
<nav aria-label="Parts of this page"><ul><li><a href="#findings">Findings</a></li><li><a href="#costs">Tokens</a></li><li><a href="#tools">Tools</a></li><li><a href="#rules">Rules</a></li></ul></nav>
${reportPart("findings", "Findings", findingsSection(report))}
${furtherOf(report)}
${reportPart("costs", "What it costs a model", `<div class="charts">\n${chartsOf(report)}\n</div>`)}
${reportPart("tools", "Tools", toolTable(report))}
${reportPart("rules", "Rules", `<p class="note">${untestedNote}</p>\n<div class="groups">\n${ruleTable(report)}\n</div>`)}
</main>`;
  return reportPage({
    title: `${plain(shown)} – check`,
    style: checkPageStyle,
    styleHash,
    skip: ["findings", "To the findings"],
    above: coverageLine(report),
    eyebrow: "Check of an MCP server",
    heading: `<h1><bdi>${showText(shown)}</bdi></h1>`,
    facts: factsOf(report),
    below: `<p class="target"><code>${showText(target)}</code></p>\n`,
    body,
    footer: [
      `Made by <code>waybill check</code>, era ${era}, seed ${seed}: the same command makes the same calls.`,
      "Tokens are counted with o200k_base.",
    ],
  });
}

const untestedNote = "A rule that could not be tried is untested. It does not count as kept.";

/** For the title, which may not contain elements. */
function plain(text: string): string {
  return showText(text).replaceAll(/<\/?code>/g, "`");
}

const GOOD = 90;
const FAIR = 70;
const MAX_REASONS = 8;

function kindOf(score: number): string {
  if (score >= GOOD) return "passed";
  return score >= FAIR ? "warning" : "error";
}

/** `8.2 s`, `3 min 5 s` */
function formatSpan(durationMs: number): string {
  const seconds = durationMs / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

function counted(amount: number, one: string, many: string): string {
  return `${formatCount(amount)} ${amount === 1 ? one : many}`;
}

/** What was checked, and how: the line under the title. */
function factsOf(report: CheckReport): readonly string[] {
  const { transport, protocolVersion, list, calls, durationMs, startedAt, server } = report;
  const facts = [
    ...(server === null ? [] : [`version ${showText(server.version)}`]),
    transport === "stdio" ? "stdio" : "Streamable HTTP",
    ...(protocolVersion === undefined ? [] : [`MCP ${showText(protocolVersion)}`]),
    `${counted(list.tools, "tool", "tools")}, ${counted(calls, "call", "calls")}`,
    formatSpan(durationMs),
    `<time datetime="${escapeHtml(startedAt)}">${escapeHtml(startedAt.replace("T", " ").replace(/(:\d\d)?(\.\d+)?Z$/, " UTC"))}</time>`,
  ];
  return facts.map((fact) => `<li>${fact}</li>`);
}

/** How many tools were called, and why the others were not. */
function coverageLine({ coverage }: CheckReport): string {
  return `<p class="${whyUnscored({ coverage }) === undefined ? "tried" : "cut"} coverage">${showText(coverage.says)}</p>\n`;
}

const outcomeWords = { passed: "Passed", failed: "Failed", unreachable: "Not reached" } as const;

/** The score, whether it passes, and why it is not higher. */
function summaryOf(report: CheckReport, options: VerdictOptions): string {
  const { score, rules, stopped, isComplete } = report;
  const { outcome, because } = verdictOf(report, options);
  const tested = rules.filter(({ status }) => status !== "untested").length;
  const why = because.length === 0 ? "no errors" : because.map(showText).join(", ");
  const cut =
    isComplete && stopped === undefined
      ? ""
      : `<p class="cut">The check was not finished${stopped === undefined ? "." : `: ${showText(stopped)}`}</p>`;
  return `<section class="summary" aria-labelledby="score-title">
<h2 id="score-title" class="hidden">${score === null ? "No score" : "Score"}</h2>
<div class="score">${score === null ? "" : scoreRing(score.value, kindOf(score.value))}
<div><p class="verdict ${outcome === "passed" ? "passed" : "error"}"><strong>${outcomeWords[outcome]}</strong> <span>${why}</span></p>
<p class="tried">${tested} of ${counted(rules.length, "rule", "rules")} could be tested.</p>${cut}</div></div>
${reasonsOf(report)}
${tilesOf(report)}
</section>`;
}

function reasonsOf({ score, coverage }: CheckReport): string {
  if (score === null)
    return `<p class="reasons none">There is no score: ${whyUnscored({ coverage }) ?? ""}.</p>`;
  const { reasons } = score;
  if (reasons.length === 0) return `<p class="reasons none">Nothing took a point off the score.</p>`;
  const rows = reasons
    .slice(0, MAX_REASONS)
    .map(
      ({ text, points }) => `<li><span class="points">−${points}</span><span>${showText(text)}</span></li>`,
    );
  const more = reasons.slice(MAX_REASONS);
  const rest = more.reduce((sum, { points }) => sum + points, 0);
  if (more.length > 0)
    rows.push(
      `<li><span class="points">−${rest}</span><span>${counted(more.length, "further rule", "further rules")}</span></li>`,
    );
  return `<div class="reasons"><h3>What took points off</h3><ul>${rows.join("")}</ul></div>`;
}

function tilesOf({ counts, rules }: CheckReport): string {
  const failed = rules.filter(({ status }) => status === "failed").length;
  const tiles: readonly (readonly [kind: string, amount: number, label: string])[] = [
    ["error", counts.error, counts.error === 1 ? "error" : "errors"],
    ["warning", counts.warning, counts.warning === 1 ? "warning" : "warnings"],
    ["info", counts.info, counts.info === 1 ? "remark" : "remarks"],
    ["passed", counts.passed, "rules kept"],
    ["failed", failed, "rules broken"],
    ["untested", counts.untested, "rules untested"],
  ];
  const shown = counts.known === 0 ? tiles : [...tiles, ["known", counts.known, "known failures"] as const];
  const items = shown.map(
    ([kind, amount, label]) =>
      `<li class="${amount === 0 ? "zero" : kind}"><strong>${formatCount(amount)}</strong> <span>${label}</span></li>`,
  );
  return `<ul class="tiles" aria-label="Counts">${items.join("")}</ul>`;
}

const FULL_TURN = 100;

/** A ring that is filled as far as the score goes. */
function scoreRing(value: number, kind: string): string {
  return (
    `<svg class="ring ${kind}" viewBox="0 0 120 120" role="img" aria-label="Score ${value} of 100">` +
    `<circle class="track" cx="60" cy="60" r="52" pathLength="${FULL_TURN}"/>` +
    (value === 0
      ? ""
      : `<circle class="value" cx="60" cy="60" r="52" pathLength="${FULL_TURN}" stroke-dasharray="${value} ${FULL_TURN}" transform="rotate(-90 60 60)"/>`) +
    `<text x="60" y="62" text-anchor="middle" dominant-baseline="middle" aria-hidden="true">${value}</text></svg>`
  );
}
