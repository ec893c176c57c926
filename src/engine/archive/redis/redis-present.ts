// Whether the package for Redis is installed. Apart from the code that loads it, which bundles for browsers leave out.

import { builtIn } from "../../runtime/built-in.ts";

export const REDIS_PACKAGE = "@redis/client";
export const missingPackage = `needs the package ${REDIS_PACKAGE}, which is not installed: run \`npm i ${REDIS_PACKAGE}\`.`;

/** Whether Node finds a package from here; true where that cannot be seen, such as in a bundle that was moved elsewhere. */
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
  return find(REDIS_PACKAGE) ? undefined : missingPackage;
}
