import type { ArchiveStore } from "../../stores/archive-store.ts";
import type { OpenStoreOptions } from "../../stores/open-store.ts";
import type { CliIo } from "../cli-io.ts";
import { explainStoreError } from "./explain-store-error.ts";
import { nameStore, openNamedStore, type StoreOptions, ttlOf } from "./named-store.ts";

/** Opens the named store for one task and closes it whatever happens; what it throws is said in our words. */
export async function withStore<Result>(
  options: StoreOptions,
  io: CliIo,
  use: (store: ArchiveStore) => Promise<Result>,
  limits: Pick<OpenStoreOptions, "maxBytes"> = {},
): Promise<Result> {
  const spec = await nameStore(options, io);
  try {
    const store = await openNamedStore(spec, io, { ...ttlOf(options), ...limits });
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    throw explainStoreError(error);
  }
}
