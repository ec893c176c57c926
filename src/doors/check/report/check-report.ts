import type { JsonObject } from "../../../core/json/json-value.ts";
import type { FindingSeverity } from "../../../core/rules/server-rule.ts";
import type { CallPurpose, Era } from "../../../core/rules/server-record.ts";
import type { AnswerDifference } from "../record/compare-recorded.ts";
import type { Coverage, NotCalled } from "./coverage.ts";

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
  /** Null if no tool was called: there is nothing to score. */
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
