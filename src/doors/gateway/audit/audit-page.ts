import { createHash } from "node:crypto";
import { type Bar, barChart, barChartLook } from "../../../core/report/bar-chart.ts";
import { escapeHtml, formatCount, showText } from "../../../core/report/page-text.ts";
import { pageLook, reportPage, reportPart } from "../../../core/report/report-page.ts";
import { type Audit, type AuditTotal, totalOf } from "./audit-histories.ts";
import type { ServerCost } from "./server-tally.ts";

const style = `${pageLook}${barChartLook}
:root { --bar: #3a8f86; --given: #8b9096; }
@media (prefers-color-scheme: dark) { :root { --bar: #5fb8ac; --given: #8f969b; } }
.lead { display: grid; gap: 1rem 3rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); margin: 0 0 2.5rem; padding: clamp(1.25rem, 3vw, 2rem); background: var(--panel); border: 1px solid var(--line); border-radius: .75rem; list-style: none; }
.lead strong { display: block; font: 600 clamp(1.75rem, 1.4rem + 2vw, 2.5rem)/1.15 var(--serif); font-variant-numeric: tabular-nums; }
.lead span { color: var(--quiet); font-size: .9375rem; }
.given { fill: var(--given); } .behind { fill: var(--bar); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: right; font-variant-numeric: tabular-nums; vertical-align: top; }
th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left; }
td small { display: block; color: var(--quiet); }
.notes { padding-left: 1.2rem; font-size: .9375rem; }
`;
const styleHash = `sha256-${createHash("sha256").update(style).digest("base64")}`;

export interface AuditPageFacts {
  /** As ISO 8601 writes it. */
  readonly since: string;
  readonly notes: readonly string[];
}

/** One self-contained page, to be sent on: names and counts, nothing of arguments or results, no folder. */
export function auditPage({ clients, servers }: Audit, { since, notes }: AuditPageFacts): string {
  const read = clients.filter(({ files }) => files > 0);
  return reportPage({
    title: "What MCP servers cost",
    style,
    styleHash,
    eyebrow: "Histories of MCP clients",
    heading: "<h1>What MCP servers cost</h1>",
    facts: [
      `<li>since ${escapeHtml(since.slice(0, 10))}</li>`,
      ...read.map(({ client, calls }) => `<li>${escapeHtml(client)}: ${callsOf(calls)}</li>`),
    ],
    body: `<main>
${leadOf(totalOf(servers))}
<div class="charts">
${barChart("Tokens that models were given", servers.map(costBar))}
${barChart("The same results without and with the gateway", servers.flatMap(gatewayBars))}
</div>
${reportPart("servers", "The servers", tableOf(servers))}
${reportPart("notes", "How to read it", notesOf([...explanations, ...read.flatMap(untried), ...notes]))}
</main>`,
    footer: ["Made by <code>waybill audit</code>, which read histories on one machine and sent nothing."],
  });
}

const explanations = [
  "Tokens are what models were given of results, counted once a result in o200k_base. Every later request of a session sends them again, until the client compacts it; how often is not counted.",
  "A result is cut where its client left its mark, or where the known limit of the client is passed.",
  "Repeated results are those that the same session already had from the same tool.",
  "Failures as successes are results that say that they failed and are not marked so; likely ones only read like failures, which the gateway tells the model without judging.",
  "Behind the gateway: the same results through it with its default settings, as the same client would have shown them. Results that a client cut without keeping the whole are left out on both sides.",
];

function untried({ client, tried_with: version }: Audit["clients"][number]): readonly string[] {
  return version === null ? [`The format of ${client} was not tried with the real client.`] : [];
}

function leadOf({ calls, tokens, cut, failures_as_successes: hidden, gateway }: AuditTotal): string {
  const figure = (amount: number, says: string): string =>
    `<li><strong>${formatCount(amount)}</strong> <span>${says}</span></li>`;
  const items = [
    figure(tokens, `tokens of ${formatCount(calls)} results`),
    figure(
      gateway.tokens_after,
      `behind the gateway, of ${formatCount(gateway.tokens_before)} that can be compared`,
    ),
    figure(cut, "results cut by clients"),
    figure(hidden, "failures sent as successes"),
  ];
  return `<ul class="lead" aria-label="In short">${items.join("")}</ul>`;
}

const callsOf = (amount: number): string => `${formatCount(amount)} ${amount === 1 ? "call" : "calls"}`;

/** A second figure, if there is one. */
function beside(amount: number, before: string, after: string): string {
  return amount === 0 ? "" : `<small>${before}${formatCount(amount)}${after}</small>`;
}

const nameOf = ({ server, client }: ServerCost): string => `${server ?? "(not named)"}, ${client}`;

function costBar(cost: ServerCost): Bar {
  return { label: nameOf(cost), parts: [{ kind: "given", amount: cost.tokens }] };
}

function gatewayBars(cost: ServerCost): readonly Bar[] {
  const { tokens_before: before, tokens_after: after } = cost.gateway;
  return [
    { label: nameOf(cost), parts: [{ kind: "given", amount: before }] },
    { label: "behind the gateway", parts: [{ kind: "behind", amount: after }] },
  ];
}

const head = [
  "server",
  "client",
  "calls",
  "tokens",
  "cut",
  "repeated",
  "failed",
  "as success",
  "behind the gateway",
];

function tableOf(servers: readonly ServerCost[]): string {
  if (servers.length === 0) return '<p class="none">No call of an MCP server was found.</p>';
  const rows = servers.map(({ gateway, ...cost }) => {
    const tools = cost.tools.map(({ tool, calls }) => `${tool} (${formatCount(calls)})`).join(", ");
    const cells = [
      `<bdi>${showText(cost.server ?? "(not named)")}</bdi><small>${showText(tools)}</small>`,
      escapeHtml(cost.client),
      formatCount(cost.calls),
      formatCount(cost.tokens),
      formatCount(cost.cut),
      `${formatCount(cost.repeated)}${beside(cost.repeated_tokens, "", " tokens")}`,
      formatCount(cost.failures),
      `${formatCount(cost.failures_as_successes)}${beside(cost.possible_failures, "and ", " likely")}`,
      `${formatCount(gateway.tokens_after)}<small>of ${formatCount(gateway.tokens_before)} in ${callsOf(gateway.compared)}; ${formatCount(gateway.cut)} cut with a way to the rest, ${formatCount(gateway.untouched)} untouched</small>`,
    ];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  const titles = head.map((title) => `<th scope="col">${title}</th>`).join("");
  return `<div class="scroll"><table><thead><tr>${titles}</tr></thead>\n<tbody>${rows.join("\n")}</tbody></table></div>`;
}

function notesOf(notes: readonly string[]): string {
  return `<ul class="notes">${notes.map((note) => `<li>${showText(note)}</li>`).join("\n")}</ul>`;
}
