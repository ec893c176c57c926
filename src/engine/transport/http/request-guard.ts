import { isIP } from "node:net";
import type { Refusal } from "./refusal.ts";
import { CONNECTION_CLOSED } from "../../../core/protocol/names.ts";

/** The names that programs use for their own machine. */
const ownMachine = ["localhost", "127.0.0.1", "[::1]"];

/** Addresses that mean every address of the machine, so no Host header can be checked against them. */
const anyAddress = new Set(["0.0.0.0", "::", "[::]"]);

/** How many verdicts are cached; clients send the same few values again and again. */
const MAX_REMEMBERED = 100;

/** The parts of a request that the guard reads. */
interface GuardedHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

export interface GuardOptions {
  /** The address on which the server listens. */
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

/** A name without its port, as in URLs: lower case, IPv6 in brackets. */
function hostnameOf(name: string): string {
  const bracketed =
    name.includes(":") && !name.startsWith("[") && name.split(":").length > 2 ? `[${name}]` : name;
  return parse(`http://${bracketed}`)?.hostname ?? name.toLowerCase();
}

/** A whole origin without a path; the `origin` of a URL is "null" for the schemes of editors and extensions. */
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

/** Whether a Host header is an address and not a name. In a DNS rebinding attack the header is always a name. */
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
 * Keeps web pages away from a gateway that they may reach through the user's browser: the Host header must be
 * a name of this machine, and the Origin header, if present, an allowed page. A gateway that listens on every
 * address requires a token from every caller instead, and checks Host only if names are configured.
 * `byAddress` is for requests to the address of a pod or machine, as Prometheus sends them: any address
 * passes as Host.
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
