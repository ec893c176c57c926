import { lookup } from "node:dns/promises";
import { isIPv6 } from "node:net";
import * as z from "zod/mini";
import { checkOptions } from "../../../core/options/check-options.ts";
import { callback, list, optionsOf, readable, text, whole } from "../../../core/options/option-kinds.ts";
import {
  type AddressRange,
  type PrivatePermits,
  parseAddressRange,
  permitAdvice,
  readHost,
  readPermit,
  readPrivatePermits,
} from "./address.ts";

type Limits = Required<
  Pick<
    FetcherOptions,
    "maxBytes" | "maxDecompressionRatio" | "timeoutMs" | "connectTimeoutMs" | "idleTimeoutMs" | "maxRedirects"
  >
>;

export interface FetchSettings extends Limits {
  readonly ports: readonly number[];
  readonly allowHosts: readonly string[] | undefined;
  readonly permits: PrivatePermits;
  readonly denied: readonly AddressRange[];
  readonly userAgent: string;
  readonly ca: string | undefined;
  readonly resolve: (host: string) => Promise<readonly string[]>;
}

/** With a longer delay, setTimeout fires at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export const limits: Readonly<
  Record<keyof Limits, { readonly usual: number; readonly min: number; readonly max: number }>
> = {
  maxBytes: { usual: 16 * 1024 * 1024, min: 1, max: 2 ** 31 - 1 },
  maxDecompressionRatio: { usual: 200, min: 1, max: 2_000 },
  timeoutMs: { usual: 30_000, min: 1, max: MAX_DELAY_MS },
  connectTimeoutMs: { usual: 10_000, min: 1, max: MAX_DELAY_MS },
  idleTimeoutMs: { usual: 10_000, min: 1, max: MAX_DELAY_MS },
  maxRedirects: { usual: 5, min: 0, max: 20 },
};

const advice = {
  host: "Write a host such as example.com, or *.example.com for the names below it.",
  range: "Write a range such as 203.0.112.0/20.",
  userAgent: "Write 1 to 200 printable ASCII characters.",
};

type OtherOption = Exclude<keyof FetcherOptions, keyof Limits>;

const others: Readonly<Record<OtherOption, z.ZodMiniType>> = {
  allowHosts: list(readable(readAllowedHost, advice.host)),
  allowPrivate: z.union(
    [z.literal(false), list(readable(readPermit, permitAdvice))],
    "Write a list of addresses, ranges, or hosts with a port, or false.",
  ),
  denyAddresses: list(readable(parseAddressRange, advice.range)),
  ports: list(whole({ min: 1, max: 65_535 })),
  userAgent: z.string(advice.userAgent).check(z.regex(/^[\u0020-\u007e]{1,200}$/, advice.userAgent)),
  ca: text,
  resolve: callback,
};

export const otherOptions = Object.keys(others) as readonly OtherOption[];

const fetcherOptions = optionsOf<FetcherOptions>({ ...others, ...mapLimits((limit) => whole(limit)) });

function mapLimits<Value>(
  map: (limit: (typeof limits)[keyof Limits], name: keyof Limits) => Value,
): Record<keyof Limits, Value> {
  const entries = Object.entries(limits).map(([name, limit]) => [name, map(limit, name as keyof Limits)]);
  return Object.fromEntries(entries) as Record<keyof Limits, Value>;
}

function readAllowedHost(entry: string): string | undefined {
  const isWild = entry.startsWith("*.");
  const name = isWild ? entry.slice(2) : entry;
  const host = readHost(isIPv6(name) ? `[${name}]` : name);
  if (host === undefined || host.includes("*")) return undefined;
  return isWild ? `*.${host}` : host;
}

/** The entries of a list that was already checked. */
function readAll<Value>(entries: readonly string[], read: (entry: string) => Value | undefined): Value[] {
  return entries.map(read).filter((value) => value !== undefined);
}

async function systemAddresses(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** Checks the options once, when the fetcher is made. */
export function readSettings(options: FetcherOptions): FetchSettings {
  checkOptions("createFetcher", fetcherOptions, options);
  const { allowHosts, allowPrivate = false, denyAddresses = [], ports = [80, 443], ca } = options;
  return {
    ...mapLimits(({ usual }, name) => options[name] ?? usual),
    ports,
    allowHosts: allowHosts && readAll(allowHosts, readAllowedHost),
    permits: readPrivatePermits(allowPrivate === false ? [] : allowPrivate),
    denied: readAll(denyAddresses, parseAddressRange),
    userAgent: options.userAgent ?? "waybill",
    ca,
    resolve: options.resolve ?? systemAddresses,
  };
}

/** The fetched document: decompressed bytes, not decoded into text. */
export interface FetchedDocument {
  /** The final URL, after redirects, without a fragment. */
  readonly url: string;
  /** The header as it was sent, charset included. */
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
  /** The URLs that redirected, in order; empty without a redirect. */
  readonly redirects: readonly string[];
}

export interface FetchCallOptions {
  /** Ends the fetch; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Transferred bytes of the last answer's body, and its announced length. */
  readonly onProgress?: (done: number, total?: number) => void;
}

/** Fetches one document, or throws a ToolFault with the reason. */
export type Fetcher = (url: string, options?: FetchCallOptions) => Promise<FetchedDocument>;

export interface FetcherOptions {
  /** The most bytes of a body, both compressed and decompressed. */
  readonly maxBytes?: number;
  /** How many times larger than its compressed form a body may become, once it is over 1 MiB. */
  readonly maxDecompressionRatio?: number;
  /** The limit for the whole fetch: look-ups, redirects, bodies. */
  readonly timeoutMs?: number;
  /** The limit for one connection, including TLS. */
  readonly connectTimeoutMs?: number;
  /** How long a server may be silent. */
  readonly idleTimeoutMs?: number;
  readonly maxRedirects?: number;
  /** Only these hosts, if given: `example.com`, or `*.example.com` for every name below it. */
  readonly allowHosts?: readonly string[];
  /** Places that are allowed although they are not public: `10.0.0.0/8`, `127.0.0.1:8080`, `wiki.internal:443`. */
  readonly allowPrivate?: false | readonly string[];
  /** The operator's own public ranges, which are refused like private ones, as CIDR. */
  readonly denyAddresses?: readonly string[];
  /** The ports a URL may have. Default: 80 and 443. */
  readonly ports?: readonly number[];
  readonly userAgent?: string;
  /** Certificates to trust instead of Node's own list, as PEM. */
  readonly ca?: string;
  /** Returns every address of a host. Default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}
