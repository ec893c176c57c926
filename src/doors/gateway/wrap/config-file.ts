import { randomBytes } from "node:crypto";
import { type Stats } from "node:fs";
import { chmod, chown, open, readFile, realpath, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { decodeUtf8 } from "../../../core/json/decode-utf8.ts";

/** Larger files are refused. A client's config has a few KB; Claude Code's may hold a history of some MB. */
const MAX_CONFIG_FILE_BYTES = 64 * 1024 * 1024;

export interface ConfigFile {
  /** The path as it was given. */
  readonly path: string;
  /** The file itself if the path is a link. */
  readonly realPath: string;
  readonly bytes: Buffer;
  readonly text: string;
  readonly stats: Stats;
}

/** A config file cannot be read or written; the message is for people. */
export class ConfigFileError extends Error {
  override readonly name = "ConfigFileError";
  readonly kind: "absent" | "unreadable" | "unwritable" | "changed";

  constructor(kind: ConfigFileError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export async function readConfigFile(path: string): Promise<ConfigFile> {
  try {
    const realPath = await realpath(path);
    const stats = await stat(realPath);
    if (!stats.isFile()) throw new ConfigFileError("unreadable", "It is not a file.");
    if (stats.size > MAX_CONFIG_FILE_BYTES) {
      throw new ConfigFileError(
        "unreadable",
        `It is larger than ${MAX_CONFIG_FILE_BYTES / 1024 / 1024} MiB.`,
      );
    }
    const bytes = await readFile(realPath);
    const decoded = decodeUtf8(bytes);
    if (!decoded.ok) {
      const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
      throw new ConfigFileError(
        "unreadable",
        isWide ? "It is UTF-16: save it as UTF-8 first." : "It is not UTF-8.",
      );
    }
    return { path, realPath, bytes, text: decoded.text, stats };
  } catch (error) {
    throw error instanceof ConfigFileError ? error : explain(error, "unreadable");
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "There is no such file.",
  ENOTDIR: "There is no such file.",
  EISDIR: "It is not a file.",
  ELOOP: "Its links lead back to themselves.",
  EACCES: "Permission is denied.",
  EPERM: "Permission is denied, or another program holds the file.",
  EBUSY: "Another program holds the file.",
  EROFS: "It stands on a file system that cannot be written to.",
  ENOSPC: "The disk is full.",
};

function explain(error: unknown, kind: "unreadable" | "unwritable"): ConfigFileError {
  const { code } = error as NodeJS.ErrnoException;
  const isAbsent = kind === "unreadable" && (code === "ENOENT" || code === "ENOTDIR");
  const message = reasons[code ?? ""] ?? `The system says ${code ?? "that it failed"}.`;
  return new ConfigFileError(isAbsent ? "absent" : kind, message, { cause: error });
}

/** Refuses a file that a person protected, since a rename would bypass that protection. */
function refuseProtected({ stats }: ConfigFile): void {
  if ((stats.mode & 0o222) === 0) {
    throw new ConfigFileError(
      "unwritable",
      "It is read-only. If a program makes it, change it there; else make it writable.",
    );
  }
  if (stats.nlink > 1) {
    throw new ConfigFileError(
      "unwritable",
      "It has more than one name (hard links), of which only one would be changed.",
    );
  }
}

/**
 * Replaces the content that was read: written beside the file, with the same mode and owner, then renamed, so that no
 * program ever reads half of it. Refused if the file has changed since it was read.
 */
export async function replaceConfigFile(file: ConfigFile, bytes: Uint8Array): Promise<void> {
  refuseProtected(file);
  const { realPath, stats } = file;
  const temporary = join(dirname(realPath), `.${basename(realPath)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await writeNew(temporary, bytes, stats);
    await refuseChanged(file);
    await rename(temporary, realPath);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error instanceof ConfigFileError ? error : explain(error, "unwritable");
  }
}

async function writeNew(path: string, bytes: Uint8Array, { mode, uid, gid }: Stats): Promise<void> {
  // 0600 until the owner is set: the file may hold secrets.
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (process.getuid?.() === 0) await chown(path, uid, gid);
  await chmod(path, mode & 0o7777);
}

async function refuseChanged({ path, realPath, bytes }: ConfigFile): Promise<void> {
  const message = "It was changed by another program in the meantime, so nothing was written. Try again.";
  const isSame = (await realpath(path)) === realPath && (await readFile(realPath)).equals(bytes);
  if (!isSame) throw new ConfigFileError("changed", message);
}
