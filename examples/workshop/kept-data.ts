const KEEP_MS = 60_000;

/** Where the workshop's files are: in a folder, or in a bundle that has their texts inside. */
export interface FileSource {
  /** Rejects for a file that is not there. */
  read(path: string): Promise<string>;
  has(path: string): boolean;
}

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
export class KeptData {
  readonly maxFreshnessSeconds = KEEP_MS / 1000;
  readonly files: FileSource;
  readonly #kept = new Map<string, Kept>();

  constructor(files: FileSource) {
    this.files = files;
  }

  async read<Value>(name: string, options: { readonly fresh?: boolean } = {}): Promise<Reading<Value>> {
    const kept = this.#kept.get(name);
    const ageMs = kept === undefined ? Number.POSITIVE_INFINITY : Date.now() - kept.readAt;
    if (kept !== undefined && options.fresh !== true && ageMs < KEEP_MS) {
      return { value: kept.value as Value, ageSeconds: Math.round(ageMs / 1000), isCached: true };
    }
    const value = JSON.parse(await this.files.read(name)) as Value;
    this.#kept.set(name, { value, readAt: Date.now() });
    return { value, ageSeconds: 0, isCached: false };
  }
}
