// Whether a result has to be read at all. A success that shows no sign of a failure or an envelope can be sent as it
// came, so this looks at a few keys and at the beginnings of texts, and parses nothing. It may say yes to an ordinary
// result, but never no to one that `fromResult` would change: a law in this folder tests that.

import { TOOL_FAILURE_META_KEY } from "../../contract/tool-failure.ts";
import { CONTRACT_META_KEY } from "../../contract/wire-names.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { isFailureReport } from "./failure-report.ts";

/** A failure is short; anything longer is data, whatever its keys. */
export const MAX_FAILURE_LENGTH = 16_000;
/** A text that begins like an error but is longer, or has more lines, is a log or a document. */
export const MAX_UNMARKED_LENGTH = 1_000;

/** Whether an object has keys and values that report a failure; each has a rule in failure-payload.ts. */
export function mayReportFailure(object: JsonObject): boolean {
  const { success, ok, error, errors, status, statusCode, kind, isError, object: type, result } = object;
  return (
    result === "error" ||
    success === false ||
    ok === false ||
    isError === true ||
    (error !== undefined && error !== null && error !== false && error !== "") ||
    (Array.isArray(errors) && errors.length > 0) ||
    (typeof status === "string" && /^(?:error$|[45]\d\d$)/.test(status)) ||
    isFailedStatus(status) ||
    isFailedStatus(statusCode ?? object["status_code"]) ||
    type === "error" ||
    kind === "Status"
  );
}

function isFailedStatus(value: unknown): boolean {
  return Number(value) >= 400 && Number(value) <= 599;
}

const resultKeys: ReadonlySet<string> = new Set(["content", "isError", "structuredContent", "_meta"]);

/** Whether an object is a whole result of MCP and nothing else. */
export function isResult(object: JsonObject): boolean {
  return Array.isArray(object["content"]) && Object.keys(object).every((key) => resultKeys.has(key));
}

const wrapperKeys = ["result", "execution_result", "tool_result", "response", "output"] as const;

const answerKeys: ReadonlySet<string> = new Set([...wrapperKeys, "message", "text"]);

/** Whether a lone key says only that its text is the answer. */
export function isAnswerKey(key: string): boolean {
  return answerKeys.has(key);
}

const answerStart = new RegExp(`^\\s*\\{\\s*"(?:${[...answerKeys].join("|")})"\\s*:\\s*"`);

/** Whether a text may be the JSON of a whole result, or of a text under a lone key. */
export function mayCarryText(text: string): boolean {
  if (text.length > MAX_FAILURE_LENGTH) return false;
  return /"content"\s*:\s*\[/.test(text.slice(0, 400)) || answerStart.test(text.slice(0, 400));
}

/** The object under a lone key that says only whose answer it is. A wide object's keys are not listed for it. */
export function wrappedIn(object: JsonObject): JsonObject | undefined {
  const inner = wrapperKeys.map((key) => object[key]).find(isJsonObject);
  return inner !== undefined && Object.keys(object).length === 1 ? inner : undefined;
}

/** More items than a caller asks for in one call are data. */
const MAX_BATCH = 100;

/** The path of a file, as a batch names what each of its items is about; a URL may be what was asked about. */
const filePath = /^(?!\w+:\/\/)[^\n]{0,300}[/\\][^\n]{1,300}$/;

/** What is said of each file, if an object is about files and nothing else. Of a wide object the first keys are enough. */
function byFile(object: JsonObject): readonly JsonValue[] | undefined {
  const items: JsonValue[] = [];
  for (const key in object) {
    const item = object[key];
    if (items.length === MAX_BATCH || !filePath.test(key) || !isJsonObject(item)) return undefined;
    items.push(item);
  }
  return items.length === 0 ? undefined : items;
}

/** The items of an object that is a batch's answer and nothing else. */
export function batchIn(object: JsonObject): readonly JsonValue[] | undefined {
  const items = object["results"] ?? object["responses"];
  if (items === undefined) return byFile(object);
  if (!Array.isArray(items) || items.length === 0 || items.length > MAX_BATCH) return undefined;
  const others = Object.keys(object).filter((key) => key !== "success" && key !== "isError");
  return others.length === 1 ? items : undefined;
}

/** The items of a batch beside flat values, such as counts or a summary: they decide nothing. */
export function batchAmong(object: JsonObject): readonly JsonValue[] | undefined {
  const key = "results" in object ? "results" : "responses";
  const items = object[key];
  if (!Array.isArray(items) || items.length > MAX_BATCH) return undefined;
  const isFlatBeside = Object.entries(object).every(([name, value]) => name === key || isFlat(value));
  return isFlatBeside ? (items as readonly JsonValue[]) : undefined;
}

function isFlat(value: JsonValue | undefined): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every((each) => typeof each !== "object" || each === null);
}

function mayNestFailure(object: JsonObject): boolean {
  if (isResult(object)) return true;
  const wrapped = wrappedIn(object);
  if (wrapped !== undefined)
    return (
      mayReportFailure(wrapped) ||
      isResult(wrapped) ||
      wrappedIn(wrapped) !== undefined ||
      (batchIn(wrapped) ?? batchAmong(wrapped)) !== undefined
    );
  return (
    (batchIn(object) ?? batchAmong(object))?.some((item) => isJsonObject(item) && mayReportFailure(item)) ===
    true
  );
}

/** A list of what was asked for at once: the failure of one item may be anywhere in it. */
const batchStart = /^\s*\{[^[]{0,400}"(?:results|responses)"\s*:\s*\[/;

/** The same in the text of an object, at any depth, also where the object is quoted; or the notes of an envelope. */
const failureInJson =
  /"(?:success|ok)\\?"\s*:\s*false|"isError\\?"\s*:\s*true|"content"\s*:\s*\[|"errors?\\?"\s*:\s*(?:true|\d|\\?"[^"\\]|\[\s*[^\s\]]|\{)|"status"\s*:\s*"err|"result\\?"\s*:\s*\\?"error\\?"|"(?:status|statusCode|status_code)"\s*:\s*"?[45]\d\d\b|"object"\s*:\s*"error"|"kind"\s*:\s*"Status"|"meta"\s*:\s*\{/;

/** The beginnings of texts that report a failure without any other sign: words that continue as a report does. */
const unmarkedPrefix =
  /^[^\w{"'`<(|]{0,6}(?:(?:[a-z]{3,16} )?(?:error|exception|failure)(?:\]|\*\*)?(?: ?[:!]| - | (?!handl|track|report|tim|log|messag)[a-z]{2,16}ing [^\n]{0,120}(?::|failed|again))|failed(?: to [^\n]{2,120}|: )|MCP error -?\d|missing required [a-z]+: |invalid (?:api|arguments?|parameters?|input|request|library|token|url|path)\b[^\n]{0,40}[:.]|(?:access|permission) denied(?:[:.,]| - | to\b|$)|unauthorized(?:[:.,]| - |$)|rate limit(?:ed| exceeded)(?:[:.,]| - |$))/i;

/** Whether a text begins as its tool's policy says that failures do; anything longer is data all the same. */
export function startsLike(text: string, starts: readonly string[] | undefined): boolean {
  return text.length <= MAX_FAILURE_LENGTH && starts?.some((start) => text.startsWith(start)) === true;
}

/** What a runtime puts in the place of an answer that never came: a tool has no answer of its own to say so. */
export const answerNeverCame =
  /^\s*(?:the )?(?:mcp )?tool (?:call|execution|invocation) (?:has )?(?:timed out|was (?:cancelled|canceled|aborted))(?: after \d{1,9} ?(?:ms|s|seconds|milliseconds|minutes))?[.!]?\s*$/i;

/** A heading that says that something failed, and a sentence that says so again. */
const failedHeading =
  /^\s{0,10}#{1,6} [^\n]{0,60}\b(?:failed|error)\s{0,4}\n\s{0,10}(?:error|failed|could not|unable to)\b/i;

const tracebackStart = /^\s{0,10}Traceback \(most recent call last\):\s{0,4}\n/;

function isLikeReport(text: string): boolean {
  if (isFailureReport(text)) return true;
  if (text.length > MAX_UNMARKED_LENGTH) return false;
  return [unmarkedPrefix, answerNeverCame, failedHeading, tracebackStart].some((form) => form.test(text));
}

/** A failure or an envelope shows at the top of a text, so only both ends of a longer text are read. */
const EDGE_LENGTH = 1_024;

function edgesOf(text: string): string {
  return text.length <= 2 * EDGE_LENGTH ? text : `${text.slice(0, EDGE_LENGTH)}\n${text.slice(-EDGE_LENGTH)}`;
}

const notesInJson = /"meta"\s*:\s*\{/;
const objectStart = /^\s*\{/;
/** Writers of envelopes begin with `success`; the rest may be long. */
const envelopeStart = /^\s*\{\s*"success"/;

/** Whether a text may report a failure or be an envelope, by how it begins and by words in it. */
export function mayBeRead(text: string): boolean {
  if (!objectStart.test(text)) return isLikeReport(text);
  if (envelopeStart.test(text)) return true;
  const edges = edgesOf(text);
  if (mayCarryText(text)) return true;
  if (text.length > MAX_FAILURE_LENGTH) return notesInJson.test(edges);
  return failureInJson.test(batchStart.test(text) ? text : edges);
}

function isEnvelopeLike({ meta, success, data, error }: JsonObject): boolean {
  return isJsonObject(meta) && (success !== undefined || data !== undefined || error !== undefined);
}

/** The content of a lone key `result`, which Python servers put around every value that is not an object. */
export function innerOf(structured: JsonObject): JsonObject {
  const { result } = structured;
  return isJsonObject(result) && Object.keys(structured).length === 1 ? result : structured;
}

/**
 * False for a success that shows no sign of a failure or an envelope: nothing in it has to be read, noted or changed.
 * True if `fromResult` has to decide.
 */
export function mayNeedReading(result: JsonObject, failureStarts?: readonly string[]): boolean {
  const { isError, _meta: meta, structuredContent: structured, content } = result;
  if (isError === true) return true;
  if (isJsonObject(meta) && (meta[CONTRACT_META_KEY] ?? meta[TOOL_FAILURE_META_KEY]) !== undefined)
    return true;
  if (
    isJsonObject(structured) &&
    (isEnvelopeLike(structured) || mayReportFailure(innerOf(structured)) || mayNestFailure(structured))
  )
    return true;
  if (!Array.isArray(content)) return false;
  for (const block of content as readonly unknown[]) {
    if (!isJsonObject(block) || typeof block["text"] !== "string") continue;
    if (mayBeRead(block["text"]) || startsLike(block["text"], failureStarts)) return true;
  }
  return false;
}
