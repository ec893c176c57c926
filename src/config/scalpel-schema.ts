import * as z from "zod/mini";
import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../json/json-value.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { hasFreeKeys, schemaIn, shapeOf } from "../options/explain-issues.ts";
import { choice, list, named, object, text, toggle } from "../options/option-kinds.ts";

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

const ignored = z.optional(z.unknown());
const names = z.optional(list(text));
const yesOrNo = z.optional(toggle);

/** The format of `.code-scalpel/response_config.json` (seed 002); every key is optional. */
export const scalpelSchema = object({
  $schema: ignored,
  version: ignored,
  description: ignored,
  parsing: ignored,
  global: z.optional(
    object({
      profile: z.optional(text),
      exclude_empty_arrays: yesOrNo,
      exclude_empty_objects: yesOrNo,
      exclude_null_values: yesOrNo,
      exclude_default_values: yesOrNo,
    }),
  ),
  profiles: z.optional(
    named(
      object({
        description: ignored,
        parsing: ignored,
        envelope: z.optional(object({ include: z.optional(list(choice(envelopeFields))) })),
        common_exclusions: names,
      }),
    ),
  ),
  tool_overrides: z.optional(
    named(
      object({
        profile: z.optional(text),
        exclude_fields: names,
        include_only: names,
        include_on_error: names,
        exclude_when_tier: z.optional(named(list(text))),
      }),
    ),
  ),
});

export type ScalpelFile = z.infer<typeof scalpelSchema>;

/**
 * Takes out the remarks of a scalpel file: strings under unknown keys, such as `_comment`.
 * A string whose key is close to a known one stays in, so that the schema reports the misspelling.
 */
export function dropRemarks(
  value: JsonValue,
  schema: z.core.$ZodType | undefined,
  onRemark: (path: readonly string[]) => void,
  path: readonly string[] = [],
): JsonValue {
  if (!isJsonObject(value) || schema === undefined) return value;
  const shape = shapeOf(schema);
  if (shape === undefined && !hasFreeKeys(schema)) return value;
  const known = shape && Object.keys(shape);
  const kept: Record<string, JsonValue> = {};
  for (const [key, child] of Object.entries(value)) {
    const inner = [...path, key];
    if (isRemark(key, child, known)) onRemark(inner);
    else setOwn(kept, key, dropRemarks(child, schemaIn(schema, key), onRemark, inner));
  }
  return kept satisfies JsonObject;
}

/** Where users choose the keys, `known` is undefined, and no string is a setting. */
function isRemark(key: string, value: JsonValue, known: readonly string[] | undefined): boolean {
  if (typeof value !== "string") return false;
  if (known === undefined) return true;
  if (known.includes(key)) return false;
  return key.startsWith("_") || didYouMean(key, known) === undefined;
}
