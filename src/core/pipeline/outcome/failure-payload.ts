// Failures that are JSON: `{"success": false, …}`, `{"ok": false, …}`, `{"error": …}`, an HTTP API's own error object.
// Many servers send them as an ordinary result. They decide only if the object reports a failure and nothing else; an
// object that also carries data may be a list of failed jobs, so it is at most noted.

import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import type { Confidence } from "./failure-rule.ts";
import { codeOfName, codeOfStatus } from "./failure-words.ts";

/** What a payload says about the failure that it reports. */
export interface FailurePayload {
  readonly rule: string;
  readonly confidence: Confidence;
  readonly message: string;
  /** The meaning of the payload's own code or status, and whether the words of its message take precedence. */
  readonly named?: { readonly code: string; readonly isWeak: boolean } | undefined;
  /** What the payload says beside its message. */
  readonly details: JsonObject;
  readonly retryAfterSeconds?: number | undefined;
}

/** Keys that describe a failure, never what was asked for. */
const reportKeys: ReadonlySet<string> = new Set(
  (
    "success ok error errors isError is_error error_code errorCode error_type errorType error_message errorMessage " +
    "error_description error_details errorDetails code status statusCode status_code statusText status_text message msg " +
    "detail details reason description title type name object kind apiVersion hint hints suggestion suggestions help " +
    "remediation retryable retry_after retryAfter retry_after_seconds request_id requestId trace_id traceId timestamp " +
    "path url documentation_url instance stack traceback cause context tool tool_name toolName operation method action " +
    "jsonrpc id version metadata"
  ).split(" "),
);
/** Flags, which are not repeated in the details. */
const flagKeys: ReadonlySet<string> = new Set(["success", "ok", "isError", "is_error"]);

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === "" || value === false || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** A sentence, and its key. */
interface Said {
  readonly key: string;
  readonly text: string;
}

/** More single values than this are a record of something, for example a line of a log. */
const MAX_ECHOED = 3;

/** What is beside the report: nothing, a few values such as an echoed argument, a record, or data. */
function besides(object: JsonObject, message: Said): "nothing" | "values" | "record" | "data" {
  let values = 0;
  for (const [key, value] of Object.entries(object)) {
    if (
      key === message.key ||
      reportKeys.has(key) ||
      isEmpty(value) ||
      (key === "result" && value === "error")
    )
      continue;
    if (typeof value === "object") return "data";
    values++;
  }
  if (values === 0) return "nothing";
  return values <= MAX_ECHOED ? "values" : "record";
}

/** Values with which a field says that there is nothing to say. */
const nothing = /^(?:none|null|nil|no errors?|n\/a|false|ok|undefined|0|-)?$/i;

function textOf(value: JsonValue | undefined): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return nothing.test(text) ? undefined : text;
}

const messageKeys = [
  "message",
  "error_message",
  "errorMessage",
  "error_description",
  "detail",
  "msg",
  "reason",
  "title",
  "description",
  "details",
  "data",
  "output",
];

/** The key and the text of the sentence in a report. */
function sentenceIn(object: JsonObject): readonly [key: string, text: string] | undefined {
  for (const key of messageKeys) {
    const text = textOf(object[key]);
    if (text !== undefined) return [key, text];
  }
  return undefined;
}

/** One word such as `channel_not_found`: a code, not a sentence. */
const isWord = /^[A-Za-z][\w.-]*$/;

/** The message of a failure: the words in `error`, or the words beside it if `error` is only a code. */
function messageOf(object: JsonObject): Said | undefined {
  const { error, errors } = object;
  const [key, beside] = sentenceIn(object) ?? ["", undefined];
  const text = textOf(error);
  if (text !== undefined && !(isWord.test(text) && beside !== undefined)) return { key: "error", text };
  if (isJsonObject(error)) {
    const inner = messageOf(error);
    if (inner !== undefined) return { key: "error", text: inner.text };
  }
  if (beside !== undefined) return { key, text: beside };
  if (Array.isArray(errors)) {
    const texts = errors.flatMap((each) => (isJsonObject(each) ? messageOf(each)?.text : textOf(each)) ?? []);
    if (texts.length > 0) return { key: "errors", text: texts.join("\n") };
  }
  return undefined;
}

const codeKeys = [
  "error_code",
  "errorCode",
  "code",
  "error",
  "error_type",
  "errorType",
  "type",
  "reason",
  "status",
  "name",
];
const statusKeys = ["status", "statusCode", "status_code", "code"];

function namedIn(object: JsonObject): FailurePayload["named"] {
  for (const key of codeKeys) {
    const word = textOf(object[key]);
    const code = word !== undefined && isWord.test(word) ? codeOfName(word) : undefined;
    if (code !== undefined) return { code, isWeak: code === "VALIDATION_ERROR" };
    if (word !== undefined && /^internal[_ ]?(?:server[_ ]?)?error$/i.test(word))
      return { code: "INTERNAL_ERROR", isWeak: true };
  }
  for (const key of statusKeys) {
    const value = object[key];
    const found =
      typeof value === "number" || typeof value === "string" ? codeOfStatus(String(value)) : undefined;
    if (found !== undefined) return found;
  }
  const { error, errors } = object;
  const inner = isJsonObject(error) ? error : Array.isArray(errors) ? errors.find(isJsonObject) : undefined;
  return inner === undefined ? undefined : namedIn(inner);
}

const waitKeys = ["retry_after_seconds", "retry_after", "retryAfter"];

function waitOf(object: JsonObject): number | undefined {
  const seconds = waitKeys
    .map((key) => Number(object[key] ?? Number.NaN))
    .find((each) => each > 0 && each <= 86_400);
  return seconds === undefined ? undefined : Math.ceil(seconds);
}

function isFailedStatus(value: JsonValue | undefined): boolean {
  return (typeof value === "number" || typeof value === "string") && /^[45]\d\d$/.test(String(value));
}

interface PayloadRule {
  readonly id: string;
  readonly says: string;
  readonly applies: (object: JsonObject) => boolean;
  /** The confidence for an object that has single values beside the report. */
  readonly withValues: Confidence;
}

const hasError = ({ error }: JsonObject): boolean => textOf(error) !== undefined || isJsonObject(error);

/** All rules for payloads; the first that applies decides. */
export const payloadRules: readonly PayloadRule[] = [
  {
    id: "payload/flag",
    says: "`success: false`, `ok: false` or `isError: true`, with words",
    applies: ({ success, ok, isError }) => success === false || ok === false || isError === true,
    withValues: "high",
  },
  {
    id: "payload/error-flag",
    says: "`error: true` with words beside it",
    applies: ({ error }) => error === true,
    withValues: "high",
  },
  {
    id: "payload/error-object",
    says: 'An API\'s own error object: `object: "error"`, or Kubernetes\' `kind: "Status"` with `status: "Failure"`',
    applies: ({ object, kind, status }) => object === "error" || (kind === "Status" && status === "Failure"),
    withValues: "high",
  },
  {
    id: "payload/error",
    says: "`error` with a text or an object that has a message",
    applies: hasError,
    withValues: "low",
  },
  {
    id: "payload/status",
    says: '`status: "error"` or `result: "error"`, or a status of 400 to 599, with words',
    applies: (object) =>
      object["status"] === "error" ||
      object["result"] === "error" ||
      ["status", "statusCode", "status_code"].some((key) => isFailedStatus(object[key])),
    withValues: "low",
  },
  {
    id: "payload/errors",
    says: "`errors` with messages, and no `data`",
    applies: ({ errors, data }) => Array.isArray(errors) && errors.length > 0 && isEmpty(data ?? null),
    withValues: "low",
  },
];

/** In a result that says it failed, any object with a sentence is a report. */
export const markedRule: PayloadRule = {
  id: "payload/message",
  says: "In a result that says it failed: an object with words",
  applies: () => true,
  withValues: "high",
};

/** The failure that a payload reports; undefined if it does not report one. */
export function readFailurePayload(object: JsonObject, isMarked: boolean): FailurePayload | undefined {
  if (!isMarked && (object["success"] === true || object["ok"] === true)) return undefined;
  const rule = payloadRules.find(({ applies }) => applies(object)) ?? (isMarked ? markedRule : undefined);
  if (rule === undefined) return undefined;
  const said = messageOf(object);
  if (said === undefined) return undefined;
  const beside = besides(object, said);
  if (beside === "record" && rule.withValues === "low") return undefined;
  const confidence = beside === "nothing" ? "high" : beside === "values" ? rule.withValues : "low";
  const details = Object.fromEntries(
    Object.entries(object).filter(
      ([key, value]) => (key !== said.key || saysMore(value)) && !flagKeys.has(key) && !isBlank(value),
    ),
  );
  const inner = isJsonObject(object["error"]) && said.key === "error" ? object["error"] : {};
  return {
    rule: rule.id,
    confidence,
    message: said.text,
    named: namedIn(object),
    details: { ...withoutMessage(inner, said.text), ...details },
    retryAfterSeconds: waitOf(object) ?? waitOf(inner),
  };
}

/** The message has only the sentences of several errors; this tells whether they say more that must be kept. */
function saysMore(value: JsonValue): boolean {
  return Array.isArray(value) && value.some((each) => isJsonObject(each) && Object.keys(each).length > 1);
}

/** Whether leaving the value out loses nothing; a zero and a false say something. */
function isBlank(value: JsonValue): boolean {
  return isEmpty(value) && typeof value !== "number" && typeof value !== "boolean";
}

function withoutMessage(object: JsonObject, message: string): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => !isBlank(value) && textOf(value) !== message),
  );
}
