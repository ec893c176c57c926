import { readErrorData } from "../../contract/error-data.ts";
import { RESPONSE_VERSION } from "../../contract/meta.ts";
import type { Outcome } from "../../contract/outcome.ts";
import { readMeta } from "../../contract/read-meta.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";

const rootKeys = "data,error,meta,success";

function isEnvelope(value: JsonObject): boolean {
  const { success, data, error, meta } = value;
  if (Object.keys(value).sort().join() !== rootKeys || !isJsonObject(data) || !isJsonObject(meta))
    return false;
  return (
    meta["version"] === RESPONSE_VERSION && (success === true ? error === null : typeof error === "string")
  );
}

/** The outcome of a response-v2 envelope that a handler or an upstream built itself, so that none is wrapped twice. */
export function envelopeIn(value: JsonValue): Outcome | undefined {
  if (!isJsonObject(value) || !isEnvelope(value)) return undefined;
  const { success, data, error, meta } = value as {
    success: boolean;
    data: JsonObject;
    error: string;
    meta: JsonObject;
  };
  const notes = readMeta(meta);
  return success ? { ok: true, data, notes } : { ok: false, fault: readErrorData(error, data), notes };
}
