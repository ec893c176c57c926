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
import { readPost } from "../read-post.ts";
import { LiveSettings } from "./live-settings.ts";
import { isNumbered } from "../../../../core/contract/retrieve-name.ts";
import { posix, win32 } from "node:path";
import type { LoadedConfig } from "../../../../engine/settings/resolve-config.ts";
import type { LayerOrigin } from "../../../../engine/settings/setting-layers.ts";
import type { SettingOrigin, Settings } from "../../../../engine/settings/settings.ts";
import type { ContractState } from "../../../../engine/call/contract-state.ts";
import { ownProfileOf } from "../../../../engine/settings/settings-resolver.ts";
import type { ToolContract } from "../../../../engine/settings/tool-contract.ts";
import type { JsonValue } from "../../../../core/json/json-value.ts";
import { type LivePlace, changeOf, pathOf } from "./live-change.ts";

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
): readonly ApiRoute[] {
  const live = new LiveSettings();
  const changed = (): void => tell("config", {});
  const followAll = (): void => gateway.upstreams().forEach((upstream) => live.follow(upstream));
  followAll();
  const stop = gateway.onChange?.(() => {
    followAll();
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
    const { upstream, path, value } = readPost(changeBody, body);
    live.change(upstreamNamed(gateway, upstream), path, value);
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

function generalRows(state: ContractState): readonly Row[] {
  const { effective, options } = state;
  const { general, settings } = effective;
  const { origins, allow, budget } = general;
  const { fit = {}, allow: allowed = {} } = options;
  const plain = (path: string, value: JsonValue, code?: unknown, byCode?: string): Row => [
    path,
    value,
    plainOrigin(settings, path, code, byCode),
  ];
  // What code allows overrides the file.
  const ofAllow = (path: string, value: JsonValue, code: unknown): Row =>
    code === undefined ? plain(path, value) : [path, value, "code"];
  return [
    ["budget.tokens", budget.tokens, sayOrigin(origins["budget.tokens"])],
    ["budget.bytes", budget.bytes, sayOrigin(origins["budget.bytes"])],
    ["profile", ownProfileOf(general), sayOrigin(origins.profile)],
    ["dialect", general.dialect, sayOrigin(origins.dialect)],
    ["delivery", general.delivery, sayOrigin(origins.delivery)],
    ["encoding", general.encoding, sayOrigin(origins.encoding)],
    ["select", general.select, sayOrigin(origins.select)],
    ["repair_arguments", general.repairArguments, sayOrigin(origins.repair_arguments)],
    ["upstream.dialect", general.upstreamDialect, sayOrigin(origins["upstream.dialect"])],
    ["fit.strategy", general.strategy, sayOrigin(origins.strategy)],
    plain("fit.max_blob_bytes", general.maxBlobBytes, fit.maxBlobBytes),
    // The gateway switches this on by default.
    plain("fit.client_limits", general.clientLimits !== false, fit.clientLimits, "gateway"),
    plain("fit.without_envelope", fit.withoutEnvelope ?? settings.fit.withoutEnvelope, fit.withoutEnvelope),
    plain("exclude_empty_arrays", settings.excludeEmptyArrays),
    plain("exclude_empty_objects", settings.excludeEmptyObjects),
    plain("exclude_null_values", settings.excludeNullValues),
    ofAllow("allow.dialects", allowed.dialects ?? settings.allow.dialects, allowed.dialects),
    ofAllow("allow.profiles", allow.profiles, allowed.profiles),
    ofAllow("allow.max_budget_tokens", allow.maxBudgetTokens ?? "off", allowed.maxBudgetTokens),
    ofAllow("allow.budget_off", allow.budgetOff, allowed.budgetOff),
    plain("tiers.order", settings.tiers.order),
    plain("tiers.default", settings.tiers.default),
    plain("cursors.accept_unsigned", settings.cursors.acceptUnsigned),
    plain("cursors.expires_in_days", settings.cursors.expiresInDays),
    plain("validate", general.validate, options.validate),
  ];
}

/** Other settings of a file, such as its own profiles and flags. How servers are reached is not shown here. */
function otherRows(loaded: LoadedConfig | undefined, known: ReadonlySet<string>): readonly Row[] {
  return Object.entries(loaded?.origins ?? {})
    .filter(([path]) => /^(?:store|secret|flags|profiles)\b/.test(path) && !known.has(path))
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
  const { origins, filter, budget } = contract;
  const list = (key: string, value: readonly string[]): Row => {
    const origin = chosen(settings, pathOf({ tool: name, key }));
    return [key, value, origin === undefined ? (value.length > 0 ? "code" : "default") : sayOrigin(origin)];
  };
  const own: readonly (readonly [keyof typeof origins, JsonValue])[] = [
    ["dialect", contract.dialect],
    ["delivery", contract.delivery],
    ["encoding", contract.encoding],
    ["select", contract.select],
    ["repair_arguments", contract.repairArguments],
    ["strategy", contract.strategy],
  ];
  return [
    ["budget.tokens", budget.tokens, sayOrigin(origins["budget.tokens"])],
    ["budget.bytes", budget.bytes, sayOrigin(origins["budget.bytes"])],
    ["profile", ownProfileOf(contract), sayOrigin(origins.profile)],
    list("include_only", filter.includeOnly),
    list("exclude", filter.exclude),
    list("include_on_error", filter.includeOnError),
    ...own
      .filter(([key]) => ofOneTool.includes(origins[key].source))
      .map(([key, value]): Row => [key, value, sayOrigin(origins[key])]),
    ...Object.entries(filter.excludeWhenTier).map(([tier, paths]): Row => {
      const key = `exclude_when_tier.${tier}`;
      return [key, paths, sayOrigin(chosen(settings, pathOf({ tool: name, key })) ?? { source: "file" })];
    }),
  ];
}

/** Every setting of one upstream; the settings of its tools come last. */
function describeSettings(state: ContractState): readonly SettingView[] {
  const { settings } = state.effective;
  const view = (tool: string | undefined, [key, value, origin]: Row): SettingView => {
    const place: LivePlace = { tool, key };
    return { path: pathOf(place), value, origin, change: changeOf(place, settings) };
  };
  const general = generalRows(state);
  const others = otherRows(loadedOf(state), new Set(general.map(([key]) => key)));
  return [
    ...general.map((row) => view(undefined, row)),
    ...others.map(([path, value, origin]): SettingView => ({ path, value, origin })),
    ...toolNames(state).flatMap((name) => toolRows(state, name).map((row) => view(name, row))),
  ];
}
