import { loadConfig } from "../../engine/settings/load-config.ts";
import { readGatewayConfig } from "../../doors/gateway/config/read-gateway-config.ts";
import { localTenant } from "../../doors/gateway/upstream-contract.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { tenantKey } from "../../engine/archive/store-rules.ts";
import type { CliIo } from "../cli-io.ts";

/** The tenant of a server on stdio without a name. */
const USUAL_TENANT = "local:waybill";
const SHOWN_DIGITS = 12;

/** What is known about tenants besides their keys: a store knows only a hash of each. */
export interface TenantNames {
  /** The tenant that is tried first. */
  readonly usual: string;
  /** Names for people, by key: the gateway's servers on stdio, as named in the configuration. */
  readonly byKey: ReadonlyMap<string, string>;
  /** The tenant that a name for people refers to. */
  readonly find: (name: string) => string | undefined;
}

function makeNames(servers: readonly (readonly [name: string, tenant: string])[]): TenantNames {
  const byName = new Map(servers);
  return {
    usual: USUAL_TENANT,
    byKey: new Map([
      [tenantKey(USUAL_TENANT), USUAL_TENANT],
      ...servers.map(([name, tenant]) => [tenantKey(tenant), name] as const),
    ]),
    find: (name) => byName.get(name),
  };
}

/** The names of the gateway's servers in the configuration. An invalid file gives no names: it is not checked here. */
export async function readTenantNames(configPath: string | undefined, io: CliIo): Promise<TenantNames> {
  try {
    const loaded = await loadConfig({
      configPath,
      namedBy: "--config",
      cwd: io.cwd,
      home: io.env["HOME"],
      environment: io.env,
    });
    const { upstreams } = readGatewayConfig(loaded, io.env);
    return makeNames(Object.entries(upstreams).map(([name, upstream]) => [name, localTenant(upstream)]));
  } catch (error) {
    if (!ContractError.isInstance(error)) throw error;
    return makeNames([]);
  }
}

/** A tenant's name, if it is known. */
export function knownTenant(key: string, { byKey }: TenantNames, given?: string): string | undefined {
  return given !== undefined && tenantKey(given) === key ? given : byKey.get(key);
}

/** For people: the name, or the beginning of the key. */
export function showTenant(key: string, names: TenantNames, given?: string): string {
  return knownTenant(key, names, given) ?? key.slice(0, SHOWN_DIGITS);
}
