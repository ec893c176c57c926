import { builtIn } from "../../runtime/built-in.ts";
import { ContractError } from "../../../core/contract/contract-error.ts";

/** The part of the package that is used: it is an optional peer, and our types must compile without it. */
interface RedisPackage {
  readonly createClient: (options: object) => unknown;
  readonly createCluster: (options: object) => unknown;
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND";
}

const PACKAGE = "@redis/client";
const missing = `needs the package ${PACKAGE}, which is not installed: run \`npm i ${PACKAGE}\`.`;

/** Whether Node finds a package from here; true where nobody can look, such as in a bundle that was moved elsewhere. */
function canBeFound(name: string): boolean {
  const here = import.meta.url as string | undefined;
  const module = here?.startsWith("file:") === true ? builtIn("node:module") : undefined;
  if (here === undefined || module === undefined) return true;
  const { resolve } = module.createRequire(here);
  try {
    resolve("waybill/package.json");
  } catch {
    return true;
  }
  try {
    return resolve(name) !== "";
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND");
  }
}

/** Why there can be no Redis store here, as the end of a sentence, found without loading the package. `find` is for tests. */
export function redisPackageProblem(find: (name: string) => boolean = canBeFound): string | undefined {
  return find(PACKAGE) ? undefined : missing;
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
      `A Redis store ${missing}`,
      { package: PACKAGE },
      isMissing(cause) ? {} : { cause },
    );
    // The message says everything, and it is logged with every call that cuts something.
    error.stack = `${error.name}: ${error.message}`;
    throw error;
  }
}
