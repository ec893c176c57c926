import * as z from "zod/mini";
import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../json/json-value.ts";
import { errorTypes } from "./error-data.ts";
import {
  RESPONSE_VERSION,
  metaSchema,
  type Pagination,
  type RateLimit,
  type Telemetry,
  filledText,
  jsonObject,
} from "./meta.ts";
import {
  type FidelityLevel,
  type UpgradeHint,
  type EmptyMetaKey,
  FIDELITY_SCHEMA_VERSION,
  type Notes,
} from "./outcome.ts";
import { type WarningDetail, isBare } from "./warning.ts";
import { reservedMetaKeys } from "./read-meta.ts";

const errorType = z
  .string()
  .check(z.minLength(1))
  .register(z.globalRegistry, { examples: [...errorTypes] });

export const errorDataSchema = z
  .looseObject({
    error_code: z.nullish(filledText),
    error_type: z.nullish(errorType),
    remediation: z.nullish(z.string()),
    details: z.nullish(jsonObject),
  })
  .register(z.globalRegistry, { id: "ErrorData", description: "The structured half of a failure." });

export const successEnvelopeSchema = z
  .strictObject({ success: z.literal(true), data: jsonObject, error: z.null(), meta: metaSchema })
  .register(z.globalRegistry, { id: "SuccessEnvelope" });

export const errorEnvelopeSchema = z
  .strictObject({
    success: z.literal(false),
    data: errorDataSchema,
    error: filledText,
    meta: metaSchema,
  })
  .register(z.globalRegistry, { id: "ErrorEnvelope" });

export const envelopeSchema = z.union([successEnvelopeSchema, errorEnvelopeSchema]);

/** `meta` as Waybill writes it. */
export interface EnvelopeMeta {
  readonly version: typeof RESPONSE_VERSION;
  readonly request_id?: string;
  readonly warnings?: readonly string[];
  readonly warning_details?: readonly WarningDetail[];
  readonly pagination?: Pagination;
  readonly rate_limit?: RateLimit;
  readonly telemetry?: Telemetry;
  readonly content_fidelity?: FidelityLevel;
  readonly content_fidelity_schema_version?: string;
  readonly dropped_content_ids?: readonly string[];
  readonly content_archive_hashes?: Readonly<Record<string, string>>;
  readonly upgrade_hints?: readonly UpgradeHint[];
  readonly [key: string]: unknown;
}

export interface ErrorData {
  readonly error_code: string;
  readonly error_type: string;
  readonly remediation?: string;
  readonly details?: JsonObject;
  readonly [key: string]: JsonValue | undefined;
}

export interface SuccessEnvelope<Data = JsonObject> {
  readonly success: true;
  readonly data: Data;
  readonly error: null;
  readonly meta: EnvelopeMeta;
}

export interface ErrorEnvelope {
  readonly success: false;
  readonly data: ErrorData;
  readonly error: string;
  readonly meta: EnvelopeMeta;
}

/** The response-v2 envelope. Check `success` first; the rest follows from it. */
export type ResponseEnvelope<Data = JsonObject> = SuccessEnvelope<Data> | ErrorEnvelope;

/** What `data` becomes in an envelope: objects stay, nothing is `{}`, anything else sits under `result`. */
export type DataOf<Value> = [Value] extends [null | undefined]
  ? Record<string, never>
  : Value extends readonly unknown[] | string | number | boolean
    ? { readonly result: Value }
    : Value;

const reserved = new Set(reservedMetaKeys);

type Put = (key: string, value: JsonValue | undefined) => void;
type Has = (...keys: readonly EmptyMetaKey[]) => boolean;

function writeWarnings({ warnings = [] }: Notes, put: Put, emits: Has, detailsAlone: boolean): void {
  if (warnings.length === 0 && !emits("warnings", "warning_details")) return;
  const strings = detailsAlone ? warnings.filter(isBare) : warnings;
  put("warnings", [...new Set(strings.map(({ message }) => message))]);
  put(
    "warning_details",
    warnings.filter((warning) => !isBare(warning)).map((warning) => ({ ...warning })),
  );
}

/** Keys are written in this order, so that equal notes give equal bytes. */
function writeReserved(notes: Notes, put: Put, emits: Has, detailsAlone: boolean): void {
  const isEmpty = emits("dropped_content_ids", "content_archive_hashes");
  const fidelity = notes.fidelity ?? (isEmpty ? { level: "full", dropped: [], archives: {} } : undefined);
  put("version", RESPONSE_VERSION);
  put("request_id", notes.requestId);
  writeWarnings(notes, put, emits, detailsAlone);
  put("pagination", notes.pagination as JsonObject | undefined);
  put("rate_limit", notes.rateLimit as JsonObject | undefined);
  put("telemetry", notes.telemetry as JsonObject | undefined);
  if (fidelity !== undefined) {
    put("content_fidelity", fidelity.level);
    put("content_fidelity_schema_version", FIDELITY_SCHEMA_VERSION);
    put("dropped_content_ids", fidelity.dropped);
    put("content_archive_hashes", fidelity.archives);
  }
  put("upgrade_hints", notes.upgradeHints as readonly JsonObject[] | undefined);
  put("tool_id", notes.toolId);
  put("tool_version", notes.toolVersion);
  put("tier", notes.tier);
  put("capabilities", notes.capabilities);
  put("provenance", notes.provenance);
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

export interface WriteMetaOptions {
  /** Write empty lists and maps too, for readers that expect every key: all, or only these keys. */
  readonly emitEmpty?: EmitEmpty | undefined;
  /** Write `warning_details` without strings that repeat them. */
  readonly detailsAlone?: boolean | undefined;
}

export type EmitEmpty = boolean | readonly EmptyMetaKey[];

/**
 * Notes as `meta` of response-v2: reserved keys in their fixed order, empty values left out, own keys last. The form in
 * which a tool wrote its own notes counts like an option.
 */
export function writeMeta(notes: Notes, options: WriteMetaOptions = {}): JsonObject {
  const { authored = {} } = notes;
  const emitEmpty = options.emitEmpty || (authored.empty ?? []);
  const emits = (...keys: readonly string[]): boolean =>
    emitEmpty === true || emitEmpty.some((key) => keys.includes(key));
  const meta: Record<string, JsonValue> = {};
  const put: Put = (key, value) => {
    if (value !== undefined && (!isEmpty(value) || emits(key))) meta[key] = value;
  };
  writeReserved(notes, put, emits, options.detailsAlone ?? authored.detailsAlone ?? false);
  for (const [key, value] of Object.entries(notes.extra ?? {})) {
    if (!reserved.has(key)) setOwn(meta, key, value);
  }
  return meta;
}

/** `data` is always an object: a scalar or a list goes under `result`. */
export function wrapData(value: JsonValue | undefined): JsonObject {
  if (value === undefined || value === null) return {};
  return isJsonObject(value) ? value : { result: value };
}
