import { ContractError } from "../../../core/contract/contract-error.ts";
import { REDIS_PACKAGE, missingPackage } from "./redis-present.ts";

/** The part of the package that is used: it is an optional peer, and our types must compile without it. */
interface RedisPackage {
  readonly createClient: (options: object) => unknown;
  readonly createCluster: (options: object) => unknown;
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND";
}

/** `load` is for tests, which have the package. */
export async function importRedis(load?: () => Promise<unknown>): Promise<RedisPackage> {
  try {
    if (load !== undefined) return (await load()) as RedisPackage;
    // `await import` inside a `try` tells bundlers that a server without Redis can do without the package.
    return (await import("@redis/client")) as unknown as RedisPackage;
  } catch (cause) {
    const error = new ContractError(
      "INVALID_OPTION",
      `A Redis store ${missingPackage}`,
      { package: REDIS_PACKAGE },
      isMissing(cause) ? {} : { cause },
    );
    // The message says everything, and it is logged with every call that cuts something.
    error.stack = `${error.name}: ${error.message}`;
    throw error;
  }
}
