import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { readErrorData } from "./error-data.ts";
import { RESPONSE_VERSION } from "./meta.ts";
import type { Outcome } from "./outcome.ts";
import { readMeta } from "./read-meta.ts";

const rootKeys = "data,error,meta,success";

/**
 * Whether a value is a response-v2 envelope: its four keys, its version, and an error exactly when it failed. Whoever
 * reads what others sent may be more lenient; whoever decides what a tool's own value is asks here.
 */
export function isEnvelope(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || Object.keys(value).sort().join() !== rootKeys) return false;
  const { success, data, error, meta } = value;
  if (!isJsonObject(data) || !isJsonObject(meta) || meta["version"] !== RESPONSE_VERSION) return false;
  return success === true ? error === null : typeof error === "string";
}

/** The message of a response-v1 failure: an object whose only key is `error`, with a text. */
export function legacyErrorIn(value: unknown): string | undefined {
  if (!isJsonObject(value) || Object.keys(value).join() !== "error") return undefined;
  const { error } = value;
  return typeof error === "string" && error.trim() !== "" ? error : undefined;
}

/** The outcome of an envelope that a handler or an upstream built itself, so that none is wrapped twice. */
export function readEnvelope(value: JsonValue): Outcome | undefined {
  if (!isEnvelope(value)) return undefined;
  const { success, data, error, meta } = value as {
    success: boolean;
    data: JsonObject;
    error: string;
    meta: JsonObject;
  };
  const notes = readMeta(meta);
  return success ? { ok: true, data, notes } : { ok: false, fault: readErrorData(error, data), notes };
}
