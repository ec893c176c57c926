import type { Target } from "./check-url.ts";
import { fetchFault } from "./fetch-fault.ts";
import type { FetchSettings } from "./fetch-settings.ts";
import { isPublicAddress } from "./is-public-address.ts";
import { isInRange, parseAddress } from "./parse-address.ts";

/** The few that are tried; the others were checked all the same. */
const MAX_ADDRESSES_TRIED = 4;

function checkAddress(text: string, target: Target, { denied, permits }: FetchSettings): void {
  const { redirect } = target;
  const address = parseAddress(text);
  if (address === undefined || denied.some((range) => isInRange(address, range))) {
    throw fetchFault("private_address", { redirect });
  }
  if (permits.cover(target, address)) return;
  if (!isPublicAddress(address)) throw fetchFault("private_address", { redirect });
  if (!target.isUsualPort) throw fetchFault("port", { redirect });
}

async function askResolver(
  { host, redirect }: Target,
  { resolve }: FetchSettings,
): Promise<readonly string[]> {
  try {
    return await resolve(host);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    throw fetchFault(code === "ENOTFOUND" || code === "ENODATA" ? "host" : "dns", { redirect, cause });
  }
}

/**
 * The addresses to connect to, from one look-up: whatever the name says a moment later, these are used. One address
 * that may not be reached refuses them all, since which of them is connected to would be chance.
 */
export async function findAddresses(target: Target, settings: FetchSettings): Promise<readonly string[]> {
  const { host, redirect } = target;
  const addresses = parseAddress(host) === undefined ? await askResolver(target, settings) : [host];
  if (addresses.length === 0) throw fetchFault("host", { redirect });
  for (const address of addresses) checkAddress(address, target, settings);
  return addresses.slice(0, MAX_ADDRESSES_TRIED);
}
