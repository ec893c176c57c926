import type { DialectChoice } from "../../core/contract/dialect-id.ts";
import { type Profile, defaultProfileOf, profileNamed } from "../../core/contract/profile.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import { type FilterLists, type ToolOrigins, decideTool } from "./decide-tool.ts";
import type { SettingSource } from "./entry.ts";
import type { LoadedConfig } from "./resolve-config.ts";
import type { SettingLayer } from "./setting-layers.ts";
import type { DecidedSettings, Settings, ToolPath } from "./settings.ts";
import { toolLeaves, valueAt } from "./table-leaves.ts";

/** What the shape stage removes from a tool's data; an empty `includeOnly` keeps all. */
export interface ToolFilter extends FilterLists {
  readonly excludeFields: readonly string[];
}

export interface ToolSettings extends Omit<DecidedSettings, "profile" | HiddenSetting> {
  /** The dialects that a request may choose for this tool; its own comes first. */
  readonly dialects: readonly DialectChoice[];
  readonly profile: Profile;
  readonly filter: ToolFilter;
}

/** Settings about the way of a result, not about what a tool's author sees of it. */
type HiddenSetting = "delivery" | "upstream" | "strategy";

/** The settings of one tool by configuration alone; a server's code may set more. */
export function settingsForTool(settings: Settings, toolName: string): ToolSettings {
  const {
    delivery: _d,
    upstream: _u,
    strategy: _s,
    origins: _o,
    ...decided
  } = decideTool(settings, toolName);
  const profile = profileNamed(decided.profile ?? defaultProfileOf(decided.dialect), settings.profiles);
  return { ...decided, profile, filter: { ...decided.filter, excludeFields: profile.excludeFields } };
}

/** One line of `waybill config`. */
export interface ConfigRow {
  readonly setting: string;
  readonly value: JsonValue;
  readonly source: SettingSource;
  /** `file:line`, an environment variable, or nothing for a default. */
  readonly where: string;
}

/** Every effective setting with its source, sorted by name; the secret is shown as "set" or "not set". */
export function describeConfig({ origins }: LoadedConfig): ConfigRow[] {
  return Object.entries(origins)
    .map(([setting, { value, source, where = "" }]) => ({ setting, value, source, where }))
    .sort((left, right) => (left.setting < right.setting ? -1 : 1));
}

/** One line of `waybill config --tool`. */
export interface ToolConfigRow extends Omit<ConfigRow, "source"> {
  readonly source: SettingLayer;
}

/** The filter in the words of the file, without empty parts. */
function sayFilter(filter: FilterLists): JsonValue {
  const said: Record<string, JsonValue> = {
    include_only: filter.includeOnly,
    exclude: filter.exclude,
    include_on_error: filter.includeOnError,
    exclude_when_tier: filter.excludeWhenTier,
    exclude_empty_arrays: filter.dropEmptyArrays,
    exclude_empty_objects: filter.dropEmptyObjects,
    exclude_null_values: filter.dropNulls,
  };
  const isSaid = (value: JsonValue): boolean =>
    typeof value === "object" && value !== null ? Object.keys(value).length > 0 : value === true;
  return Object.fromEntries(Object.entries(said).filter(([, value]) => isSaid(value)));
}

/** The settings of one tool by files and environment, each with the layer that decided; code may set more. */
export function describeToolConfig(
  { settings }: Pick<LoadedConfig, "settings">,
  tool: string,
): ToolConfigRow[] {
  const decided = decideTool(settings, tool);
  const { dialect, dialects, origins } = decided;
  const shown = { ...decided, profile: decided.profile ?? defaultProfileOf(dialect) };
  const row = (setting: keyof ToolOrigins, value: JsonValue): ToolConfigRow => {
    const { source, where = "" } = origins[setting];
    return { setting, value, source, where };
  };
  const rows = [
    ...toolLeaves.flatMap(({ path, names }) => {
      const value = valueAt(shown, names) as JsonValue | undefined;
      return value === undefined ? [] : [row(path as ToolPath, value)];
    }),
    row("filter", sayFilter(decided.filter)),
  ];
  const allowed = {
    setting: "dialects",
    value: dialects,
    source: origins.dialect.source,
    where: "",
  } as const;
  return [...rows, allowed].sort((left, right) => (left.setting < right.setting ? -1 : 1));
}
