import { ContractError } from "../contract/contract-error.ts";

export interface RedisAddress {
  /** As the client wants it: `redis:` or `rediss:`, with name and password. */
  readonly url: string;
  /** For people and logs: no name, no password, no query. */
  readonly location: string;
}

const schemes: Readonly<Record<string, "redis:" | "rediss:">> = {
  "redis:": "redis:",
  "rediss:": "rediss:",
  "valkey:": "redis:",
  "valkeys:": "rediss:",
};

/** Reads a store's URL. What is wrong with it is said without repeating it: it may hold a password. */
export function parseRedisUrl(text: string): RedisAddress {
  const found = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = found === undefined ? undefined : schemes[found.protocol];
  if (found === undefined || scheme === undefined || found.hostname === "") {
    throw new ContractError(
      "INVALID_OPTION",
      "The Redis URL cannot be read: write redis://[name:password@]host[:port][/database], or rediss:// for TLS.",
      { option: "url" },
    );
  }
  const path = found.pathname === "/" ? "" : found.pathname;
  if (!/^(\/\d{1,5})?$/.test(path)) {
    throw new ContractError(
      "INVALID_OPTION",
      "The path of a Redis URL is a database number, as in redis://host/2.",
      {
        option: "url",
      },
    );
  }
  const host = `${found.hostname}:${found.port === "" ? "6379" : found.port}`;
  const account = found.href.slice(found.protocol.length + 2, found.href.lastIndexOf("@") + 1);
  return { url: `${scheme}//${account}${host}${path}`, location: `${scheme}//${host}${path}` };
}
