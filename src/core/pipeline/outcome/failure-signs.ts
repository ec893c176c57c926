// Whether a result has to be read at all. A success that shows no sign of a failure or an envelope can leave as it came,
// so this looks at a few keys and at how texts begin, and parses nothing. It may say yes to an ordinary result, never no
// to one that `fromResult` would change: a law beside it holds the two together.

import { TOOL_FAILURE_META_KEY } from "../../contract/standards/tool-failure.ts";
import { CONTRACT_META_KEY } from "../../contract/wire-names.ts";
import { type JsonObject, isJsonObject } from "../../json/json-value.ts";

/** A failure is short; what is longer is data, whatever its keys are called. */
export const MAX_FAILURE_LENGTH = 16_000;
/** A text that begins like an error and is longer, or has more lines, is a log or a document. */
export const MAX_UNMARKED_LENGTH = 1_000;

/** Keys of an object whose values say that it reports a failure; each has a rule in failure-payload.ts. */
export function mayReportFailure(object: JsonObject): boolean {
  const { success, ok, error, errors, status, statusCode, kind, isError, object: type } = object;
  return (
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

/** The same in the text of an object, at whatever depth; or the notes of an envelope. */
const failureInJson =
  /"(?:success|ok)"\s*:\s*false|"isError"\s*:\s*true|"errors?"\s*:\s*(?:true|\d|"[^"]|\[\s*[^\s\]]|\{)|"status"\s*:\s*"err|"(?:status|statusCode|status_code)"\s*:\s*"?[45]\d\d\b|"object"\s*:\s*"error"|"kind"\s*:\s*"Status"|"meta"\s*:\s*\{/;

/** How texts begin that report a failure although nothing else says so: words that go on as a report does. */
const unmarkedPrefix =
  /^[^\w{"'`<(|]{0,6}(?:(?:[a-z]{3,16} )?(?:error|exception|failure)(?:\]|\*\*)?(?: ?[:!]| - | (?!handl|track|report|tim|log|messag)[a-z]{2,16}ing [^\n]{0,120}(?::|failed|again))|failed(?: to [^\n]{2,120}|: )|MCP error -?\d|missing required [a-z]+: |invalid (?:api|arguments?|parameters?|input|request|library|token|url|path)\b[^\n]{0,40}[:.]|(?:access|permission) denied(?:[:.,]| - | to\b|$)|unauthorized(?:[:.,]| - |$)|rate limit(?:ed| exceeded)(?:[:.,]| - |$))/i;

/** What says that it failed, or is an envelope, says so at its top: of a longer text both ends are looked at. */
const EDGE_LENGTH = 1_024;

function edgesOf(text: string): string {
  return text.length <= 2 * EDGE_LENGTH ? text : `${text.slice(0, EDGE_LENGTH)}\n${text.slice(-EDGE_LENGTH)}`;
}

const notesInJson = /"meta"\s*:\s*\{/;
const objectStart = /^\s*\{/;
/** Writers of envelopes begin with their verdict; what they say besides may be long. */
const envelopeStart = /^\s*\{\s*"success"/;

/** Whether a text may report a failure or be an envelope, by how it begins and by words in it. */
export function mayBeRead(text: string): boolean {
  if (!objectStart.test(text)) return text.length <= MAX_UNMARKED_LENGTH && unmarkedPrefix.test(text);
  if (envelopeStart.test(text)) return true;
  const edges = edgesOf(text);
  return (text.length <= MAX_FAILURE_LENGTH ? failureInJson : notesInJson).test(edges);
}

function isEnvelopeLike({ meta, success, data, error }: JsonObject): boolean {
  return isJsonObject(meta) && (success !== undefined || data !== undefined || error !== undefined);
}

/** What Python servers put around every value that is no object. */
export function innerOf(structured: JsonObject): JsonObject {
  const { result } = structured;
  return isJsonObject(result) && Object.keys(structured).length === 1 ? result : structured;
}

/**
 * False for a success that shows no sign of being a failure or an envelope: it means what it says, and nothing in it has
 * to be read, noted or changed. True where `fromResult` has to decide.
 */
export function mayNeedReading(result: JsonObject): boolean {
  const { isError, _meta: meta, structuredContent: structured, content } = result;
  if (isError === true) return true;
  if (isJsonObject(meta) && (meta[CONTRACT_META_KEY] ?? meta[TOOL_FAILURE_META_KEY]) !== undefined)
    return true;
  if (isJsonObject(structured) && (isEnvelopeLike(structured) || mayReportFailure(innerOf(structured))))
    return true;
  if (!Array.isArray(content)) return false;
  for (const block of content as readonly unknown[]) {
    if (isJsonObject(block) && typeof block["text"] === "string" && mayBeRead(block["text"])) return true;
  }
  return false;
}
