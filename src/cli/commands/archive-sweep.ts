import { type StoreOptions, withStore } from "../archive/named-store.ts";
import type { CliIo } from "../cli-io.ts";
import { exitCodes } from "../cli-error.ts";
import { count, formatBytes } from "../output/format-values.ts";
import type { Report } from "../report.ts";

export interface ArchiveSweepOptions extends StoreOptions {
  readonly maxBytes?: number | undefined;
}

/** Removes expired entries and those that exceed the quota. */
export async function archiveSweep(options: ArchiveSweepOptions, io: CliIo): Promise<Report> {
  const { maxBytes } = options;
  const limits = maxBytes === undefined ? {} : { maxBytes };
  return withStore(
    options,
    io,
    async (store) => {
      const { expired, evicted, freedBytes, entries, storedBytes } = await store.sweep();
      const left = `${count(entries, "entry", "entries")} left, in ${formatBytes(storedBytes)}`;
      return {
        exitCode: exitCodes.fine,
        data: { expired, evicted, freed_bytes: freedBytes, entries, stored_bytes: storedBytes },
        text: () =>
          `removed ${expired} expired and ${evicted} over the quota, ${formatBytes(freedBytes)}\n${left}`,
      };
    },
    limits,
  );
}
