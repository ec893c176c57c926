import * as z from "zod/mini";
import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../../core/json/json-value.ts";
import { didYouMean } from "../../core/text/did-you-mean.ts";
import { hasFreeKeys, schemaIn, shapeOf } from "../../core/options/explain-issues.ts";
import { choice, key, list, named, text, toggle } from "../../core/options/option-kinds.ts";

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

/** The file is another product's, and each of its versions has keys of its own: what is not known stays in. */
function object<Shape extends z.core.$ZodShape>(shape: Shape) {
  return z.looseObject(shape, "Write an object: { … }.");
}

const inert = (description: string) => key(z.unknown(), `${description} Without effect here.`);
const fields = (description: string) => key(list(text), description);
const profileName = (description: string) =>
  key(text, `${description} minimal, standard, verbose, debug, or one of profiles.`);

const global = object({
  profile: profileName("How much metadata is shown:"),
  exclude_empty_arrays: key(toggle, "Leave out empty arrays in data. Default: false."),
  exclude_empty_objects: key(toggle, "Leave out empty objects in data. Default: false."),
  exclude_null_values: key(toggle, "Leave out null values in data. Default: false."),
  exclude_default_values: inert("Leave out default values."),
});

const profile = object({
  description: inert("What the profile is for."),
  parsing: inert("How sources are read."),
  envelope: key(
    object({
      include: key(list(choice(envelopeFields)), "The fields of the envelope that are always shown."),
    }),
    "The envelope under this profile.",
  ),
  common_exclusions: fields("Field names dropped from data at every depth."),
});

const tool = object({
  profile: profileName("The profile of this tool:"),
  exclude_fields: fields("Fields of data to leave out."),
  include_only: fields("Fields of data to keep; an empty list keeps all."),
  include_on_error: fields("Fields of data that are kept on an error even if they are left out otherwise."),
  exclude_when_tier: key(named(list(text)), "Fields of data to leave out for callers of a tier."),
});

function fileOf<Profile extends z.ZodMiniType, Tool extends z.ZodMiniType>(ofProfile: Profile, ofTool: Tool) {
  return object({
    $schema: inert("The JSON Schema of this file, for editors."),
    version: inert("The version that the file was written for."),
    description: inert("What the file is for."),
    parsing: inert("How sources are read."),
    global: key(global, "Settings of all tools."),
    profiles: key(named(ofProfile), "Profiles of your own, or changes to the built-in ones, by name."),
    tool_overrides: key(named(ofTool), "Settings of single tools, by name."),
  });
}

/** The format of `.code-scalpel/response_config.json` (seed 002); every key is optional. */
export const scalpelSchema = fileOf(profile, tool);

const remark = z.string();

/** The same for editors: among profiles and tools a string is a remark, which a reader takes out before. */
export const publishedScalpelSchema = fileOf(z.union([remark, profile]), z.union([remark, tool])).register(
  z.globalRegistry,
  {
    title: "Response configuration of Code Scalpel",
    description: "The settings of .code-scalpel/response_config.json that Waybill reads.",
  },
);

export type ScalpelFile = z.infer<typeof scalpelSchema>;

/** Is told of what a file says that is not known, and of what it says for its readers alone. */
export interface UnknownListener {
  readonly remark: (path: readonly string[]) => void;
  /** `meant` is the known word that is nearly the same. */
  readonly unknown: (path: readonly string[], meant: string | undefined) => void;
}

/**
 * A scalpel file without what is not known: keys, entries of `envelope.include`, and what stands in the place of a
 * profile or tool and is none. Strings under unknown keys, such as `_comment`, are remarks.
 */
export function keepKnown(
  value: JsonValue,
  schema: z.core.$ZodType | undefined,
  listener: UnknownListener,
  path: readonly string[] = [],
): JsonValue {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return keepChoices(value, schemaIn(schema, 0), listener, path);
  if (!isJsonObject(value)) return value;
  const shape = shapeOf(schema);
  const isFree = hasFreeKeys(schema);
  if (shape === undefined && !isFree) return value;
  const known = shape && Object.keys(shape);
  const kept: Record<string, JsonValue> = {};
  for (const [name, child] of Object.entries(value)) {
    const inner = [...path, name];
    const expected = schemaIn(schema, name);
    const isKnown = known === undefined ? isOfKind(child, expected) : known.includes(name);
    const meant = isKnown || known === undefined ? undefined : didYouMean(name, known);
    if (isKnown) setOwn(kept, name, keepKnown(child, expected, listener, inner));
    else if (typeof child === "string" && (name.startsWith("_") || meant === undefined))
      listener.remark(inner);
    else listener.unknown(inner, meant);
  }
  return kept satisfies JsonObject;
}

/** Where users choose the names, what has another kind than a profile, a tool or a list of fields is none of them. */
function isOfKind(value: JsonValue, schema: z.core.$ZodType | undefined): boolean {
  return schema !== undefined && shapeOf(schema) !== undefined ? isJsonObject(value) : Array.isArray(value);
}

function keepChoices(
  values: readonly JsonValue[],
  schema: z.core.$ZodType | undefined,
  listener: UnknownListener,
  path: readonly string[],
): JsonValue {
  if (!(schema instanceof z.core.$ZodEnum)) return values;
  const known = Object.values(schema._zod.def.entries).map(String);
  return values.filter((value) => {
    if (typeof value !== "string" || known.includes(value)) return true;
    listener.unknown([...path, value], didYouMean(value, known));
    return false;
  });
}
