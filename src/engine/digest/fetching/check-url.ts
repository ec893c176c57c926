import { isInRange, isPublicAddress, parseAddress, plainHost } from "./address.ts";
import { fetchFault } from "./fetch-fault.ts";
import type { FetchSettings } from "./fetch-settings.ts";
import type { Place } from "./private-permits.ts";

/** A URL that may be fetched if the addresses of its host may be connected to. */
export interface Target extends Place {
  readonly url: URL;
  /** How many redirects led here. */
  readonly redirect: number;
}

const MAX_URL_CHARACTERS = 8_192;

/** Names that RFC 6761, 6762, 8375 and ICANN keep for local networks. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;

function isLocalName(host: string): boolean {
  return parseAddress(host) === undefined && (!host.includes(".") || LOCAL_NAME.test(host));
}

function isListed(host: string, list: readonly string[]): boolean {
  return list.some((entry) => (entry.startsWith("*.") ? host.endsWith(entry.slice(1)) : host === entry));
}

/** Reads what a caller gave as a URL. */
export function parseUrl(text: unknown): URL {
  if (typeof text === "string" && text.length <= MAX_URL_CHARACTERS && URL.canParse(text))
    return new URL(text);
  throw fetchFault("url");
}

/** Where a redirect leads. Servers write UTF-8 into a header that Node reads as Latin-1. */
export function followLocation(location: string | undefined, { url, redirect }: Target): URL {
  const text = Buffer.from(location ?? "", "latin1").toString("utf8");
  if (text === "" || text.length > MAX_URL_CHARACTERS || !URL.canParse(text, url.href)) {
    throw fetchFault("redirect_target", { redirect });
  }
  return new URL(text, url);
}

/** Without a fragment, which is not for servers, and without the dots a host may end in. */
function tidied(given: URL): URL {
  const url = new URL(given);
  url.hash = "";
  url.hostname = url.hostname.replace(/\.+$/, "");
  return url;
}

/** All that can be said before the host is looked up. */
export function checkUrl(given: URL, redirect: number, settings: FetchSettings): Target {
  if (given.protocol !== "http:" && given.protocol !== "https:") throw fetchFault("scheme", { redirect });
  if (given.username !== "" || given.password !== "") throw fetchFault("credentials", { redirect });
  const url = tidied(given);
  const host = plainHost(url);
  if (host === "") throw fetchFault(redirect === 0 ? "url" : "redirect_target", { redirect });
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const isUsualPort = settings.ports.includes(port);
  if (!isUsualPort && !settings.permits.namesPort(port)) throw fetchFault("port", { redirect });
  if (settings.allowHosts !== undefined && !isListed(host, settings.allowHosts)) {
    throw fetchFault("host_not_allowed", { redirect });
  }
  if (settings.permits.isEmpty && isLocalName(host)) throw fetchFault("local_name", { redirect });
  return { url, host, port, isUsualPort, redirect };
}

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
