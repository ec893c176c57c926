import * as z from "zod/mini";
import {
  archiveHashesSchema,
  fidelityLevelSchema,
  filledText,
  telemetrySchema,
  texts,
  upgradeHintSchema,
  warningDetailSchema,
} from "./meta-fields.ts";
import { paginationSchema } from "./pagination.ts";
import { rateLimitSchema } from "./rate-limit.ts";

export const RESPONSE_VERSION = "response-v2";

/** Keys of seed 001 in its order, then those that Waybill adds. A writer uses this order; a reader accepts any. */
export const metaSchema = z
  .looseObject({
    version: z.literal(RESPONSE_VERSION),
    request_id: z.nullish(filledText),
    warnings: z.nullish(texts),
    warning_details: z.nullish(z.array(warningDetailSchema)),
    pagination: z.nullish(paginationSchema),
    rate_limit: z.nullish(rateLimitSchema),
    telemetry: z.nullish(telemetrySchema),
    content_fidelity: z.nullish(fidelityLevelSchema),
    content_fidelity_schema_version: z.nullish(z.string()),
    dropped_content_ids: z.nullish(texts),
    content_archive_hashes: z.nullish(archiveHashesSchema),
    upgrade_hints: z.nullish(z.array(upgradeHintSchema)),
    tool_id: z.nullish(z.string()),
    tool_version: z.nullish(z.string()),
    tier: z.nullish(z.string()),
    capabilities: z.nullish(texts),
    provenance: z.nullish(z.string()),
  })
  .register(z.globalRegistry, {
    id: "Meta",
    description: "Operational context. Optional keys are left out when empty; unknown keys are allowed.",
  });
