import { formatCount, showText } from "../../../../core/report/page-text.ts";
import type { FindingSeverity } from "../../../../core/rules/server-rule.ts";
import type { CheckFinding, CheckReport } from "../check-report.ts";
import { ruleDetails } from "../report-rules.ts";

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
export function findingsOf({ findings }: CheckReport): string {
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

/** Changes since the snapshot, stale and known entries of the baseline; empty if there are none. */
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
