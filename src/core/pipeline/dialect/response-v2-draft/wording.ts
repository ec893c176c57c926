import { shownNotes } from "../../../contract/profile.ts";
import { ContractError } from "../../../contract/contract-error.ts";
import { wrapData } from "../../../contract/write-meta.ts";
import { readErrorData } from "../../../contract/error-data.ts";
import type { Fault, Outcome } from "../../../contract/outcome.ts";
import { readMeta } from "../../../contract/read-meta.ts";
import { writeMeta } from "../../../contract/write-meta.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../../../json/json-value.ts";
import type { RenderOptions } from "../dialect.ts";
import type { Envelope } from "../envelope-rules.ts";
import { META, WARNINGS, liftNotes } from "./lift-notes.ts";

/** Seed 000 reserves two keys of `data` for metadata, so nothing else can stand there. */
function refuseReservedKeys(data: JsonObject): void {
  const taken = [META, WARNINGS].filter((key) => Object.hasOwn(data, key));
  if (taken.length > 0) {
    throw new ContractError(
      "CANNOT_CARRY",
      `The draft dialect takes ${taken.join(" and ")} in data for metadata, which this is not: rename the payload's key, or use response-v2.`,
      { keys: taken },
    );
  }
}

/** Moves everything but the version from `meta` into `data._meta` and `data._warnings`. */
function moveIntoData(data: JsonObject, meta: JsonObject): JsonObject {
  const { version: _, warnings, ...rest } = meta;
  return {
    ...data,
    ...(Object.keys(rest).length > 0 ? { [META]: rest } : {}),
    ...(warnings === undefined ? {} : { [WARNINGS]: warnings }),
  };
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/**
 * The payload and the metadata again, wherever the writer put the latter; `meta` wins over `data._meta` where it
 * says something, and the warnings of all places are kept.
 */
function moveOutOfData(data: JsonObject, meta: JsonObject): { data: JsonObject; meta: JsonObject } {
  const inner = isJsonObject(data[META]) ? data[META] : {};
  const outer = mapObject(meta, (value, key) =>
    isEmpty(value) && Object.hasOwn(inner, key) ? undefined : value,
  );
  const warnings = [inner["warnings"], data[WARNINGS], meta["warnings"]].flatMap(listOf);
  return {
    data: mapObject(data, (value, key) => (key === META || key === WARNINGS ? undefined : value)),
    meta: { ...inner, ...outer, ...(warnings.length > 0 ? { warnings } : {}) },
  };
}

/** An error's `data` is `{}` here, so code, type and details of the failure are in `meta`. */
export const faultKeys = ["error_code", "error_type", "remediation", "details", "error_data"] as const;

function writeFault(fault: Fault): JsonObject {
  const { code, type, remediation, details, data } = fault;
  const values = [code, type, remediation, details, data];
  const pairs = faultKeys.map((key, index) => [key, values[index]] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as JsonObject;
}

export function render(given: Outcome, options: RenderOptions): JsonValue {
  const outcome = liftNotes(given);
  const meta = writeMeta(shownNotes({}, outcome, options), { emitEmpty: options.emitEmpty ?? false });
  if (!outcome.ok) {
    const own = mapObject(meta, (value, key) =>
      faultKeys.some((taken) => taken === key) ? undefined : value,
    );
    return {
      success: false,
      data: {},
      error: outcome.fault.message,
      meta: { ...own, ...writeFault(outcome.fault) },
    };
  }
  const data = wrapData(outcome.data);
  refuseReservedKeys(data);
  if (options.metadata !== "data") return { success: true, data, error: null, meta };
  return {
    success: true,
    data: moveIntoData(data, meta),
    error: null,
    meta: { version: meta["version"] ?? null },
  };
}

export function read(json: JsonValue): Outcome {
  const envelope = json as unknown as Envelope;
  if (envelope.success) {
    const { data, meta } = moveOutOfData(envelope.data, envelope.meta);
    return { ok: true, data, notes: readMeta(meta) };
  }
  const { error_data: extra, ...meta } = envelope.meta;
  const about = mapObject(meta, (value, key) => (faultKeys.some((name) => name === key) ? value : undefined));
  const notes = readMeta(mapObject(meta, (value, key) => (Object.hasOwn(about, key) ? undefined : value)));
  const fault = readErrorData(envelope.error ?? "", { ...(isJsonObject(extra) ? extra : {}), ...about });
  return { ok: false, fault, notes };
}
