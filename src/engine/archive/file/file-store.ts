import { neededBuiltIn } from "../../runtime/built-in.ts";
import { type ArchiveStore, assertServerRuntime } from "../archive-store.ts";
import { LaterStore } from "../later-store.ts";
import { type FileStoreOptions, checkFileStoreOptions } from "./file-store-options.ts";

/** Keeps entries in a directory; nothing is made there before the first put. */
export function fileStore(directory: string, options: FileStoreOptions = {}): ArchiveStore {
  const rules = checkFileStoreOptions(directory, options);
  assertServerRuntime("fileStore");
  const location = neededBuiltIn("node:path").resolve(directory);
  const localTenants = {
    note: async (tenant: string) => (await import("./local-tenants.ts")).noteLocalTenant(location, tenant),
    all: async () => (await import("./local-tenants.ts")).localTenantsIn(location),
  };
  return new LaterStore({ kind: "file", location, localTenants }, async () => {
    const { directoryStore } = await import("./directory-store.ts");
    return directoryStore(location, rules);
  });
}
