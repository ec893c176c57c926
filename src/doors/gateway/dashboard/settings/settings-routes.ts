import * as z from "zod/mini";
import { object, text } from "../../../../core/options/option-kinds.ts";
import {
  type ApiRequest,
  type ApiRoute,
  type TellPages,
  type WatchedGateway,
  type WatchedUpstream,
  upstreamNamed,
  upstreamsByName,
} from "../dashboard-parts.ts";
import type { ConfigReport, SettingView } from "../protocol/places.ts";
import type { SharedSettings } from "../replicas/shared-settings.ts";
import { readPostBody } from "../serve/api-answer.ts";
import { LiveSettings, type LivePlace, changeOf, livePath } from "./live-settings.ts";
import { isNumbered } from "../../../../core/contract/wire-names.ts";
import { posix, win32 } from "node:path";
import type { LoadedConfig } from "../../../../engine/settings/resolve-config.ts";
import type { LayerOrigin } from "../../../../engine/settings/setting-layers.ts";
import type { SettingOrigin, Settings, ToolPath } from "../../../../engine/settings/settings.ts";
import {
  type Leaf,
  type ToolLeaf,
  leavesIn,
  toolLeaves,
  valueAt,
} from "../../../../engine/settings/table-leaves.ts";
import type { ContractState } from "../../../../engine/call/contract-state.ts";
import { ownProfileOf } from "../../../../engine/settings/settings-resolver.ts";
import type { ToolContract } from "../../../../engine/settings/tool-contract.ts";
import type { JsonValue } from "../../../../core/json/json-value.ts";

const changeBody = object({
  upstream: text,
  path: text,
  value: z.json(),
});

type Upstreams = readonly WatchedUpstream[];

function filesOf(upstreams: Upstreams): readonly string[] {
  const files = upstreams.flatMap(({ state }) => loadedOf(state)?.files ?? []);
  return [...new Set(files.filter(({ status }) => status === "used").map(({ path }) => baseName(path)))];
}

/** Notices and problems contain full file paths. */
function withoutFolders(said: string, upstreams: Upstreams): string {
  const paths = upstreams.flatMap(({ state }) => (loadedOf(state)?.files ?? []).map(({ path }) => path));
  return [...new Set(paths)].reduce((shorter, path) => shorter.replaceAll(path, baseName(path)), said);
}

/** Follows changes of the configuration's files until `closing` is aborted. Returns a getter of the current problem. */
function followFiles(
  { config }: WatchedGateway,
  changed: () => void,
  closing: AbortSignal,
): () => string | undefined {
  let problem: string | undefined;
  if (config === undefined || !("onChange" in config)) return () => undefined;
  const note = (now: string | undefined): void => {
    problem = now;
    changed();
  };
  const stops = [config.onProblem(({ message }) => note(message)), config.onChange(() => note(undefined))];
  closing.addEventListener("abort", () => stops.forEach((stop) => stop()), { once: true });
  return () => problem;
}

/** The settings in use, and the route that changes some of them. */
export function settingsRoutes(
  gateway: WatchedGateway,
  tell: TellPages,
  closing: AbortSignal,
  shared?: SharedSettings,
): readonly ApiRoute[] {
  const live = new LiveSettings();
  const changed = (): void => tell("config", {});
  shared?.follow((name, path, value) => {
    const upstream = upstreamsByName(gateway).get(name);
    if (upstream === undefined) return false;
    live.change(upstream, path, value);
    changed();
    return true;
  });
  const followAll = (): void => gateway.upstreams().forEach((upstream) => live.follow(upstream));
  followAll();
  const stop = gateway.onChange?.(() => {
    followAll();
    shared?.upstreamsChanged();
    changed();
  });
  closing.addEventListener("abort", () => stop?.(), { once: true });
  const fileProblem = followFiles(gateway, changed, closing);
  const report = (): ConfigReport => {
    const upstreams = [...upstreamsByName(gateway).values()];
    const notices = new Set(upstreams.flatMap(({ state }) => loadedOf(state)?.notices ?? []));
    const problem = fileProblem();
    const said = problem === undefined ? [...notices] : [problem, ...notices];
    return {
      files: filesOf(upstreams),
      problems: [
        ...said.map((one) => withoutFolders(one, upstreams)),
        ...upstreams.flatMap((upstream) => live.problems(upstream)),
      ],
      upstreams: upstreams.map(({ name, state }) => ({ upstream: name, settings: describeSettings(state) })),
    };
  };
  const change = ({ body }: ApiRequest): ConfigReport => {
    const { upstream, path, value } = readPostBody(changeBody, body);
    live.change(upstreamNamed(gateway, upstream), path, value);
    shared?.note(upstream, path, value);
    changed();
    return report();
  };
  return [
    { method: "GET", path: "/api/config", answer: report },
    { method: "POST", path: "/api/config", needs: "actions", answer: change },
  ];
}

// The settings in use and the origin of each, in the terms of the configuration file and as `waybill config` shows
// them.

/** How many tools are listed with their settings; more would make the page slow. */
const MAX_TOOLS = 200;

/** A file's name without its folders: the page must not show where a machine keeps its files. */
function baseName(path: string): string {
  return posix.basename(win32.basename(path));
}

const layerWords: Readonly<Record<string, string>> = {
  door: "gateway",
  "code-tool": "code",
  "file-tool": "file",
  "scalpel-file": "file",
  "command-line": "command line",
  "page-tool": "page",
};

/** `file: waybill.config.json:12`, `environment: WAYBILL_PROFILE`, `command line`, `gateway`. */
function sayOrigin({ source, where }: LayerOrigin | SettingOrigin): string {
  const word = layerWords[source] ?? source;
  return where === undefined ? word : `${word}: ${baseName(where)}`;
}

/** The whole configuration behind an upstream, if it comes from files. */
function loadedOf({ options: { config } }: ContractState): LoadedConfig | undefined {
  if (config === undefined) return undefined;
  if ("current" in config) return config.current;
  return "settings" in config && "files" in config ? (config as LoadedConfig) : undefined;
}

type Row = readonly [key: string, value: JsonValue, origin: string];

function chosen({ origins = {} }: Settings, path: string): SettingOrigin | undefined {
  return Object.hasOwn(origins, path) ? origins[path] : undefined;
}

/** For settings without separate layers for tools. */
function plainOrigin(settings: Settings, path: string, code: unknown, byCode = "code"): string {
  const origin = chosen(settings, path);
  if (origin !== undefined) return sayOrigin(origin);
  return code === undefined ? "default" : byCode;
}

/** A setting that no tool can have for itself: files come before code, except for what code allows. */
function plainRow({ effective, options }: ContractState, { path, names }: Leaf): Row {
  const { settings, general } = effective;
  const [group = ""] = names;
  const code = valueAt(options, names);
  const used = shownValues(general, path) ?? valueAt(settings, names);
  const value = (group === "allow" ? (code ?? used) : used) as JsonValue | undefined;
  const isOfCode = group === "allow" && code !== undefined;
  // The gateway switches the limits of clients on by default.
  const byCode = path === "fit.client_limits" ? "gateway" : "code";
  return [path, value ?? "off", isOfCode ? "code" : plainOrigin(settings, path, code, byCode)];
}

/** What calls really use, for settings that code can give another form. */
function shownValues(general: ToolContract, path: string): JsonValue | undefined {
  switch (path) {
    case "fit.max_blob_bytes":
      return general.maxBlobBytes;
    case "fit.client_limits":
      return general.clientLimits !== false;
    case "validate":
      return general.validate;
    default:
      return undefined;
  }
}

/** Settings that only a server of one's own has, or that are shown with what the file says. */
const elsewhere = ["store.place", "store.max_bytes", "ledger", "retrieve.name", "server_tool"];
const plainLeaves = leavesIn("file").filter(
  ({ path, kind }) =>
    kind.is !== "own" && !elsewhere.includes(path) && !toolLeaves.some(({ general }) => general === path),
);

const isOften = ({ pageTool }: ToolLeaf): boolean => pageTool === true;
const isAmount = ({ kind }: ToolLeaf): boolean => kind.is === "amount";

/** What is changed most comes first: budgets, then the profile. */
const byUse = [
  ...toolLeaves.filter(isAmount),
  ...toolLeaves.filter((leaf) => isOften(leaf) && !isAmount(leaf)),
  ...toolLeaves.filter((leaf) => !isOften(leaf) && !isAmount(leaf)),
];

/** The value and the origin of a setting that tools can have for themselves; nothing if it was given no value. */
function decidedRow(contract: ToolContract, { path, names }: ToolLeaf, key: string): readonly Row[] {
  const shown = { ...contract, profile: ownProfileOf(contract) };
  const value = valueAt(shown, names) as JsonValue | undefined;
  return value === undefined ? [] : [[key, value, sayOrigin(contract.origins[path as ToolPath])]];
}

function generalRows(state: ContractState): readonly Row[] {
  const { general } = state.effective;
  return [
    ...byUse.flatMap((leaf) => decidedRow(general, leaf, leaf.general)),
    ...plainLeaves.map((leaf) => plainRow(state, leaf)),
  ];
}

/** Other settings of a file, such as its own profiles and flags. How servers are reached is not shown here. */
function otherRows(loaded: LoadedConfig | undefined, known: ReadonlySet<string>): readonly Row[] {
  return Object.entries(loaded?.origins ?? {})
    .filter(([path]) => /^(?:store|ledger|secret|flags|profiles)\b/.test(path) && !known.has(path))
    .map(([path, origin]): Row => [path, origin.value, sayOrigin(origin)])
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

function toolNames({ effective, options, retrieveName }: ContractState): readonly string[] {
  const named = [
    ...Object.keys(effective.settings.tools),
    ...Object.keys(options.toolSettings ?? {}),
    ...effective.names(),
  ];
  return [...new Set(named)].filter((name) => !isNumbered(name, retrieveName)).slice(0, MAX_TOOLS);
}

const ofOneTool = ["file-tool", "code-tool", "widget"];

/** A tool's own settings, and those that can be changed for it. */
function toolRows(state: ContractState, name: string): readonly Row[] {
  const { effective } = state;
  const { settings } = effective;
  const contract: ToolContract = effective.known(name) ?? effective.toolContract({ name, config: {} });
  const { origins, filter } = contract;
  const list = (key: string, value: readonly string[]): Row => {
    const origin = chosen(settings, livePath({ tool: name, key }));
    return [key, value, origin === undefined ? (value.length > 0 ? "code" : "default") : sayOrigin(origin)];
  };
  const rowsOf = (leaves: readonly ToolLeaf[]): readonly Row[] =>
    leaves.flatMap((leaf) => decidedRow(contract, leaf, leaf.path));
  const isOwn = ({ path }: ToolLeaf): boolean => ofOneTool.includes(origins[path as ToolPath].source);
  return [
    ...rowsOf(byUse.filter(isOften)),
    list("include_only", filter.includeOnly),
    list("exclude", filter.exclude),
    list("include_on_error", filter.includeOnError),
    ...rowsOf(byUse.filter((leaf) => !isOften(leaf) && isOwn(leaf))),
    ...Object.entries(filter.excludeWhenTier).map(([tier, paths]): Row => {
      const key = `exclude_when_tier.${tier}`;
      return [key, paths, sayOrigin(chosen(settings, livePath({ tool: name, key })) ?? { source: "file" })];
    }),
  ];
}

/** Every setting of one upstream; the settings of its tools come last. */
function describeSettings(state: ContractState): readonly SettingView[] {
  const { settings } = state.effective;
  const view = (tool: string | undefined, [key, value, origin]: Row): SettingView => {
    const place: LivePlace = { tool, key };
    return { path: livePath(place), value, origin, change: changeOf(place, settings) };
  };
  const general = generalRows(state);
  const others = otherRows(loadedOf(state), new Set(general.map(([key]) => key)));
  return [
    ...general.map((row) => view(undefined, row)),
    ...others.map(([path, value, origin]): SettingView => ({ path, value, origin })),
    ...toolNames(state).flatMap((name) => toolRows(state, name).map((row) => view(name, row))),
  ];
}
