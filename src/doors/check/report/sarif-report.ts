// SARIF 2.1.0, as code scanning reads it. A finding is located at the tool, as a logical location, and at the line of the
// author's source that names the tool. Where none is known, an artifact represents the server: the snapshot, if there is
// one.

import { createHash } from "node:crypto";
import type { JsonObject, JsonValue } from "../../../core/json/json-value.ts";
import { findingKey } from "../baseline.ts";
import { type FindingSeverity, groupOf } from "../../../core/rules/server-rule.ts";
import { type CheckFinding, type CheckReport, verdictOf, whyUntested } from "./check-report.ts";
import { ruleDetails, rulesOf } from "./report-rules.ts";

export interface SarifOptions {
  /** The version of Waybill. */
  readonly version?: string | undefined;
  /** A file that represents the server, as a path in the repository. Default: "mcp-server". */
  readonly artifact?: string | undefined;
  /** The lines of the author's source that name the tools, by the names of the tools. */
  readonly places?: ReadonlyMap<string, { readonly file: string; readonly line: number }> | undefined;
}

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
const HOME = "https://github.com/waybill-mcp/waybill";

const levels: Readonly<Record<FindingSeverity, string>> = {
  error: "error",
  warning: "warning",
  info: "note",
};

/** What a report lists besides the findings of rules. */
const ownRules = {
  "baseline/stale": {
    says: "Every entry of the baseline is still a finding.",
    fix: "Take the entry out of the baseline, or run with --update-baseline.",
  },
  "record/difference": {
    says: "Every answer is what was recorded.",
    fix: "Take the change back, or run with --update-record and review what it writes.",
  },
  "contract/breaking-change": {
    says: "What a snapshot promises is still kept.",
    fix: "Take the change back, or run with --update-snapshot and tell the users of the tool.",
  },
} as const;
type OwnRule = keyof typeof ownRules;

/** The report as the text of a SARIF log. */
export function sarifReport(report: CheckReport, options: SarifOptions = {}): string {
  const extra = ownFindings(report);
  const ids = [...rulesOf(report).map(({ id }) => id), ...new Set(extra.map(({ rule }) => rule))];
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const log = {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "waybill check",
            informationUri: HOME,
            ...(options.version === undefined ? {} : { semanticVersion: options.version }),
            rules: ids.map((id) => describeRule(id, report)),
          },
        },
        automationDetails: { id: `waybill-check/${report.server?.name ?? "server"}/` },
        invocations: [invocationOf(report, indexOf)],
        columnKind: "utf16CodeUnits",
        properties: {
          target: report.target,
          era: report.era,
          protocolVersion: report.protocolVersion ?? null,
          seed: report.seed,
          coverage: report.coverage.says,
          score: report.score?.value ?? null,
        },
        results: [...report.findings, ...extra].map((finding) =>
          resultOf(finding, indexOf.get(finding.rule) ?? -1, report, options),
        ),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function ownFindings({ stale = [], changes = [], differences = [] }: CheckReport): readonly CheckFinding[] {
  const own = (rule: OwnRule, given: Pick<CheckFinding, "tool" | "path" | "message">): CheckFinding => ({
    ...given,
    rule,
    severity: "error",
    fix: ownRules[rule].fix,
    source: "this check",
    isKnown: false,
  });
  return [
    ...stale.map(({ rule, tool, path }) =>
      own("baseline/stale", {
        tool,
        path,
        message: `the baseline lists ${rule}, which is no finding any more`,
      }),
    ),
    ...differences.map(({ file, tool, path, message }) =>
      own("record/difference", { tool, path, message: `${file}: ${message}` }),
    ),
    ...changes
      .filter(({ kind }) => kind === "breaking")
      .map(({ tool, path, message }) => own("contract/breaking-change", { tool, path, message })),
  ];
}

function describeRule(id: string, { findings }: CheckReport): JsonObject {
  const shown = findings.find(({ rule }) => rule === id);
  const known = ruleDetails(id) ?? (id in ownRules ? ownRules[id as OwnRule] : undefined);
  const says = known?.says ?? id;
  const fix = known?.fix ?? shown?.fix ?? "";
  const source = shown?.source ?? ruleDetails(id)?.source;
  return {
    id,
    shortDescription: { text: says },
    fullDescription: { text: source === undefined ? says : `${says} Source: ${source}` },
    help: { text: fix === "" ? says : fix },
    defaultConfiguration: { level: defaultLevel(id, shown) },
    properties: { tags: ["mcp", groupOf(id)] },
  };
}

function defaultLevel(id: string, shown: CheckFinding | undefined): string {
  const severity = ruleDetails(id)?.severity;
  if (severity !== undefined) return { MUST: "error", SHOULD: "warning", MAY: "note" }[severity];
  return levels[shown?.severity ?? "error"];
}

/** Untested rules are listed here: as results they would look like findings or like passes. */
function invocationOf(report: CheckReport, indexOf: ReadonlyMap<string, number>): JsonObject {
  const { startedAt, durationMs, stopped, isComplete } = report;
  const ended = new Date(Date.parse(startedAt) + durationMs);
  const untested = report.rules
    .filter(({ status }) => status === "untested")
    .map(({ id, because = "not said why" }) => ({
      level: "note",
      message: { text: plainText(`${id} was not tested: ${because}`) },
      associatedRule: { id, index: indexOf.get(id) ?? -1 },
    }));
  const hasResults = whyUntested(report) === undefined;
  const coverage = {
    level: hasResults ? "note" : "error",
    message: { text: plainText(report.coverage.says) },
  };
  const stop =
    stopped === undefined
      ? []
      : [{ level: "error", message: { text: plainText(`The check ended early: ${stopped}`) } }];
  return {
    executionSuccessful: verdictOf(report).outcome !== "unreachable" && isComplete && hasResults,
    startTimeUtc: startedAt,
    ...(Number.isNaN(ended.getTime()) ? {} : { endTimeUtc: ended.toISOString() }),
    toolExecutionNotifications: [coverage, ...stop, ...untested],
  };
}

function resultOf(
  finding: CheckFinding,
  ruleIndex: number,
  { server }: CheckReport,
  { artifact = "mcp-server", places }: SarifOptions,
): JsonObject {
  const { rule, severity, tool, path, message, fix, isKnown, call } = finding;
  const { file, line } = places?.get(tool ?? "") ?? { file: artifact, line: 1 };
  const fingerprint = createHash("sha256").update(findingKey(finding)).digest("hex");
  const name = tool ?? server?.name ?? "server";
  const shown: Readonly<Record<string, JsonValue>> =
    call === undefined
      ? {}
      : {
          call: {
            tool: call.tool,
            arguments: call.arguments,
            purpose: call.purpose,
            reply: call.replyExcerpt,
          },
        };
  return {
    ruleId: rule,
    ruleIndex,
    level: levels[severity],
    message: { text: plainText(`${tool === undefined ? "" : `${tool}: `}${message}. ${fix}`) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(file.replaceAll("\\", "/")) },
          region: { startLine: line },
        },
        logicalLocations: [
          { name, fullyQualifiedName: `${name}${path}`, kind: tool === undefined ? "module" : "function" },
        ],
      },
    ],
    partialFingerprints: { "waybillFinding/v1": fingerprint },
    ...(isKnown ? { suppressions: [{ kind: "external", justification: "listed in the baseline" }] } : {}),
    properties: { path, ...shown },
  };
}

/** Viewers turn `[text](target)` in a message into a link; the server's words must not become a link. */
function plainText(text: string): string {
  return text.replaceAll("](", "] (");
}
