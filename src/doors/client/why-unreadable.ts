import { fidelityLevels } from "../../core/contract/outcome.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";

type Check = (value: JsonValue) => boolean;

const HASH = /^sha256:[0-9a-f]{64}$/;

function isText(value: JsonValue): value is string {
  return typeof value === "string";
}

function listOf(isItem: Check): Check {
  return (value) => Array.isArray(value) && value.every(isItem);
}

/** An object whose named keys, where they say something, pass; others are the author's own. */
function objectWith(checks: Readonly<Record<string, Check>>): Check {
  return (value) =>
    isJsonObject(value) &&
    Object.entries(checks).every(
      ([key, passes]) => (value[key] ?? null) === null || passes(value[key] ?? null),
    );
}

const isNumber: Check = (value) => typeof value === "number";
const isHashed: Check = (value) =>
  isJsonObject(value) && Object.values(value).every((hash) => isText(hash) && HASH.test(hash));

/** What this client acts on; everything else in `meta` is only read by those who look for it. */
const metaChecks: Readonly<Record<string, Check>> = {
  request_id: isText,
  warnings: listOf(isText),
  warning_details: listOf((value) => isJsonObject(value) && isText(value["message"] ?? null)),
  pagination: objectWith({ cursor: isText, has_more: (value) => typeof value === "boolean" }),
  rate_limit: objectWith({ remaining: isNumber, retry_after: isNumber, reset_at: isText }),
  content_fidelity: (value) => fidelityLevels.some((level) => level === value),
  dropped_content_ids: listOf(isText),
  content_archive_hashes: isHashed,
};

function brokenNote(meta: JsonObject): string | undefined {
  return Object.keys(metaChecks).find((key) => {
    const value = meta[key] ?? null;
    return value !== null && metaChecks[key]?.(value) === false;
  });
}

/** Why a response-v2 envelope cannot be relied on; undefined when it can. The full rules are those of strict mode. */
export function whyUnreadable({ success, data, error, meta }: JsonObject): string | undefined {
  if (!isJsonObject(data)) return "data is not an object";
  if (!isJsonObject(meta)) return "meta is not an object";
  if (success === true && (error ?? null) !== null) return "success is true, but there is an error";
  if (success === false && (typeof error !== "string" || error === "")) return "it failed without a message";
  const key = brokenNote(meta);
  return key === undefined ? undefined : `meta.${key} has the wrong form`;
}
