import { isIP } from "node:net";
import type { Refusal } from "./refusal.ts";
import { CONNECTION_CLOSED } from "../../../core/protocol/names.ts";

/** The names by which programs call their own machine. */
const ownMachine = ["localhost", "127.0.0.1", "[::1]"];

/** Addresses that mean every address of the machine, so that no Host header can be told from them. */
const anyAddress = new Set(["0.0.0.0", "::", "[::]"]);

/** How many verdicts are remembered; clients send the same few values again and again. */
const MAX_REMEMBERED = 100;

/** What the guard reads of a request. */
interface GuardedHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

export interface GuardOptions {
  /** The address that is listened on. */
  readonly host: string;
  readonly allowedHosts?: readonly string[] | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
}

function forbidden(message: string): Refusal {
  return { status: 403, code: CONNECTION_CLOSED, message };
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** A name without its port, as URLs have it: in lower case, IPv6 in brackets. */
function hostnameOf(name: string): string {
  const bracketed =
    name.includes(":") && !name.startsWith("[") && name.split(":").length > 2 ? `[${name}]` : name;
  return parse(`http://${bracketed}`)?.hostname ?? name.toLowerCase();
}

/** A whole origin without a path; `origin` of a URL says "null" for the schemes of editors and extensions. */
function originOf({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

/** An entry of the list in the form that is compared: a name, a whole origin, or all origins of a scheme. */
function allowedOrigin(entry: string): string {
  const url = entry.includes("//") ? parse(entry) : undefined;
  return url === undefined ? entry.toLowerCase() : originOf(url);
}

function isAllowedOrigin(origin: URL, allowed: ReadonlySet<string>): boolean {
  return (
    allowed.has(origin.hostname) || allowed.has(originOf(origin)) || allowed.has(`${origin.protocol}//*`)
  );
}

/** Whether a Host header is an address and no name. A page that tricks a browser with DNS always has a name there. */
function isAddress(host: string): boolean {
  const hostname = parse(`http://${host}`)?.hostname ?? "";
  return isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

type Check = (value: string) => Refusal | undefined;

function remembering(check: Check): Check {
  const known = new Map<string, Refusal | undefined>();
  return (value) => {
    if (known.has(value)) return known.get(value);
    const verdict = check(value);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(value, verdict);
    return verdict;
  };
}

/**
 * Keeps web pages away from a gateway that they may reach through the user's browser: the Host header must be a name of
 * this machine, and the Origin header, where there is one, a page that is allowed. A gateway that listens on every
 * address has a token for every caller instead, and checks Host only where names are given. `byAddress` is for what is
 * asked by the address of a pod or machine, as Prometheus does: there any address passes as Host.
 */
export function requestGuard({
  host,
  allowedHosts,
  allowedOrigins,
}: GuardOptions): (headers: GuardedHeaders, byAddress?: boolean) => Refusal | undefined {
  const hosts = new Set([...ownMachine, host, ...(allowedHosts ?? [])].map(hostnameOf));
  const takesAnyHost = anyAddress.has(host) && allowedHosts === undefined;
  const origins = new Set((allowedOrigins ?? ownMachine).map(allowedOrigin));
  const checkHost = remembering((value) => {
    const hostname = parse(`http://${value}`)?.hostname;
    if (hostname === undefined) return forbidden(`Invalid Host header: ${value}`);
    return takesAnyHost || hosts.has(hostname) ? undefined : forbidden(`Invalid Host: ${hostname}`);
  });
  const checkOrigin = remembering((value) => {
    const origin = parse(value);
    if (origin === undefined || origin.hostname === "") return forbidden(`Invalid Origin header: ${value}`);
    return isAllowedOrigin(origin, origins) ? undefined : forbidden(`Invalid Origin: ${origin.hostname}`);
  });
  return ({ host: named, origin }, byAddress = false) => {
    if (named === undefined || named === "") return forbidden("Missing Host header");
    const refusal = byAddress && isAddress(named) ? undefined : checkHost(named);
    return refusal ?? (origin === undefined || origin === "" ? undefined : checkOrigin(origin));
  };
}
