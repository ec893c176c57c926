import { asyncScope } from "../runtime/async-scope.ts";
import { sha256Hex } from "../runtime/sha256-hex.ts";

/** What transports hand over beside a message: SDK v2 the web request, v1 its headers; stdio and memory neither. */
interface MessageExtra {
  readonly request?: { readonly headers?: unknown };
  readonly requestInfo?: { readonly headers?: unknown };
  /** The caller's address, which the gateway's own listener hands over. */
  readonly peer?: string | undefined;
  /** What it made of all that a server behind a URL sees of the caller; see `HttpFacts`. */
  readonly callerHash?: string | undefined;
  readonly variantHash?: string | undefined;
}

/** What is known of the HTTP request that carried a call. */
export interface HttpFacts {
  /** Of the bearer token; in front of a server behind a URL, of every proof that the server gets to see. */
  readonly bearerHash: string | undefined;
  /** Of what else that server sees of a caller who shows no proof: it may answer differently by it. */
  readonly variantHash: string | undefined;
  readonly forwardedFor: string | undefined;
  readonly peer: string | undefined;
  /** The trace that the request belongs to, by its headers. */
  readonly trace: CarriedTrace | undefined;
}

/** The headers of the W3C's trace context, as they came. */
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

/** Enough of a credential's sha256 to tell callers apart, and nothing to sign in with. */
export function hashCredential(credential: string): string {
  return sha256Hex(credential).slice(0, HASH_DIGITS);
}

/** Of a web request, whose class differs from runtime to runtime. */
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

/** What clients send by mistake where they have no token: everybody sends the same, so it tells nobody apart. */
const placeholder = /^\s*(?:(?:bearer|basic|token)\b\s*)?(?:undefined|null|none)?\s*$/i;

/** Whether an `Authorization` header holds a placeholder, or nothing, in the place of a credential. */
export function isPlaceholder(authorization: string): boolean {
  return placeholder.test(authorization);
}

function bearerHashOf(headers: unknown): string | undefined {
  const authorization = headerOf(headers, "authorization") ?? "";
  const [, token] = /^Bearer +(\S+)\s*$/i.exec(authorization) ?? [];
  return token === undefined || isPlaceholder(authorization) ? undefined : hashCredential(token);
}

/** The facts of the HTTP request behind a message; undefined where the transport hands over no request. */
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

/** Runs `run` for a caller at this address: only the HTTP server knows it, and no SDK passes it on. */
export function withPeer<Value>(address: string | undefined, run: () => Value): Value {
  return address === undefined || address === "" ? run() : peers.run(address, run);
}

/** An entry of X-Forwarded-For; some proxies write the port too. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim();
  if (isAddress(text)) return text;
  const bare = text.replace(/:\d{1,5}$/, "").replace(/^\[(.*)\]$/, "$1");
  return isAddress(bare) ? bare : undefined;
}

/** How many of the operator's own proxies are in front; entries that they did not write may be invented by the caller. */
export type TrustProxy = boolean | number;

/**
 * The caller's address: what the outermost trusted proxy saw, else what the HTTP recipe handed over.
 * Proxies append, so trusted entries count from the right; those before them anybody may have written.
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

/** What is limited: an IPv4 address, or the /64 that one IPv6 subscriber can choose addresses from. */
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

// Whether a text is an address of the internet protocol, as Node's `isIP` has it, on every runtime.

const PART = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = new RegExp(`^(?:${PART}\\.){3}${PART}$`);
/** An interface of the machine may follow an address: `fe80::1%eth0`. */
const ZONE = /%[\dA-Za-z.:-]+$/;
const MOST_CHARACTERS = 100;

function isIpv6(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  const bare = text.replace(ZONE, "");
  // The parser of URLs knows every form; only the characters have to be an address's own.
  return /^[\dA-Fa-f:.]+$/.test(bare) && bare.includes(":") && URL.canParse(`http://[${bare}]`);
}

export function isAddress(text: string): boolean {
  return IPV4.test(text) || isIpv6(text);
}
