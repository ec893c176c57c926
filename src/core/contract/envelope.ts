import * as z from "zod/mini";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { errorTypes } from "./error-data.ts";
import {
  type RESPONSE_VERSION,
  metaSchema,
  type Pagination,
  type RateLimit,
  type Telemetry,
  filledText,
  jsonObject,
} from "./meta.ts";
import type { FidelityLevel, UpgradeHint } from "./outcome.ts";
import type { WarningDetail } from "./warning.ts";

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
