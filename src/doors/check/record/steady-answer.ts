// An answer that can be recorded: values that naturally change from call to call become placeholders that name their
// kind.

import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../../../core/json/json-value.ts";
import { jsonOrText } from "../../../core/pipeline/dialect/result-rules.ts";

/** The placeholders. `<any>` may also be written by hand, and stays when files are written again. */
export const placeholders = {
  requestId: "<request id>",
  duration: "<duration>",
  timestamp: "<timestamp>",
  cursor: "<cursor>",
  quota: "<quota>",
  any: "<any>",
} as const;

/** A text block that contains JSON is kept as a value, so that a difference has a path in it. */
const JSON_TEXT = "$json";
const MAX_DEPTH = 200;
/** A time this close to the check belongs to this call; an older time is data. */
const NEAR_MS = 36 * 60 * 60 * 1_000;

const requestIds = /^(?:request|trace|span|correlation|session|transaction|call)_?id$|^traceparent$/i;
const durations =
  /^(?:.*_)?(?:duration|elapsed|latency|took)(?:_?(?:ms|us|ns|s|secs?|seconds))?$|^durationMs$|^elapsedMs$/i;
const cursors = /^(?:.*_)?(?:cursor|page_?token)$|^(?:next|prev|previous|end|start)(?:Cursor|PageToken)$/i;
const quotas = /^(?:remaining|reset|reset_?at|reset_?in.*|retry_after.*|retryAfter.*)$/i;

const times = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/g;
const ids = /\breq_[\w-]{6,80}/g;
const spans = /\b\d+(?:\.\d+)? ?(?:ms|µs|ns)\b/g;

function isNear(time: number, nowMs: number): boolean {
  return Math.abs(time - nowMs) < NEAR_MS;
}

function steadyText(text: string, nowMs: number): string {
  return text
    .replaceAll(times, (found) =>
      isNear(Date.parse(found.replace(" ", "T").replace(",", ".")), nowMs) ? placeholders.timestamp : found,
    )
    .replaceAll(ids, placeholders.requestId)
    .replaceAll(spans, placeholders.duration);
}

function byName(name: string, value: JsonValue, parent: string): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  if (requestIds.test(name)) return placeholders.requestId;
  if (typeof value === "number" && durations.test(name)) return placeholders.duration;
  if (typeof value === "string" && cursors.test(name)) return placeholders.cursor;
  return /rate_?limit/i.test(parent) && quotas.test(name) ? placeholders.quota : undefined;
}

function steady(value: JsonValue, nowMs: number, parent: string, depth: number): JsonValue {
  if (typeof value === "string") return steadyText(value, nowMs);
  if (typeof value === "number")
    return isNear(value, nowMs) || isNear(value * 1_000, nowMs) ? placeholders.timestamp : value;
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((item) => steady(item, nowMs, parent, depth + 1));
  const copy: Record<string, JsonValue> = {};
  for (const [name, inner] of Object.entries(value as JsonObject))
    setOwn(copy, name, byName(name, inner, parent) ?? steady(inner, nowMs, name, depth + 1));
  return copy;
}

/** Texts that contain JSON are parsed; all others stay texts. */
function opened({ content, ...rest }: JsonObject): JsonObject {
  if (!Array.isArray(content)) return content === undefined ? rest : { ...rest, content };
  const blocks = (content as readonly JsonValue[]).map((block) => {
    const text = isJsonObject(block) ? block["text"] : undefined;
    const json = typeof text === "string" ? jsonOrText(text) : undefined;
    return isJsonObject(block) && typeof json === "object" && json !== null
      ? { ...block, text: { [JSON_TEXT]: json } }
      : block;
  });
  return { content: blocks, ...rest };
}

/** A result or an error without the values that belong to one call. */
export function steadyAnswer(answer: JsonObject, nowMs: number): JsonObject {
  return steady(opened(answer), nowMs, "", 0) as JsonObject;
}

/** `kept`, with `<any>` where `other` has a different value: it changes from call to call. */
export function withoutChanging(kept: JsonValue, other: JsonValue, depth = 0): JsonValue {
  if (kept === other) return kept;
  if (isJsonObject(kept) && isJsonObject(other) && depth <= MAX_DEPTH) {
    const copy: Record<string, JsonValue> = {};
    for (const [name, inner] of Object.entries(kept)) {
      const beside = Object.hasOwn(other, name) ? other[name] : undefined;
      setOwn(copy, name, beside === undefined ? inner : withoutChanging(inner, beside, depth + 1));
    }
    return copy;
  }
  if (Array.isArray(kept) && Array.isArray(other)) {
    const items = other as readonly JsonValue[];
    return (kept as readonly JsonValue[]).map((item, at) => {
      const beside = items[at];
      return beside === undefined ? item : withoutChanging(item, beside, depth + 1);
    });
  }
  const isPlain = (value: JsonValue): boolean => typeof value !== "object" || value === null;
  return isPlain(kept) && isPlain(other) ? placeholders.any : kept;
}

/** Carries hand-written `<any>` of an older file into the new file. */
export function withAny(fresh: JsonValue, old: JsonValue | undefined): JsonValue {
  if (old === placeholders.any) return old;
  if (isJsonObject(fresh) && isJsonObject(old)) {
    const copy: Record<string, JsonValue> = {};
    for (const [name, inner] of Object.entries(fresh))
      setOwn(copy, name, withAny(inner, Object.hasOwn(old, name) ? old[name] : undefined));
    return copy;
  }
  if (Array.isArray(fresh) && Array.isArray(old))
    return (fresh as readonly JsonValue[]).map((item, at) =>
      withAny(item, (old as readonly JsonValue[])[at]),
    );
  return fresh;
}
