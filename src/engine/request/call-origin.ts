import { asyncScope } from "../runtime/async-scope.ts";
import { sha256Hex } from "../runtime/sha256-hex.ts";

/** What transports provide with a message: SDK v2 the web request, v1 its headers; stdio and memory neither. */
interface MessageExtra {
  readonly request?: { readonly headers?: unknown };
  readonly requestInfo?: { readonly headers?: unknown };
  /** The caller's address, provided by the gateway's own listener. */
  readonly peer?: string | undefined;
  /** The gateway's hash of everything that a server behind a URL sees of the caller; see `HttpFacts`. */
  readonly callerHash?: string | undefined;
  readonly variantHash?: string | undefined;
}

/** What is known of the HTTP request that carried a call. */
export interface HttpFacts {
  /** The hash of the bearer token; in front of a server behind a URL, of every credential that the server sees. */
  readonly bearerHash: string | undefined;
  /** The hash of what else that server sees of a caller without credentials: its answer may depend on it. */
  readonly variantHash: string | undefined;
  readonly forwardedFor: string | undefined;
  readonly peer: string | undefined;
  /** The trace of the request, from its headers. */
  readonly trace: CarriedTrace | undefined;
}

/** The headers of W3C Trace Context, as they came. */
export interface CarriedTrace {
  readonly traceparent: string;
  readonly tracestate: string | undefined;
}

const MAX_TRACE_LENGTH = 512;

function traceOf(headers: unknown): CarriedTrace | undefined {
  const traceparent = headerOf(headers, "traceparent");
  if (traceparent === undefined || traceparent.length > MAX_TRACE_LENGTH) return undefined;
  const tracestate = headerOf(headers, "tracestate");
  return { traceparent, tracestate: (tracestate?.length ?? 0) > MAX_TRACE_LENGTH ? undefined : tracestate };
}

const HASH_DIGITS = 32;

/** Enough of a credential's sha256 to tell callers apart; it cannot be used to sign in. */
export function hashCredential(credential: string): string {
  return sha256Hex(credential).slice(0, HASH_DIGITS);
}

/** The headers of a web request; its class differs between runtimes. */
interface WebHeaders {
  get(name: string): string | null;
}

function isWebHeaders(headers: object): headers is WebHeaders {
  return "get" in headers && typeof headers.get === "function";
}

function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== "object" || headers === null) return undefined;
  if (isWebHeaders(headers)) return headers.get(name) ?? undefined;
  const value = (headers as Readonly<Record<string, unknown>>)[name];
  const text: unknown = Array.isArray(value) ? value.join(", ") : value;
  return typeof text === "string" ? text : undefined;
}

/** What clients send by mistake if they have no token: all of them send the same, so it identifies no caller. */
const placeholder = /^\s*(?:(?:bearer|basic|token)\b\s*)?(?:undefined|null|none)?\s*$/i;

/** Whether an `Authorization` header contains a placeholder, or nothing, instead of a credential. */
export function isPlaceholder(authorization: string): boolean {
  return placeholder.test(authorization);
}

function bearerHashOf(headers: unknown): string | undefined {
  const authorization = headerOf(headers, "authorization") ?? "";
  const [, token] = /^Bearer +(\S+)\s*$/i.exec(authorization) ?? [];
  return token === undefined || isPlaceholder(authorization) ? undefined : hashCredential(token);
}

/** The facts of the HTTP request behind a message; undefined if the transport provides no request. */
export function httpFactsOf(extra: unknown): HttpFacts | undefined {
  const { request, requestInfo, peer, callerHash, variantHash } = (extra ?? {}) as MessageExtra;
  const carrier = request ?? requestInfo;
  if (carrier === undefined) return undefined;
  const { headers } = carrier;
  return {
    bearerHash: callerHash ?? bearerHashOf(headers),
    variantHash,
    forwardedFor: headerOf(headers, "x-forwarded-for"),
    peer,
    trace: traceOf(headers),
  };
}

const peers = asyncScope<string>();

/** Runs `run` for a caller at this address: only the HTTP server knows the address, and no SDK passes it on. */
export function withPeer<Value>(address: string | undefined, run: () => Value): Value {
  return address === undefined || address === "" ? run() : peers.run(address, run);
}

/** The address in an entry of X-Forwarded-For; some proxies add the port. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim();
  if (isAddress(text)) return text;
  const bare = text.replace(/:\d{1,5}$/, "").replace(/^\[(.*)\]$/, "$1");
  return isAddress(bare) ? bare : undefined;
}

/** How many of the operator's own proxies are in front; a caller may have invented entries that they did not write. */
export type TrustProxy = boolean | number;

/**
 * The caller's address: what the outermost trusted proxy saw, else what the HTTP server passed on. Proxies
 * append, so trusted entries are counted from the right; any caller may have written those before them.
 */
export function peerOf(
  forwardedFor: string | undefined,
  trustProxy: TrustProxy = false,
  handedOver?: string,
): string | undefined {
  const direct = handedOver ?? peers.getStore();
  const hops = Number(trustProxy);
  if (hops === 0 || forwardedFor === undefined) return direct;
  const entry = forwardedFor.split(",").at(-hops);
  return (entry === undefined ? undefined : addressIn(entry)) ?? direct;
}

const GROUPS_OF_NETWORK = 4;

/** The network that is limited: an IPv4 address, or the /64 from which one IPv6 subscriber can choose addresses. */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.)/i, "");
  if (!isIpv6(bare)) return bare;
  const [head = "", tail] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split("::");
  const groupsOf = (text = ""): string[] => (text === "" ? [] : text.split(":"));
  const [left, right] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  const groups = tail === undefined ? left : [...left, ...zeros, ...right];
  return `${groups.slice(0, GROUPS_OF_NETWORK).join(":")}::/64`;
}

// Whether a text is an IP address, as Node's `isIP` decides, on every runtime.

const PART = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = new RegExp(`^(?:${PART}\\.){3}${PART}$`);
/** A network interface may follow an address: `fe80::1%eth0`. */
const ZONE = /%[\dA-Za-z.:-]+$/;
const MOST_CHARACTERS = 100;

function isIpv6(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  const bare = text.replace(ZONE, "");
  // The URL parser knows every form; only the characters must be those of an address.
  return /^[\dA-Fa-f:.]+$/.test(bare) && bare.includes(":") && URL.canParse(`http://[${bare}]`);
}

export function isAddress(text: string): boolean {
  return IPV4.test(text) || isIpv6(text);
}
