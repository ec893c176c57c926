import type { LoadedConfig } from "../../engine/settings/resolve-config.ts";
import type { Budget } from "../../core/pipeline/parcel.ts";
import type { ConfigWatch } from "../../engine/settings/watch-config.ts";
import { ownProfileOf } from "../../engine/settings/settings-resolver.ts";
import { readGatewayConfig } from "../../doors/gateway/config/read-gateway-config.ts";
import type { UpstreamOptions } from "../../doors/gateway/gateway-options.ts";
import { defaultStore } from "../../doors/gateway/served-set.ts";
import { archiveFolder } from "../../doors/gateway/state-folder.ts";
import { upstreamProblem } from "../../doors/gateway/upstream/child-upstream.ts";
import { localTenant, settingsFor } from "../../doors/gateway/upstream-contract.ts";
import { tenantKey } from "../../engine/archive/store-rules.ts";
import type { CliIo } from "../cli-io.ts";
import { machineOf } from "../machine.ts";
import { count } from "../output/format-values.ts";

/** How the gateway handles results of a server. */
export interface GatewayUse {
  readonly dialect: string;
  readonly profile: string;
  readonly budget: Budget;
  readonly hasClientLimits: boolean;
}

export interface UpstreamView extends GatewayUse {
  readonly name: string;
  /** Without arguments, headers and parts of a URL that may be a key. */
  readonly reach: string;
  readonly hide: readonly string[];
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

function standing(loaded: LoadedConfig): ConfigWatch {
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
    return args.length === 0 ? command : `${command} (${count(args.length, "argument")})`;
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
    ownStore: loaded.settings.store === undefined ? defaultStore(archiveFolder(machineOf(io))) : undefined,
    upstreams: Object.entries(upstreams).map(([name, upstream]) => ({
      ...useOf(name, upstream, config),
      name,
      reach: reachOf(upstream),
      hide: upstream.hide ?? [],
      tenantKey: tenantKey(localTenant(upstream)),
      problem: upstream.url === undefined ? upstreamProblem(upstream) : undefined,
    })),
  };
}
