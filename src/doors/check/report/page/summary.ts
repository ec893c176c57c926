import { escapeHtml, formatCount, showText } from "../../../../core/report/page-text.ts";
import type { CheckReport } from "../check-report.ts";
import { type VerdictOptions, verdictOf } from "../verdict.ts";

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
export function factsOf(report: CheckReport): string {
  const { transport, protocolVersion, list, calls, durationMs, startedAt, server } = report;
  const facts = [
    ...(server === null ? [] : [`version ${showText(server.version)}`]),
    transport === "stdio" ? "stdio" : "Streamable HTTP",
    ...(protocolVersion === undefined ? [] : [`MCP ${showText(protocolVersion)}`]),
    `${counted(list.tools, "tool", "tools")}, ${counted(calls, "call", "calls")}`,
    formatSpan(durationMs),
    `<time datetime="${escapeHtml(startedAt)}">${escapeHtml(startedAt.replace("T", " ").replace(/(:\d\d)?(\.\d+)?Z$/, " UTC"))}</time>`,
  ];
  return `<ul class="about">${facts.map((fact) => `<li>${fact}</li>`).join("")}</ul>`;
}

/** How many tools were called, and why the others were not. */
export function coverageLine({ coverage }: CheckReport): string {
  return `<p class="${coverage.called === 0 ? "cut" : "tried"} coverage">${showText(coverage.says)}</p>`;
}

const outcomeWords = { passed: "Passed", failed: "Failed", unreachable: "Not reached" } as const;

/** The score, whether it passes, and why it is not higher. */
export function summaryOf(report: CheckReport, options: VerdictOptions): string {
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

function reasonsOf({ score }: CheckReport): string {
  if (score === null) return `<p class="reasons none">There is no score: no tool was called.</p>`;
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
