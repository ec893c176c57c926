// Whether a result may be something else than the success it passes for: a failure, or an envelope. A look at its
// surface only. A sign makes the outcome stage read it; no sign means that it is what MCP says it is.

import { TOOL_FAILURE_META_KEY } from "../../contract/standards/tool-failure.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";

/** Keys that payloads of failures and envelopes have at their top. */
const keys = ["success", "ok", "error", "errors", "isError", "is_error", "status", "meta"] as const;
const keyInText = new RegExp(`"(?:${keys.join("|")})"\\s*:`);

/** Payloads of failures are short; of a longer one, these many characters at either end are looked at. */
const EDGE_LENGTH = 1_024;

/** How texts begin that say of themselves that something failed. */
const failedBeginning =
  /^\s{0,16}(?:<error\b|❌|\W{0,2}(?:[A-Za-z_.]{0,40}(?:error|exception)|failed|failure|fatal|traceback|unable|cannot|could not|unauthori[sz]ed|forbidden|not found|access denied|permission denied|timeout|timed out|rate limit|too many|invalid|http|status|\d{3})\b)/i;

function isSuspectText(text: string): boolean {
  if (failedBeginning.test(text.slice(0, 200))) return true;
  if (!/^\s{0,16}\{/.test(text.slice(0, 32))) return false;
  if (text.length <= 2 * EDGE_LENGTH) return keyInText.test(text);
  return keyInText.test(text.slice(0, EDGE_LENGTH)) || keyInText.test(text.slice(-EDGE_LENGTH));
}

function isSuspectStructure(structured: JsonValue | undefined): boolean {
  return isJsonObject(structured) && keys.some((key) => Object.hasOwn(structured, key));
}

export function showsSigns(result: JsonObject): boolean {
  const { isError, _meta: meta, content, structuredContent } = result;
  if (isError === true || (isJsonObject(meta) && meta[TOOL_FAILURE_META_KEY] !== undefined)) return true;
  if (isSuspectStructure(structuredContent)) return true;
  if (!Array.isArray(content)) return false;
  return content.some(
    (block) => isJsonObject(block) && typeof block["text"] === "string" && isSuspectText(block["text"]),
  );
}
