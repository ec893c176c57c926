import { createHash } from "node:crypto";
import { showText } from "../../../../core/report/page-text.ts";
import { pageHead } from "../../../../core/report/page-head.ts";
import type { CheckReport } from "../check-report.ts";
import type { VerdictOptions } from "../verdict.ts";
import { checkPageStyle } from "./check-page-style.ts";
import { findingsOf, furtherOf } from "./findings.ts";
import { chartsOf, ruleTable, toolTable } from "./measures.ts";
import { coverageLine, factsOf, summaryOf } from "./summary.ts";

const styleHash = `sha256-${createHash("sha256").update(checkPageStyle).digest("base64")}`;

/** One self-contained page that a person can send on: score, findings, what tools cost, every rule. */
export function checkPage(report: CheckReport, options: VerdictOptions = {}): string {
  const { target, server, seed, era } = report;
  const title = server?.name ?? target;
  const shown = title.length > 80 ? `${title.slice(0, 80)}…` : title;
  return `${pageHead({ title: `${plain(shown)} – check`, style: checkPageStyle, styleHash: styleHash })}
<body>
<a class="skip" href="#findings">To the findings</a>
<header>
${coverageLine(report)}
<p class="eyebrow">Check of an MCP server</p>
<h1><bdi>${showText(shown)}</bdi></h1>
${factsOf(report)}
<p class="target"><code>${showText(target)}</code></p>
</header>
<main>
${summaryOf(report, options)}
<nav aria-label="Parts of this page"><ul><li><a href="#findings">Findings</a></li><li><a href="#costs">Tokens</a></li><li><a href="#tools">Tools</a></li><li><a href="#rules">Rules</a></li></ul></nav>
<section aria-labelledby="findings"><h2 id="findings">Findings</h2>
${findingsOf(report)}
</section>
${furtherOf(report)}
<section aria-labelledby="costs"><h2 id="costs">What it costs a model</h2>
<div class="charts">
${chartsOf(report)}
</div></section>
<section aria-labelledby="tools"><h2 id="tools">Tools</h2>
${toolTable(report)}
</section>
<section aria-labelledby="rules"><h2 id="rules">Rules</h2>
<p class="note">A rule that could not be tried is untested. It does not count as kept.</p>
<div class="groups">
${ruleTable(report)}
</div></section>
</main>
<footer><p>Made by <code>waybill check</code>, era ${era}, seed ${seed}: the same command makes the same calls.</p>
<p>Tokens are counted with o200k_base.</p></footer>
</body>
</html>
`;
}

/** For the title, where no element may stand. */
function plain(text: string): string {
  return showText(text).replaceAll(/<\/?code>/g, "`");
}
