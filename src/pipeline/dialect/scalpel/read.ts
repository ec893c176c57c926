import type { Notes, Outcome } from "../../../contract/outcome.ts";
import { readMeta } from "../../../contract/read-meta.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../json/json-value.ts";
import { mapObject } from "../../../json/set-own.ts";
import { ENVELOPE_CAPABILITY } from "./render.ts";
import { type ScalpelError, readScalpelError } from "./scalpel-code.ts";

/** The root keys as `meta` would say them, so that one reader serves both. */
function readNotes(root: JsonObject, meta: JsonObject): Notes {
  const capabilities = Array.isArray(root["capabilities"]) ? root["capabilities"] : [];
  const telemetry = isJsonObject(meta["telemetry"]) ? meta["telemetry"] : {};
  const { duration_ms: duration } = root;
  return readMeta({
    ...meta,
    tier: root["tier"] ?? null,
    tool_version: root["tool_version"] ?? null,
    tool_id: root["tool_id"] ?? null,
    request_id: root["request_id"] ?? null,
    capabilities: capabilities.filter((name) => name !== ENVELOPE_CAPABILITY),
    telemetry: typeof duration === "number" ? { duration_ms: duration, ...telemetry } : telemetry,
    upgrade_hints: root["upgrade_hints"] ?? [],
    warnings: root["warnings"] ?? [],
  });
}

export function read(json: JsonValue): Outcome {
  const root = json as JsonObject;
  const meta = isJsonObject(root["meta"]) ? root["meta"] : {};
  const error = root["error"];
  if (!isJsonObject(error)) return { ok: true, data: root["data"] ?? null, notes: readNotes(root, meta) };
  const notes = readNotes(
    root,
    mapObject(meta, (value, key) => (/^error_(code|type)$/.test(key) ? undefined : value)),
  );
  const { data } = root;
  const fault = readScalpelError(error as JsonObject & ScalpelError, meta);
  return { ok: false, fault: isJsonObject(data) ? { ...fault, data } : fault, notes };
}
