import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { readErrorData } from "./error-data.ts";
import { RESPONSE_VERSION } from "./meta.ts";
import { type Notes, type Outcome, emptyMetaKeys } from "./outcome.ts";
import { readMeta } from "./read-meta.ts";

const NO_MESSAGE = "The tool failed without a message";
const rootKeys = "data,error,meta,success";

function isShaped(value: unknown): value is JsonObject {
  const meta = isJsonObject(value) ? value["meta"] : undefined;
  // Most values are not envelopes, and this test rejects them at once.
  if (!isJsonObject(value) || !isJsonObject(meta) || meta["version"] !== RESPONSE_VERSION) return false;
  return isJsonObject(value["data"]) && Object.keys(value).sort().join() === rootKeys;
}

/** An envelope whose error text is empty: it says neither whether the call failed nor why. */
export function hasEmptyError(value: unknown): boolean {
  const error = isJsonObject(value) ? value["error"] : undefined;
  return typeof error === "string" && error.trim() === "" && isShaped(value);
}

/**
 * Whether a value is a response-v2 envelope: its four keys, its version, and an error exactly if it failed. This strict
 * test decides what a tool's own value is; readers of other servers' results may be more lenient.
 */
export function isEnvelope(value: unknown): value is JsonObject {
  if (!isShaped(value)) return false;
  const { success, error } = value;
  return success === true ? error === null : typeof error === "string";
}

/** The message of a response-v1 failure: an object whose only key is `error`, with a text. */
export function legacyErrorIn(value: unknown): string | undefined {
  const error = isJsonObject(value) ? value["error"] : undefined;
  if (!isJsonObject(value) || typeof error !== "string" || error.trim() === "") return undefined;
  return Object.keys(value).join() === "error" ? error : undefined;
}

function isEmptyValue(value: JsonValue | undefined): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** What the writer chose where the contract leaves a choice: empty keys, and details without strings. */
function formOf(meta: JsonObject): Pick<Notes, "authored"> {
  const empty = emptyMetaKeys.filter((key) => isEmptyValue(meta[key]));
  const { warnings, warning_details: details } = meta;
  const detailsAlone = Array.isArray(details) && details.length > 0 && !Array.isArray(warnings);
  return empty.length === 0 && !detailsAlone ? {} : { authored: { empty, detailsAlone } };
}

/** The outcome of an envelope that a handler or an upstream built itself, so that it is not wrapped twice. */
export function readEnvelope(value: JsonValue): Outcome | undefined {
  if (!isEnvelope(value)) return undefined;
  const { success, data, error, meta } = value as {
    success: boolean;
    data: JsonObject;
    error: string;
    meta: JsonObject;
  };
  const notes = { ...readMeta(meta), ...formOf(meta) };
  if (success) return { ok: true, data, notes };
  // Other servers may send a failure without a message; ours must have one.
  return { ok: false, fault: readErrorData(error.trim() === "" ? NO_MESSAGE : error, data), notes };
}
