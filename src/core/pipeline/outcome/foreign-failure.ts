// A failure of a server that is not ours: whether a result reports one, what it is about, and what is kept of it. The
// rules have ids and a confidence: `high` decides, `low` is only noted.

import { errorRegistry } from "../../contract/error-registry.ts";
import { remediationFor } from "../../contract/remediation.ts";
import type { Failure, Fault, Outcome } from "../../contract/outcome.ts";
import { legacyErrorIn } from "../../contract/read-envelope.ts";
import { readToolFailure } from "../../contract/tool-failure.ts";
import type { WarningDetail } from "../../contract/warning.ts";
import { CONTRACT_META_KEY } from "../../contract/wire-names.ts";
import { jsonLengthAtLeast } from "../../json/json-chunks.ts";
import { type JsonObject, type JsonValue, isJsonObject, jsonObjectIn } from "../../json/json-value.ts";
import { type FailurePayload, readFailurePayload } from "./failure-payload.ts";
import { type Confidence, type FailureRule, NO_CODE, type SaidText, codeBy } from "./failure-rule.ts";
import { failureTextRules, vetoes } from "./failure-rules.ts";
import {
  MAX_FAILURE_LENGTH,
  MAX_UNMARKED_LENGTH,
  innerOf,
  mayBeRead,
  mayReportFailure,
} from "./failure-signs.ts";
import { nestedFailure, partialNote } from "./nested-failure.ts";
import { messagePart } from "./report-forms.ts";
import type { ResultJson } from "./result-json.ts";
import { waitIn } from "./failure-words.ts";

/** What a ready-made result says. */
export interface Said {
  readonly texts: readonly string[];
  readonly structured: JsonValue | undefined;
  readonly meta: JsonObject | undefined;
  /** The result itself says that it failed. */
  readonly isMarked: boolean;
  /** A picture, a link or another block that is no text: the texts are not all that is said. Default: false. */
  readonly hasOthers?: boolean | undefined;
  /** Whether the tool has an output schema; undefined if that is not known. */
  readonly isTyped?: boolean | undefined;
}

/** What a rule found in a result: which rule, how sure it is, and what it read. */
export interface Reading {
  readonly rule: string;
  readonly confidence: Confidence;
  readonly original: string;
}

/** What a failed result is about: what it says in `_meta`, else what its words say unambiguously. */
function kindOf(
  message: string,
  payload: FailurePayload | undefined,
  meta: JsonObject | undefined,
  beside: JsonObject,
): { readonly fault: Omit<Fault, "message">; readonly read: FailureReading | undefined } {
  const said = readToolFailure(meta);
  const read = said === undefined ? readWords(message, payload) : undefined;
  const isSure = read?.confidence === "high";
  const code = said?.code ?? (isSure ? read.code : NO_CODE);
  const { type } = errorRegistry.get(code) ?? { type: "internal" };
  const wait = isSure ? read.retryAfterSeconds : undefined;
  const details = {
    ...beside,
    // The words do not say whose limit it is: the tool may have done part of its work.
    ...(isSure && code === "RATE_LIMIT_EXCEEDED" ? { executed: "unknown" } : {}),
    ...(isSure && read.isFinal === true ? { retryable: false } : {}),
  };
  const fault = {
    code,
    type,
    remediation: (isSure ? read.remediation : undefined) ?? remediationFor(code, details) ?? "",
    ...(Object.keys(details).length > 0 ? { details } : {}),
    ...said,
    ...(wait === undefined ? {} : { data: { retry_after_seconds: wait } }),
  };
  return { fault, read };
}

/** The meaning of the payload's own code, unless the code says little and the words of its message say more. */
function readWords(message: string, payload: FailurePayload | undefined): FailureReading | undefined {
  const words = readFailureText(message);
  if (payload?.named !== undefined) return namedReading(payload, words);
  if (words?.confidence === "high") return words;
  const embedded = embeddedIn(message);
  return (embedded && namedReading(embedded, readFailureText(embedded.message))) ?? words;
}

function namedReading(
  payload: FailurePayload,
  words: FailureReading | undefined,
): FailureReading | undefined {
  const { named, rule } = payload;
  if (named === undefined || words?.isFinal === true || (named.isWeak && words?.confidence === "high"))
    return words;
  const retryAfterSeconds = payload.retryAfterSeconds ?? words?.retryAfterSeconds;
  return { code: named.code, rule: `${rule}, its own code`, confidence: "high", retryAfterSeconds };
}

const MAX_EMBEDDED_LENGTH = 4_000;

/** The report at the end of a message: an HTTP API's answer, after the server's own words. */
function embeddedIn(message: string): FailurePayload | undefined {
  const start = message.indexOf("{");
  if (start <= 0 || message.length > MAX_EMBEDDED_LENGTH || !message.trimEnd().endsWith("}"))
    return undefined;
  const report = jsonObjectIn(message.slice(start));
  return report && readFailurePayload(report, true);
}

/** How much of the text that a rule read is kept for later investigation. */
export const MAX_ORIGINAL_LENGTH = 2_000;

interface Failed {
  readonly outcome: Outcome;
  readonly fault: Fault;
  readonly reading: Reading | undefined;
}

/** The failure that texts and a structure report; `payload` is the report found in them, if any. */
export function failureOf(
  { texts, structured, meta, isMarked }: Said,
  payload: FailurePayload | undefined,
  json: ResultJson,
): Failed {
  const own = structured === undefined ? texts : texts.filter((text) => !json.repeats(text, structured));
  const said = own.length > 0 ? own : texts;
  const whole = said.join("\n").trim();
  // If a report made the result a failure, the words beside it are not part of the failure and stay as they are.
  const isAllOfIt = payload !== undefined && (structured === undefined || own.length === 0 || !isMarked);
  const message = isAllOfIt ? payload.message : whole || payload?.message || NO_MESSAGE;
  const beside = isAllOfIt ? payload.details : isJsonObject(structured) ? structured : {};
  const { fault: kind, read: reading } = kindOf(message, payload, meta, beside);
  const details = { ...beside, ...kind.details };
  const fault = { message, ...kind, ...(Object.keys(details).length > 0 ? { details } : {}) };
  const isInStructure = !isMarked && structured !== undefined && (own.length > 0 || whole === "");
  const original = (isInStructure ? JSON.stringify(structured) : whole).slice(0, MAX_ORIGINAL_LENGTH);
  const decided = reading ?? payload;
  return {
    outcome: {
      ok: false,
      fault,
      notes: reading?.confidence === "low" ? { warnings: [causeNote(reading)] } : {},
    },
    fault,
    reading: decided && { rule: decided.rule, confidence: decided.confidence, original },
  };
}

/** Gives a failure without a code the one that its words mean; everything else it said stays. */
export function nameFailure(
  { fault, notes }: Failure,
  meta: JsonObject | undefined,
  json: ResultJson,
): Pick<Failed, "outcome" | "reading"> {
  const said = { texts: [fault.message], structured: undefined, meta, isMarked: true };
  const { fault: named, outcome, reading } = failureOf(said, payloadIn(said, json), json);
  const details = { ...named.details, ...fault.details };
  const data = { ...named.data, ...fault.data };
  const { remediation = named.remediation } = fault;
  const warnings = [...(notes.warnings ?? []), ...(outcome.notes.warnings ?? [])];
  return {
    outcome: {
      ok: false,
      fault: {
        ...named,
        ...(remediation === undefined ? {} : { remediation }),
        ...(Object.keys(details).length > 0 ? { details } : {}),
        ...(Object.keys(data).length > 0 ? { data } : {}),
      },
      notes: warnings.length > 0 ? { ...notes, warnings } : notes,
    },
    reading,
  };
}

const NO_MESSAGE = "The tool failed without a message";

function causeNote({ code, rule }: FailureReading): WarningDetail {
  return {
    code: "POSSIBLE_CAUSE",
    message: `The text may mean ${code}`,
    context: { error_code: code, rule },
  };
}

export function failureNote(rule: string): WarningDetail {
  const message = "The result reads like a failure, although the server did not mark it as one";
  return { code: "POSSIBLE_FAILURE", message, context: { rule } };
}

/**
 * The report of a failure that is everything a result says: its structure, or its only text. A result that names its
 * dialect reports failures in that dialect instead.
 */
export function payloadIn(said: Said, json: ResultJson): FailurePayload | undefined {
  const { texts, structured, meta, isMarked } = said;
  if (meta?.[CONTRACT_META_KEY] !== undefined) return undefined;
  const [only = "", ...more] = texts;
  if (structured !== undefined)
    return isJsonObject(structured) ? inStructure(structured, said, json) : undefined;
  if (more.length > 0 || only.length > MAX_FAILURE_LENGTH) return undefined;
  if (isMarked ? !only.trimStart().startsWith("{") : !mayBeRead(only)) return undefined;
  // An unmarked text stays beside the failure, so its report may be read without all its parts.
  const report = isMarked ? json.read(only) : json.readLoosely(only);
  return isJsonObject(report) ? readReport(report, isMarked) : undefined;
}

/** The note that some items of a batch failed, where the batch is all that a success says. */
export function partialIn({ texts, structured, meta }: Said, json: ResultJson): WarningDetail | undefined {
  if (meta?.[CONTRACT_META_KEY] !== undefined) return undefined;
  const [only = "", ...more] = texts;
  if (isJsonObject(structured)) return partialNote(structured);
  if (more.length > 0 || only.length > MAX_FAILURE_LENGTH || !mayBeRead(only)) return undefined;
  const object = json.readLoosely(only);
  return isJsonObject(object) ? partialNote(object) : undefined;
}

function inStructure(
  structured: JsonObject,
  { texts, isMarked, isTyped }: Said,
  json: ResultJson,
): FailurePayload | undefined {
  const report = innerOf(structured);
  if (isMarked) return readReport(report, true);
  const own = texts.filter((text) => !json.repeats(text, structured));
  if (isTyped !== false) {
    // A schema may ask for this data, and words beside it are the author's words about the data.
    return texts.length > 0 && own.length === 0 && isReport(report) ? readReport(report, false) : undefined;
  }
  // Without a schema, the structure means the same as that object in a text.
  if (jsonLengthAtLeast(structured, MAX_FAILURE_LENGTH) > MAX_FAILURE_LENGTH) return undefined;
  if (own.length === 0) return readReport(report, false);
  // Beside a short text such as "done" the report is still the result; a longer text may be what was asked for.
  const payload = isReport(report) ? readReport(report, false) : undefined;
  const isShort = own.reduce((length, text) => length + text.length, 0) <= MAX_UNMARKED_LENGTH;
  return payload === undefined || isShort ? payload : { ...payload, confidence: "low" };
}

/** A schema may define a field `error`, so a structure is a report only if it has a flag, or no other field. */
export function isReport(report: JsonObject): boolean {
  const { success, ok, isError } = report;
  return success === false || ok === false || isError === true || legacyErrorIn(report) !== undefined;
}

/** In a result that says it failed, any sentence is the message. */
function readReport(object: JsonObject, isMarked: boolean): FailurePayload | undefined {
  const nested = nestedFailure(object);
  if (nested !== undefined) return nested;
  return isMarked || mayReportFailure(object) ? readFailurePayload(object, isMarked) : undefined;
}

// What the text of another server's failure is about. MCP has no error codes for tools, so most servers say in words
// that something does not exist, is not allowed, or was asked for too often. This finds the words; failure-rules.ts
// judges them.

/** What a rule found in a failure. */
interface FailureReading {
  readonly code: string;
  readonly rule: string;
  readonly confidence: Confidence;
  readonly retryAfterSeconds?: number | undefined;
  /** The same call cannot succeed before a person has changed something. */
  readonly isFinal?: boolean | undefined;
  readonly remediation?: string | undefined;
}

/** Anything longer is the output of a program, not a message about it. */
const MAX_LINE_LENGTH = 400;
const MAX_TEXT_LENGTH = 4_000;
/** Beyond the first line, only these are read, and only for codes and names. */
const MAX_LINES = 6;

/** What SDKs and languages put before a message, up to four prefixes in a row. */
const prefix =
  /^(?:MCP error -?\d{1,6}: |(?:Uncaught )?(?:Error|error|Failed|ERROR|Exception|RuntimeError|ToolError|McpError|ValueError): |❌ {0,2}|⚠️ {0,2}|Error (?:executing|calling|running|in) (?:tool )?['"]?[\w./-]{1,64}['"]?: |Tool execution failed: |Error processing [^\n:]{1,80}(?::\/\/[^\n: ]{1,200})?: |Failed to [^\n:]{1,60}: (?=MCP error |Error: |error: ))/;

/** A line that only announces an error. */
const headingLine =
  /^(?:#{1,6} |\*\*|__|\[)?\s*((?:[A-Z][\w ]{0,30} )?(?:error|failed|failure|result))\s*(?:\*\*|__|\])?\s*:?$/i;
/** The command line of a program that failed; the program's message follows. */
const commandLine = /\bcommand failed(?: with exit code \d+)?: /i;

/** The class of the error: its name may say something, its message follows. */
const className = /^(?:Uncaught )?(?:[a-z_]+\.)*[A-Z]\w{0,40}(?:Error|Exception): /;

function strip(line: string, ...prefixes: readonly RegExp[]): string {
  let rest = line;
  for (let count = 0; count < 4; count++) for (const each of prefixes) rest = rest.replace(each, "");
  return rest;
}

/** What a program wrote to stderr is its message; its command line and its exit code come before. */
const stderrLine = /^stderr: ?['"]?(?:error|fatal): /;

function linesOf(text: string): readonly string[] {
  const lines = text.split(/[\r\n]+/).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  const from = lines.slice(0, MAX_LINES).findIndex((line) => stderrLine.test(line));
  return from < 0 ? lines : [(lines[from] ?? "").replace(stderrLine, ""), ...lines.slice(from + 1)];
}

const MAX_TAILS = 5;

function tailsOf(line: string): readonly string[] {
  const tails = [line];
  for (
    let from = line.indexOf(": ");
    from > 0 && tails.length < MAX_TAILS;
    from = line.indexOf(": ", from + 1)
  )
    tails.push(line.slice(from + 2));
  return tails;
}

function saidIn(text: string): SaidText | undefined {
  const all = linesOf(text);
  let heading = "";
  let first = 0;
  for (; first < Math.min(all.length - 1, 3); first++) {
    const [, said] = headingLine.exec(all[first] ?? "") ?? [];
    if (said !== undefined) heading ||= said;
    else if (!commandLine.test(all[first] ?? "")) break;
  }
  const named = strip(all[first] ?? "", prefix);
  const line = strip(named, prefix, className);
  if (line.length > MAX_LINE_LENGTH) return undefined;
  const rest = all.slice(first + 1, first + MAX_LINES).filter((each) => each.length <= MAX_LINE_LENGTH);
  return { heading, line, tails: tailsOf(line), lines: [named, ...rest].join("\n") };
}

/** Codes that invite a retry, and may say when. */
const invitingCodes: ReadonlySet<string> = new Set([
  "RATE_LIMIT_EXCEEDED",
  "UNAVAILABLE",
  "TIMEOUT",
  "RESOURCE_EXHAUSTED",
]);
const waitingCodes: ReadonlySet<string> = new Set(["RATE_LIMIT_EXCEEDED", "UNAVAILABLE"]);

/** What a failure's text is about; undefined if no rule applies. */
function readFailureText(whole: string): FailureReading | undefined {
  const text = messagePart(whole);
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const said = saidIn(text);
  if (said === undefined || said.line === "") return undefined;
  for (const rule of failureTextRules) {
    const code = codeBy(rule, said);
    if (code === undefined) continue;
    const isInviting = invitingCodes.has(code) && rule.confidence !== "low";
    const veto = isInviting ? vetoes.find((each) => codeBy(each, said) !== undefined) : undefined;
    if (veto !== undefined) return readingOf(veto, NO_CODE, said);
    return readingOf(rule, code, said);
  }
  return undefined;
}

function readingOf(rule: FailureRule, code: string, { lines }: SaidText): FailureReading {
  const { id, confidence = "high", isFinal, remediation } = rule;
  const retryAfterSeconds = waitingCodes.has(code) ? waitIn(lines) : undefined;
  return { code, rule: id, confidence, retryAfterSeconds, isFinal, remediation };
}
