import { wrapData } from "../../../contract/write-meta.ts";
import { type Fault, type Notes, type Outcome, USUAL_PROVENANCE } from "../../../contract/outcome.ts";
import { type PresenceTable, shownNotes } from "../../../contract/profile.ts";
import { readMeta } from "../../../contract/read-meta.ts";
import { writeMeta } from "../../../contract/write-meta.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../../../json/json-value.ts";
import type { RenderOptions } from "../dialect.ts";
import { type ScalpelError, faultMetaKeys, readScalpelError, writeScalpelError } from "./scalpel-code.ts";

/** Seed 002's minimal error shows no request id unless the client gave one. */
export const scalpelPresence: Readonly<Record<string, Partial<PresenceTable>>> = {
  minimal: { requestId: "given" },
};

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
function withoutFaultKeys(meta: JsonObject): JsonObject {
  return mapObject(meta, (value, key) => (faultMetaKeys.some((own) => own === key) ? undefined : value));
}

/** Notes the nine keys have no place for. */
function writeRest(outcome: Outcome, notes: Notes): { warnings?: JsonValue; meta?: JsonObject } {
  const { requestId: _id, upgradeHints: _hints, toolId: _tool, toolVersion: _version, ...without } = notes;
  const { tier: _tier, capabilities: _capabilities, telemetry, provenance, ...kept } = without;
  const { duration_ms: _duration, ...figures } = telemetry ?? {};
  const written = writeMeta({
    ...kept,
    ...(Object.keys(figures).length > 0 ? { telemetry: figures } : {}),
    // Seed 002's debug error does not say that the tool's own handler failed.
    ...(provenance === undefined || provenance === USUAL_PROVENANCE ? {} : { provenance }),
  });
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

const noteKeys = [
  "tier",
  "tool_version",
  "tool_id",
  "request_id",
  "upgrade_hints",
  "warnings",
  "capabilities",
];

/** The root keys as `meta` would say them, so that one reader serves both; the root wins. */
function readNotes(root: JsonObject, meta: JsonObject): Notes {
  const said = Object.fromEntries(noteKeys.map((key) => [key, root[key] ?? meta[key] ?? null]));
  const capabilities = Array.isArray(said["capabilities"]) ? said["capabilities"] : [];
  const telemetry = isJsonObject(meta["telemetry"]) ? meta["telemetry"] : {};
  const { duration_ms: duration } = root;
  return readMeta({
    ...meta,
    ...said,
    capabilities: capabilities.filter((name) => name !== ENVELOPE_CAPABILITY),
    telemetry: typeof duration === "number" ? { ...telemetry, duration_ms: duration } : telemetry,
  });
}

const faultFields = ["error_code", "error_type", "remediation", "details", "upgrade_hints"];

/** What a tool says about its failure in `data`; where it uses the names of a fault's own fields, one level down. */
function readFailureData(data: JsonValue | undefined): Pick<Fault, "data"> {
  if (data === undefined || data === null) return {};
  const object = wrapData(data);
  if (Object.keys(object).length === 0) return {};
  return { data: faultFields.some((key) => Object.hasOwn(object, key)) ? { data: object } : object };
}

export function read(json: JsonValue): Outcome {
  const root = json as JsonObject;
  const meta = isJsonObject(root["meta"]) ? root["meta"] : {};
  const error = root["error"];
  if (!isJsonObject(error)) return { ok: true, data: root["data"] ?? null, notes: readNotes(root, meta) };
  const fault = readScalpelError(error as JsonObject & ScalpelError, meta);
  return {
    ok: false,
    fault: { ...fault, ...readFailureData(root["data"]) },
    notes: readNotes(root, withoutFaultKeys(meta)),
  };
}
