import * as z from "zod";
import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../json/json-value.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { unwrap } from "./explain-issues.ts";
import { choice, list, named, object, text, toggle } from "./setting-kinds.ts";

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

/**
 * Takes out the remarks of a scalpel file: strings under unknown keys, such as `_comment`.
 * A string whose key is close to a known one stays in, so that the schema reports the misspelling.
 */
export function dropRemarks(
  value: JsonValue,
  schema: unknown,
  onRemark: (path: readonly string[]) => void,
  path: readonly string[] = [],
): JsonValue {
  const shape = unwrap(schema);
  if (!isJsonObject(value) || !(shape instanceof z.ZodObject || shape instanceof z.ZodRecord)) return value;
  const kept: Record<string, JsonValue> = {};
  for (const [key, child] of Object.entries(value)) {
    const inner = [...path, key];
    if (isRemark(key, child, shape)) onRemark(inner);
    else setOwn(kept, key, dropRemarks(child, innerSchema(shape, key), onRemark, inner));
  }
  return kept satisfies JsonObject;
}

function isRemark(key: string, value: JsonValue, shape: z.ZodObject | z.ZodRecord): boolean {
  if (typeof value !== "string") return false;
  if (shape instanceof z.ZodRecord) return true;
  const known = Object.keys(shape.shape);
  if (known.includes(key)) return false;
  return key.startsWith("_") || didYouMean(key, known) === undefined;
}

function innerSchema(shape: z.ZodObject | z.ZodRecord, key: string): unknown {
  if (shape instanceof z.ZodRecord) return shape.valueType;
  return Object.hasOwn(shape.shape, key) ? shape.shape[key] : undefined;
}
