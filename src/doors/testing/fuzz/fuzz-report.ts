import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import * as z from "zod/mini";
import { MAX_TIMER_MS } from "../../../core/contract/contract-error.ts";
import type { CallRequest } from "../../../engine/request/call-request.ts";
import type { ContractOptions } from "../../../engine/settings/contract-options.ts";
import type { AnyTool } from "../../../engine/settings/tool-definition.ts";
import { checkOptions, refuseOptions } from "../../../core/options/check-options.ts";
import {
  callback,
  choice,
  judged,
  list,
  named,
  optionsOf,
  whole,
} from "../../../core/options/option-kinds.ts";
import type { Contract } from "../../server/create-contract.ts";

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

export interface FuzzOptions {
  /** How many calls are made, not counting those that shrink a finding. Default: 300. */
  readonly runs?: number | undefined;
  /** The same seed makes the same calls. Default: 1. */
  readonly seed?: number | undefined;
  /** Good arguments, or a list of them: each is sent unchanged, and others are made from it. */
  readonly args?: JsonObject | readonly JsonObject[] | undefined;
  /** A contract, or the options of one. Default: a contract that checks every result and logs nothing. */
  readonly contract?: Contract | ContractOptions | undefined;
  /** The `_meta` of every call. */
  readonly meta?: JsonObject | undefined;
  /** Who calls. */
  readonly auth?: CallRequest["auth"] | undefined;
  /** A call that takes longer counts as hung. Default: 1,000. */
  readonly timeoutMs?: number | undefined;
  /** How long the whole run may take. Default: 4,000, since test runners often give a test 5 seconds. */
  readonly totalMs?: number | undefined;
  /** Kinds of findings that do not count. */
  readonly except?: readonly FuzzKind[] | undefined;
  /** Paths, lines of a stack and kinds of secrets that do not count as a leak. */
  readonly allow?: readonly (string | RegExp)[] | undefined;
  /** Called before each call, so that a call that never ends can be identified. */
  readonly onCall?:
    | ((call: { readonly arguments: JsonObject; readonly origin: FuzzOrigin }) => void)
    | undefined;
}

const manyArguments = judged((value) => {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  return given.every(isJsonObject)
    ? undefined
    : "is neither an object of arguments nor a list of such objects.";
});

const textOrPattern = judged((value) =>
  typeof value === "string" || value instanceof RegExp ? undefined : "is neither a text nor a RegExp.",
);

const milliseconds = whole({ min: 1, max: MAX_TIMER_MS, unit: "milliseconds" });

const fuzzOptions = optionsOf<FuzzOptions>({
  runs: whole({ min: 1, max: 1_000_000 }),
  seed: whole({ min: 0, max: 0xffff_ffff }),
  args: manyArguments,
  // The contract made from these options checks them.
  contract: z.looseObject({}, "Write a contract, or the options of one."),
  meta: named(z.unknown()),
  auth: named(z.unknown()),
  timeoutMs: milliseconds,
  totalMs: milliseconds,
  except: list(choice(fuzzKinds)),
  allow: list(textOrPattern),
  onCall: callback,
});

/** Throws a `ContractError` if the tool is not a tool, or if options are wrong. */
export function checkFuzz(tool: AnyTool, options: FuzzOptions): void {
  const { name, config, handler } = Object(tool) as Partial<AnyTool>;
  if (typeof name !== "string" || typeof handler !== "function" || !isJsonObject(config))
    refuseOptions("fuzzTool", [
      { path: [], part: "value", message: "What it is given is no tool. Give one of defineTool." },
    ]);
  checkOptions("fuzzTool", fuzzOptions, options);
}
