import { profiles as builtIn } from "../../core/contract/profile.ts";
import { type JsonValue, type JsonObject, isJsonObject, setOwn } from "../../core/json/json-value.ts";
import { formatLine } from "./config-problem.ts";
import { formatPath, hasFreeKeys, schemaIn, keysOfSchema } from "../../core/options/explain-issues.ts";
import type { Entry } from "./entry.ts";
import { type ParsedConfig, parseJsonc, refusedFile } from "./parse-jsonc.ts";
import { noteNames } from "./resolve-settings.ts";
import * as z from "zod/mini";
import { didYouMean } from "../../core/text/did-you-mean.ts";
import { choice, key, list, named, text, toggle } from "../../core/options/option-kinds.ts";

/** The result of reading a config file: settings in the words of `waybill.config.json`, and notices. */
export interface FileReading {
  readonly entries: readonly Entry[];
  readonly notices: readonly string[];
}

/** Reads `.code-scalpel/response_config.json`, the format of seed 002; comments and partial files are allowed. */
export function readScalpelConfig(text: string, file: string): FileReading {
  const parsed = parseJsonc(text, file);
  const unknown: string[] = [];
  const idle: (readonly string[])[] = [];
  const value = keepKnown(parsed.value, scalpelSchema, {
    remark: (path) => idle.push(path),
    unknown: (path, meant) => {
      const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
      const place = formatLine(parsed.placeOf(path, "key"));
      unknown.push(`${place}: "${formatPath(path)}" is not known here and is ignored.${hint}`);
    },
  });
  const result = scalpelSchema.safeParse(value);
  if (!result.success) throw refusedFile(result.error.issues, scalpelSchema, parsed);
  const notices = [...unknown.slice(0, MAX_NOTICES), ...sayIdle(file, [...idle, ...inertIn(result.data)])];
  return { entries: toEntries(result.data, parsed), notices };
}

/** The most notices of unknown keys: the file is meant for another program, and more lines would not be read. */
const MAX_NOTICES = 20;
const MAX_NAMED = 8;

/** Every file of that product has such keys, so one line reports them all. */
function sayIdle(file: string, paths: readonly (readonly string[])[]): string[] {
  if (paths.length === 0) return [];
  const named = paths.slice(0, MAX_NAMED).map(formatPath);
  const more = paths.length - named.length;
  return [`${file}: without effect here: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`];
}

/** Keys that the product itself uses and that do not affect results here. */
function inertIn(config: ScalpelFile): (readonly string[])[] {
  const general = (["$schema", "version", "description", "parsing"] as const)
    .filter((key) => config[key] !== undefined)
    .map((key) => [key]);
  const isSaid = config.global?.exclude_default_values !== undefined;
  const ofProfiles = Object.entries(config.profiles ?? {}).flatMap(([name, profile]) =>
    (["description", "parsing"] as const)
      .filter((key) => profile[key] !== undefined)
      .map((key) => ["profiles", name, key]),
  );
  return [...general, ...(isSaid ? [["global", "exclude_default_values"]] : []), ...ofProfiles];
}

type Add = (path: readonly string[], value: JsonValue | undefined, from: readonly string[]) => void;

function toEntries(config: ScalpelFile, parsed: ParsedConfig): Entry[] {
  const entries: Entry[] = [];
  const add: Add = (path, value, from) => {
    if (value !== undefined)
      entries.push({ path, value, source: "scalpel-file", place: parsed.placeOf(from) });
  };
  const { global = {}, profiles = {} } = config;
  for (const key of globalKeys) add([key], global[key], ["global", key]);
  const needed = Object.entries(formatProfiles).filter(
    ([name]) => namesProfile(config, name) && !Object.hasOwn(profiles, name),
  );
  for (const [name, profile] of [...needed, ...Object.entries(profiles)]) addProfile(name, profile, add);
  for (const [name, tool] of Object.entries(config.tool_overrides ?? {})) addTool(name, tool, add);
  return entries;
}

const globalKeys = [
  "profile",
  "exclude_empty_arrays",
  "exclude_empty_objects",
  "exclude_null_values",
] as const;

/** Profiles of the format that are not built in here. */
const formatProfiles: Readonly<Record<string, ScalpelProfile>> = {
  verbose: {
    envelope: { include: ["error", "upgrade_hints", "duration_ms"] },
    common_exclusions: ["server_version"],
  },
};

function namesProfile({ global, tool_overrides: tools = {} }: ScalpelFile, name: string): boolean {
  return global?.profile === name || Object.values(tools).some(({ profile }) => profile === name);
}

type ScalpelProfile = NonNullable<ScalpelFile["profiles"]>[string];
type EnvelopeField = (typeof envelopeFields)[number];

// The error and the upgrade hints are always shown, so they need no note.
const fieldNotes: Partial<Record<EnvelopeField, keyof typeof noteNames>> = {
  tier: "tier",
  tool_version: "tool_version",
  tool_id: "tool_id",
  request_id: "request_id",
  capabilities: "capabilities",
  duration_ms: "telemetry",
};

const namedNotes: ReadonlySet<string> = new Set(Object.values(fieldNotes));

function addProfile(name: string, profile: ScalpelProfile, add: Add): void {
  const from = ["profiles", name];
  add(from, {}, from);
  if (!Object.hasOwn(builtIn, name)) add([...from, "extends"], "minimal", from);
  add([...from, "exclude_fields"], profile.common_exclusions, [...from, "common_exclusions"]);
  const include = profile.envelope?.include;
  if (include === undefined) return;
  const always = new Set(include.map((field) => fieldNotes[field]));
  for (const [key, note] of Object.entries(noteNames)) {
    // The list has no names for warnings and other notes of ours; the profile debug shows them all.
    const base = name === "debug" && !namedNotes.has(key) ? builtIn.debug : builtIn.minimal;
    const presence = always.has(key as keyof typeof noteNames) ? "always" : base.show[note];
    add([...from, "show", key], presence, [...from, "envelope", "include"]);
  }
}

type ScalpelTool = NonNullable<ScalpelFile["tool_overrides"]>[string];

function addTool(name: string, tool: ScalpelTool, add: Add): void {
  const {
    exclude_fields: exclude,
    exclude_when_tier: byTier,
    profile,
    include_only,
    include_on_error,
  } = tool;
  const same = { profile, include_only, include_on_error };
  const from = ["tool_overrides", name];
  add(["tools", name], {}, from);
  for (const [key, value] of Object.entries(same)) add(["tools", name, key], value, [...from, key]);
  add(["tools", name, "exclude"], exclude, [...from, "exclude_fields"]);
  for (const [tier, fields] of Object.entries(byTier ?? {})) {
    add(["tools", name, "exclude_when_tier", tier], fields, [...from, "exclude_when_tier", tier]);
  }
}

const envelopeFields = [
  "tier",
  "tool_version",
  "tool_id",
  "request_id",
  "capabilities",
  "duration_ms",
  "error",
  "upgrade_hints",
] as const;

/** The file belongs to another product, and each of its versions has its own keys: unknown keys are kept. */
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
const scalpelSchema = fileOf(profile, tool);

const remark = z.string();

/** The same for editors: a string among profiles and tools is a remark, which the reader removes first. */
export const publishedScalpelSchema = fileOf(z.union([remark, profile]), z.union([remark, tool])).register(
  z.globalRegistry,
  {
    title: "Response configuration of Code Scalpel",
    description: "The settings of .code-scalpel/response_config.json that Waybill reads.",
  },
);

type ScalpelFile = z.infer<typeof scalpelSchema>;

/** Hears of unknown parts of a file, and of remarks. */
interface UnknownListener {
  readonly remark: (path: readonly string[]) => void;
  /** `meant` is the most similar known word. */
  readonly unknown: (path: readonly string[], meant: string | undefined) => void;
}

/**
 * A scalpel file without its unknown parts: keys, entries of `envelope.include`, and values that are not a
 * profile or tool where one is expected. Strings under unknown keys, such as `_comment`, are remarks.
 */
function keepKnown(
  value: JsonValue,
  schema: z.core.$ZodType | undefined,
  listener: UnknownListener,
  path: readonly string[] = [],
): JsonValue {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return keepChoices(value, schemaIn(schema, 0), listener, path);
  if (!isJsonObject(value)) return value;
  const shape = keysOfSchema(schema);
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

/**
 * Under names that users choose, only the type of the value shows whether it is a profile, a tool or a list
 * of fields.
 */
function isOfKind(value: JsonValue, schema: z.core.$ZodType | undefined): boolean {
  return schema !== undefined && keysOfSchema(schema) !== undefined
    ? isJsonObject(value)
    : Array.isArray(value);
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
