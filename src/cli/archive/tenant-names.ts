import { tenantKey } from "../../stores/store-rules.ts";

/** Who a server on stdio keeps results for when it was given no name of its own. */
const DEFAULT_TENANT = "local:waybill";

const SHOWN_DIGITS = 12;

/** A tenant's name where it is one we know; a store knows tenants by a hash only. */
export function knownTenant(key: string, given: string | undefined): string | undefined {
  return [given, DEFAULT_TENANT].find((name) => name !== undefined && tenantKey(name) === key);
}

/** For people: the name, or the beginning of the key. */
export function showTenant(key: string, given: string | undefined): string {
  return knownTenant(key, given) ?? key.slice(0, SHOWN_DIGITS);
}
