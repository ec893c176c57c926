// The address of a Redis store: where it is, and in its query what else an address can say.

import { ContractError } from "../../../core/contract/contract-error.ts";
import { spanMs } from "../../../core/options/span.ts";

interface RedisAddress {
  /** In the client's form: `redis:` or `rediss:`, with name and password. */
  readonly url: string;
  /** For people and logs: no name, no password, no query. */
  readonly location: string;
  /** The address is one node of a Redis Cluster, which names the others. */
  readonly isCluster: boolean;
  readonly ttlMs: number | undefined;
  readonly maxBytes: number | undefined;
  readonly prefix: string | undefined;
}

const schemes: Readonly<Record<string, "redis:" | "rediss:">> = {
  "redis:": "redis:",
  "rediss:": "rediss:",
  "valkey:": "redis:",
  "valkeys:": "rediss:",
};

/** What every key in Redis may begin with. */
export const REDIS_PREFIX = /^[\w.:-]{1,100}$/;

/** What a query may say: each with the values that it takes. */
const parameters: Readonly<
  Record<string, { readonly is: (value: string) => boolean; readonly advice: string }>
> = {
  cluster: { is: (value) => value === "true" || value === "false", advice: "true or false" },
  ttl: { is: (value) => spanMs(value) !== undefined, advice: "a number with a unit, such as 12h or 1d" },
  maxBytes: { is: (value) => wholeIn(value) !== undefined, advice: "a whole number of bytes above 0" },
  prefix: { is: (value) => REDIS_PREFIX.test(value), advice: "1 to 100 letters, digits or one of _ . : -" },
};

function wholeIn(text: string): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function refuse(message: string): never {
  throw new ContractError("INVALID_OPTION", message, { option: "url" });
}

/** An amount. Any other value is not repeated: it may be a secret that stands in the wrong place. */
const AMOUNT = /^[-+]?\d[\w.]{0,15}$/;

/** A parameter that is not read would be taken for one that holds. */
function checkQuery(query: URLSearchParams): void {
  for (const name of new Set(query.keys())) {
    const known = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (known === undefined) {
      const all = Object.keys(parameters).join(", ");
      refuse(
        `The Redis URL has the unknown parameter ${JSON.stringify(name.slice(0, 40))}. Allowed: ${all}.`,
      );
    }
    const [value = "", ...more] = query.getAll(name);
    if (more.length > 0) refuse(`The Redis URL says ${name} twice. Keep one.`);
    if (known.is(value)) continue;
    const what = AMOUNT.test(value) ? `is "${value}", which cannot be used` : "cannot be used";
    refuse(`The parameter ${name} of the Redis URL ${what}. Write ${known.advice}.`);
  }
}

/** Parses a store's URL. The error for a wrong URL does not repeat it: it may contain a password. */
export function parseRedisUrl(text: string): RedisAddress {
  const found = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = found === undefined ? undefined : schemes[found.protocol];
  if (found === undefined || scheme === undefined || found.hostname === "")
    return refuse(
      "The Redis URL cannot be read: write redis://[name:password@]host[:port][/database], rediss:// for TLS, and ?cluster=true for a Redis Cluster.",
    );
  const path = found.pathname === "/" ? "" : found.pathname;
  if (!/^(\/\d{1,5})?$/.test(path))
    return refuse("The path of a Redis URL is a database number, as in redis://host/2.");
  const { searchParams: query } = found;
  checkQuery(query);
  const isCluster = query.get("cluster") === "true";
  if (isCluster && !/^(\/0+)?$/.test(path))
    return refuse("A Redis Cluster has one database: leave its number out.");
  const host = `${found.hostname}:${found.port === "" ? "6379" : found.port}`;
  const start = found.protocol.length + 2;
  const account = found.href.slice(start, found.href.lastIndexOf("@") + 1);
  const end = isCluster ? "" : path;
  return {
    url: `${scheme}//${account}${host}${end}`,
    location: `${scheme}//${host}${end}`,
    isCluster,
    ttlMs: spanMs(query.get("ttl") ?? ""),
    maxBytes: wholeIn(query.get("maxBytes") ?? ""),
    prefix: query.get("prefix") ?? undefined,
  };
}

interface OpenedAddress {
  /** The text without what is said apart. */
  readonly place: string;
  readonly ttl?: string | undefined;
  readonly maxBytes?: number | undefined;
}

/** Takes `ttl` and `maxBytes` out of the query of a Redis address. Any other text, and a wrong address, stays as it is. */
export function openRedisAddress(text: string): OpenedAddress {
  const place = text.trim();
  if (!isRedisAddress(place)) return { place: text };
  try {
    parseRedisUrl(place);
  } catch {
    // Who opens or checks the store reports what is wrong.
    return { place: text };
  }
  const url = new URL(place);
  const ttl = url.searchParams.get("ttl") ?? undefined;
  const maxBytes = wholeIn(url.searchParams.get("maxBytes") ?? "");
  if (ttl === undefined && maxBytes === undefined) return { place: text };
  url.searchParams.delete("ttl");
  url.searchParams.delete("maxBytes");
  return { place: url.href, ttl, maxBytes };
}

export function isRedisAddress(text: string): boolean {
  return /^\s*(redis|valkey)s?:/i.test(text);
}
