import {
  type SettingOrigin,
  type Settings,
  type ToolOverride,
  noOverride,
} from "../../../../engine/settings/settings.ts";
import { withValue, type Leaf, leavesIn } from "../../../../engine/settings/table-leaves.ts";
import { type JsonValue, setOwn, type JsonObject } from "../../../../core/json/json-value.ts";
import { ApiProblem, type WatchedUpstream } from "../dashboard-parts.ts";
import * as z from "zod/mini";
import { configSchema } from "../../../../engine/settings/config-schema.ts";
import { MIN_BUDGET_BYTES, MIN_BUDGET_TOKENS } from "../../../../engine/settings/call-budget.ts";
import { thrownBy } from "../../../../core/options/check-options.ts";
import { explainIssues, formatPath } from "../../../../core/options/explain-issues.ts";
import { compileFilter } from "../../../../core/pipeline/shape/compile-filter.ts";
import { adviseName } from "../../../../core/text/did-you-mean.ts";
import type { SettingChange } from "../protocol/places.ts";

/** How many tools are named in one sentence. */
const MAX_NAMED = 5;
/** For one upstream: more than any person changes by hand. */
const MAX_CHANGES = 1_000;

/** The changes of one upstream, and the settings that result, computed once for the same base settings. */
class UpstreamChanges {
  readonly changes = new Map<string, LiveChange>();
  #below: Settings | undefined;
  #laid: Settings | undefined;

  set(path: string, change: LiveChange | undefined): void {
    if (change === undefined) this.changes.delete(path);
    else this.changes.set(path, change);
    this.#below = undefined;
  }

  over(settings: Settings): Settings {
    if (this.changes.size === 0) return settings;
    if (this.#below === settings && this.#laid !== undefined) return this.#laid;
    this.#below = settings;
    this.#laid = layOver(settings, this.changes.values());
    return this.#laid;
  }
}

/**
 * The changes made on the page: the topmost layer of settings, by upstream. They last as long as the gateway, and an
 * upstream that replaces another after a change of the file takes over its changes.
 */
export class LiveSettings {
  readonly #upstreams = new Map<string, UpstreamChanges>();

  /** From now on the changes apply to the upstream's calls. */
  follow({ name, state }: Pick<WatchedUpstream, "name" | "state">): void {
    const own = this.#of(name);
    state.effective.overlay = (settings) => own.over(settings);
  }

  /** Sets a setting; null reverts the change. Throws if the change breaks a rule of the configuration file. */
  change({ name, state }: Pick<WatchedUpstream, "name" | "state">, path: string, value: JsonValue): void {
    const own = this.#of(name);
    const place = livePath(readLivePlace(path));
    if (value === null) {
      own.set(place, undefined);
      return;
    }
    if (own.changes.size >= MAX_CHANGES && !own.changes.has(place))
      throw new ApiProblem(
        "invalid",
        `${MAX_CHANGES} settings of ${name} are changed already.`,
        "Take some of them back, or write them into the configuration file.",
      );
    const before = own.changes.get(place);
    const change = readChange(path, value, state.effective.settings);
    own.set(place, change);
    const kept = promised(state, change);
    if (kept === undefined) return;
    own.set(place, before);
    throw kept;
  }

  /** Changes without effect, for all or some tools, as sentences. */
  problems({ name, state }: Pick<WatchedUpstream, "name" | "state">): string[] {
    const changes = [...this.#of(name).changes.values()];
    return changes.flatMap((change) => {
      const problem = problemOf(state, change);
      return problem === undefined ? [] : [`${name}: ${livePath(change)} ${problem}`];
    });
  }

  #of(name: string): UpstreamChanges {
    const known = this.#upstreams.get(name);
    if (known !== undefined) return known;
    const own = new UpstreamChanges();
    this.#upstreams.set(name, own);
    return own;
  }
}

const drops = {
  exclude_empty_arrays: "dropEmptyArrays",
  exclude_empty_objects: "dropEmptyObjects",
  exclude_null_values: "dropNulls",
} as const;

function problemOf({ effective }: WatchedUpstream["state"], change: LiveChange): string | undefined {
  const { tool, key, value } = change;
  if (isLost(change, effective.settings))
    return `was set to ${JSON.stringify(value)} here, but there is no such profile any more.`;
  if (tool !== undefined || value !== true || !Object.hasOwn(drops, key)) return undefined;
  const drop = drops[key as keyof typeof drops];
  const left = effective.names().filter((known) => effective.known(known)?.filter[drop] === false);
  if (left.length === 0) return undefined;
  const shown = left.length > MAX_NAMED ? [...left.slice(0, MAX_NAMED), "others"] : left;
  return `does nothing for ${shown.join(", ")}: clients were given output schemas that promise every field.`;
}

const sameList = (left: readonly string[], right: JsonValue): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

/** The engine keeps what an output schema promised to clients; a filter that would break the promise has no effect. */
function promised({ effective }: WatchedUpstream["state"], change: LiveChange): ApiProblem | undefined {
  const { tool, key, value } = change;
  if (tool === undefined || (key !== "include_only" && key !== "exclude")) return undefined;
  const { filter } = effective.known(tool) ?? {};
  if (filter === undefined) return undefined;
  if (sameList(key === "exclude" ? filter.exclude : filter.includeOnly, value)) return undefined;
  return new ApiProblem(
    "invalid",
    `Clients were given an output schema of "${tool}" that promises fields which this filter may remove.`,
    "Write the filter into the configuration file and restart the gateway: then the schema is listed without that promise.",
  );
}

/** Changes were checked when they were made, so these values are texts. */
function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : "";
}

const page: SettingOrigin = { source: "page" };

/** A profile that was removed from the file since can no longer be applied. */
function isLost({ key, value }: LiveChange, { profiles }: Settings): boolean {
  return key === "profile" && !Object.hasOwn(profiles, textOf(value));
}

/** Filters exist only in the file's layer; every other setting of a tool has its own, above the command line. */
function changeTool(tool: ToolOverride, change: LiveChange): ToolOverride {
  const leaf = leafAt(change);
  if (leaf === undefined) return tool;
  if (leaf.kind.is === "paths") return withValue(tool, leaf.names, change.value);
  return { ...tool, page: withValue(tool.page ?? {}, leaf.names, change.value) };
}

function changeGeneral(settings: Settings, change: LiveChange): Settings {
  const leaf = leafAt(change);
  if (leaf === undefined) return settings;
  const changed = withValue(settings, leaf.names, change.value);
  return leaf.kind.is === "profile" ? { ...changed, profileIsDefault: false } : changed;
}

/** The settings with the page's changes on top. The original is not modified. */
export function layOver(settings: Settings, changes: Iterable<LiveChange>): Settings {
  const tools: Record<string, ToolOverride> = { ...settings.tools };
  const origins: Record<string, SettingOrigin> = { ...settings.origins };
  let laid = settings;
  for (const change of changes) {
    if (isLost(change, settings)) continue;
    const { tool } = change;
    if (tool === undefined) laid = changeGeneral(laid, change);
    else
      setOwn(
        tools,
        tool,
        changeTool((Object.hasOwn(tools, tool) ? tools[tool] : undefined) ?? noOverride, change),
      );
    setOwn(origins, livePath(change), page);
  }
  return { ...laid, tools, origins };
}

// The settings that can be changed on the page: budgets, profiles and filters. No setting here names a command, a path
// or a secret, so no request can change one of those.

/** More than any model reads. */
const MAX_AMOUNT = 1_000_000_000;

const general = new Map(leavesIn("page").map((leaf) => [leaf.path, leaf]));
/** Below `tools.NAME`. */
const ofTool = new Map(leavesIn("pageTool").map((leaf) => [leaf.path, leaf]));

/** The position of one setting: for a tool, or in general. */
export interface LivePlace {
  readonly tool: string | undefined;
  /** `budget.tokens`, `exclude`. */
  readonly key: string;
}

export interface LiveChange extends LivePlace {
  readonly value: JsonValue;
}

/** The setting at a place; undefined if it cannot be changed here. */
function leafAt({ tool, key }: LivePlace): Leaf | undefined {
  return (tool === undefined ? general : ofTool).get(key);
}

/** A call raises a smaller budget to this, so a smaller value would be shown but have no effect. */
const leastOf = ({ key }: LivePlace): number =>
  key === "budget.tokens" ? MIN_BUDGET_TOKENS : MIN_BUDGET_BYTES;

/** How a setting can be changed, for the form on the page; undefined if it cannot. */
export function changeOf(place: LivePlace, { profiles }: Settings): SettingChange | undefined {
  const kind = leafAt(place)?.kind.is;
  if (kind === "amount") return { kind: "number", min: leastOf(place), max: MAX_AMOUNT, canBeOff: true };
  if (kind === "profile") return { kind: "choice", choices: Object.keys(profiles) };
  if (kind === "toggle") return { kind: "choice", choices: ["true", "false"] };
  return kind === "paths" ? { kind: "fields" } : undefined;
}

/** The path as people read it: `tools.search.budget.tokens`, `tools["fs.read"].profile`. */
export function livePath({ tool, key }: LivePlace): string {
  return formatPath([...(tool === undefined ? [] : ["tools", tool]), ...key.split(".")]);
}

const segment = /\.?([A-Za-z_$][\w$-]*)|\[("(?:[^"\\]|\\.)*")\]/y;

/** The names in a path; undefined if it cannot be parsed. */
function namesIn(path: string): string[] | undefined {
  const names: string[] = [];
  segment.lastIndex = 0;
  for (let at = 0; at < path.length; at = segment.lastIndex) {
    const found = segment.exec(path);
    if (found === null) return undefined;
    const [, plain, quoted] = found;
    names.push(plain ?? readQuoted(quoted ?? '""'));
  }
  return names;
}

function readQuoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

const inFile = "Change it in the configuration file, or where the gateway is started.";

/** The setting that a path names. Throws if it cannot be changed here. */
export function readLivePlace(path: string): LivePlace {
  const [top, tool, ...rest] = namesIn(path) ?? [];
  const isOfTool = top === "tools" && tool !== undefined;
  const place = isOfTool
    ? { tool, key: rest.join(".") }
    : { tool: undefined, key: (namesIn(path) ?? [path]).join(".") };
  // Schemas ignore this name, so nothing would be checked.
  if (leafAt(place) !== undefined && tool !== "__proto__") return place;
  const known = [...(isOfTool ? ofTool : general).keys()];
  throw new ApiProblem(
    "invalid",
    `"${path.slice(0, 200)}" cannot be changed here. ${adviseName(place.key, known)}`,
    inFile,
  );
}

/** The setting in the form of the configuration file. */
function asConfig({ tool, key }: LivePlace, value: JsonValue): JsonObject {
  const [last = "", ...above] = key.split(".").reverse();
  const own = above.reduce<JsonObject>((inner, name) => ({ [name]: inner }), { [last]: value });
  return tool === undefined ? own : { tools: Object.fromEntries([[tool, own]]) };
}

function problemsOf(place: LivePlace, value: JsonValue, { profiles }: Settings): readonly string[] {
  const config = asConfig(place, value);
  const { error } = z.safeParse(configSchema, config);
  if (error !== undefined)
    return explainIssues(error.issues, { schema: configSchema, value: config, whole: "The change" }).map(
      ({ message }) => message,
    );
  const kind = leafAt(place)?.kind.is;
  if (kind === "amount" && typeof value === "number" && value > MAX_AMOUNT)
    return [`"${livePath(place)}" is ${value}. Write at most ${MAX_AMOUNT}, or "off".`];
  if (kind === "amount" && typeof value === "number" && value < leastOf(place))
    return [
      `"${livePath(place)}" is ${value}. Write at least ${leastOf(place)}, or "off": no honest answer fits into less.`,
    ];
  if (kind === "profile" && typeof value === "string" && !Object.hasOwn(profiles, value))
    return [`Unknown profile "${value}". ${adviseName(value, Object.keys(profiles))}`];
  if (kind !== "paths" || !Array.isArray(value)) return [];
  const option = place.key === "include_only" ? "includeOnly" : "exclude";
  const wrong = value.map((path) => thrownBy(() => compileFilter({ [option]: [String(path)] })));
  return wrong.filter((problem) => problem !== undefined);
}

/** A form sends true and false as text. */
function readToggle(value: JsonValue): JsonValue {
  return value === "true" ? true : value === "false" ? false : value;
}

/** Checks a change by the rules of the configuration file; throws with everything that is wrong. */
export function readChange(path: string, given: JsonValue, settings: Settings): LiveChange {
  const place = readLivePlace(path);
  const value = leafAt(place)?.kind.is === "toggle" ? readToggle(given) : given;
  const problems = problemsOf(place, value, settings);
  if (problems.length === 0) return { ...place, value };
  throw new ApiProblem("invalid", problems.slice(0, 10).join(" "), "Correct it and send it again.");
}
