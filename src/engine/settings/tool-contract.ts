import type { ClientLimit } from "./call-budget.ts";
import {
  type CodeLayers,
  type FilterLists,
  type ToolDecisions,
  decideBareCuts,
  decideGeneral,
  decideTool,
} from "./decide-tool.ts";
import { type Settings, defaultSettings } from "./settings.ts";
import type { BareCuts, ValidateMode } from "./table-types.ts";
import type { Limit } from "../../core/pipeline/pipeline-context.ts";
import {
  type DialectChoice,
  type DialectId,
  dialectsUnder,
  askableUnder,
} from "../../core/contract/dialect-id.ts";
import { type Profile, profileNamed } from "../../core/contract/profile.ts";
import { CONTRACT_FLAG, type Flags } from "./flags-and-tiers/define-flags.ts";
import { traitsOf } from "../../core/pipeline/dialect/dialects.ts";
import { type CompiledFilter, compileFilter } from "../../core/pipeline/shape/compile-filter.ts";
import type { ContractOptions } from "./contract-options.ts";
import type { ToolOptions, ToolConfig } from "./tool-definition.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { parsePath } from "../../core/pipeline/shape/parse-path.ts";

/** What a request may choose for itself. */
interface Allowance {
  readonly profiles: readonly string[];
  readonly maxBudgetTokens: number | undefined;
  readonly budgetOff: boolean;
}

/** All settings of one tool. It never changes: new settings make a new contract. */
export interface ToolContract extends ToolDecisions {
  readonly name: string;
  /** The dialects in which results may really come: the flag of response-v2 can replace it by the legacy dialect. */
  readonly advertisedDialects: readonly DialectId[];
  readonly maxBlobBytes: Limit;
  readonly clientLimits: boolean | readonly ClientLimit[];
  /** Whether a result without an envelope may be cut, depending on whether the tool has an output schema. */
  readonly mayCutBare: (hasSchema: boolean) => boolean;
  /** A widget under `auto`: a result that cannot be left as it is becomes plain, never an envelope. */
  readonly staysPlain: boolean;
  /** No output schema is listed, so that results in a dialect without an envelope can be cut. */
  readonly hidesSchema: boolean;
  /** Fields may be removed from the tool's data, so no schema can promise them. */
  readonly mayLackFields: boolean;
  readonly draftNotes: "meta" | "data" | undefined;
  readonly validate: ValidateMode;
  /** Results stand between two lines that say that they are data. */
  readonly untrusted: boolean;
  /** The tool takes the opt-in argument `_waybill`. */
  readonly takesWaybill: boolean;
  readonly allow: Allowance;
  readonly version: string | undefined;
  /** All profiles, by name. */
  readonly profiles: Readonly<Record<string, Profile>>;
  /** The tool's filter with the fields that a profile drops, compiled once. Undefined if no field is dropped. */
  readonly filterFor: (profile: Profile) => CompiledFilter | undefined;
  readonly flags: Flags | undefined;
  /** The contract also depends on the caller, through the flag of response-v2. */
  readonly isPersonal: boolean;
}

/** The parts of a tool contract. */
export interface ToolContractParts {
  readonly name: string;
  readonly settings: Settings;
  readonly options: ContractOptions;
  readonly flags: Flags | undefined;
  /** The options that code gives the tool. */
  readonly tool: ToolOptions;
  readonly layers: CodeLayers;
}

function canLackFields(filter: FilterLists, profiles: Readonly<Record<string, Profile>>): boolean {
  // A request may choose its profile, so the fields of every profile count.
  if (Object.values(profiles).some(({ excludeFields }) => excludeFields.length > 0)) return true;
  const { excludeWhenTier, includeOnError: _kept, ...rest } = filter;
  const isSaid = Object.values(rest).some((value) =>
    Array.isArray(value) ? value.length > 0 : value === true,
  );
  return isSaid || Object.keys(excludeWhenTier).length > 0;
}

/** Compiles a filter once for each profile it is used with. */
export function filtersOf(filter: FilterLists): ToolContract["filterFor"] {
  const compiled = new Map<string, CompiledFilter | undefined>();
  const { includeOnError: _kept, excludeWhenTier, ...lists } = filter;
  const hasList = Object.values(lists).some((value) => (Array.isArray(value) ? value.length > 0 : value));
  const isEmpty = !hasList && Object.keys(excludeWhenTier).length === 0;
  return ({ name, excludeFields }) => {
    if (!compiled.has(name))
      compiled.set(
        name,
        isEmpty && excludeFields.length === 0 ? undefined : compileFilter({ ...filter, excludeFields }),
      );
    return compiled.get(name);
  };
}

/** The dialects that a call may really get: the flag of response-v2 can replace it by the legacy dialect. */
function possible(choices: readonly DialectChoice[], flags: Flags | undefined): readonly DialectChoice[] {
  const canBeLegacy = choices.includes("response-v2") && flags?.canBeOff(CONTRACT_FLAG) === true;
  return canBeLegacy ? [...new Set([...choices, "response-v1" as const])] : choices;
}

function bareCutsOf(mode: BareCuts, isWidget: boolean): ToolContract["mayCutBare"] {
  return (hasSchema) => mode !== "never" && !isWidget && (mode === "always" || !hasSchema);
}

export function makeToolContract(parts: ToolContractParts): ToolContract {
  const { name, settings, options, flags, tool, layers } = parts;
  const { fit } = settings;
  const decided = decideTool(settings, name, layers);
  const choices = possible(decided.dialects, flags);
  const mode = decideBareCuts(settings, options.fit?.withoutEnvelope);
  const mayCutBare = bareCutsOf(mode, layers.isWidget === true);
  const hasBudget = decided.budget.tokens !== "off" || decided.budget.bytes !== "off";
  const isBare = choices.some((choice) => traitsOf(choice).carriesOmissions !== true);
  const takesWaybill = tool.waybillArgument ?? options.waybillArgument ?? false;
  const general = <Value>(path: string, value: Value, byDefault: Value, code: Value | undefined): Value =>
    decideGeneral(settings, path, value, byDefault, code);
  const byDefault = defaultSettings;
  const clientLimits = general<boolean | readonly ClientLimit[]>(
    "fit.client_limits",
    fit.clientLimits,
    byDefault.fit.clientLimits,
    options.fit?.clientLimits,
  );
  return Object.freeze({
    name,
    ...decided,
    advertisedDialects: dialectsUnder(choices),
    maxBlobBytes: general(
      "fit.max_blob_bytes",
      fit.maxBlobBytes,
      byDefault.fit.maxBlobBytes,
      options.fit?.maxBlobBytes,
    ),
    clientLimits,
    mayCutBare,
    staysPlain: decided.dialect === "auto" && decided.origins.dialect.source === "widget",
    hidesSchema: isBare && hasBudget && mayCutBare(true),
    mayLackFields: takesWaybill || canLackFields(decided.filter, settings.profiles),
    draftNotes: options.draftNotes,
    validate: general("validate", settings.validate, byDefault.validate, options.validate),
    untrusted: general("untrusted", settings.untrusted, byDefault.untrusted, options.untrusted),
    takesWaybill,
    allow: {
      profiles: options.allow?.profiles ?? settings.allow.profiles,
      maxBudgetTokens: options.allow?.maxBudgetTokens ?? settings.allow.maxBudgetTokens,
      budgetOff: options.allow?.budgetOff ?? settings.allow.budgetOff,
    },
    version: tool.version ?? options.version,
    profiles: settings.profiles,
    filterFor: filtersOf(decided.filter),
    flags,
    isPersonal: flags?.canBeOff(CONTRACT_FLAG) === true,
  });
}

/** The profile with a name, for results under this contract. */
export function profileOf({ profiles }: ToolContract, name: string): Profile {
  return profileNamed(name, profiles);
}

// A client keeps the output schema it was given and refuses a result that breaks it. So the promises of a
// schema hold until the server restarts: a new configuration applies only as far as the schema allows.

/** A tool whose output schema clients may have seen. */
export interface AdvertisedTool {
  readonly config: ToolConfig;
  readonly contract: ToolContract;
  /** The names of all fields that the schema requires somewhere. */
  readonly required: ReadonlySet<string>;
}

/** Every name in a list `required`, at any depth. */
export function requiredNames(schema: JsonObject): ReadonlySet<string> {
  const names = new Set<string>();
  const pending: unknown[] = [schema];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== "object" || next === null) continue;
    for (const [key, value] of Object.entries(next)) {
      if (key !== "required" || !Array.isArray(value)) pending.push(value);
      else for (const name of value) if (typeof name === "string") names.add(name);
    }
  }
  return names;
}

function removesOneOf(paths: readonly string[], required: ReadonlySet<string>): boolean {
  return paths.some((path) => {
    const last = parsePath(path, "exclude").at(-1);
    return last?.kind !== "name" || required.has(last.name);
  });
}

/** Whether a filter, under any profile, could drop a field that the schema requires. */
function dropsRequired(
  filter: FilterLists,
  profiles: Readonly<Record<string, Profile>>,
  required: ReadonlySet<string>,
): boolean {
  if (required.size === 0) return false;
  if (filter.includeOnly.length > 0) return true;
  if (filter.dropEmptyArrays || filter.dropEmptyObjects || filter.dropNulls) return true;
  const lists = [filter.exclude, ...Object.values(filter.excludeWhenTier)];
  if (lists.some((paths) => removesOneOf(paths, required))) return true;
  return Object.values(profiles).some(({ excludeFields }) =>
    excludeFields.some((name) => required.has(name)),
  );
}

/** The old filter with the fields of the old profiles; a new profile drops no fields. */
function oldFilters({ filter, profiles }: ToolContract): ToolContract["filterFor"] {
  const filterFor = filtersOf(filter);
  return (profile) => {
    const before = Object.hasOwn(profiles, profile.name) ? profiles[profile.name] : undefined;
    return filterFor({ ...profile, excludeFields: before?.excludeFields ?? [] });
  };
}

export interface SettledContract {
  readonly contract: ToolContract;
  /** The settings that take effect only after a restart. */
  readonly waiting: readonly string[];
}

/** The part of a tool's new contract that can apply while clients rely on the advertised schema. */
export function settleAdvertised(
  next: ToolContract,
  { contract: old, required }: AdvertisedTool,
): SettledContract {
  const waiting: string[] = [];
  const kept: { -readonly [Key in keyof ToolContract]?: ToolContract[Key] } = {};
  const origins = { ...next.origins };
  for (const key of ["dialect", "delivery", "encoding", "select"] as const) {
    if (next[key] === old[key]) continue;
    Object.assign(kept, { [key]: old[key] });
    origins[key] = old.origins[key];
    waiting.push(key);
  }
  if (next.upstream.dialect !== old.upstream.dialect) {
    // The schema fixes whether the data comes in the server's envelope or without it.
    kept.upstream = old.upstream;
    origins["upstream.dialect"] = old.origins["upstream.dialect"];
    waiting.push("upstream.dialect");
  }
  const known = new Set(old.advertisedDialects);
  const isKnown = (choice: DialectChoice): boolean => dialectsUnder([choice]).every((id) => known.has(id));
  const dialects = [...new Set([...askableUnder(old.dialect), ...next.dialects.filter(isKnown)])];
  const isNew = (choice: DialectChoice): boolean =>
    !askableUnder(next.dialect).includes(choice) && !isKnown(choice);
  if (next.dialects.some(isNew)) waiting.push("dialects");
  if (next.advertisedDialects.includes("response-v1") && !known.has("response-v1")) {
    kept.flags = old.flags;
    kept.isPersonal = old.isPersonal;
    if (!next.dialects.includes("response-v1")) waiting.push("flags.response_contract_v2");
  }
  if (next.hidesSchema && !old.hidesSchema) {
    // A cut would remove the structured content that the schema promises.
    kept.mayCutBare = (hasSchema) => !hasSchema && next.mayCutBare(hasSchema);
    waiting.push("fit.without_envelope");
  }
  if (!old.mayLackFields && dropsRequired(next.filter, next.profiles, required)) {
    kept.filter = old.filter;
    kept.filterFor = oldFilters(old);
    origins.filter = old.origins.filter;
    waiting.push("filter");
  }
  const { advertisedDialects, hidesSchema, mayLackFields } = old;
  const fixed = { dialects, advertisedDialects, hidesSchema, mayLackFields, origins };
  return { contract: Object.freeze({ ...next, ...kept, ...fixed }), waiting };
}
