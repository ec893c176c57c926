import { profiles as builtIn } from "../contract/profile.ts";
import type { JsonValue } from "../json/json-value.ts";
import { formatLine } from "./config-problem.ts";
import { type ScalpelFile, dropRemarks, type envelopeFields, scalpelSchema } from "./scalpel-schema.ts";
import { formatPath } from "../options/explain-issues.ts";
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
  const notices: string[] = [];
  const note = (path: readonly string[], remark: string): void => {
    notices.push(`${formatLine(parsed.placeOf(path, "key"))}: "${formatPath(path)}" ${remark}`);
  };
  const value = dropRemarks(parsed.value, scalpelSchema, (path) => note(path, "is taken as a remark."));
  const result = scalpelSchema.safeParse(value);
  if (!result.success) throw refusedFile(result.error.issues, scalpelSchema, parsed);
  noteInert(result.data, note);
  return { entries: toEntries(result.data, parsed), notices };
}

function noteInert(config: ScalpelFile, note: (path: readonly string[], remark: string) => void): void {
  const say = (value: unknown, path: readonly string[]): void => {
    if (value !== undefined) note(path, "is accepted and has no effect.");
  };
  for (const key of ["$schema", "version", "description", "parsing"] as const) say(config[key], [key]);
  say(config.global?.exclude_default_values, ["global", "exclude_default_values"]);
  for (const [name, profile] of Object.entries(config.profiles ?? {})) {
    for (const key of ["description", "parsing"] as const) say(profile[key], ["profiles", name, key]);
  }
}

type Add = (path: readonly string[], value: JsonValue | undefined, from: readonly string[]) => void;

function toEntries(config: ScalpelFile, parsed: ParsedConfig): Entry[] {
  const entries: Entry[] = [];
  const add: Add = (path, value, from) => {
    if (value !== undefined)
      entries.push({ path, value, source: "scalpel-file", place: parsed.placeOf(from) });
  };
  const { exclude_default_values: _inert, ...global } = config.global ?? {};
  for (const [key, value] of Object.entries(global)) add([key], value, ["global", key]);
  for (const [name, profile] of Object.entries(config.profiles ?? {})) addProfile(name, profile, add);
  for (const [name, tool] of Object.entries(config.tool_overrides ?? {})) addTool(name, tool, add);
  return entries;
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
  const { exclude_fields: exclude, exclude_when_tier: byTier, ...same } = tool;
  const from = ["tool_overrides", name];
  add(["tools", name], {}, from);
  for (const [key, value] of Object.entries(same)) add(["tools", name, key], value, [...from, key]);
  add(["tools", name, "exclude"], exclude, [...from, "exclude_fields"]);
  for (const [tier, fields] of Object.entries(byTier ?? {})) {
    add(["tools", name, "exclude_when_tier", tier], fields, [...from, "exclude_when_tier", tier]);
  }
}
