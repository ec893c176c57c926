import { ContractError } from "../../../core/contract/contract-error.ts";

interface RedisAddress {
  /** In the client's form: `redis:` or `rediss:`, with name and password. */
  readonly url: string;
  /** For people and logs: no name, no password, no query. */
  readonly location: string;
  /** The address is one node of a Redis Cluster, which names the others. */
  readonly isCluster: boolean;
}

const schemes: Readonly<Record<string, "redis:" | "rediss:">> = {
  "redis:": "redis:",
  "rediss:": "rediss:",
  "valkey:": "redis:",
  "valkeys:": "rediss:",
};

/** Parses a store's URL. The error for a wrong URL does not repeat it: it may contain a password. */
export function parseRedisUrl(text: string): RedisAddress {
  const found = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = found === undefined ? undefined : schemes[found.protocol];
  if (found === undefined || scheme === undefined || found.hostname === "") {
    throw new ContractError(
      "INVALID_OPTION",
      "The Redis URL cannot be read: write redis://[name:password@]host[:port][/database], rediss:// for TLS, and ?cluster=true for a Redis Cluster.",
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
  const isCluster = found.searchParams.get("cluster") === "true";
  if (isCluster && !/^(\/0+)?$/.test(path)) {
    throw new ContractError("INVALID_OPTION", "A Redis Cluster has one database: leave its number out.", {
      option: "url",
    });
  }
  const host = `${found.hostname}:${found.port === "" ? "6379" : found.port}`;
  const start = found.protocol.length + 2;
  const account = found.href.slice(start, found.href.lastIndexOf("@") + 1);
  const end = isCluster ? "" : path;
  return { url: `${scheme}//${account}${host}${end}`, location: `${scheme}//${host}${end}`, isCluster };
}

export type RedisArgument = string | Buffer;

/** The reply to a command. Strings come as bytes, so that content is never decoded on its way. */
export type RedisReply = Buffer | string | number | null | readonly RedisReply[];

/**
 * The part of a `@redis/client` client that is used. Declared here because the package is an optional peer:
 * our types must compile without it.
 */
export interface RedisClient {
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  destroy(): void;
  on(event: string, listener: (error: unknown) => void): unknown;
  ref(): void;
  unref(): void;
  sendCommand(args: readonly RedisArgument[], options?: object): Promise<unknown>;
}

/** The RESP type `$`: a string of bytes. */
const BLOB_STRING = 36;

/** Bulk strings as bytes; by default a client decodes them as UTF-8. A function, because only Node has `Buffer`. */
export function bytesAsTheyAre(): object {
  return { typeMapping: { [BLOB_STRING]: Buffer } };
}

/** A client that neither queues nor reconnects: `RedisConnection` handles both, and holds no timer when idle. */
export async function createRedisClient(url: string, timeoutMs: number): Promise<RedisClient> {
  const { importRedis } = await import("./redis-package.ts");
  const { createClient } = await importRedis();
  const client = createClient({
    url,
    // Every Redis and Valkey supports it, and nothing of version 3 is used.
    RESP: 2,
    maintNotifications: "disabled",
    disableOfflineQueue: true,
    disableClientInfo: true,
    commandOptions: { timeout: 0 },
    socket: { reconnectStrategy: false, connectTimeout: timeoutMs },
  });
  return client as RedisClient;
}
