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

/** The part of a `@redis/client` cluster that is used; see `RedisClient`. */
interface RedisCluster {
  readonly isReady: boolean;
  readonly masters: readonly { readonly host: string; readonly port: number; readonly client?: unknown }[];
  connect(): Promise<unknown>;
  destroy(): void;
  on(event: string, listener: () => void): unknown;
  sendCommand(
    firstKey: RedisArgument | undefined,
    isReadonly: boolean,
    args: readonly RedisArgument[],
    options?: object,
  ): Promise<unknown>;
}

/** The key that selects the node of a command: a script's first key comes after its digest and the number of keys. */
function keyOf([command, first, , third]: readonly RedisArgument[]): RedisArgument | undefined {
  return String(command).startsWith("EVAL") ? third : first;
}

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

/** Nodes come back one by one while the others go on, so here, unlike for a single Redis, the client reconnects. */
const reconnectAfter = (attempts: number): number => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempts);

function eachNode(cluster: RedisCluster, act: (client: Partial<RedisClient>) => void): void {
  for (const { client } of cluster.masters) if (client !== undefined) act(client as Partial<RedisClient>);
}

/** A cluster in the form of one client. Commands that fail report what happens to single nodes. */
function asClient(cluster: RedisCluster, remember: (nodes: RedisCluster["masters"]) => void): RedisClient {
  return {
    get isReady() {
      return cluster.isReady;
    },
    connect: async () => {
      await cluster.connect();
      remember(cluster.masters);
    },
    destroy: () => cluster.destroy(),
    on: () => undefined,
    ref: () => eachNode(cluster, (client) => client.ref?.()),
    unref: () => eachNode(cluster, (client) => client.unref?.()),
    sendCommand: (args, options) => cluster.sendCommand(keyOf(args), false, args, options),
  };
}

/**
 * Makes clients of a Redis Cluster. The first asks the node of the URL for the others; later ones ask any of
 * those, so that the rest stays reachable if one node is gone.
 */
export function clusterClients(url: string, timeoutMs: number): () => Promise<RedisClient> {
  const { username, password, protocol } = new URL(url);
  let nodes: readonly string[] = [];
  const remember = (masters: RedisCluster["masters"]): void => {
    nodes = masters.map(
      ({ host, port }) => `${protocol}//${host.includes(":") ? `[${host}]` : host}:${port}`,
    );
  };
  return async () => {
    const { importRedis } = await import("./redis-package.ts");
    const { createCluster } = await importRedis();
    const socket = { reconnectStrategy: reconnectAfter, connectTimeout: timeoutMs };
    const cluster = createCluster({
      rootNodes: [url, ...nodes].map((node) => ({ url: node })),
      defaults: {
        ...(username === "" ? {} : { username: decodeURIComponent(username) }),
        ...(password === "" ? {} : { password: decodeURIComponent(password) }),
        disableOfflineQueue: true,
        disableClientInfo: true,
        maintNotifications: "disabled",
        socket: protocol === "rediss:" ? { ...socket, tls: true } : socket,
      },
      RESP: 2,
      commandOptions: { timeout: 0 },
    });
    const made = cluster as RedisCluster;
    // An unhandled error event would end the process.
    made.on("error", () => undefined);
    return asClient(made, remember);
  };
}
