import {
  type CheckFinding,
  type CheckReport,
  type RuleOutcome,
  type ToolOutcome,
  coverageOf,
  reasons,
} from "./check-report.ts";
import { scoreOf } from "../judge.ts";

/** What a check of a server with a bit of everything says. */
export const sampleFindings: readonly CheckFinding[] = [
  {
    rule: "result/output-schema",
    severity: "error",
    tool: "search_issues",
    path: "/structuredContent/items/0/number",
    message: 'items[0].number is the text "42", the schema asks for an integer',
    fix: "Return what outputSchema promises, or correct the schema.",
    source: "MCP 2025-11-25, tools: structured content",
    isKnown: false,
    call: {
      tool: "search_issues",
      arguments: { query: "label:bug", limit: 1 },
      purpose: "valid",
      replyExcerpt: '{"content":[],"structuredContent":{"items":[{"number":"42"}]}}',
    },
  },
  {
    rule: "error/leaks-stack",
    severity: "error",
    tool: "read_file",
    path: "/content/0/text",
    message: "the text holds a stack trace with paths of the machine",
    fix: "Say what went wrong in one sentence, and keep the stack in your log.",
    source: "CWE-209",
    isKnown: false,
    call: {
      tool: "read_file",
      arguments: { path: "" },
      purpose: "invalid",
      replyExcerpt: "Error: ENOENT\n    at open (/srv/app/read.js:12:9)",
    },
  },
  {
    rule: "definition/tokens",
    severity: "warning",
    tool: "search_issues",
    path: "",
    message: "the definition has 2,410 tokens; clients send it with every request",
    fix: "Shorten descriptions, and leave out what the schema says already.",
    source: "measured: clients and their limits",
    isKnown: false,
  },
  {
    rule: "list/order-stable",
    severity: "warning",
    path: "/tools",
    message: "two lists have their tools in different orders, which defeats prompt caches",
    fix: "List tools in a fixed order.",
    source: "MCP 2026-07-28, caching",
    isKnown: false,
  },
  {
    rule: "definition/annotations",
    severity: "info",
    tool: "read_file",
    path: "/annotations",
    message: "readOnlyHint is missing",
    fix: "Say whether the tool only reads.",
    source: "MCP 2025-11-25, tools: annotations",
    isKnown: false,
  },
];

const sampleRules: readonly RuleOutcome[] = [
  { id: "jsonrpc/id", status: "passed", findings: 0 },
  { id: "list/order-stable", status: "failed", findings: 1 },
  { id: "definition/tokens", status: "failed", findings: 1 },
  { id: "definition/annotations", status: "failed", findings: 1 },
  { id: "result/output-schema", status: "failed", findings: 1 },
  { id: "error/leaks-stack", status: "failed", findings: 1 },
  {
    id: "call/cancel",
    status: "untested",
    because: "no call took long enough to be cancelled",
    findings: 0,
  },
];

const sampleTools: readonly ToolOutcome[] = [
  {
    name: "search_issues",
    definitionTokens: 2_410,
    calls: 9,
    succeeded: 7,
    medianMs: 41,
    maxResultTokens: 31_200,
    maxResultBytes: 128_400,
    findings: 2,
  },
  {
    name: "read_file",
    definitionTokens: 180,
    calls: 7,
    succeeded: 4,
    medianMs: 3,
    maxResultTokens: 940,
    maxResultBytes: 3_120,
    findings: 2,
  },
  {
    name: "delete_file",
    definitionTokens: 120,
    calls: 0,
    succeeded: 0,
    maxResultTokens: 0,
    maxResultBytes: 0,
    notProbed: reasons.notReadOnly.because,
    remedy: reasons.notReadOnly.remedy,
    findings: 0,
  },
];

/** A report with what is given in place of its own; counts and score follow the findings. */
export function sampleReport(given: Partial<CheckReport> = {}): CheckReport {
  const { findings = sampleFindings, rules = sampleRules, isReachable = true, tools = sampleTools } = given;
  const reached = isReachable ? tools : [];
  const coverage = given.coverage ?? coverageOf(reached, { isReachable, definitionsOnly: false });
  const counts = { error: 0, warning: 0, info: 0, known: 0 };
  for (const { isKnown, severity } of findings) counts[isKnown ? "known" : severity]++;
  const withStatus = (wanted: RuleOutcome["status"]): number =>
    rules.filter(({ status }) => status === wanted).length;
  return {
    coverage,
    target: "node server.js",
    transport: "stdio",
    era: "legacy",
    protocolVersion: "2025-11-25",
    server: { name: "tracker", version: "1.4.0" },
    isReachable,
    startedAt: "2026-11-16T05:00:00.000Z",
    durationMs: 8_240,
    seed: 1,
    score: scoreOf({ findings, coverage }),
    counts: { ...counts, passed: withStatus("passed"), untested: withStatus("untested") },
    findings,
    rules,
    tools,
    list: { tools: tools.length, tokens: 2_716 },
    calls: 16,
    succeeded: 11,
    isComplete: true,
    ...given,
  };
}

/** The report of a check that could call none of the tools. */
export function untestedReport(given: Partial<CheckReport> = {}): CheckReport {
  const tools = sampleTools.map((tool) => ({
    ...tool,
    calls: 0,
    succeeded: 0,
    notProbed: reasons.notReadOnly.because,
    remedy: reasons.notReadOnly.remedy,
  }));
  return sampleReport({ findings: [], tools, calls: 0, succeeded: 0, ...given });
}

/** Texts that would be noticed if they got onto a page or into a file as they are. */
export const hostileTexts: readonly string[] = [
  "<script>globalThis.ran=true</script>",
  '" onmouseover="globalThis.ran=true',
  "]]><x/>",
  "</style><style>*{display:none}",
  "&lt;b&gt; &#0;",
  "\u0000\u0007\u001b[31m\u007f\u0085\ufffe\ud800",
  "\u202egnp.exe",
  "a\nb\tc\rd",
  "x".repeat(300),
];

/** The same report from a server whose every word is an attack. */
export function hostileReport(): CheckReport {
  const all = hostileTexts.join(" ");
  const base = sampleReport();
  return {
    ...base,
    coverage: {
      ...base.coverage,
      says: all,
      notCalled: [{ because: all, remedy: { flag: all, option: all }, tools: [all] }],
    },
    target: all,
    protocolVersion: all,
    server: { name: all, version: all },
    stopped: all,
    findings: sampleFindings.map((finding) => ({
      ...finding,
      tool: all,
      path: `/${all}`,
      message: all,
      fix: all,
      source: all,
      call: { tool: all, arguments: { [all]: all }, purpose: "valid", replyExcerpt: all },
    })),
    rules: base.rules.map((rule) => ({ ...rule, because: all })),
    tools: base.tools.map((tool) => ({ ...tool, name: all, notProbed: all })),
    score: { value: 3, reasons: [{ text: all, points: 97 }] },
    stale: [{ rule: all, tool: all, path: all }],
    changes: [{ kind: "breaking", tool: all, path: all, message: all }],
  };
}
