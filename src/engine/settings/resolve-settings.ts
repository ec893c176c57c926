import { ContractError } from "../../core/contract/contract-error.ts";
import { compileFilter } from "../../core/pipeline/shape/compile-filter.ts";
import { setOwn } from "../../core/json/json-value.ts";
import { adviseName, didYouMean } from "../../core/text/did-you-mean.ts";
import type { WaybillConfig } from "./config-schema.ts";
import { resolveProfiles, type Report } from "./resolve-profiles.ts";
import type {
  defaultConfig,
  FlagOverride,
  Pinnable,
  SettingOrigin,
  Settings,
  ToolOverride,
} from "./settings.ts";
import type { Secret } from "./read-environment.ts";

type Filled<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Key in keyof T]-?: NonNullable<T[Key]> }
    : T;

/** A config completed by the defaults. */
export type CompleteConfig = Omit<WaybillConfig, keyof typeof defaultConfig | "profile"> & {
  profile: string;
} & { [Key in keyof typeof defaultConfig]: Filled<NonNullable<WaybillConfig[Key]>> };

/** Parts of the settings that no file contains. */
export interface Extras {
  readonly profileIsDefault: boolean;
  readonly pinned: readonly Pinnable[];
  readonly origins: Readonly<Record<string, SettingOrigin>>;
  readonly secret: Secret | undefined;
}

/** Turns the merged config into settings; wrong names are reported, doubtful names only get a notice. */
export function resolveSettings(
  config: CompleteConfig,
  extras: Extras,
  report: Report,
  notice: Report,
): Settings {
  const profiles = resolveProfiles(config.profiles ?? {}, report);
  checkProfileNames(config, Object.keys(profiles), report);
  checkTiers(config, report, notice);
  checkPaths(config, report);
  const { secret, ...rest } = extras;
  return {
    dialect: config.dialect,
    profile: config.profile,
    delivery: config.delivery,
    encoding: config.encoding,
    select: config.select,
    repairArguments: config.repair_arguments,
    serverTool: config.server_tool,
    upstream: config.upstream,
    budget: config.budget,
    fit: {
      strategy: config.fit.strategy,
      maxBlobBytes: config.fit.max_blob_bytes,
      clientLimits: config.fit.client_limits,
      withoutEnvelope: config.fit.without_envelope,
    },
    ...(config.store !== undefined && { store: config.store }),
    ...(config.retrieve?.name !== undefined && { retrieve: { name: config.retrieve.name } }),
    allow: {
      dialects: config.allow.dialects,
      profiles: config.allow.profiles,
      budgetOff: config.allow.budget_off,
      ...(config.allow.max_budget_tokens !== undefined && {
        maxBudgetTokens: config.allow.max_budget_tokens,
      }),
    },
    profiles,
    tools: mapNamed(config.tools ?? {}, toToolOverride),
    excludeEmptyArrays: config.exclude_empty_arrays,
    excludeEmptyObjects: config.exclude_empty_objects,
    excludeNullValues: config.exclude_null_values,
    tiers: config.tiers,
    flags: mapNamed(config.flags ?? {}, (flag) => dropUndefined<FlagOverride>(flag)),
    cursors: {
      acceptUnsigned: config.cursors.accept_unsigned,
      expiresInDays: config.cursors.expires_in_days,
    },
    validate: config.validate,
    ...rest,
    ...(secret && { secret }),
  };
}

function checkProfileNames(config: CompleteConfig, known: readonly string[], report: Report): void {
  const names = new Set(known);
  const check = (name: string | undefined, path: readonly string[]): void => {
    if (name === undefined || names.has(name)) return;
    report(path, `Unknown profile "${name}". ${adviseName(name, known)}`);
  };
  check(config.profile, ["profile"]);
  for (const [tool, { profile }] of Object.entries(config.tools ?? {}))
    check(profile, ["tools", tool, "profile"]);
  for (const name of config.allow.profiles) {
    check(name, ["allow", "profiles"]);
    if (name === "debug") {
      const message =
        "A request may never choose debug. Remove it here; set it as profile, or by SCALPEL_MCP_INFO=DEBUG.";
      report(["allow", "profiles"], message);
    }
  }
}

function checkTiers({ tiers, tools = {} }: CompleteConfig, report: Report, notice: Report): void {
  const repeated = tiers.order.find((tier, index) => tiers.order.indexOf(tier) !== index);
  if (repeated !== undefined) report(["tiers", "order"], `The tier "${repeated}" is listed twice. Keep one.`);
  if (!tiers.order.includes(tiers.default)) {
    report(
      ["tiers", "default"],
      `Unknown tier "${tiers.default}". ${adviseName(tiers.default, tiers.order)}`,
    );
  }
  for (const [tool, { exclude_when_tier: byTier = {} }] of Object.entries(tools)) {
    for (const tier of Object.keys(byTier)) {
      if (tiers.order.includes(tier)) continue;
      const meant = didYouMean(tier, tiers.order);
      const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
      // Code may define further tiers, so this is not an error.
      notice(["tools", tool, "exclude_when_tier", tier], `The tier "${tier}" is not in tiers.order.${hint}`);
    }
  }
}

type ToolConfig = NonNullable<WaybillConfig["tools"]>[string];

function toToolOverride(tool: ToolConfig): ToolOverride {
  // What has the same name in a file and in code is the rest.
  const {
    include_only: includeOnly = [],
    exclude = [],
    include_on_error: includeOnError = [],
    exclude_when_tier: excludeWhenTier = {},
    repair_arguments: repairArguments,
    budget = {},
    ...same
  } = tool;
  type Same = keyof typeof same | "repairArguments";
  return {
    ...dropUndefined<Pick<ToolOverride, Same>>({ ...same, repairArguments }),
    includeOnly,
    exclude,
    includeOnError,
    excludeWhenTier,
    budget: dropUndefined(budget),
  };
}

function mapNamed<From, To>(
  named: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> {
  const mapped: Record<string, To> = {};
  for (const [name, value] of Object.entries(named)) setOwn(mapped, name, map(value));
  return mapped;
}

type WithUndefined<T> = { [Key in keyof T]: T[Key] | undefined };

function dropUndefined<T extends object>(value: WithUndefined<T>): T {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T;
}

const pathLists = ["include_only", "exclude", "include_on_error"] as const;

function checkPath(path: string, option: string, at: readonly string[], report: Report): void {
  try {
    compileFilter({ [option]: [path] });
  } catch (error) {
    if (!ContractError.isInstance(error)) throw error;
    report(at, error.message);
  }
}

/** A path that cannot be parsed would fail every call of its tool, so it is reported here. */
function checkPaths({ tools = {} }: CompleteConfig, report: Report): void {
  const options = { include_only: "includeOnly", exclude: "exclude", include_on_error: "includeOnError" };
  for (const [tool, config] of Object.entries(tools)) {
    for (const list of pathLists) {
      for (const path of config[list] ?? []) checkPath(path, options[list], ["tools", tool, list], report);
    }
    for (const [tier, paths] of Object.entries(config.exclude_when_tier ?? {})) {
      for (const path of paths)
        checkPath(path, "exclude", ["tools", tool, "exclude_when_tier", tier], report);
    }
  }
}
