import * as z from "zod/mini";
import { amount, filledText, jsonObject, texts, upgradeHintSchema } from "../../../contract/meta-fields.ts";

const scalpelErrorSchema = z
  .looseObject({
    error: z.string().check(z.regex(/\S/, { error: "is empty" })),
    error_code: filledText,
    error_details: z.nullish(jsonObject),
  })
  .register(z.globalRegistry, { id: "ScalpelError" });

/** Seed 002's nine keys, the `warnings` its code adds, and the `meta` that carries our further notes. */
export const scalpelSchema = z
  .looseObject({
    tier: z.nullish(z.string()),
    tool_version: z.nullish(z.string()),
    tool_id: z.nullish(z.string()),
    request_id: z.nullish(z.string()),
    capabilities: z.nullish(texts),
    duration_ms: z.nullish(amount),
    error: z.nullish(scalpelErrorSchema),
    upgrade_hints: z.nullish(z.array(upgradeHintSchema)),
    data: z.optional(z.unknown()),
    warnings: z.nullish(texts),
    meta: z.nullish(jsonObject),
  })
  .register(z.globalRegistry, { id: "ScalpelEnvelope" });

export const scalpelKeys = Object.keys(scalpelSchema.shape);
