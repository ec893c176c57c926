import type { DialectId } from "../contract/dialect-id.ts";
import type { Encoding } from "../pipeline/parcel.ts";
import { profileNamed, type Profile } from "../contract/profile.ts";
import { defaultProfileOf } from "../contract/profile.ts";
import { type Budget, type Settings, type ToolOverride } from "./settings.ts";

/** What the shape stage leaves out of a tool's data; an empty `includeOnly` keeps all. */
export interface ToolFilter {
  readonly includeOnly: readonly string[];
  readonly exclude: readonly string[];
  readonly includeOnError: readonly string[];
  readonly excludeWhenTier: Readonly<Record<string, readonly string[]>>;
  readonly excludeFields: readonly string[];
  readonly dropEmptyArrays: boolean;
  readonly dropEmptyObjects: boolean;
  readonly dropNulls: boolean;
}

export interface ToolSettings {
  readonly dialect: DialectId;
  /** What a request may choose for this tool, its own dialect first. */
  readonly dialects: readonly DialectId[];
  readonly profile: Profile;
  readonly encoding: Encoding;
  readonly filter: ToolFilter;
  readonly budget: Budget;
}

/** The settings of one tool: the environment first, then the tool's own, then the general ones. */
export function settingsForTool(settings: Settings, toolName: string): ToolSettings {
  const tool = Object.hasOwn(settings.tools, toolName) ? settings.tools[toolName] : undefined;
  const dialect = (settings.pinned.includes("dialect") ? undefined : tool?.dialect) ?? settings.dialect;
  const profile = profileNamed(profileName(settings, tool, dialect), settings.profiles);
  const pinnedTokens = settings.pinned.includes("budget.tokens") ? { tokens: settings.budget.tokens } : {};
  return {
    dialect,
    dialects: [...new Set([dialect, ...(tool?.dialects ?? settings.allow.dialects)])],
    profile,
    encoding: tool?.encoding ?? settings.encoding,
    filter: {
      includeOnly: tool?.includeOnly ?? [],
      exclude: tool?.exclude ?? [],
      includeOnError: tool?.includeOnError ?? [],
      excludeWhenTier: tool?.excludeWhenTier ?? {},
      excludeFields: profile.excludeFields,
      dropEmptyArrays: settings.excludeEmptyArrays,
      dropEmptyObjects: settings.excludeEmptyObjects,
      dropNulls: settings.excludeNullValues,
    },
    budget: { ...settings.budget, ...tool?.budget, ...pinnedTokens },
  };
}

function profileName(settings: Settings, tool: ToolOverride | undefined, dialect: DialectId): string {
  if (settings.pinned.includes("profile")) return settings.profile;
  if (tool?.profile !== undefined) return tool.profile;
  return settings.profileIsDefault ? defaultProfileOf(dialect) : settings.profile;
}
