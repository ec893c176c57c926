import { wrapData } from "../../../contract/envelope.ts";
import type { Fault, Notes, Outcome } from "../../../contract/outcome.ts";
import { readMeta } from "../../../contract/read-meta.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../json/json-value.ts";
import { ENVELOPE_CAPABILITY, withoutFaultKeys } from "./render.ts";
import { type ScalpelError, readScalpelError } from "./scalpel-code.ts";

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
