import { loadConfig } from "../../engine/settings/load-config.ts";
import { readGatewayConfig } from "../../doors/gateway/config/read-gateway-config.ts";
import { localTenant } from "../../doors/gateway/upstream-contract.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { tenantKey } from "../../engine/archive/store-rules.ts";
import type { CliIo } from "../cli-io.ts";

/** The tenant of a server on stdio that has no name of its own. */
const USUAL_TENANT = "local:waybill";
const SHOWN_DIGITS = 12;

/** What is known of tenants besides their keys: a store knows them by a hash only. */
export interface TenantNames {
  /** The tenant that is looked at first. */
  readonly usual: string;
  /** Names for people, by key: the gateway's servers on stdio, as the configuration calls them. */
  readonly byKey: ReadonlyMap<string, string>;
  /** The tenant that a name for people means. */
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

/** The names of the gateway's servers that the configuration has. A file that is wrong names none: this is not its check. */
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

/** A tenant's name where it is one we know. */
export function knownTenant(key: string, { byKey }: TenantNames, given?: string): string | undefined {
  return given !== undefined && tenantKey(given) === key ? given : byKey.get(key);
}

/** For people: the name, or the beginning of the key. */
export function showTenant(key: string, names: TenantNames, given?: string): string {
  return knownTenant(key, names, given) ?? key.slice(0, SHOWN_DIGITS);
}
