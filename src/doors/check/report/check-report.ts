import type { JsonObject } from "../../../core/json/json-value.ts";
import type { FindingSeverity } from "../../../core/rules/finding-severity.ts";
import type { CallPurpose, Era } from "../../../core/rules/server-record.ts";
import type { AnswerDifference } from "../record/compare-recorded.ts";
import type { Coverage, NotCalled } from "./coverage.ts";

/** The call that shows a finding, so that a person can make it again. */
export interface ShownCall {
  readonly tool: string;
  /** Generated arguments are shrunk to the smallest that still show the finding. */
  readonly arguments: JsonObject;
  readonly purpose: CallPurpose;
  /** The beginning of what came back, as JSON or in words. At most 500 characters. */
  readonly replyExcerpt: string;
}

/** One thing that is wrong. */
export interface CheckFinding {
  /** The id of the rule that is broken. */
  readonly rule: string;
  readonly severity: FindingSeverity;
  /** The tool it is about; undefined for the server as a whole. */
  readonly tool?: string | undefined;
  /** JSON Pointer into the definition, the result or the message; empty for all of it. */
  readonly path: string;
  readonly message: string;
  readonly fix: string;
  /** The document that asks for it. */
  readonly source: string;
  /** True where a baseline lists it; it then counts for nothing but `counts.known`. */
  readonly isKnown: boolean;
  readonly call?: ShownCall | undefined;
}

/** How one rule fared. A rule that could not be tried is untested, never passed. */
export interface RuleOutcome {
  readonly id: string;
  readonly status: "passed" | "failed" | "untested";
  /** Why it is untested. */
  readonly because?: string | undefined;
  /** How many findings it has, known ones too. */
  readonly findings: number;
}

/** What was measured of one tool. */
export interface ToolOutcome {
  readonly name: string;
  readonly definitionTokens: number;
  /** How often it was called. */
  readonly calls: number;
  /** How many of the calls gave a result that is no failure. */
  readonly succeeded: number;
  /** Undefined where no call was answered. */
  readonly medianMs?: number | undefined;
  /** Of the largest answer, 0 without one: text and structuredContent together. */
  readonly maxResultTokens: number;
  readonly maxResultBytes: number;
  /** Why it was not called; undefined where it was. */
  readonly notProbed?: string | undefined;
  /** What would call it; undefined where it was called, or where nothing would. */
  readonly remedy?: NotCalled["remedy"];
  /** How many findings are about it, known ones too. */
  readonly findings: number;
}

/** A finding that a baseline lists and that is there no more. It fails the check, so that baselines shrink. */
export interface StaleEntry {
  readonly rule: string;
  readonly tool?: string | undefined;
  /** As the baseline writes it: places in lists are `*`. */
  readonly path: string;
}

/** What differs from the snapshot of an earlier check. A breaking change fails the check. */
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
  /** What was taken off 100, largest first. */
  readonly reasons: readonly { readonly text: string; readonly points: number }[];
}

/** What a check of a server found. Plain JSON: it can be written to a file and read again. */
export interface CheckReport {
  /** How many tools were called, and why the others were not: the rest of the report is about these. */
  readonly coverage: Coverage;
  /** How the server was reached, without secrets: a command line or a URL. */
  readonly target: string;
  readonly transport: "stdio" | "http";
  readonly era: Era;
  readonly protocolVersion?: string | undefined;
  /** Null where the server did not say, or could not be reached. */
  readonly server: { readonly name: string; readonly version: string } | null;
  /** False where no greeting was answered: nothing else could be judged. */
  readonly isReachable: boolean;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** The seed of generated arguments: with the same seed a check makes the same calls. */
  readonly seed: number;
  /** Null where no tool was called: there is nothing to score. */
  readonly score: CheckScore | null;
  readonly counts: {
    /** Findings by severity, without those that a baseline knows. */
    readonly error: number;
    readonly warning: number;
    readonly info: number;
    /** Rules. */
    readonly passed: number;
    readonly untested: number;
    /** Findings that a baseline knows. */
    readonly known: number;
  };
  /** Worst first; of one severity in the order of the rules. */
  readonly findings: readonly CheckFinding[];
  /** Every rule, in its order. */
  readonly rules: readonly RuleOutcome[];
  /** Every tool, in the server's order. */
  readonly tools: readonly ToolOutcome[];
  /** Tokens of all definitions together: what every conversation with this server begins with. */
  readonly list: { readonly tools: number; readonly tokens: number };
  /** How many times a tool was called. */
  readonly calls: number;
  /** How many of the calls gave a result that is no failure. */
  readonly succeeded: number;
  /** False where the check ended before its plan did. */
  readonly isComplete: boolean;
  /** Why it ended early. */
  readonly stopped?: string | undefined;
  /** With a baseline: its entries that no finding matches. */
  readonly stale?: readonly StaleEntry[] | undefined;
  /** With recorded answers: where those of this check differ. Each fails the check. */
  readonly differences?: readonly AnswerDifference[] | undefined;
  /** With a snapshot: what changed since it was taken; breaking ones first. */
  readonly changes?: readonly ContractChange[] | undefined;
}
