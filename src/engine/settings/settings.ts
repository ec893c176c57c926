import { type Profile, profiles } from "../../core/contract/profile.ts";
import type { Budget, FitStrategy } from "../../core/pipeline/pipeline-context.ts";
import type { FlagDefinition } from "./flags-and-tiers/define-flags.ts";
import type { SettingSource } from "./entry.ts";
import type { Secret } from "./read-environment.ts";
import { leavesIn, toolLeaves, withValue } from "./table-leaves.ts";
import type { SettingTable } from "./table.ts";
import type { Complete, Options, PathsOf, Within } from "./table-types.ts";

type ToolKey = Within<SettingTable, "file"> & Within<SettingTable, "fileTool">;

/** The part of the table that every layer can decide for a tool, apart from `strategy`. */
type ToolTable = Pick<SettingTable, ToolKey>;

/** The settings of one tool that exist in general too, complete. */
export type DecidedSettings = Complete<ToolTable, "fileTool"> & { readonly strategy: FitStrategy };

/** The paths of those settings below a tool. */
export type ToolPath = PathsOf<ToolTable, "fileTool"> | "strategy";

/** The config of one tool; an empty `includeOnly` keeps all. */
export interface ToolOverride extends Options<SettingTable, "fileTool"> {
  readonly includeOnly: readonly string[];
  readonly exclude: readonly string[];
  readonly includeOnError: readonly string[];
  readonly excludeWhenTier: Readonly<Record<string, readonly string[]>>;
  readonly budget: Partial<Budget>;
  /** Settings made on the dashboard of a gateway; they beat everything else. */
  readonly page?: Options<SettingTable, "pageTool">;
}

/** A tool of which no file says anything. */
export const noOverride: ToolOverride = {
  includeOnly: [],
  exclude: [],
  includeOnError: [],
  excludeWhenTier: {},
  budget: {},
};

/** The config of one flag, which overrides the flag's definition in code. */
export type FlagOverride = Partial<FlagDefinition>;

export type Pinnable = PathsOf<ToolTable, "fileTool"> | "fit.strategy";
export const pinnables = toolLeaves.map(({ general }) => general) as readonly Pinnable[];

/** The source of a setting, and where: `file:line`, or the environment variable. */
export interface SettingOrigin {
  readonly source: SettingSource;
  readonly where?: string;
  /** A gateway's file says it of all its servers, so it may be meant for another one. */
  readonly isForAll?: true;
}

/** What a file sets by name, and where the gateway listens, has a form of its own in settings. */
type OwnKey = "profiles" | "tools" | "flags" | "upstreams" | "http" | "dashboard";

/** The effective settings, complete: every source merged, every name checked. */
export interface Settings extends Omit<Complete<SettingTable, "file">, OwnKey> {
  /** The profile was not chosen, so a tool or request in another dialect takes that dialect's default. */
  readonly profileIsDefault: boolean;
  /** The built-in and the configured profiles, with inheritance resolved. */
  readonly profiles: Readonly<Record<string, Profile>>;
  readonly tools: Readonly<Record<string, ToolOverride>>;
  readonly flags: Readonly<Record<string, FlagOverride>>;
  /** The settings that the command line or the environment fixed; they beat a tool's own settings. */
  readonly pinned: readonly Pinnable[];
  /** The source of each chosen setting, by its path in the words of the file; defaults are not included. */
  readonly origins?: Readonly<Record<string, SettingOrigin>>;
  readonly secret?: Secret;
}

/** The default of every setting, in the words of code. */
const byDefault = leavesIn("default").reduce(
  (whole, { names, default: value }) => withValue(whole, names, value),
  {},
) as Complete<SettingTable, "default">;

/** The settings of a server without config file and environment; a test compares them with the resolver's result. */
export const defaultSettings: Settings = {
  ...byDefault,
  profileIsDefault: true,
  profiles,
  tools: {},
  flags: {},
  pinned: [],
  origins: {},
};
