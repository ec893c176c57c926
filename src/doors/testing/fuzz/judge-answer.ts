// What one call shows about a tool: it crashed, hung, revealed too much, or broke its own promises.

import { ContractError } from "../../../core/contract/contract-error.ts";
import { ToolFault } from "../../../core/contract/tool-fault.ts";
import { refusalOf } from "../../../engine/call/advertise-tool.ts";
import { isUnfinished } from "../../../engine/call/called-tool.ts";
import { type DeclaredFaults, isDeclared } from "../../../engine/settings/declared-faults.ts";
import { isThrownByTool } from "../../../engine/call/execute-tool.ts";
import { type AnsweredCall, isForTheClient } from "../../../engine/call/answered-call.ts";
import { writeJson } from "../../../core/json/find-non-json.ts";
import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import type { TroubleEvent } from "../../../engine/observe/call-facts.ts";
import { readResponse } from "../../../core/pipeline/dialect/translate.ts";
import type { FuzzKind } from "./fuzz-report.ts";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Outcome } from "../../../core/contract/outcome.ts";
import { pathIn, secretIn, stackIn } from "../../../core/rules/call/leaks.ts";
import { stringsIn } from "../../../core/rules/called.ts";
import type { Bait } from "./hostile-values.ts";

/** How a call ended. */
export type Ending =
  | { readonly kind: "answered"; readonly answered: AnsweredCall; readonly handlerMs: number }
  | { readonly kind: "rejected"; readonly error: unknown }
  | { readonly kind: "hung" };

/** A problem. `key` is equal for problems with the same cause, whatever the arguments. */
export interface Seen {
  readonly kind: FuzzKind;
  readonly key: string;
  readonly message: string;
  readonly error?: unknown;
}

export interface Judging extends Told {
  /** The output schema as `tools/list` shows it. */
  readonly outputSchema: JsonObject | undefined;
  /** The faults that the tool declares. */
  readonly errors: DeclaredFaults | undefined;
  /** The time that a call may take. */
  readonly timeoutMs: number;
  /** The tool's own time limit. */
  readonly ownTimeoutMs: number | undefined;
}

const INTERNAL = "INTERNAL_ERROR";

function crash(error: unknown): Seen {
  const where = isThrownByTool(error) ? "" : " before its handler runs";
  const message = `It throws ${describeThrown(error)}${where}`;
  return { kind: "crash", key: thrownPlace(error), message, error };
}

function broken(why: string, error?: unknown): Seen {
  const message = `Its answer cannot be sent: ${why}`;
  return { kind: "broken-output", key: why.replaceAll(/\d+/g, "0"), message, error };
}

/** An unforeseen exception, or an answer that JSON or the output schema cannot carry. */
function crashIn({ outcome, arrival }: AnsweredCall): Seen | undefined {
  if (outcome === undefined || outcome.ok || outcome.fault.code !== INTERNAL) return undefined;
  const isSpoilt = outcome.fault.details?.["executed"] === "yes";
  if (arrival.kind !== "thrown") {
    const value = arrival.kind === "value" ? arrival.value : arrival.result;
    return isSpoilt ? broken(writeJson(value).problem?.message ?? "it cannot be read") : undefined;
  }
  const { error } = arrival;
  if (!ToolFault.isInstance(error)) return crash(error);
  // The tool itself reports an internal failure.
  if (!isSpoilt) return undefined;
  const { cause } = error as { readonly cause?: unknown };
  return broken(cause instanceof Error ? cause.message : "it breaks its output schema", cause);
}

/** A fault of the tool that its `errors` do not name. Refusals by the contract need not be declared. */
function undeclaredIn({ outcome, arrival }: AnsweredCall, { errors }: Judging): Seen | undefined {
  if (errors === undefined || outcome === undefined || outcome.ok) return undefined;
  if (arrival.kind === "thrown" && !isThrownByTool(arrival.error)) return undefined;
  const { code } = outcome.fault;
  if (isDeclared(errors, code)) return undefined;
  const names = Object.entries(errors).map(([name, fault]) => `${name} (${fault.code})`);
  const message = `It fails with ${code}, but its errors are ${names.join(", ") || "none"}`;
  return { kind: "undeclared-fault", key: code, message };
}

/** Only the handler's own time counts: the tool is not responsible for the contract's work on a large answer. */
function lateIn(handlerMs: number, judging: Judging): Seen | undefined {
  const { timeoutMs, ownTimeoutMs = Number.POSITIVE_INFINITY } = judging;
  const limit = Math.min(timeoutMs, ownTimeoutMs);
  return handlerMs < limit ? undefined : hang(limit);
}

function hang(afterMs: number): Seen {
  return { kind: "hang", key: "", message: `It has not answered after ${afterMs.toLocaleString("en")} ms` };
}

function judgeAnswered(answered: AnsweredCall, args: JsonObject, judging: Judging): readonly Seen[] {
  const { result } = answered;
  if (isUnfinished(result)) return [];
  const refusal = judging.outputSchema && refusalOf(result, judging.outputSchema);
  const found = [
    crashIn(answered),
    refusal === undefined ? undefined : broken(`clients would refuse it, because ${refusal}`),
    undeclaredIn(answered, judging),
  ];
  const leaks = leaksIn(result, readResponse(result), args, judging).map(({ key, message }): Seen => ({
    kind: "leak",
    key,
    message,
  }));
  return [...found.filter((each) => each !== undefined), ...leaks];
}

/** Everything that is wrong with one answer. */
export function judgeEnding(ending: Ending, args: JsonObject, judging: Judging): readonly Seen[] {
  if (ending.kind === "hung") return [hang(judging.timeoutMs)];
  if (ending.kind === "rejected") {
    const { error } = ending;
    if (isForTheClient(error)) return [];
    return [ContractError.isInstance(error) ? broken(error.message, error) : crash(error)];
  }
  const late = lateIn(ending.handlerMs, judging);
  if (late !== undefined) return [late];
  return judgeAnswered(ending.answered, args, judging);
}

/** Problems in the log that the answer of the call does not show. */
export function judgeTrouble({ event, error, fields = {} }: TroubleEvent): Seen | undefined {
  const { fault, problem, facts } = fields;
  if (event === "fault-details-wrong" && typeof fault === "string" && typeof problem === "string") {
    const message = `It fails with ${fault}, but its details break their schema: ${problem}`;
    return { kind: "undeclared-fault", key: `details of ${fault}`, message };
  }
  if (event === "format-failed")
    return {
      kind: "crash",
      key: thrownPlace(error),
      message: `Its format throws ${describeThrown(error)}`,
      error,
    };
  if (event !== "format-says-more" || !Array.isArray(facts)) return undefined;
  return {
    kind: "broken-output",
    key: "format",
    message: `Its text says what its data does not: ${facts.join(", ")}`,
  };
}

const MAX_WORDS = 300;

function cut(words: string): string {
  return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS)}…` : words;
}

/** A line of a stack that names a file; lines of Node itself do not. */
const frame = /^[ \t]*at [^\n]*?(?<=[( ])((?:file:\/\/|\/|[A-Za-z]:\\)[^\n()]*:\d+:\d+)\)?$/gm;

function readStack(error: Error): string {
  try {
    return typeof error.stack === "string" ? error.stack : "";
  } catch {
    return "";
  }
}

function frameOf(error: Error): string | undefined {
  const places = [...readStack(error).matchAll(frame)].map(([, place = ""]) => place);
  // A crash inside a library is described by the line that called the library.
  return places.find((place) => !place.includes("node_modules")) ?? places[0];
}

function shortPlace(place: string): string {
  try {
    const path = place.startsWith("file:") ? fileURLToPath(place) : place;
    const near = relative(process.cwd(), path);
    return near.startsWith("..") ? path : near;
  } catch {
    return place;
  }
}

/** What was thrown and where, for the developer. */
export function describeThrown(error: unknown): string {
  if (!(error instanceof Error)) return cut(`${typeof error} ${JSON.stringify(error) ?? String(error)}`);
  const place = frameOf(error);
  const at = place === undefined ? "" : ` (${shortPlace(place)})`;
  return `${cut(`${error.name}: ${error.message}`)}${at}`;
}

/** Equal for errors from the same place in the code. */
export function thrownPlace(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return `${error.name} ${frameOf(error) ?? error.message}`;
}

// What an answer reveals that it should not. A failure is judged as in `waybill check`. A success may legitimately name
// paths and show stacks of other programs, so there only those of this process count, besides secrets.

interface Told {
  readonly bait: Bait;
  /** What the tool openly says about itself. */
  readonly open: readonly string[];
  readonly allow: readonly (string | RegExp)[];
}

interface Leak {
  readonly key: string;
  readonly message: string;
}

const MAX_STRINGS = 2_000;

function wordsOf({ content }: JsonObject, outcome: Outcome): string {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const texts = blocks.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  return [...stringsIn(outcome.ok ? outcome.data : outcome.fault, MAX_STRINGS), ...texts].join("\n");
}

/** A folder this close to the root may occur in any text. */
function isTelling(folder: string): boolean {
  return folder.split(/[\\/]/).filter((part) => part !== "").length > 1;
}

/** A path in the working folder of this process. */
function ownPathIn(words: string, known: readonly string[]): string | undefined {
  const folder = process.cwd();
  const at = isTelling(folder) ? words.indexOf(folder) : -1;
  if (at < 0 || known.some((text) => text.includes(folder))) return undefined;
  const [path = folder] = /^[^\s"'`<>|,;:)\]}]+/.exec(words.slice(at)) ?? [];
  return path;
}

function ownStackIn(words: string): string | undefined {
  const line = stackIn(words);
  return line !== undefined && (line.includes(process.cwd()) || line.includes("node:")) ? line : undefined;
}

function isAllowed(text: string, allow: readonly (string | RegExp)[]): boolean {
  return allow.some((each) => (typeof each === "string" ? text.includes(each) : text.search(each) >= 0));
}

/** The leaks of one answer. */
function leaksIn(
  result: JsonObject,
  outcome: Outcome,
  args: JsonObject,
  { open, allow }: Told,
): readonly Leak[] {
  const words = wordsOf(result, outcome);
  const known = [...stringsIn(args, MAX_STRINGS), ...open];
  const who = outcome.ok ? "The answer" : "The failure";
  const stack = outcome.ok ? ownStackIn(words) : stackIn(words);
  // The lines of a stack name paths too, which adds nothing.
  const path =
    stack === undefined
      ? (ownPathIn(words, known) ?? (outcome.ok ? undefined : pathIn(words, () => known)))
      : undefined;
  const secret = secretIn(words, () => known);
  const found: readonly (Leak | undefined)[] = [
    stack === undefined ? undefined : { key: "stack", message: `${who} shows a stack: ${stack}` },
    path === undefined ? undefined : { key: "path", message: `${who} names a path of the machine: ${path}` },
    secret === undefined
      ? undefined
      : { key: `secret ${secret}`, message: `${who} holds a secret: ${secret}` },
  ];
  return found.filter((leak) => leak !== undefined).filter(({ message }) => !isAllowed(message, allow));
}

/** Whether an answer shows the bait file, which only a path out of the tool's folder leads to. */
export function tellsBait(result: JsonObject, { bait }: Told): boolean {
  return stringsIn(
    { content: result["content"], structuredContent: result["structuredContent"] },
    MAX_STRINGS,
  ).some((text) => bait.isToldIn(text));
}
