import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import { appendPointer } from "../../../core/json/pointer.ts";
import { placeholders } from "./steady-answer.ts";

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
