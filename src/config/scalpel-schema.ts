import * as z from "zod";
import { choice, list, named, object, text, toggle } from "./schema-words.ts";

export const envelopeFields = [
  "tier",
  "tool_version",
  "tool_id",
  "request_id",
  "capabilities",
  "duration_ms",
  "error",
  "upgrade_hints",
] as const;

const ignored = z.unknown().optional();

/** The format of `.code-scalpel/response_config.json` (seed 002); every key is optional. */
export const scalpelSchema = object({
  $schema: ignored,
  version: ignored,
  description: ignored,
  parsing: ignored,
  global: object({
    profile: text.optional(),
    exclude_empty_arrays: toggle.optional(),
    exclude_empty_objects: toggle.optional(),
    exclude_null_values: toggle.optional(),
    exclude_default_values: toggle.optional(),
  }).optional(),
  profiles: named(
    object({
      description: ignored,
      parsing: ignored,
      envelope: object({ include: list(choice(envelopeFields)).optional() }).optional(),
      common_exclusions: list(text).optional(),
    }),
  ).optional(),
  tool_overrides: named(
    object({
      profile: text.optional(),
      exclude_fields: list(text).optional(),
      include_only: list(text).optional(),
      include_on_error: list(text).optional(),
      exclude_when_tier: named(list(text)).optional(),
    }),
  ).optional(),
});

export type ScalpelFile = z.infer<typeof scalpelSchema>;
