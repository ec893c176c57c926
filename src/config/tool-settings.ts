import type { DialectId } from "../contract/dialect-id.ts";
import { type Profile, defaultProfileOf, profileNamed } from "../contract/profile.ts";
import type { Encoding } from "../pipeline/parcel.ts";
import { type FilterLists, decideTool } from "./decide-tool.ts";
import type { Budget, Settings } from "./settings.ts";

/** What the shape stage leaves out of a tool's data; an empty `includeOnly` keeps all. */
export interface ToolFilter extends FilterLists {
  readonly excludeFields: readonly string[];
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

/** The settings of one tool as configuration alone decides them; a server's code may say more. */
export function settingsForTool(settings: Settings, toolName: string): ToolSettings {
  const { dialect, dialects, profile: chosen, encoding, filter, budget } = decideTool(settings, toolName);
  const profile = profileNamed(chosen ?? defaultProfileOf(dialect), settings.profiles);
  return {
    dialect,
    dialects,
    profile,
    encoding,
    filter: { ...filter, excludeFields: profile.excludeFields },
    budget,
  };
}
