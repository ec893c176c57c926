import { type JsonObject, type JsonValue, setOwn } from "../json/json-value.ts";
import { FIDELITY_SCHEMA_VERSION, type Notes } from "./outcome.ts";
import { RESPONSE_VERSION } from "./meta.ts";
import { reservedMetaKeys } from "./read-meta.ts";
import { isBare } from "./warning.ts";

const reserved = new Set(reservedMetaKeys);

type Draft = Record<string, JsonValue | undefined>;

function writeWarnings(meta: Draft, notes: Notes): void {
  const warnings = notes.warnings ?? [];
  const spoken = warnings.filter((warning) => !isBare(warning));
  meta["warnings"] = [...new Set(warnings.map((warning) => warning.message))];
  meta["warning_details"] = spoken.map((warning) => ({ ...warning }));
}

function writeFidelity(meta: Draft, notes: Notes, emitEmpty: boolean): void {
  const fidelity = notes.fidelity ?? (emitEmpty ? { level: "full", dropped: [], archives: {} } : undefined);
  if (fidelity === undefined) return;
  meta["content_fidelity"] = fidelity.level;
  meta["content_fidelity_schema_version"] = FIDELITY_SCHEMA_VERSION;
  meta["dropped_content_ids"] = fidelity.dropped;
  meta["content_archive_hashes"] = fidelity.archives;
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

export interface WriteMetaOptions {
  /** Write empty lists and maps too, for readers that expect every key. */
  readonly emitEmpty?: boolean;
}

/** Notes as `meta` of response-v2: reserved keys in their fixed order, empties left out, own keys last. */
export function writeMeta(notes: Notes, options: WriteMetaOptions = {}): JsonObject {
  const emitEmpty = options.emitEmpty ?? false;
  const draft: Draft = { version: RESPONSE_VERSION, request_id: notes.requestId };
  writeWarnings(draft, notes);
  draft["pagination"] = notes.pagination as JsonObject | undefined;
  draft["rate_limit"] = notes.rateLimit as JsonObject | undefined;
  draft["telemetry"] = notes.telemetry as JsonObject | undefined;
  writeFidelity(draft, notes, emitEmpty);
  draft["upgrade_hints"] = notes.upgradeHints as readonly JsonObject[] | undefined;
  draft["tool_id"] = notes.toolId;
  draft["tool_version"] = notes.toolVersion;
  draft["tier"] = notes.tier;
  draft["capabilities"] = notes.capabilities;
  draft["provenance"] = notes.provenance;

  const meta: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(draft)) {
    if (value !== undefined && (emitEmpty || !isEmpty(value))) meta[key] = value;
  }
  for (const [key, value] of Object.entries(notes.extra ?? {})) {
    if (!reserved.has(key)) setOwn(meta, key, value);
  }
  return meta;
}
