import { profiles as builtIn } from "../../core/contract/profile.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import { formatLine } from "./config-problem.ts";
import { type ScalpelFile, type envelopeFields, keepKnown, scalpelSchema } from "./scalpel-schema.ts";
import { formatPath } from "../../core/options/explain-issues.ts";
import type { Entry } from "./entry.ts";
import { type ParsedConfig, parseJsonc, refusedFile } from "./parse-jsonc.ts";
import { noteNames } from "./resolve-profiles.ts";

/** What a config file gives: settings in the words of `waybill.config.json`, and remarks about it. */
export interface FileReading {
  readonly entries: readonly Entry[];
  readonly notices: readonly string[];
}

/** Reads `.code-scalpel/response_config.json`, the format of seed 002; comments and partial files are fine. */
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

/** Of unknown keys: nobody reads more lines of a file that is meant for another program. */
const MAX_NOTICES = 20;
const MAX_NAMED = 8;

/** Every file of the product has such keys, so they get one line together. */
function sayIdle(file: string, paths: readonly (readonly string[])[]): string[] {
  if (paths.length === 0) return [];
  const named = paths.slice(0, MAX_NAMED).map(formatPath);
  const more = paths.length - named.length;
  return [`${file}: without effect here: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`];
}

/** Keys that the product itself has, and that say nothing about results here. */
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

/** What the format itself knows besides the profiles that are built in here. */
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

// The error and the upgrade hints are always shown, so no note stands for them.
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
    // The list has no name for warnings and other notes of ours; debug is asked for to see them all.
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
