import type { DialectChoice, DialectId } from "../../core/contract/dialect-id.ts";
import { type Profile, profiles } from "../../core/contract/profile.ts";
import type { FlagState } from "./flags-and-tiers/flag.ts";
import type { Budget, DeliveryMode, Encoding, FitStrategy, Limit } from "../../core/pipeline/parcel.ts";
import type { WaybillConfig } from "./config-schema.ts";
import type { Source } from "./entry.ts";
import type { Secret } from "./read-environment.ts";

/** What to do with a long result in a dialect that cannot report what is missing. */
export const bareCuts = ["auto", "always", "never"] as const;
export type BareCuts = (typeof bareCuts)[number];

export const validateModes = ["always", "never"] as const;
export type ValidateMode = (typeof validateModes)[number];

/** The config of one tool; an empty `includeOnly` keeps all. */
export interface ToolOverride {
  readonly dialect?: DialectChoice;
  readonly dialects?: readonly DialectId[];
  readonly profile?: string;
  readonly delivery?: DeliveryMode;
  readonly encoding?: Encoding;
  readonly select?: boolean;
  readonly repairArguments?: boolean;
  readonly upstream?: { readonly dialect?: DialectChoice | undefined };
  readonly includeOnly: readonly string[];
  readonly exclude: readonly string[];
  readonly includeOnError: readonly string[];
  readonly excludeWhenTier: Readonly<Record<string, readonly string[]>>;
  readonly budget: Partial<Budget>;
  readonly strategy?: FitStrategy;
  /** Settings made on the dashboard of a gateway; they beat everything else. */
  readonly page?: { readonly profile?: string; readonly budget?: Partial<Budget> };
}

/** How results are cut to the budget. */
interface FitSettings {
  readonly strategy: FitStrategy;
  readonly maxBlobBytes: Limit;
  readonly clientLimits: boolean;
  readonly withoutEnvelope: BareCuts;
}

/** The config of one flag, which overrides the flag's definition in code. */
export interface FlagOverride {
  readonly state?: FlagState;
  readonly default?: boolean;
  readonly owner?: string;
  readonly expires?: string;
  readonly percentage?: number;
  readonly allow?: readonly string[];
  readonly block?: readonly string[];
  readonly requires?: readonly string[];
  readonly description?: string;
  readonly sunset?: string;
}

export const pinnables = [
  "dialect",
  "profile",
  "delivery",
  "encoding",
  "select",
  "repair_arguments",
  "upstream.dialect",
  "budget.tokens",
  "budget.bytes",
  "fit.strategy",
] as const;
export type Pinnable = (typeof pinnables)[number];

/** The source of a setting, and where: `file:line`, or the environment variable. */
export interface SettingOrigin {
  readonly source: Source;
  readonly where?: string;
}

/** The effective settings, complete: every source merged, every name checked. */
export interface Settings {
  readonly dialect: DialectChoice;
  readonly profile: string;
  /** The profile was not chosen, so a tool or request in another dialect takes that dialect's default. */
  readonly profileIsDefault: boolean;
  readonly delivery: DeliveryMode;
  readonly encoding: Encoding;
  /** Whether tools take a question about their result. */
  readonly select: boolean;
  /** Whether arguments that a schema refuses are repaired if their meaning is certain. */
  readonly repairArguments: boolean;
  /** Whether the server's own tools include the tool `server`. */
  readonly serverTool: boolean;
  /** The dialect of upstream servers. */
  readonly upstream: { readonly dialect: DialectChoice };
  readonly budget: Budget;
  readonly fit: FitSettings;
  /** Where cut content is kept; undefined means that the server's code decides. */
  readonly store?: string;
  /** The name of the retrieval tool; undefined means that the server's code decides. */
  readonly retrieve?: { readonly name?: string };
  /** What a request may choose for itself. */
  readonly allow: {
    readonly dialects: readonly DialectId[];
    readonly profiles: readonly string[];
    readonly maxBudgetTokens?: number;
    readonly budgetOff: boolean;
  };
  /** The built-in and the configured profiles, with inheritance resolved. */
  readonly profiles: Readonly<Record<string, Profile>>;
  readonly tools: Readonly<Record<string, ToolOverride>>;
  readonly excludeEmptyArrays: boolean;
  readonly excludeEmptyObjects: boolean;
  readonly excludeNullValues: boolean;
  readonly tiers: { readonly order: readonly string[]; readonly default: string };
  readonly flags: Readonly<Record<string, FlagOverride>>;
  readonly cursors: { readonly acceptUnsigned: boolean; readonly expiresInDays: number };
  readonly validate: ValidateMode;
  /** The settings that the command line or the environment fixed; they beat a tool's own settings. */
  readonly pinned: readonly Pinnable[];
  /** The source of each chosen setting, by its path in the words of the file; defaults are not included. */
  readonly origins?: Readonly<Record<string, SettingOrigin>>;
  readonly secret?: Secret;
}

/** The defaults in the words of the file, without those that follow from another setting: `profile` and `tiers.default`. */
export const defaultConfig = {
  dialect: "response-v2",
  delivery: "mirror",
  encoding: "json",
  select: false,
  repair_arguments: true,
  server_tool: false,
  upstream: { dialect: "auto" },
  budget: { tokens: 8000, bytes: "off" },
  fit: { strategy: "head", max_blob_bytes: 1_048_576, client_limits: false, without_envelope: "auto" },
  allow: { dialects: [], profiles: ["minimal", "standard"], budget_off: false },
  exclude_empty_arrays: false,
  exclude_empty_objects: false,
  exclude_null_values: false,
  tiers: { order: ["community", "pro", "enterprise"] },
  cursors: { accept_unsigned: false, expires_in_days: 7 },
  validate: "never",
} as const satisfies Pick<WaybillConfig, "dialect"> & Record<string, unknown>;

/** The settings of a server without config file and environment; a test compares them with the resolver's result. */
export const defaultSettings: Settings = {
  dialect: "response-v2",
  profile: "standard",
  profileIsDefault: true,
  delivery: "mirror",
  encoding: "json",
  select: false,
  repairArguments: true,
  serverTool: false,
  upstream: { dialect: "auto" },
  budget: { tokens: 8000, bytes: "off" },
  fit: { strategy: "head", maxBlobBytes: 1_048_576, clientLimits: false, withoutEnvelope: "auto" },
  allow: { dialects: [], profiles: ["minimal", "standard"], budgetOff: false },
  profiles,
  tools: {},
  excludeEmptyArrays: false,
  excludeEmptyObjects: false,
  excludeNullValues: false,
  tiers: { order: ["community", "pro", "enterprise"], default: "community" },
  flags: {},
  cursors: { acceptUnsigned: false, expiresInDays: 7 },
  validate: "never",
  pinned: [],
  origins: {},
};
