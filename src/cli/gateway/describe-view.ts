import type { LoadedConfig } from "../../engine/settings/resolve-config.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import type { GatewayUse, GatewayView } from "./view-gateway.ts";

/** One line about the gateway in `waybill config`. */
export interface GatewayRow {
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
    setting: "store",
    value: view.ownStore ?? loaded.origins["store"]?.value ?? null,
    source: sourceOf("store", loaded),
  };
  const servers = view.upstreams.flatMap((upstream) => {
    const at = `upstreams.${upstream.name}`;
    const own = saidOf(upstream).filter(([, value], index) => value !== general[index]?.[1]);
    return [
      { setting: at, value: upstream.reach, source: "file" },
      ...own.map(([setting, value]) => ({ setting: `${at}.${setting}`, value, source: "file" })),
      ...(upstream.hide.length === 0
        ? []
        : [{ setting: `${at}.hide`, value: upstream.hide, source: "file" }]),
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
