import { type ConfigFile, readConfigFile, replaceConfigFile } from "./client-configs.ts";
import type { ClientConfigText, ServerEntry } from "./config-text.ts";
import { type Launcher, wrappedTarget } from "./gateway-command.ts";
import {
  type Rewriting,
  type EntryFilter,
  type ServerOutcome,
  readConfigText,
  unwrapConfig,
  wrapConfig,
} from "./rewrite-config.ts";
import { makeFolders } from "../../../engine/runtime/make-folders.ts";
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { serversBehind } from "./merged-servers.ts";
import { open, readFile, readdir, rename, rm, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import type { EntryRecord } from "./wrap-entry.ts";

/** The planned change of one config file. Nothing is written before `commit`. */
export interface PlannedChange {
  readonly file: ConfigFile;
  readonly before: ClientConfigText;
  readonly after: ClientConfigText;
  readonly isChanged: boolean;
  readonly outcomes: readonly ServerOutcome[];
  /** How many entries are written in place of the servers that are wrapped; undefined if each keeps its own. */
  readonly mergedInto?: number | undefined;
  /** Where the original file is kept after the change. */
  readonly backup: string;
  readonly commit: () => Promise<void>;
}

export interface KnownConfig {
  readonly file: ConfigFile;
  readonly config: ClientConfigText;
  readonly record: WrapRecord | undefined;
  /** The bytes of the file with nothing wrapped, if the file was not changed since it was wrapped. */
  readonly original: Buffer | undefined;
  readonly isUntouched: boolean;
}

/** What is known of a config file before it is changed. */
export async function learn(path: string, records: WrapRecords): Promise<KnownConfig> {
  const file = await readConfigFile(path);
  const config = await readConfigText(file.text, file.realPath);
  const record = await records.read(file.realPath);
  const isUntouched = record !== undefined && record.wrappedSha256 === sha256Of(file.bytes);
  const original = isUntouched ? await records.original(record) : undefined;
  return { file, config, record, original, isUntouched };
}

/** A person's choice of servers by name; undefined for all. */
export function selectServers(names: readonly string[] | undefined): EntryFilter {
  return names === undefined || names.length === 0 ? undefined : ({ name }) => names.includes(name);
}

function isWrapped(entry: ServerEntry): boolean {
  return wrappedTarget(entry) !== undefined;
}

export async function planWrap(
  path: string,
  options: { readonly launcher: Launcher; readonly selection: EntryFilter; readonly records: WrapRecords },
): Promise<PlannedChange> {
  const { records, launcher, selection } = options;
  const known = await learn(path, records);
  const { file, config, record } = known;
  const rewriting = await wrapConfig(config, file.realPath, {
    launcher,
    selection,
    records: record?.entries ?? [],
  });
  const original = known.original ?? (await withNothingWrapped(known));
  return {
    ...(await describe(known, rewriting, records)),
    commit: async () => {
      const wrapped = recordOf(file, rewriting, original && sha256Of(original));
      await records.write(wrapped, original);
      try {
        await replaceConfigFile(file, Buffer.from(rewriting.text));
      } catch (error) {
        // The file is unchanged, so its record must be restored too.
        await (record === undefined ? records.remove(file.realPath) : records.write(record, known.original));
        throw error;
      }
    },
  };
}

/** The bytes that `unwrap` would write; undefined if it would refuse. */
export async function withNothingWrapped({ file, config, record }: KnownConfig): Promise<Buffer | undefined> {
  if (!config.entries.some(isWrapped)) return file.bytes;
  const { text, outcomes } = await unwrapConfig(config, file.realPath, {
    selection: isWrapped,
    records: record?.entries ?? [],
  });
  return outcomes.some(({ state }) => state === "refused") ? undefined : Buffer.from(text);
}

export async function planUnwrap(
  path: string,
  options: { readonly selection: EntryFilter; readonly records: WrapRecords },
): Promise<PlannedChange> {
  const { records, selection } = options;
  const known = await learn(path, records);
  const { file, config, record, original } = known;
  const wrapped = config.entries.filter(isWrapped);
  const isAll = wrapped.length > 0 && wrapped.every((entry) => selection?.(entry) ?? true);
  const done =
    original !== undefined && isAll
      ? {
          text: original.toString("utf8"),
          outcomes: allUndone(config, selection),
          records: [],
        }
      : await unwrapConfig(config, file.realPath, {
          selection,
          records: record?.entries ?? [],
          whyMergedStays: whyMergedStays(known, records),
        });
  const outcomes = await Promise.all(
    done.outcomes.map(async (outcome) => ({
      ...outcome,
      servers: await serversBehind(outcome.entry),
    })),
  );
  const described = await describe(known, { ...done, outcomes }, records);
  return {
    ...described,
    commit: async () => {
      await replaceConfigFile(file, Buffer.from(done.text));
      if (!described.after.entries.some(isWrapped)) await records.remove(file.realPath);
      else if (record !== undefined) {
        const kept = { ...record, entries: done.records };
        await records.write(
          known.isUntouched ? { ...kept, wrappedSha256: sha256Of(done.text) } : kept,
          original,
        );
      }
    },
  };
}

/** Only the whole file can be put back: the text of each entry is in no other place. */
function whyMergedStays({ file, original }: KnownConfig, records: WrapRecords): string {
  if (original !== undefined) return "its servers are put back with the whole file: leave out --server";
  const backup = records.backupOf(file.realPath);
  const record = records.recordOf(file.realPath);
  if (!existsSync(backup))
    return `its servers are to be put back by hand: the file as it was is not in ${backup}`;
  return `the file was changed since its servers were merged: put them back by hand from the file as it was, ${backup} (its record: ${record})`;
}

function allUndone({ entries }: ClientConfigText, selection: EntryFilter): ServerOutcome[] {
  return entries
    .filter(selection ?? (() => true))
    .map((entry) =>
      isWrapped(entry)
        ? { entry, state: "unwrap" }
        : { entry, state: "left", reason: "`waybill wrap` did not write it" },
    );
}

async function describe(
  { file, config }: KnownConfig,
  { text, outcomes }: Rewriting,
  records: WrapRecords,
): Promise<Omit<PlannedChange, "commit">> {
  return {
    file,
    before: config,
    after: await readConfigText(text, file.realPath),
    isChanged: text !== file.text,
    outcomes,
    backup: records.backupOf(file.realPath),
  };
}

export function recordOf(
  file: ConfigFile,
  { text, records }: Rewriting,
  originalSha256: string | undefined,
): WrapRecord {
  return { version: 1, file: file.realPath, wrappedSha256: sha256Of(text), originalSha256, entries: records };
}

/** What `unwrap` needs to restore a file. */
interface WrapRecord {
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
    return join(this.folderOf(file), `original-${basename(file)}`);
  }

  /** The record of a file; undefined without a record, or if it cannot be read. */
  async read(file: string): Promise<WrapRecord | undefined> {
    try {
      const record = JSON.parse(await readFile(this.recordOf(file), "utf8")) as WrapRecord;
      return record.version === 1 && record.file === file && Array.isArray(record.entries)
        ? record
        : undefined;
    } catch {
      return undefined;
    }
  }

  /** Every file that is wrapped, by its real path. */
  async files(): Promise<string[]> {
    const folders: string[] = await readdir(this.#folder).catch(() => []);
    const files = await Promise.all(
      folders.sort().map(async (folder) => {
        try {
          const text = await readFile(join(this.#folder, folder, "record.json"), "utf8");
          return (JSON.parse(text) as WrapRecord).file;
        } catch {
          return undefined;
        }
      }),
    );
    return files.filter((file) => typeof file === "string");
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
    await makeFolders(this.folderOf(record.file), 0o700);
    if (original !== undefined) await writeWhole(this.backupOf(record.file), original);
    await writeWhole(this.recordOf(record.file), JSON.stringify(record, undefined, 2));
  }

  /** Writes another file into the folder of a config file. */
  async writeBeside(path: string, content: string): Promise<void> {
    await writeWhole(path, content);
  }

  async remove(file: string): Promise<void> {
    await rm(this.folderOf(file), { recursive: true, force: true });
  }

  /** The folder of a config file, which goes with its record. */
  folderOf(file: string): string {
    return join(this.#folder, sha256Of(file).slice(0, 16));
  }

  /** Where the record of a file is. */
  recordOf(file: string): string {
    return join(this.folderOf(file), "record.json");
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
