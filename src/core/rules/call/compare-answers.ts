// Whether two answers to the same call are the same, apart from what changes by its nature: `_meta`, ids, times,
// durations, cursors.

import { jsonEqual, stableStringify } from "../../json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../../json/json-value.ts";
import { jsonOrText } from "../../pipeline/dialect/result-rules.ts";

export type Difference = "order" | "values" | "outcome";

/** Names of what changes by its nature, as the last word of a key. */
const passing =
  /(?:^|[_\-.])(?:id|ids|uuid|guid|ts|time|timestamp|date|datetime|now|duration|elapsed|latency|uptime|age|nonce|etag|cursor|token|session|hash|seed|at|on|ms|secs?|seconds)$/i;
const passingCamel = /(?:Id|Ids|Uuid|Time|Timestamp|Date|At|Ms|Seconds|Cursor|Token)$/;

/** Times, durations and ids inside a text. */
const passingText =
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[AP]M)?\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b(?=[a-f]*\d)[0-9a-f]{12,64}\b|\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|sec|seconds?|minutes?|hours?)\b|\b1[5-9]\d{8}(?:\d{3})?(?:\.\d+)?\b|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [^\n]{0,40}\b\d{4}\b/gi;

const PASSING = "…";
const MAX_DEPTH = 200;

function settle(value: JsonValue, depth: number): JsonValue {
  if (typeof value === "string") return value.replaceAll(passingText, PASSING);
  if (typeof value === "number") return value > 1.5e9 && value < 2e13 ? PASSING : value;
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => settle(item, depth + 1));
  return mapObject(value as JsonObject, (inner, key) =>
    key === "_meta" || passing.test(key) || passingCamel.test(key) ? undefined : settle(inner, depth + 1),
  );
}

/** What stays of a result: its blocks, the JSON of a text as a value, and its structure. */
function settled({ content, structuredContent }: JsonObject): JsonValue {
  const blocks = (Array.isArray(content) ? (content as readonly JsonValue[]) : []).map((block) =>
    isJsonObject(block) && typeof block["text"] === "string"
      ? { ...block, text: jsonOrText(block["text"]) }
      : block,
  );
  return settle({ blocks, structured: structuredContent ?? null }, 0);
}

/** The same with every list, and every line of a text, in one order. */
function sorted(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.split("\n").sort().join("\n");
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value)) return mapObject(value as JsonObject, (inner) => sorted(inner));
  const items = (value as readonly JsonValue[]).map((item) => sorted(item));
  return items
    .map((item) => [stableStringify(item), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, item]) => item);
}

/** How two results differ; undefined where they are the same. */
export function differenceOf(first: JsonObject, second: JsonObject): Difference | undefined {
  if ((first["isError"] === true) !== (second["isError"] === true)) return "outcome";
  const [a, b] = [settled(first), settled(second)];
  if (jsonEqual(a, b)) return undefined;
  return jsonEqual(sorted(a), sorted(b)) ? "order" : "values";
}
