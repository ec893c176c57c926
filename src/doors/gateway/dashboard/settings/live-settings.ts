import {
  type SettingOrigin,
  type Settings,
  type ToolOverride,
  noOverride,
} from "../../../../engine/settings/settings.ts";
import { withValue } from "../../../../engine/settings/table.ts";
import { type JsonValue, setOwn } from "../../../../core/json/json-value.ts";
import { ApiProblem, type WatchedUpstream } from "../dashboard-parts.ts";
import { type LiveChange, leafAt, pathOf, readChange, readPlace } from "./live-change.ts";

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
    const place = pathOf(readPlace(path));
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
      return problem === undefined ? [] : [`${name}: ${pathOf(change)} ${problem}`];
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
    setOwn(origins, pathOf(change), page);
  }
  return { ...laid, tools, origins };
}
