import { lookup } from "node:dns/promises";
import { isIPv6 } from "node:net";
import { ContractError } from "../contract/contract-error.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import type { FetcherOptions } from "./fetcher.ts";
import { type AddressRange, parseRange, readHost } from "./address.ts";
import { type PrivatePermits, readPrivatePermits } from "./private-permits.ts";

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

/** With a longer delay setTimeout fires at once. */
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

export const otherOptions = [
  "allowHosts",
  "allowPrivate",
  "denyAddresses",
  "ports",
  "userAgent",
  "ca",
  "resolve",
] as const;

function refuseOption(option: string, problem: string): never {
  throw new ContractError("INVALID_OPTION", `${option} ${problem}`, { option });
}

function checkNames(options: FetcherOptions): void {
  const known: readonly string[] = [...Object.keys(limits), ...otherOptions];
  for (const name of Object.keys(options).filter((key) => !known.includes(key))) {
    const meant = didYouMean(name, known);
    refuseOption(
      name,
      `is not an option of createFetcher.${meant === undefined ? "" : ` Did you mean "${meant}"?`}`,
    );
  }
}

function readLimits(options: FetcherOptions): Limits {
  const entries = Object.entries(limits).map(([name, { usual, min, max }]) => {
    const value = options[name as keyof Limits] ?? usual;
    if (!Number.isInteger(value) || value < min || value > max) {
      refuseOption(name, `is ${String(value)}: give a whole number from ${min} to ${max}.`);
    }
    return [name, value];
  });
  return Object.fromEntries(entries) as Limits;
}

function readList(option: string, list: readonly string[]): readonly string[] {
  if (Array.isArray(list) && list.every((entry) => typeof entry === "string")) return list;
  return refuseOption(option, "is not a list of texts: give an array of strings.");
}

function readAllowedHost(entry: string): string {
  const isWild = entry.startsWith("*.");
  const name = isWild ? entry.slice(2) : entry;
  const host = readHost(isIPv6(name) ? `[${name}]` : name);
  if (host === undefined || host.includes("*")) {
    return refuseOption(
      "allowHosts",
      `holds "${entry}": give a host such as example.com, or *.example.com for the names below it.`,
    );
  }
  return isWild ? `*.${host}` : host;
}

function readDenied(entry: string): AddressRange {
  return (
    parseRange(entry) ??
    refuseOption("denyAddresses", `holds "${entry}": give a range such as 203.0.112.0/20.`)
  );
}

async function systemAddresses(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** Checks the options once, when the fetcher is made. */
export function readSettings(options: FetcherOptions): FetchSettings {
  checkNames(options);
  const {
    allowHosts,
    allowPrivate = [],
    denyAddresses = [],
    ports = [80, 443],
    userAgent = "waybill",
    ca,
  } = options;
  if (
    !Array.isArray(ports) ||
    !ports.every((port) => Number.isInteger(port) && port >= 1 && port <= 65_535)
  ) {
    refuseOption("ports", `is ${JSON.stringify(ports)}: give an array of whole numbers from 1 to 65535.`);
  }
  if (!/^[\u0020-\u007e]{1,200}$/.test(userAgent)) {
    refuseOption("userAgent", "cannot be sent: give 1 to 200 printable ASCII characters.");
  }
  return {
    ...readLimits(options),
    ports,
    allowHosts:
      allowHosts === undefined ? undefined : readList("allowHosts", allowHosts).map(readAllowedHost),
    permits: readPrivatePermits(readList("allowPrivate", allowPrivate === false ? [] : allowPrivate)),
    denied: readList("denyAddresses", denyAddresses).map(readDenied),
    userAgent,
    ca,
    resolve: options.resolve ?? systemAddresses,
  };
}
