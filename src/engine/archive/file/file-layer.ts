import { type Stats, constants } from "node:fs";
import { type FileHandle, link, lstat, open, readdir, rename, rmdir, unlink, utimes } from "node:fs/promises";
import { makeFolders } from "../../runtime/make-folders.ts";
import { ArchiveError } from "../archive-store.ts";

// The file system calls that a file store needs, so that tests can use one that fails or forgets.

export interface FileStat {
  readonly bytes: number;
  readonly modifiedAtMs: number;
  readonly accessedAtMs: number;
  /** When content, name or times last changed; absent if the file system cannot tell. */
  readonly changedAtMs?: number | undefined;
  /** Differs between two files that have the same name one after the other. */
  readonly inode: number;
  readonly isDirectory: boolean;
  /** True for a symbolic link; absent if the file system has no links. */
  readonly isLink?: boolean | undefined;
}

export interface FileTimes {
  readonly accessedAtMs: number;
  readonly modifiedAtMs: number;
}

export interface OpenFile {
  stat(): Promise<FileStat>;
  /** The bytes from a position on; fewer than requested only at the end of the file. */
  read(position: number, bytes: number): Promise<Uint8Array>;
  /** Appends all bytes. */
  write(bytes: Uint8Array): Promise<void>;
  setTimes(times: FileTimes): Promise<void>;
  /** Resolves when the written bytes survive a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface FileLayer {
  /** Creates a file that only its owner can read; rejects with EEXIST if the name is taken. */
  create(path: string): Promise<OpenFile>;
  open(path: string): Promise<OpenFile>;
  /** Describes the file of this name; a symbolic link is not followed. */
  stat(path: string): Promise<FileStat>;
  setTimes(path: string, times: FileTimes): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A second name for a file; rejects with EEXIST if the name is taken. */
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Makes a directory that only its owner can read, and its parents. */
  makeDirectory(path: string): Promise<void>;
  /** Removes an empty directory. */
  removeDirectory(path: string): Promise<void>;
  readDirectory(path: string): Promise<readonly string[]>;
  /** Resolves when the names in a directory survive a power cut. */
  syncDirectory(path: string): Promise<void>;
}

/** The system's code for a failure (`ENOENT`); undefined for other failures. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

const FULL: readonly string[] = ["ENOSPC", "EDQUOT"];
const FORBIDDEN: readonly string[] = ["EROFS", "EACCES", "EPERM"];

/** A failed file operation as an ArchiveError; an error that is not an I/O failure is returned unchanged. */
export function toArchiveError(error: unknown, doing: "read" | "write", location: string): unknown {
  const errno = errnoOf(error);
  if (errno === undefined) return error;
  const cause = { cause: error };
  if (FULL.includes(errno)) {
    const advice = "free some space, or lower maxBytes so that the store keeps less";
    return new ArchiveError("FULL", `No space left for ${location} (${errno}): ${advice}.`, cause);
  }
  if (doing === "write" && FORBIDDEN.includes(errno)) {
    const advice = "let this process write there, or choose another directory";
    return new ArchiveError("READ_ONLY", `${location} cannot be written (${errno}): ${advice}.`, cause);
  }
  const advice = "check that it is a directory, is mounted and belongs to this process's user";
  return new ArchiveError(
    "UNREACHABLE",
    `${location} could not be ${doing === "read" ? "read" : "written"} (${errno}): ${advice}.`,
    cause,
  );
}

const OWNER_FILE_MODE = 0o600;
const OWNER_DIRECTORY_MODE = 0o700;
// We use the access time: it says when an entry was last used, and listing entries does not count as use.
const READ_QUIETLY = constants.O_RDONLY | ((constants as Partial<typeof constants>).O_NOATIME ?? 0);

function toFileStat(stats: Stats): FileStat {
  return {
    bytes: stats.size,
    modifiedAtMs: Math.round(stats.mtimeMs),
    accessedAtMs: Math.round(stats.atimeMs),
    changedAtMs: stats.ctimeMs,
    inode: stats.ino,
    isDirectory: stats.isDirectory(),
    isLink: stats.isSymbolicLink(),
  };
}

class NodeFile implements OpenFile {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async stat(): Promise<FileStat> {
    return toFileStat(await this.#handle.stat());
  }

  async read(position: number, bytes: number): Promise<Uint8Array> {
    const buffer = Buffer.allocUnsafeSlow(bytes);
    let done = 0;
    while (done < bytes) {
      const { bytesRead } = await this.#handle.read(buffer, done, bytes - done, position + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return buffer.subarray(0, done);
  }

  async write(bytes: Uint8Array): Promise<void> {
    // A disk that runs full writes a part without an error; only the next write fails.
    for (let done = 0; done < bytes.byteLength;) {
      done += (await this.#handle.write(bytes, done)).bytesWritten;
    }
  }

  setTimes({ accessedAtMs, modifiedAtMs }: FileTimes): Promise<void> {
    return this.#handle.utimes(accessedAtMs / 1_000, modifiedAtMs / 1_000);
  }

  sync(): Promise<void> {
    return this.#handle.sync();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

async function openToRead(path: string): Promise<FileHandle> {
  try {
    return await open(path, READ_QUIETLY);
  } catch (error) {
    // Only the owner of a file may open it with O_NOATIME, and some network file systems do not know the owner.
    if (errnoOf(error) !== "EPERM") throw error;
    return await open(path, constants.O_RDONLY);
  }
}

/** The machine's own file system. */
export const nodeFileLayer: FileLayer = {
  create: async (path) => new NodeFile(await open(path, "wx", OWNER_FILE_MODE)),
  open: async (path) => new NodeFile(await openToRead(path)),
  stat: async (path) => toFileStat(await lstat(path)),
  setTimes: (path, times) => utimes(path, times.accessedAtMs / 1_000, times.modifiedAtMs / 1_000),
  rename,
  link,
  unlink,
  makeDirectory: (path) => makeFolders(path, OWNER_DIRECTORY_MODE),
  removeDirectory: (path) => rmdir(path),
  readDirectory: (path) => readdir(path),
  syncDirectory: async (path) => {
    // Windows has no such call, and stores names together with the files.
    if (process.platform === "win32") return;
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};
