import type { DialectId } from "../../../src/core/contract/dialect-id.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../src/core/json/json-value.ts";

/** What differs from run to run, by key. */
const volatile: Readonly<Record<string, (value: JsonValue) => JsonValue>> = {
  request_id: () => "<id>",
  cursor: (value) => (value === null ? null : "<cursor>"),
  reset_at: () => "<time>",
  duration_ms: () => "<duration>",
  retry_after_seconds: () => "<duration>",
  // Which handle an archive has, and what its content hashes to: workshop-fidelity.test.ts holds those to the content.
  content_archive_hashes: (value) =>
    isJsonObject(value)
      ? Object.fromEntries(Object.keys(value).map((_, at) => [`<archive ${at}>`, "<hash>"]))
      : value,
  // How much of a live quota is left; none left is what a refusal says.
  remaining: (value) => (value === 0 ? 0 : "<count>"),
  remediation: (value) =>
    typeof value === "string" ? value.replace(/\b\d+ seconds?\b/, "<duration>") : value,
};

function replaced(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(replaced);
  if (!isJsonObject(value)) return value;
  const pairs = Object.entries(value).map(([key, child]) => {
    const replace = Object.hasOwn(volatile, key) ? volatile[key] : undefined;
    return [key, replace === undefined ? replaced(child) : replace(child)];
  });
  return Object.fromEntries(pairs) as JsonObject;
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

/** A reader takes `[]`, null and absence of an optional key of `meta` alike (CONTRACT, Envelope). */
function withoutEmptyMeta(json: JsonValue): JsonValue {
  if (!isJsonObject(json) || !isJsonObject(json["meta"])) return json;
  const meta = Object.fromEntries(Object.entries(json["meta"]).filter(([, value]) => !isEmpty(value)));
  return { ...json, meta };
}

/** The seed's example without what differs from run to run. */
export function comparable(json: JsonValue): JsonValue {
  return withoutEmptyMeta(replaced(json));
}

const draftFaultKeys = ["error_code", "error_type", "remediation", "details", "error_data"];
const rateLimitKeys = ["period", "retry_after"];

function without(value: JsonValue | undefined, keys: readonly string[]): JsonObject {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** Of `meta`, where the default profile writes them and an example may show none: the call's id, and a warning's code. */
const optionalKeys = ["request_id", "warning_details"];

/**
 * Keys that docs/deviations.md says we add to what a seed shows: a failure's code in the draft, two of the quota; and
 * what the default profile says of every call.
 */
export function withoutAddedKeys(json: JsonValue, dialect: DialectId, seed: JsonValue): JsonValue {
  if (!isJsonObject(json) || !isJsonObject(json["meta"])) return json;
  const isDraftFailure = dialect === "response-v2-draft" && json["success"] === false;
  const shown = isJsonObject(seed) && isJsonObject(seed["meta"]) ? seed["meta"] : {};
  const added = optionalKeys.filter((key) => shown[key] === undefined);
  const meta = without(json["meta"], isDraftFailure ? [...added, ...draftFaultKeys] : added);
  const limit = meta["rate_limit"];
  const rate = limit === undefined ? {} : { rate_limit: without(limit, rateLimitKeys) };
  return { ...json, meta: { ...meta, ...rate } };
}

function warningsOf(json: JsonValue): readonly JsonValue[] {
  const meta = isJsonObject(json) ? json["meta"] : undefined;
  const details = isJsonObject(meta) ? meta["warning_details"] : undefined;
  return Array.isArray(details) ? details : [];
}

/** A cut always says in a warning's context how much is missing and how to get it; 001 shows it in one of two places. */
export function withoutAddedContext(json: JsonValue, seed: JsonValue): JsonValue {
  if (!isJsonObject(json) || !isJsonObject(json["meta"]) || warningsOf(json).length === 0) return json;
  const shown = warningsOf(seed);
  const details = warningsOf(json).map((detail, at) => {
    const counterpart = shown[at];
    const hasContext = isJsonObject(counterpart) && counterpart["context"] !== undefined;
    return hasContext ? detail : without(detail, ["context"]);
  });
  return { ...json, meta: { ...json["meta"], warning_details: details } };
}
