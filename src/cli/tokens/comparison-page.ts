import { createHash } from "node:crypto";
import { basename } from "node:path";
import { barChart, barChartLook } from "../../core/report/bar-chart.ts";
import { pageLook, reportPage, reportPart } from "../../core/report/report-page.ts";
import { escapeHtml, formatCount, showText } from "../../core/report/page-text.ts";
import { type Encoding, tokenEncodings } from "../../core/tokens/token-counter.ts";
import {
  type FormComparison,
  type FormCost,
  type PayloadForm,
  type ReadsBack,
  formName,
} from "./write-forms.ts";

const style = `${pageLook}${barChartLook}
:root { --bar: #3a8f86; --given: #8b9096; --part: #c08a2b; --changed: #a8241c; }
@media (prefers-color-scheme: dark) { :root { --bar: #5fb8ac; --given: #8f969b; --part: #d9ab5a; --changed: #f59a92; } }
.lead { display: grid; gap: 1rem 3rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); margin: 0 0 2.5rem; padding: clamp(1.25rem, 3vw, 2rem); background: var(--panel); border: 1px solid var(--line); border-radius: .75rem; list-style: none; }
.lead strong { display: block; font: 600 clamp(2rem, 1.4rem + 2.5vw, 3rem)/1.15 var(--serif); font-variant-numeric: tabular-nums; }
.lead span { color: var(--quiet); font-size: .9375rem; }
.chart .bar { height: .75rem; }
.chart li { padding: .45rem 0; font-size: .9375rem; }
.given { fill: var(--given); } .exact { fill: var(--bar); } .in_part { fill: var(--part); } .changed { fill: var(--changed); }
h2 { margin: 3rem 0 1rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
dl { display: grid; margin: 0; font-size: .9375rem; }
dt { padding-top: .75rem; font-weight: 600; }
dd { margin: 0; padding-bottom: .75rem; border-bottom: 1px solid var(--line); }
dd span { display: block; color: var(--quiet); font-size: .875rem; }
@media (min-width: 44rem) { dl { grid-template-columns: 9rem minmax(0, 1fr); } dt { padding-bottom: .75rem; border-bottom: 1px solid var(--line); } dd { padding-top: .75rem; } }
`;
const styleHash = `sha256-${createHash("sha256").update(style).digest("base64")}`;

const meanings: Readonly<Record<PayloadForm, string>> = {
  as_given: "The file itself, every space of it.",
  minified: "The same JSON without spaces between its parts.",
  tables:
    "JSON in which a list of like objects names its keys once, as Waybill writes it with encoding: table.",
  toon: "Token-Oriented Object Notation, written by its own package.",
  envelope: "The minified JSON in an envelope of response-v2, profile minimal, whole.",
  cut: "The same envelope within the budget. What is left out is archived first and named by its hash.",
};

const readings: Readonly<Record<ReadsBack, string>> = {
  exact: "Reads back exactly.",
  changed: "Does not read back as it was.",
  in_part: "Holds a part.",
};

/** One self-contained page: the cost of a payload in each form, in both encodings. */
export function comparisonPage(comparison: FormComparison): string {
  const { source, bytes, forms } = comparison;
  // A page is passed on to others: it must not show the folder of the file.
  const name = basename(source);
  const title = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  const described = forms.map((cost) => describe(cost, comparison)).join("\n");
  return reportPage({
    title: `${escapeHtml(title)} – tokens`,
    style,
    styleHash,
    eyebrow: "Tokens of one payload",
    heading: `<h1><bdi>${escapeHtml(title)}</bdi></h1>`,
    facts: [
      `<li>${formatCount(bytes)} bytes</li>`,
      `<li>cut to ${formatCount(comparison.budget_tokens)} tokens</li>`,
    ],
    body: `<main>
${leadOf(comparison)}
<div class="charts">
${tokenEncodings.map((encoding) => chartOf(comparison, encoding)).join("\n")}
</div>
${reportPart("forms", "The forms", `<dl>\n${described}\n</dl>`)}
</main>`,
    footer: ["Made by <code>waybill tokens --compare</code>. Every count is exact."],
  });
}

/** The main figures: the cost as given, the shortest form that loses nothing, and the cut. */
function leadOf(comparison: FormComparison): string {
  const { forms } = comparison;
  const tokensOf = (cost: FormCost | undefined): number => cost?.tokens?.o200k_base ?? 0;
  const whole = forms.filter(({ reads_back: readsBack }) => readsBack === "exact");
  const shortest = whole.reduce((best, cost) => (tokensOf(cost) < tokensOf(best) ? cost : best));
  const cut = forms.find(({ reads_back: readsBack }) => readsBack === "in_part");
  const figure = (cost: FormCost | undefined, says: string): string => {
    const saved = cost?.saved_percent?.o200k_base ?? 0;
    const share = saved === 0 ? "" : `, ${describeSaving(saved)}`;
    return `<li><strong>${formatCount(tokensOf(cost))}</strong> <span>${says}${share}</span></li>`;
  };
  const items = [
    figure(forms[0], "tokens as given"),
    ...(shortest === forms[0]
      ? []
      : [figure(shortest, `${formName(shortest.form, comparison)}, nothing left out`)]),
    ...(cut === undefined ? [] : [figure(cut, "cut, the rest in the archive")]),
  ];
  return `<ul class="lead" aria-label="In short, in o200k_base">${items.join("")}</ul>`;
}

/** `45.9 % less`, with non-breaking spaces. */
function describeSaving(percent: number): string {
  return `${Math.abs(percent).toFixed(1)}\u00a0%\u00a0${percent < 0 ? "more" : "less"}`;
}

function chartOf(comparison: FormComparison, encoding: Encoding): string {
  const bars = comparison.forms.map(({ form, tokens, saved_percent: saved, reads_back: readsBack }) => {
    const percent = saved?.[encoding] ?? 0;
    const share = percent === 0 ? "" : ` (${describeSaving(percent)})`;
    return {
      label: formName(form, comparison),
      parts: [
        { kind: form === "as_given" ? "given" : (readsBack ?? "given"), amount: tokens?.[encoding] ?? 0 },
      ],
      says: tokens === null ? "–" : `${formatCount(tokens[encoding])}${share}`,
    };
  });
  return barChart(`Tokens in ${encoding}`, bars);
}

function describe(
  { form, bytes, reads_back: readsBack, remark }: FormCost,
  comparison: FormComparison,
): string {
  const facts = [
    ...(bytes === null ? [] : [`${formatCount(bytes)} bytes.`]),
    ...(readsBack === null ? [] : [readings[readsBack]]),
    ...(remark === null ? [] : [`${remark.slice(0, 1).toUpperCase()}${remark.slice(1)}.`]),
  ];
  return `<dt>${escapeHtml(formName(form, comparison))}</dt><dd>${meanings[form]} <span>${showText(facts.join(" "))}</span></dd>`;
}
