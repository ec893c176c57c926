import { neededBuiltIn } from "../../runtime/built-in.ts";
import type { ArchiveStore } from "../archive-store.ts";
import { LaterStore } from "../later-store.ts";
import { assertServerRuntime } from "../server-runtime.ts";
import { type FileStoreOptions, checkFileStoreOptions } from "./file-store-options.ts";

/** Keeps entries in a directory; nothing is made there before the first put. */
export function fileStore(directory: string, options: FileStoreOptions = {}): ArchiveStore {
  const rules = checkFileStoreOptions(directory, options);
  assertServerRuntime("fileStore");
  const location = neededBuiltIn("node:path").resolve(directory);
  return new LaterStore({ kind: "file", location }, async () => {
    const { directoryStore } = await import("./directory-store.ts");
    return directoryStore(location, rules);
  });
}
