import { ContractError } from "../../core/contract/contract-error.ts";
import { compileFilter } from "../../core/pipeline/shape/compile-filter.ts";
import { setOwn, withoutUndefined } from "../../core/json/json-value.ts";
import { adviseName, didYouMean } from "../../core/text/did-you-mean.ts";
import type { ToolSection, WaybillConfig, ProfileSection } from "./config-schema.ts";
import {
  type FlagOverride,
  type Pinnable,
  type SettingOrigin,
  type Settings,
  type ToolOverride,
  noOverride,
} from "./settings.ts";
import type { Secret } from "./read-environment.ts";
import { type Leaf, leavesIn, valueAt, withValue } from "./table-leaves.ts";
import type { SettingTable } from "./table.ts";
import { type Complete, snake } from "./table-types.ts";
import {
  profiles as builtIn,
  optionalNotes,
  type OptionalNote,
  type Presence,
  type Profile,
} from "../../core/contract/profile.ts";

/** A config completed by the defaults, as far as it is read in the words of a file. */
export interface CompleteConfig extends Omit<WaybillConfig, "dialect" | "profile" | "allow" | "tiers"> {
  readonly dialect: Settings["dialect"];
  readonly profile: string;
  readonly allow: { readonly profiles: readonly string[] };
  readonly tiers: Settings["tiers"];
}

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
  report: ReportProblem,
  notice: ReportProblem,
): Settings {
  const profiles = resolveProfiles(config.profiles ?? {}, report);
  checkProfileNames(config, Object.keys(profiles), report);
  checkTiers(config, report, notice);
  checkPaths(config, report);
  const { secret, ...rest } = extras;
  return {
    ...(inWordsOfCode(generalLeaves, config) as Complete<SettingTable, "file">),
    profiles,
    tools: mapNamed(config.tools ?? {}, toToolOverride),
    flags: mapNamed(config.flags ?? {}, (flag): FlagOverride => withoutUndefined(flag) as FlagOverride),
    ...rest,
    ...(secret && { secret }),
  };
}

const generalLeaves = leavesIn("file").filter(({ kind }) => kind.is !== "own");

function inWordsOfCode(leaves: readonly Leaf[], config: object): object {
  let whole = {};
  for (const { names, path } of leaves) {
    const value = valueAt(config, path.split("."));
    if (value !== undefined) whole = withValue(whole, names, value);
  }
  return whole;
}

function toToolOverride(tool: ToolSection): ToolOverride {
  return { ...noOverride, ...inWordsOfCode(leavesIn("fileTool"), tool) };
}

function checkProfileNames(config: CompleteConfig, known: readonly string[], report: ReportProblem): void {
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

function checkTiers(
  { tiers, tools = {} }: CompleteConfig,
  report: ReportProblem,
  notice: ReportProblem,
): void {
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

function mapNamed<From, To>(
  named: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> {
  const mapped: Record<string, To> = {};
  for (const [name, value] of Object.entries(named)) setOwn(mapped, name, map(value));
  return mapped;
}

const pathLists = ["include_only", "exclude", "include_on_error"] as const;

function checkPath(path: string, option: string, at: readonly string[], report: ReportProblem): void {
  try {
    compileFilter({ [option]: [path] });
  } catch (error) {
    if (!ContractError.isInstance(error)) throw error;
    report(at, error.message);
  }
}

/** A path that cannot be parsed would fail every call of its tool, so it is reported here. */
function checkPaths({ tools = {} }: CompleteConfig, report: ReportProblem): void {
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

type Definitions = Readonly<Record<string, ProfileSection>>;
type Definition = ProfileSection;
type NoteKey = keyof NonNullable<Definition["show"]>;
export type ReportProblem = (path: readonly string[], message: string) => void;

/** The notes, by their names in the config file. */
export const noteNames = Object.fromEntries(optionalNotes.map((note) => [snake(note), note])) as Readonly<
  Record<NoteKey, OptionalNote>
>;

/**
 * The built-in profiles, overridden by the configured ones; a profile that extends its own name extends the
 * built-in.
 */
function resolveProfiles(definitions: Definitions, report: ReportProblem): Readonly<Record<string, Profile>> {
  const resolved = new Map<string, Profile>();
  for (const name of Object.keys(definitions)) {
    const chain = chainOf(name, definitions, resolved, report);
    for (const link of chain.reverse()) {
      const definition = definitions[link];
      if (definition === undefined) continue;
      resolved.set(link, applyDefinition(link, definition, baseOf(link, definition, resolved)));
    }
  }
  const all: Record<string, Profile> = { ...builtIn };
  for (const name of Object.keys(definitions)) setOwn(all, name, resolved.get(name) ?? builtIn.standard);
  return all;
}

/** The names from a profile up to the first that is built in or already resolved. */
function chainOf(
  name: string,
  definitions: Definitions,
  resolved: Map<string, Profile>,
  report: ReportProblem,
): string[] {
  const chain: string[] = [];
  const seen = new Set<string>();
  let current = name;
  while (Object.hasOwn(definitions, current) && !resolved.has(current)) {
    chain.push(current);
    seen.add(current);
    const parent = definitions[current]?.extends;
    if (parent === undefined || (parent === current && Object.hasOwn(builtIn, current))) break;
    const path = ["profiles", current, "extends"];
    if (seen.has(parent)) {
      report(path, `The profile "${current}" extends itself by way of "${parent}". Break the circle.`);
      break;
    }
    if (!Object.hasOwn(builtIn, parent) && !Object.hasOwn(definitions, parent)) {
      const known = Object.keys({ ...builtIn, ...definitions });
      report(path, `Unknown profile "${parent}". ${adviseName(parent, known)}`);
    }
    current = parent;
  }
  return chain;
}

function baseOf(
  name: string,
  { extends: parent }: Definition,
  resolved: ReadonlyMap<string, Profile>,
): Profile {
  const builtIns: Readonly<Record<string, Profile>> = builtIn;
  const wanted = parent ?? name;
  const configured = wanted === name ? undefined : resolved.get(wanted);
  if (configured !== undefined) return configured;
  return (Object.hasOwn(builtIns, wanted) ? builtIns[wanted] : undefined) ?? builtIn.standard;
}

function applyDefinition(name: string, definition: Definition, base: Profile): Profile {
  const show: Record<OptionalNote, Presence> = { ...base.show };
  for (const [key, note] of Object.entries(noteNames)) {
    const presence = definition.show?.[key as NoteKey];
    if (presence !== undefined) show[note] = presence;
  }
  return {
    name,
    show,
    fillNulls: definition.fill_nulls ?? base.fillNulls,
    excludeFields: definition.exclude_fields ?? base.excludeFields,
  };
}
