import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import type { EntryRecord } from "./wrap-entry.ts";

/** What `unwrap` needs to restore a file. */
export interface WrapRecord {
  readonly version: 1;
  readonly file: string;
  /** Hash of the file as it was written: if equal, the file was not changed since. */
  readonly wrappedSha256: string;
  /** Hash of the file with nothing wrapped, whose bytes are kept beside the record; absent if they are not known. */
  readonly originalSha256?: string | undefined;
  readonly entries: readonly EntryRecord[];
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The records of one user: a folder for each config file, readable only by its owner, since configs hold secrets. */
export class WrapRecords {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Where the bytes of the original file are kept. */
  backupOf(file: string): string {
    return join(this.#folderOf(file), `original-${basename(file)}`);
  }

  /** The record of a file; undefined if there is none, or if it cannot be read. */
  async read(file: string): Promise<WrapRecord | undefined> {
    try {
      const record = JSON.parse(await readFile(this.#recordOf(file), "utf8")) as WrapRecord;
      return record.version === 1 && record.file === file && Array.isArray(record.entries)
        ? record
        : undefined;
    } catch {
      return undefined;
    }
  }

  /** The bytes of the original file, if they are unchanged since they were stored. */
  async original({ file, originalSha256 }: WrapRecord): Promise<Buffer | undefined> {
    try {
      const bytes = await readFile(this.backupOf(file));
      return sha256Of(bytes) === originalSha256 ? bytes : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes the backup first, so that a record never names a missing backup. */
  async write(record: WrapRecord, original: Uint8Array | undefined): Promise<void> {
    await mkdir(this.#folderOf(record.file), { recursive: true, mode: 0o700 });
    if (original !== undefined) await writeWhole(this.backupOf(record.file), original);
    await writeWhole(this.#recordOf(record.file), JSON.stringify(record, undefined, 2));
  }

  async remove(file: string): Promise<void> {
    await rm(this.#folderOf(file), { recursive: true, force: true });
  }

  #folderOf(file: string): string {
    return join(this.#folder, sha256Of(file).slice(0, 16));
  }

  #recordOf(file: string): string {
    return join(this.#folderOf(file), "record.json");
  }
}

async function writeWhole(path: string, content: Uint8Array | string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}
