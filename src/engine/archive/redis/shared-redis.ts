// Apart from the connection, whose code is loaded only if there is a Redis.

import type { RedisConnection } from "./redis-connection.ts";

/** What replicas on one Redis share besides the archive. */
export interface SharedRedis {
  readonly connection: RedisConnection;
  readonly prefix: string;
  /** A secret that all replicas know, by its name. */
  secret(name: string): Promise<string>;
}

/** A store on Redis has a connection that other shared state can use. */
export function isShared<Store extends object>(store: Store): store is Store & SharedRedis {
  return "connection" in store && "prefix" in store;
}
