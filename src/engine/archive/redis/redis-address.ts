// The address of a Redis store: where it is, and in its query what else an address can say.

import {
  type AddressParameters,
  checkQuery,
  limitParameters,
  limitsIn,
  refuseAddress,
} from "../address-query.ts";

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

const parameters: AddressParameters = {
  cluster: { is: (value) => value === "true" || value === "false", advice: "true or false" },
  ...limitParameters,
  prefix: { is: (value) => REDIS_PREFIX.test(value), advice: "1 to 100 letters, digits or one of _ . : -" },
};

/** Parses a store's URL. The error for a wrong URL does not repeat it: it may contain a password. */
export function parseRedisUrl(text: string): RedisAddress {
  const found = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = found === undefined ? undefined : schemes[found.protocol];
  if (found === undefined || scheme === undefined || found.hostname === "")
    return refuseAddress(
      "The Redis URL cannot be read: write redis://[name:password@]host[:port][/database], rediss:// for TLS, and ?cluster=true for a Redis Cluster.",
    );
  const path = found.pathname === "/" ? "" : found.pathname;
  if (!/^(\/\d{1,5})?$/.test(path))
    return refuseAddress("The path of a Redis URL is a database number, as in redis://host/2.");
  const { searchParams: query } = found;
  checkQuery("Redis", parameters, query);
  const isCluster = query.get("cluster") === "true";
  if (isCluster && !/^(\/0+)?$/.test(path))
    return refuseAddress("A Redis Cluster has one database: leave its number out.");
  const host = `${found.hostname}:${found.port === "" ? "6379" : found.port}`;
  const start = found.protocol.length + 2;
  const account = found.href.slice(start, found.href.lastIndexOf("@") + 1);
  const end = isCluster ? "" : path;
  return {
    url: `${scheme}//${account}${host}${end}`,
    location: `${scheme}//${host}${end}`,
    isCluster,
    ...limitsIn(query),
    prefix: query.get("prefix") ?? undefined,
  };
}

export function isRedisAddress(text: string): boolean {
  return /^\s*(redis|valkey)s?:/i.test(text);
}
