// Failures inside something else: a server's whole result as the text of a router's, a report under a lone key such as
// `execution_result`, and a batch of which some or all items failed. What is inside is judged as if it were alone.

import type { WarningDetail } from "../../contract/warning.ts";
import { type JsonObject, type JsonValue, isJsonObject, jsonObjectIn } from "../../json/json-value.ts";
import { type FailurePayload, readFailurePayload } from "./failure-payload.ts";
import {
  MAX_FAILURE_LENGTH,
  batchAmong,
  batchIn,
  isAnswerKey,
  isResult,
  mayCarryText,
  mayReportFailure,
  wrappedIn,
} from "./failure-signs.ts";

/** Rules for reports inside something else. */
export const nestedRules = [
  {
    id: "nested/result",
    says: "A whole result of MCP with `isError: true`, in a text or a structure of a router's",
  },
  {
    id: "nested/key",
    says: "A report that is all there is, under `result`, `execution_result`, `tool_result`, `response` or `output`",
  },
  {
    id: "nested/batch",
    says: 'A list `results` or `responses`, or an object by paths of files, whose items all say `success: false` or `result: "error"` with words (decides); of which only some do, or only some have nothing but an `error`, also beside counts and other flat values (the warning `PARTIAL_FAILURE`)',
  },
] as const;

/** A router behind a router: no deeper nesting was ever seen. */
const MAX_DEPTH = 3;

function textsIn(content: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(content)) return [];
  return (content as readonly JsonValue[]).flatMap((block) =>
    isJsonObject(block) && typeof block["text"] === "string" ? [block["text"]] : [],
  );
}

/** A report is short; the JSON of anything longer is not read. */
function shortObjectIn(text: string): JsonObject | undefined {
  return text.length > MAX_FAILURE_LENGTH ? undefined : jsonObjectIn(text);
}

/** The text under a lone key that says only whose answer it is. */
export function soleText(object: JsonObject): string | undefined {
  const [[key, value] = [], ...others] = Object.entries(object);
  return others.length === 0 && key !== undefined && isAnswerKey(key) && typeof value === "string"
    ? value
    : undefined;
}

/** The only text that a text carries: of a whole result that is not marked, or of a lone key. */
export function textWithin(text: string): string | undefined {
  const inner = mayCarryText(text) ? jsonObjectIn(text) : undefined;
  if (inner === undefined) return undefined;
  if (!isResult(inner)) return soleText(inner);
  if (inner["isError"] === true) return undefined;
  const [only, ...more] = textsIn(inner["content"]);
  return more.length > 0 ? undefined : only;
}

function inResult(result: JsonObject, depth: number): FailurePayload | undefined {
  const texts = textsIn(result["content"]);
  const [only = "", ...more] = texts;
  const object = more.length > 0 ? undefined : shortObjectIn(only);
  const isMarked = result["isError"] === true;
  const inner = object && (nestedFailure(object, depth + 1) ?? readReport(object, isMarked));
  if (inner !== undefined || !isMarked) return inner;
  const message = texts.join("\n").trim();
  return message === "" ? undefined : { rule: "nested/result", confidence: "high", message, details: {} };
}

function readReport(object: JsonObject, isMarked: boolean): FailurePayload | undefined {
  return isMarked || mayReportFailure(object) ? readFailurePayload(object, isMarked) : undefined;
}

/** What an item of a batch says, if it says by its flag that it failed, with words and without data of its own. */
function failedItem(item: JsonValue): FailurePayload | undefined {
  if (!isJsonObject(item)) return undefined;
  if (item["success"] !== false && item["isError"] !== true && item["result"] !== "error") return undefined;
  const payload = readFailurePayload(item, false);
  return payload?.confidence === "high" ? payload : undefined;
}

function inBatch(object: JsonObject): FailurePayload | undefined {
  const items = batchIn(object);
  if (items === undefined) return undefined;
  const failed = items.flatMap((item) => failedItem(item) ?? []);
  const [first] = failed;
  if (first === undefined || failed.length < items.length) return undefined;
  const messages = [...new Set(failed.map(({ message }) => message))];
  const codes = new Set(failed.map(({ named }) => named?.code));
  return {
    rule: "nested/batch",
    confidence: "high",
    message: messages.join("\n"),
    // Only what is true of every item is true of the batch.
    named: codes.size === 1 ? first.named : undefined,
    details: object,
  };
}

/** The failure that is inside an object and is all that the object says. */
export function nestedFailure(object: JsonObject, depth = 0): FailurePayload | undefined {
  if (depth >= MAX_DEPTH) return undefined;
  if (isResult(object)) return inResult(object, depth);
  const wrapped = wrappedIn(object);
  if (wrapped === undefined) return inBatch(object);
  const inner = nestedFailure(wrapped, depth + 1) ?? readReport(wrapped, false);
  return inner && { ...inner, rule: inner.rule.startsWith("nested/") ? inner.rule : "nested/key" };
}

/** How many values beside its error an item that failed may have: what was asked for, such as `url`. */
const MAX_ASKED = 1;

function saysError(item: JsonValue): item is JsonObject {
  return isJsonObject(item) && readFailurePayload({ error: item["error"] ?? null }, false) !== undefined;
}

/** What an item says beside its error and the flags that say the same. */
function valuesBeside(item: JsonObject): readonly (readonly [key: string, value: JsonValue])[] {
  return Object.entries(item).filter(
    ([key, value]) => !verdictKeys.has(key) && value !== null && value !== "",
  );
}

const verdictKeys: ReadonlySet<string> = new Set(["error", "success", "ok", "isError"]);

/** Whether an item has only an error, where every item without one has more: rows with a column of errors have as much. */
function lacksData(item: JsonObject, others: readonly JsonObject[]): boolean {
  const said = valuesBeside(item);
  const keys = new Set(said.map(([key]) => key));
  const isBare = said.length <= MAX_ASKED && said.every(([, value]) => typeof value !== "object");
  const haveMore = others.every((other) => valuesBeside(other).some(([key]) => !keys.has(key)));
  return isBare && others.length > 0 && haveMore;
}

/** How many items of a batch failed: because an error is all they have, or, if the batch is all there is, by their flags. */
function countFailed(items: readonly JsonValue[], isAll: boolean): number {
  const others = items.filter((item) => isJsonObject(item) && !saysError(item));
  const isFailed = (item: JsonValue): boolean =>
    (isAll && failedItem(item) !== undefined) || (saysError(item) && lacksData(item, others));
  return items.filter(isFailed).length;
}

/** A note on a batch of which some items failed; undefined for anything else. */
export function partialNote(object: JsonObject, depth = 0): WarningDetail | undefined {
  if (depth >= MAX_DEPTH) return undefined;
  const [only = ""] = isResult(object) ? textsIn(object["content"]) : [];
  const inner = isResult(object) ? shortObjectIn(only) : wrappedIn(object);
  if (inner !== undefined) return partialNote(inner, depth + 1);
  const items = batchIn(object);
  const among = items ?? batchAmong(object) ?? [];
  const [failed, total] = [countFailed(among, items !== undefined), among.length];
  if (failed === 0 || failed === total) return undefined;
  const message = `${failed} of ${total} items of this batch failed`;
  return { code: "PARTIAL_FAILURE", message, context: { failed, total, rule: "nested/batch" } };
}

/** Whether a warning is the note above, which is ours although tools have its code too. */
export function isBatchNote({ code, context }: WarningDetail): boolean {
  return code === "PARTIAL_FAILURE" && context?.["rule"] === "nested/batch";
}
