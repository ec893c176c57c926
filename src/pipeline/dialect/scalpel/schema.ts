import * as z from "zod";
import { isJsonObject } from "../../../json/json-value.ts";
import { upgradeHintSchema } from "../../../contract/upgrade-hint.ts";

const object = z.custom(isJsonObject, { error: "is not an object" }).meta({ type: "object" });

export const scalpelErrorSchema = z
  .looseObject({
    error: z.string().regex(/\S/, { error: "is empty" }),
    error_code: z.string().min(1),
    error_details: object.nullish(),
  })
  .meta({ id: "ScalpelError" });

/** Seed 002's nine keys, the `warnings` its code adds, and the `meta` that carries our further notes. */
export const scalpelSchema = z
  .looseObject({
    tier: z.string().nullish(),
    tool_version: z.string().nullish(),
    tool_id: z.string().nullish(),
    request_id: z.string().nullish(),
    capabilities: z.array(z.string()).nullish(),
    duration_ms: z.number().min(0).nullish(),
    error: scalpelErrorSchema.nullish(),
    upgrade_hints: z.array(upgradeHintSchema).nullish(),
    data: z.unknown().optional(),
    warnings: z.array(z.string()).nullish(),
    meta: object.nullish(),
  })
  .meta({ id: "ScalpelEnvelope" });

export const scalpelKeys = Object.keys(scalpelSchema.shape);
