import { existsSync } from "node:fs";
import type { fileStore } from "../../src/stores/file-store.ts";
import type { memoryStore } from "../../src/stores/memory-store.ts";
import type { redisStore } from "../../src/stores/redis-store.ts";

interface BuiltStores {
  readonly fileStore: typeof fileStore;
  readonly memoryStore: typeof memoryStore;
  readonly redisStore: typeof redisStore;
}

/** The built stores, as the server door hands them out. */
export async function loadStores(): Promise<BuiltStores> {
  const folder = new URL("../../dist/stores/", import.meta.url);
  if (!existsSync(folder)) throw new Error("dist/ is missing: run `npm run build` first.");
  const { fileStore: file } = (await import(new URL("file-store.js", folder).href)) as Pick<
    BuiltStores,
    "fileStore"
  >;
  const { memoryStore: memory } = (await import(new URL("memory-store.js", folder).href)) as Pick<
    BuiltStores,
    "memoryStore"
  >;
  const { redisStore: redis } = (await import(new URL("redis-store.js", folder).href)) as Pick<
    BuiltStores,
    "redisStore"
  >;
  return { fileStore: file, memoryStore: memory, redisStore: redis };
}
