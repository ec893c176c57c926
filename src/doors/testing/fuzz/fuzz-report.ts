import type { JsonObject } from "../../../core/json/json-value.ts";

/** What can be wrong with a tool, in the order of the report. */
export const fuzzKinds = [
  "crash",
  "hang",
  "escape",
  "pollution",
  "leak",
  "broken-output",
  "undeclared-fault",
  "unreached",
] as const;
export type FuzzKind = (typeof fuzzKinds)[number];

/** How arguments were made. The tool's own schema decides whether they are accepted. */
export type FuzzOrigin = "given" | "valid" | "boundary" | "invalid" | "hostile";

export interface FuzzFinding {
  readonly kind: FuzzKind;
  /** What happened. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  /** The smallest arguments found that show the problem. */
  readonly arguments: JsonObject;
  readonly origin: FuzzOrigin;
  /** The number of the call, from 1; the same seed repeats it. */
  readonly call: number;
  readonly seed: number;
  /** What was thrown. */
  readonly error?: unknown;
}

export interface FuzzReport {
  readonly tool: string;
  readonly seed: number;
  /** Calls that were made, not counting those that shrank a finding. */
  readonly calls: number;
  /** Calls that reached the handler; the others were refused before it. */
  readonly reached: number;
  readonly findings: readonly FuzzFinding[];
  /** Why the run ended before all calls were made. */
  readonly stopped?: string | undefined;
  /** The whole report in words. */
  readonly summary: string;
}

const hints: Readonly<Record<FuzzKind, string>> = {
  crash: "Refuse such arguments in the input schema, or throw one of `faults` that says what is wrong.",
  hang: "Give the tool a `timeoutMs`, hand `ctx.signal` on to what it waits for, and bound its work.",
  escape:
    "Resolve a path and look whether it is still below its folder; never run a text as a command or code.",
  pollution:
    "Copy keys with Object.hasOwn and a Map or Object.create(null); never merge arguments key by key.",
  leak: "Say it in the caller's words, and write paths, stacks and secrets to the log.",
  "broken-output": "Return what the output schema says for every argument that the input schema accepts.",
  "undeclared-fault": "Declare it in `errors`, or throw one that is declared.",
  unreached: "Give good arguments in `args`, so that calls get past the input schema.",
};

export function hintFor(kind: FuzzKind): string {
  return hints[kind];
}

const MAX_ARGUMENTS = 300;

function shownArguments(args: JsonObject): string {
  const text = JSON.stringify(args);
  return text.length > MAX_ARGUMENTS ? `${text.slice(0, MAX_ARGUMENTS)}… (${text.length} characters)` : text;
}

function inWords({ kind, message, hint, arguments: args, origin, call }: FuzzFinding): string {
  return `- ${kind}: ${message}\n  ${hint}\n  shown by: ${shownArguments(args)} (${origin}, call ${call})`;
}

/** The report with its summary: what was found, and how to reproduce it. */
export function toReport(facts: Omit<FuzzReport, "summary">): FuzzReport {
  const { tool, seed, calls, reached, findings, stopped } = facts;
  const found = findings.length === 1 ? "1 finding" : `${findings.length || "no"} findings`;
  const head = `${tool}: ${found} in ${calls} calls, ${reached} of which the handler got (seed: ${seed})`;
  const early = stopped === undefined ? [] : [`It ended early: ${stopped}.`];
  return { ...facts, summary: [head, ...early, ...findings.map(inWords)].join("\n") };
}
