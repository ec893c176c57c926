// Whether the package that a store needs is installed. Apart from the code that loads it, which bundles for browsers leave
// out: the packages are optional peers.

import { ContractError } from "../../core/contract/contract-error.ts";
import { builtIn } from "../runtime/built-in.ts";

/** The package of each kind of store that needs one. */
export const storePackages = { redis: "@redis/client", postgres: "pg" } as const;

type PackagedStore = keyof typeof storePackages;

const titles: Readonly<Record<PackagedStore, string>> = {
  redis: "A Redis store",
  postgres: "A PostgreSQL store",
};

function missing(kind: PackagedStore): string {
  const name = storePackages[kind];
  return `needs the package ${name}, which is not installed: run \`npm i ${name}\`.`;
}

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

/** Why there can be no such store here, as the end of a sentence, found without loading the package. `find` is for tests. */
export function packageProblem(
  kind: PackagedStore,
  find: (name: string) => boolean = canBeFound,
): string | undefined {
  return find(storePackages[kind]) ? undefined : missing(kind);
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND";
}

/** The error for a package that could not be loaded. */
export function packageError(kind: PackagedStore, cause: unknown): ContractError {
  const error = new ContractError(
    "INVALID_OPTION",
    `${titles[kind]} ${missing(kind)}`,
    { package: storePackages[kind] },
    isMissing(cause) ? {} : { cause },
  );
  // The message says everything, and it is logged with every call that cuts something.
  error.stack = `${error.name}: ${error.message}`;
  return error;
}
