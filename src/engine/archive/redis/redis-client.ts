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
