import { lookup } from "node:dns/promises";
import { isIPv6 } from "node:net";
import * as z from "zod/mini";
import { checkOptions } from "../../../core/options/check-options.ts";
import { callback, list, optionsOf, readable, text, whole } from "../../../core/options/option-kinds.ts";
import type { FetcherOptions } from "./fetcher.ts";
import { type AddressRange, parseRange, readHost } from "./address.ts";
import { type PrivatePermits, permitAdvice, readPermit, readPrivatePermits } from "./private-permits.ts";

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
  denyAddresses: list(readable(parseRange, advice.range)),
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
    denied: readAll(denyAddresses, parseRange),
    userAgent: options.userAgent ?? "waybill",
    ca,
    resolve: options.resolve ?? systemAddresses,
  };
}
