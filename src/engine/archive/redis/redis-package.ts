import { packageError } from "../store-package.ts";

/** The part of the package that is used: it is an optional peer, and our types must compile without it. */
interface RedisPackage {
  readonly createClient: (options: object) => unknown;
  readonly createCluster: (options: object) => unknown;
}

/** `load` is for tests, which have the package. */
export async function importRedis(load?: () => Promise<unknown>): Promise<RedisPackage> {
  try {
    if (load !== undefined) return (await load()) as RedisPackage;
    // `await import` inside a `try` tells bundlers that a server without Redis can do without the package.
    return (await import("@redis/client")) as unknown as RedisPackage;
  } catch (cause) {
    throw packageError("redis", cause);
  }
}
