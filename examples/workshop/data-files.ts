import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

const KEEP_MS = 60_000;

export interface Reading<Value> {
  readonly value: Value;
  /** Zero when the file was read for this call. */
  readonly ageSeconds: number;
  readonly isCached: boolean;
}

interface Kept {
  readonly value: unknown;
  readonly readAt: number;
}

/** The workshop's JSON files, each kept for a minute. Changes made by tools live in the kept value only. */
export class DataFiles {
  readonly folder: string;
  readonly maxFreshnessSeconds = KEEP_MS / 1000;
  readonly #kept = new Map<string, Kept>();

  constructor(folder: string = fileURLToPath(new URL("./data", import.meta.url))) {
    this.folder = folder;
  }

  async read<Value>(name: string, options: { readonly fresh?: boolean } = {}): Promise<Reading<Value>> {
    const kept = this.#kept.get(name);
    const ageMs = kept === undefined ? Number.POSITIVE_INFINITY : Date.now() - kept.readAt;
    if (kept !== undefined && options.fresh !== true && ageMs < KEEP_MS) {
      return { value: kept.value as Value, ageSeconds: Math.round(ageMs / 1000), isCached: true };
    }
    const value = JSON.parse(await readFile(join(this.folder, name), "utf8")) as Value;
    this.#kept.set(name, { value, readAt: Date.now() });
    return { value, ageSeconds: 0, isCached: false };
  }
}
