import * as z from "zod";
import { archiveHashesSchema, fidelityLevelSchema } from "./fidelity.ts";
import { paginationSchema } from "./pagination.ts";
import { rateLimitSchema } from "./rate-limit.ts";
import { telemetrySchema } from "./telemetry.ts";
import { upgradeHintSchema } from "./upgrade-hint.ts";
import { warningDetailSchema } from "./warning.ts";

export const RESPONSE_VERSION = "response-v2";

/** Keys of seed 001 in its order, then the ones Waybill adds; a writer uses this order, a reader any. */
export const metaSchema = z
  .looseObject({
    version: z.literal(RESPONSE_VERSION),
    request_id: z.string().min(1).nullish(),
    warnings: z.array(z.string()).nullish(),
    warning_details: z.array(warningDetailSchema).nullish(),
    pagination: paginationSchema.nullish(),
    rate_limit: rateLimitSchema.nullish(),
    telemetry: telemetrySchema.nullish(),
    content_fidelity: fidelityLevelSchema.nullish(),
    content_fidelity_schema_version: z.string().nullish(),
    dropped_content_ids: z.array(z.string()).nullish(),
    content_archive_hashes: archiveHashesSchema.nullish(),
    upgrade_hints: z.array(upgradeHintSchema).nullish(),
    tool_id: z.string().nullish(),
    tool_version: z.string().nullish(),
    tier: z.string().nullish(),
    capabilities: z.array(z.string()).nullish(),
    provenance: z.string().nullish(),
  })
  .meta({
    id: "Meta",
    description: "Operational context. Optional keys are left out when empty; unknown keys are allowed.",
  });

export const reservedMetaKeys = Object.keys(metaSchema.shape);
