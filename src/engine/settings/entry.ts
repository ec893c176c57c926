import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../../core/json/json-value.ts";
import { formatPath } from "../../core/options/explain-issues.ts";
import type { ConfigPlace } from "./config-problem.ts";

const sources = ["default", "file", "scalpel-file", "environment", "command-line", "page"] as const;
export type SettingSource = (typeof sources)[number];

/** One setting from one source; the path uses the words of `waybill.config.json`. */
export interface Entry {
  readonly path: readonly string[];
  readonly value: JsonValue;
  readonly source: SettingSource;
  readonly place?: ConfigPlace | undefined;
  /** A gateway's file says it of all its servers. */
  readonly isForAll?: true;
}

export interface MergedEntries {
  readonly config: JsonObject;
  readonly origins: ReadonlyMap<string, Entry>;
}

/** Splits a config into single settings; lists and empty objects are not split. */
export function toEntries(
  config: JsonObject,
  source: SettingSource,
  placeOf?: (path: readonly string[]) => ConfigPlace,
): Entry[] {
  const entries: Entry[] = [];
  const visit = (value: JsonValue, path: readonly string[]): void => {
    const inner = isJsonObject(value) ? Object.entries(value) : [];
    for (const [key, child] of inner) visit(child, [...path, key]);
    if (inner.length > 0 || path.length === 0) return;
    entries.push({ path, value, source, place: placeOf?.(path) });
  };
  visit(config, []);
  return entries;
}

/** Merges entries, setting by setting; a later entry wins. */
export function mergeEntries(entries: readonly Entry[]): MergedEntries {
  const config: Record<string, JsonValue> = {};
  const origins = new Map<string, Entry>();
  for (const entry of entries) {
    const parent = openParents(config, entry.path);
    const last = entry.path.at(-1) ?? "";
    const empty = isJsonObject(entry.value) && Object.keys(entry.value).length === 0;
    if (empty && Object.hasOwn(parent, last)) continue;
    setOwn(parent, last, empty ? {} : entry.value);
    entry.path.forEach((_, length) => origins.delete(formatPath(entry.path.slice(0, length))));
    origins.set(formatPath(entry.path), entry);
  }
  return { config, origins };
}

function openParents(root: Record<string, JsonValue>, path: readonly string[]): Record<string, JsonValue> {
  let current = root;
  for (const segment of path.slice(0, -1)) {
    if (!Object.hasOwn(current, segment)) setOwn(current, segment, {});
    current = current[segment] as Record<string, JsonValue>;
  }
  return current;
}
