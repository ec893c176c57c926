import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../../../core/json/json-value.ts";
import { appendPointer } from "../../../core/json/pointer.ts";
import { jsonOrText } from "../../../core/pipeline/dialect/result-rules.ts";

/** One place where an answer differs from the recorded one. */
export interface AnswerDifference {
  /** The file's name in the folder. */
  readonly file: string;
  readonly tool: string;
  /** JSON Pointer into the file; empty for the whole file. */
  readonly path: string;
  readonly message: string;
}

/** More differences in one file add no information. */
const MAX_PER_FILE = 50;
const MAX_SHOWN = 80;
const MAX_DEPTH = 250;

function show(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}

const isTime = (value: JsonValue): boolean =>
  value === placeholders.timestamp ||
  (typeof value === "number" && value > 1e9) ||
  (typeof value === "string" && !Number.isNaN(Date.parse(value)));

/** A placeholder in a file matches any value of its kind. */
function stands(recorded: JsonValue, now: JsonValue): boolean {
  if (recorded === placeholders.any) return true;
  return recorded === placeholders.timestamp && isTime(now);
}

class Comparison {
  readonly found: { readonly path: string; readonly message: string }[] = [];

  add(path: string, recorded: JsonValue | undefined, now: JsonValue | undefined): void {
    if (this.found.length < MAX_PER_FILE)
      this.found.push({ path, message: `recorded ${show(recorded)}, now ${show(now)}` });
  }

  compare(recorded: JsonValue, now: JsonValue, path: string, depth = 0): void {
    if (recorded === now || stands(recorded, now) || this.found.length >= MAX_PER_FILE) return;
    if (depth < MAX_DEPTH && Array.isArray(recorded) && Array.isArray(now))
      return this.#compareLists(recorded, now, path, depth);
    if (depth < MAX_DEPTH && isJsonObject(recorded) && isJsonObject(now))
      return this.#compareObjects(recorded, now, path, depth);
    this.add(path, recorded, now);
  }

  #compareLists(
    recorded: readonly JsonValue[],
    now: readonly JsonValue[],
    path: string,
    depth: number,
  ): void {
    const shared = Math.min(recorded.length, now.length);
    for (let at = 0; at < shared; at += 1)
      this.compare(recorded[at] ?? null, now[at] ?? null, appendPointer(path, String(at)), depth + 1);
    if (recorded.length !== now.length && this.found.length < MAX_PER_FILE)
      this.found.push({ path, message: `recorded ${recorded.length} items, now ${now.length}` });
  }

  #compareObjects(recorded: JsonObject, now: JsonObject, path: string, depth: number): void {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(now)])) {
      const before = Object.hasOwn(recorded, name) ? recorded[name] : undefined;
      const after = Object.hasOwn(now, name) ? now[name] : undefined;
      const at = appendPointer(path, name);
      if (before === undefined || after === undefined) this.add(at, before, after);
      else this.compare(before, after, at, depth + 1);
    }
  }
}

/** The places where a file differs from what would be written today. */
export function compareRecorded(
  recorded: JsonObject,
  now: JsonObject,
): readonly { readonly path: string; readonly message: string }[] {
  const comparison = new Comparison();
  comparison.compare(recorded, now, "");
  return comparison.found;
}

// An answer that can be recorded: values that naturally change from call to call become placeholders that name their
// kind.

/** The placeholders. `<any>` may also be written by hand, and stays when files are written again. */
const placeholders = {
  requestId: "<request id>",
  duration: "<duration>",
  timestamp: "<timestamp>",
  cursor: "<cursor>",
  quota: "<quota>",
  any: "<any>",
} as const;

/** A text block that contains JSON is kept as a value, so that a difference has a path in it. */
const JSON_TEXT = "$json";
const MAX_STEADY_DEPTH = 200;
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
  if (depth > MAX_STEADY_DEPTH || typeof value !== "object" || value === null) return value;
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
  if (isJsonObject(kept) && isJsonObject(other) && depth <= MAX_STEADY_DEPTH) {
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
