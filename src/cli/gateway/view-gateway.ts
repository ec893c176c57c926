import type { LoadedConfig } from "../../engine/settings/resolve-config.ts";
import type { Budget } from "../../core/pipeline/pipeline-context.ts";
import type { ConfigWatch } from "../../engine/settings/watch-config.ts";
import { ownProfileOf } from "../../engine/settings/settings-resolver.ts";
import { readGatewayConfig } from "../../doors/gateway/config/read-gateway-config.ts";
import type { UpstreamOptions } from "../../doors/gateway/gateway-options.ts";
import { defaultStore } from "../../doors/gateway/served-set.ts";
import { archiveFolder } from "../../doors/gateway/state-folder.ts";
import { upstreamProblem } from "../../doors/gateway/upstream/child-upstream.ts";
import { localTenant, settingsFor } from "../../doors/gateway/upstream-contract.ts";
import { toolChoiceOf } from "../../engine/session/tool-names.ts";
import { snake } from "../../engine/settings/table-types.ts";
import { tenantKey } from "../../engine/archive/store-rules.ts";
import { type CliIo, machineOf } from "../cli-io.ts";
import { countOf } from "../output/format-values.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";

/** How the gateway handles results of a server. */
interface GatewayUse {
  readonly dialect: string;
  readonly profile: string;
  readonly budget: Budget;
  readonly hasClientLimits: boolean;
}

export interface UpstreamView extends GatewayUse {
  readonly name: string;
  /** Without arguments, headers and parts of a URL that may be a key. */
  readonly reach: string;
  /** What clients see of its tools. */
  readonly tools: readonly Said[];
  /** The key by which a store knows the server's entries on stdio. */
  readonly tenantKey: string;
  /** Why the server's command will not start, as far as this is visible. */
  readonly problem: string | undefined;
}

/** What `waybill gateway` would do here, with the same files and environment. */
export interface GatewayView extends GatewayUse {
  /** The default store for cut results; undefined if a store is named. */
  readonly ownStore: string | undefined;
  readonly upstreams: readonly UpstreamView[];
}

/** A configuration that does not follow its files. */
export function standing(loaded: LoadedConfig): ConfigWatch {
  const never = (): (() => void) => () => undefined;
  return { current: loaded, onChange: never, onProblem: never, close: () => Promise.resolve() };
}

function useOf(name: string, upstream: UpstreamOptions, config: ConfigWatch): GatewayUse {
  const { general } = settingsFor(name, upstream, { upstreams: {}, config });
  const { dialect, budget, clientLimits } = general;
  return { dialect, profile: ownProfileOf(general), budget, hasClientLimits: clientLimits !== false };
}

function reachOf({ command, args = [], url }: UpstreamOptions): string {
  if (url === undefined)
    return args.length === 0 ? command : `${command} (${countOf(args.length, "argument")})`;
  if (!URL.canParse(url)) return "a url that cannot be read";
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Nothing is started or opened. Throws INVALID_CONFIG if the servers in the file are wrong. */
export function viewGateway(loaded: LoadedConfig, io: CliIo): GatewayView {
  const config = standing(loaded);
  const { upstreams } = readGatewayConfig(loaded, io.env);
  return {
    ...useOf("", { command: "" }, config),
    ownStore:
      loaded.settings.store?.place === undefined ? defaultStore(archiveFolder(machineOf(io))) : undefined,
    upstreams: Object.entries(upstreams).map(([name, upstream]) => ({
      ...useOf(name, upstream, config),
      name,
      reach: reachOf(upstream),
      tools: toolRulesOf(upstream),
      tenantKey: tenantKey(localTenant(upstream)),
      problem: upstream.url === undefined ? upstreamProblem(upstream) : undefined,
    })),
  };
}

/** The rules for a server's list of tools, by their names in a file. */
function toolRulesOf(upstream: UpstreamOptions): readonly Said[] {
  return Object.entries(toolChoiceOf(upstream) as Readonly<Record<string, JsonValue | undefined>>).flatMap(
    ([name, value]): Said[] =>
      value === undefined || Object.keys(value ?? {}).length === 0 ? [] : [[snake(name), value]],
  );
}

/** One line about the gateway in `waybill config`. */
interface GatewayRow {
  readonly setting: string;
  readonly value: JsonValue;
  /** The origin: a file, the environment, or the gateway itself. */
  readonly source: string;
}

type Said = readonly [setting: string, value: JsonValue];

function saidOf({ dialect, profile, budget, hasClientLimits }: GatewayUse): readonly Said[] {
  return [
    ["budget.tokens", budget.tokens],
    ["budget.bytes", budget.bytes],
    ["dialect", dialect],
    ["fit.client_limits", hasClientLimits],
    ["profile", profile],
  ];
}

/** The origin of a setting, in the words of the other settings. */
function sourceOf(setting: string, { settings }: LoadedConfig): string {
  const { source, where } = settings.origins?.[setting] ?? {};
  if (source === undefined) return "gateway";
  return where === undefined ? source : `${source}: ${where}`;
}

/** The settings as the gateway uses them; for an upstream, only those that differ. */
export function describeGateway(view: GatewayView, loaded: LoadedConfig): readonly GatewayRow[] {
  const general = saidOf(view);
  const rows = general.map(([setting, value]) => ({ setting, value, source: sourceOf(setting, loaded) }));
  const store = {
    setting: "store.place",
    value: view.ownStore ?? loaded.origins["store.place"]?.value ?? null,
    source: sourceOf("store.place", loaded),
  };
  const servers = view.upstreams.flatMap((upstream) => {
    const at = `upstreams.${upstream.name}`;
    const own = saidOf(upstream).filter(([, value], index) => value !== general[index]?.[1]);
    return [
      { setting: at, value: upstream.reach, source: "file" },
      ...own.map(([setting, value]) => ({ setting: `${at}.${setting}`, value, source: "file" })),
      ...upstream.tools.map(([setting, value]) => ({ setting: `${at}.${setting}`, value, source: "file" })),
    ];
  });
  return [...rows, store, ...servers];
}

/** The settings for programs, with the key by which a store knows each server on stdio. */
export function gatewayToJson(view: GatewayView, rows: readonly GatewayRow[]): JsonObject {
  return {
    settings: rows as unknown as JsonValue,
    upstreams: view.upstreams.map(({ name, reach, tenantKey }) => ({ name, reach, tenant_key: tenantKey })),
  };
}
