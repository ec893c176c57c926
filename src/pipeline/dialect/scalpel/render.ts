import type { Notes, Outcome } from "../../../contract/outcome.ts";
import { writeMeta } from "../../../contract/write-meta.ts";
import { type JsonObject, type JsonValue, mapObject } from "../../../json/json-value.ts";
import { type RenderOptions, shownNotes } from "../dialect.ts";
import { scalpelPresence } from "./presence.ts";
import { faultMetaKeys, writeScalpelError } from "./scalpel-code.ts";

export const ENVELOPE_CAPABILITY = "envelope-v1";

type Root = Record<string, JsonValue | undefined>;

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/** The nine keys of seed 002 in its order; undefined where there is nothing to say. */
function writeRoot(outcome: Outcome, notes: Notes, showsCapabilities: boolean): Root {
  const capabilities = [ENVELOPE_CAPABILITY, ...(notes.capabilities ?? [])];
  return {
    tier: notes.tier,
    tool_version: notes.toolVersion,
    tool_id: notes.toolId,
    request_id: notes.requestId,
    capabilities: showsCapabilities ? capabilities : undefined,
    duration_ms: notes.telemetry?.duration_ms,
    error: outcome.ok ? undefined : (writeScalpelError(outcome.fault).error as unknown as JsonObject),
    upgrade_hints: notes.upgradeHints as readonly object[] as readonly JsonObject[] | undefined,
    data: outcome.ok ? outcome.data : outcome.fault.data,
  };
}

/** On a failure these keys of `meta` speak of the fault, so an author's own cannot stand there. */
export function withoutFaultKeys(meta: JsonObject): JsonObject {
  return mapObject(meta, (value, key) => (faultMetaKeys.some((own) => own === key) ? undefined : value));
}

/** Notes the nine keys have no place for. */
function writeRest(outcome: Outcome, notes: Notes): { warnings?: JsonValue; meta?: JsonObject } {
  const { requestId: _id, upgradeHints: _hints, toolId: _tool, toolVersion: _version, ...without } = notes;
  const { tier: _tier, capabilities: _capabilities, telemetry, ...kept } = without;
  const { duration_ms: _duration, ...figures } = telemetry ?? {};
  const written = writeMeta({ ...kept, ...(Object.keys(figures).length > 0 ? { telemetry: figures } : {}) });
  const { version: _contract, warnings, ...meta } = written;
  const all = outcome.ok ? meta : { ...withoutFaultKeys(meta), ...writeScalpelError(outcome.fault).meta };
  return {
    ...(warnings === undefined ? {} : { warnings }),
    ...(Object.keys(all).length > 0 ? { meta: all } : {}),
  };
}

/** All nine keys, inside the error too: null where there is nothing, an empty list for no hints. */
function filled(root: Root): JsonObject {
  const pairs = Object.entries(root).map(([key, value]) => [key, value ?? null]);
  const error = root["error"] as JsonObject | undefined;
  const details = error?.["error_details"] ?? null;
  return {
    ...(Object.fromEntries(pairs) as JsonObject),
    error: error === undefined ? null : { ...error, error_details: details },
    upgrade_hints: root["upgrade_hints"] ?? [],
  };
}

export function render(outcome: Outcome, options: RenderOptions): JsonValue {
  const notes = shownNotes({ presence: scalpelPresence }, outcome, options);
  const show = options.profile.show.capabilities === "always";
  const root = writeRoot(outcome, notes, show);
  const rest = writeRest(outcome, notes);
  if (options.fill === "null" || options.profile.fillNulls) return { ...filled(root), ...rest };
  const isShown = ([key, value]: [string, JsonValue | undefined]): boolean =>
    key === "data" ? value !== undefined : !isEmpty(value);
  return { ...(Object.fromEntries(Object.entries(root).filter(isShown)) as JsonObject), ...rest };
}
