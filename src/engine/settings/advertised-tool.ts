// A client keeps the output schema it was given and refuses a result that breaks it. So the promises of a
// schema hold until the server restarts: a new configuration applies only as far as the schema allows.

import type { FilterLists } from "./decide-tool.ts";
import { type DialectChoice, askableUnder, dialectsUnder } from "../../core/contract/dialect-id.ts";
import type { Profile } from "../../core/contract/profile.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { parsePath } from "../../core/pipeline/shape/parse-path.ts";
import type { ToolConfig } from "./tool-definition.ts";
import { type ToolContract, filtersOf } from "./tool-contract.ts";

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
