import type { JsonObject } from "../../../core/json/json-value.ts";
import type { FindingSeverity } from "../../../core/rules/server-rule.ts";
import type { CallPurpose, Era } from "../../../core/rules/server-record.ts";
import type { AnswerDifference } from "../record/compare-recorded.ts";

/** The call that shows a finding, so that a person can repeat it. */
export interface ShownCall {
  readonly tool: string;
  /** Generated arguments are shrunk to the smallest that still show the finding. */
  readonly arguments: JsonObject;
  readonly purpose: CallPurpose;
  /** The beginning of the reply, as JSON or in words. At most 500 characters. */
  readonly replyExcerpt: string;
}

/** One thing that is wrong. */
export interface CheckFinding {
  /** The id of the broken rule. */
  readonly rule: string;
  readonly severity: FindingSeverity;
  /** The tool concerned; undefined for the server as a whole. */
  readonly tool?: string | undefined;
  /** JSON Pointer into the definition, the result or the message; empty for the whole. */
  readonly path: string;
  readonly message: string;
  readonly fix: string;
  /** The document that contains the requirement. */
  readonly source: string;
  /** True if a baseline lists the finding; it then counts only in `counts.known`. */
  readonly isKnown: boolean;
  readonly call?: ShownCall | undefined;
}

/** The outcome of one rule. A rule that could not be tried is untested, never passed. */
export interface RuleOutcome {
  readonly id: string;
  readonly status: "passed" | "failed" | "untested";
  /** Why the rule is untested. */
  readonly because?: string | undefined;
  /** The number of findings, including known ones. */
  readonly findings: number;
}

/** The measurements of one tool. */
export interface ToolOutcome {
  readonly name: string;
  readonly definitionTokens: number;
  /** How often the tool was called. */
  readonly calls: number;
  /** How many calls gave a result that is not a failure. */
  readonly succeeded: number;
  /** Undefined if no call was answered. */
  readonly medianMs?: number | undefined;
  /** Tokens of the largest answer, text and structuredContent together; 0 if there is no answer. */
  readonly maxResultTokens: number;
  readonly maxResultBytes: number;
  /** How texts begin with which the tool reports failures that it does not mark; undefined if none was learnt. */
  readonly failureStart?: string | undefined;
  /** Why the tool was not called; undefined if it was called. */
  readonly notProbed?: string | undefined;
  /** Which option would call the tool; undefined if it was called, or if no option would. */
  readonly remedy?: NotCalled["remedy"];
  /** The number of findings about the tool, including known ones. */
  readonly findings: number;
}

/** A finding that a baseline lists and that no longer occurs. It fails the check, so that baselines shrink. */
export interface StaleEntry {
  readonly rule: string;
  readonly tool?: string | undefined;
  /** As the baseline writes it: an index in a list is `*`. */
  readonly path: string;
}

/** A difference from the snapshot of an earlier check. A breaking change fails the check. */
export interface ContractChange {
  readonly kind: "breaking" | "harmless";
  readonly tool?: string | undefined;
  /** JSON Pointer into the tool's definition, or `result` and a pointer into its results; empty for the tool itself. */
  readonly path: string;
  readonly message: string;
}

export interface CheckScore {
  /** 0 to 100. */
  readonly value: number;
  /** The deductions from 100, largest first. */
  readonly reasons: readonly { readonly text: string; readonly points: number }[];
}

/** What a check of a server found. Plain JSON: it can be written to a file and read again. */
export interface CheckReport {
  /** How many tools were called, and why the others were not: the rest of the report is only about the called ones. */
  readonly coverage: Coverage;
  /** How the server was reached, without secrets: a command line or a URL. */
  readonly target: string;
  readonly transport: "stdio" | "http";
  readonly era: Era;
  readonly protocolVersion?: string | undefined;
  /** Null if the server did not name itself, or could not be reached. */
  readonly server: { readonly name: string; readonly version: string } | null;
  /** False if no greeting was answered: nothing else could be judged. */
  readonly isReachable: boolean;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** The seed of generated arguments: the same seed makes the same calls. */
  readonly seed: number;
  /** Null if no tool was called, or no call succeeded: there is nothing to score. */
  readonly score: CheckScore | null;
  readonly counts: {
    /** Findings by severity, without those that a baseline knows. */
    readonly error: number;
    readonly warning: number;
    readonly info: number;
    /** The number of rules with each outcome. */
    readonly passed: number;
    readonly untested: number;
    /** Findings that a baseline knows. */
    readonly known: number;
  };
  /** Worst first; within a severity in the order of the rules. */
  readonly findings: readonly CheckFinding[];
  /** Every rule, in order. */
  readonly rules: readonly RuleOutcome[];
  /** Every tool, in the server's order. */
  readonly tools: readonly ToolOutcome[];
  /** Tokens of all definitions together: every conversation with this server begins with them. */
  readonly list: { readonly tools: number; readonly tokens: number };
  /** How many times a tool was called. */
  readonly calls: number;
  /** How many calls gave a result that is not a failure. */
  readonly succeeded: number;
  /** False if the check ended before its plan was done. */
  readonly isComplete: boolean;
  /** Why the check ended early. */
  readonly stopped?: string | undefined;
  /** With a baseline: its entries that no finding matches. */
  readonly stale?: readonly StaleEntry[] | undefined;
  /** With recorded answers: where the answers of this check differ. Each difference fails the check. */
  readonly differences?: readonly AnswerDifference[] | undefined;
  /** With a snapshot: the changes since it was taken, breaking ones first. */
  readonly changes?: readonly ContractChange[] | undefined;
}

// How many of a server's tools a check called, and why it did not call the others. Coverage comes first in every
// report: a score means nothing without it.

/** Tools that were not called for the same reason. */
export interface NotCalled {
  /** Worded to fit one tool or many. */
  readonly because: string;
  /** The option that would call them: on the command line, and in code. Undefined if no option does. */
  readonly remedy?: { readonly flag: string; readonly option: string } | undefined;
  readonly tools: readonly string[];
}

export interface Coverage {
  /** One or more sentences, with the flags of the command line: the first line of every report. */
  readonly says: string;
  /** How many tools the server lists, and how many of them were called at least once; without `apart`. */
  readonly tools: number;
  readonly called: number;
  /** How many of their calls gave a result that is not a failure. */
  readonly succeeded: number;
  /** Waybill's own retrieval tool, if the server lists it: its calls show nothing of the server's tools. */
  readonly apart: readonly string[];
  /** False if the server could not be reached. */
  readonly isReachable: boolean;
  /** True if only definitions were requested: no tool was meant to be called. */
  readonly definitionsOnly: boolean;
  readonly notCalled: readonly NotCalled[];
}

const ENDED_BEFORE = "the check ended before";

/** Why a tool may be left out, and which option would call it. */
export const reasons = {
  notReadOnly: {
    because: "not marked read-only (annotations.readOnlyHint)",
    remedy: {
      flag: "--all calls such tools (only where nothing can be lost), --args <file> those that it names",
      option: "`all: true` calls such tools (only where nothing can be lost), `args` those that it names",
    },
  },
  notChosen: {
    because: "not among the tools that were asked for",
    remedy: { flag: "name them with --tool", option: "name them in `only`" },
  },
  onlyTask: { because: "callable only as a task" },
  tooMany: {
    because: "more tools than a check calls",
    remedy: { flag: "name them with --tool", option: "raise `limits.tools`" },
  },
  definitionsOnly: {
    because: "only definitions were asked for",
    remedy: { flag: "leave out --definitions-only", option: "leave out `definitionsOnly`" },
  },
} as const satisfies Readonly<Record<string, Omit<NotCalled, "tools">>>;

/** A reason that belongs to the arguments of one tool. */
export function lacksArguments(because: string): Omit<NotCalled, "tools"> {
  return {
    because,
    remedy: { flag: "--args <file> gives them arguments", option: "`args` gives them arguments" },
  };
}

function groupsOf(tools: readonly ToolOutcome[]): readonly NotCalled[] {
  const groups = new Map<string, NotCalled>();
  for (const { name, calls, notProbed, remedy } of tools) {
    if (calls > 0) continue;
    const because = notProbed ?? ENDED_BEFORE;
    const before = groups.get(because);
    groups.set(because, {
      because,
      remedy: before?.remedy ?? remedy,
      tools: [...(before?.tools ?? []), name],
    });
  }
  return [...groups.values()].sort((one, other) => other.tools.length - one.tools.length);
}

const workingArguments = { flag: "--args <file>", option: "`args`" } as const;

/** How many of the tools were called, without a full stop. */
export function sayCalled({ tools, called, apart }: Pick<Coverage, "tools" | "called" | "apart">): string {
  const without = apart.length === 0 ? "" : `, not counting Waybill's own ${apart.join(", ")}`;
  return `${called} of ${tools} ${tools === 1 ? "tool" : "tools"} called${without}`;
}

/** One sentence for each reason why tools were not called, with what would call them. */
export function sayNotCalled(
  { notCalled }: Pick<Coverage, "notCalled">,
  words: "flag" | "option" = "flag",
): readonly string[] {
  return notCalled.map(({ because, remedy, tools }) => {
    const how = remedy === undefined ? "" : `: ${remedy[words]}`;
    return `${tools.length} not called, ${because}${how}.`;
  });
}

/** The sentence, with the flags of the command line or the options in code. */
export function sayCoverage(coverage: Omit<Coverage, "says">, words: "flag" | "option" = "flag"): string {
  const { tools, called, succeeded, isReachable, definitionsOnly } = coverage;
  const amount = sayCalled(coverage);
  if (!isReachable) return `${amount}: nothing was tested, since the server could not be reached.`;
  if (definitionsOnly) return `${amount}: only definitions were asked for.`;
  if (tools === 0) return `${amount}: nothing was tested, since the server lists none.`;
  const rest = sayNotCalled(coverage, words);
  if (called === 0) return [`${amount}: nothing was tested.`, ...rest].join(" ");
  const how = `${workingArguments[words]} gives arguments that work.`;
  const failed = `${amount}, and no call succeeded: only failures were judged. ${how}`;
  return [succeeded === 0 ? failed : `${amount}.`, ...rest].join(" ");
}

/** What a check covered of the tools that a server lists. */
export function coverageOf(
  tools: readonly ToolOutcome[],
  {
    isReachable,
    definitionsOnly,
    apart = [],
  }: Pick<Coverage, "isReachable" | "definitionsOnly"> & Partial<Pick<Coverage, "apart">>,
): Coverage {
  const counted = tools.filter(({ name }) => !apart.includes(name));
  const facts = {
    isReachable,
    tools: counted.length,
    called: counted.filter(({ calls }) => calls > 0).length,
    succeeded: counted.reduce((sum, { succeeded }) => sum + succeeded, 0),
    apart,
    definitionsOnly,
    notCalled: groupsOf(counted),
  };
  return { says: sayCoverage(facts), ...facts };
}

/** Why a check has no score; undefined if it has one. */
export function whyUnscored({ coverage }: Pick<CheckReport, "coverage">): string | undefined {
  if (coverage.called === 0) return "no tool was called";
  return coverage.succeeded === 0 ? "no call succeeded" : undefined;
}

/** Why a check says nothing about the results of a server, although it was meant to; undefined if it does. */
export function whyUntested({ coverage }: Pick<CheckReport, "coverage">): string | undefined {
  const why = coverage.definitionsOnly ? undefined : whyUnscored({ coverage });
  return why === undefined || coverage.called > 0 ? why : `nothing was tested: ${why}`;
}

export interface VerdictOptions {
  /** Warnings and an unfinished check also fail. Default: false. */
  readonly strict?: boolean | undefined;
}

export interface CheckVerdict {
  readonly outcome: "passed" | "failed" | "unreachable";
  /** Why the server does not pass, in words: `2 errors`. */
  readonly because: readonly string[];
}

/** Whether a server passes: the exit code and every report use this. Findings that a baseline knows do not count. */
export function verdictOf(report: CheckReport, { strict = false }: VerdictOptions = {}): CheckVerdict {
  if (!report.isReachable) return { outcome: "unreachable", because: [whyUnreachable(report)] };
  const { counts, stale = [], changes = [], differences = [], isComplete } = report;
  const files = new Set(differences.map(({ file }) => file)).size;
  const breaking = changes.filter(({ kind }) => kind === "breaking").length;
  const untested = whyUntested(report);
  const because = [
    ...(untested === undefined ? [] : [untested]),
    ...some(counts.error, "error", "errors"),
    ...some(files, "recorded answer differs", "recorded answers differ"),
    ...some(breaking, "breaking change", "breaking changes"),
    ...some(stale.length, "stale entry in the baseline", "stale entries in the baseline"),
    ...(strict ? some(counts.warning, "warning", "warnings") : []),
    ...(strict && !isComplete ? ["the check was not finished"] : []),
  ];
  return { outcome: because.length === 0 ? "passed" : "failed", because };
}

function whyUnreachable({ stopped, findings }: CheckReport): string {
  return stopped ?? findings.find(({ severity }) => severity === "error")?.message ?? "it gave no answer";
}

function some(amount: number, one: string, many: string): readonly string[] {
  return amount === 0 ? [] : [`${amount} ${amount === 1 ? one : many}`];
}
