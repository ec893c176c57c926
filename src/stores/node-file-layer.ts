import type { Stats } from "node:fs";
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { link, lstat, mkdir, open, readdir, rename, rmdir, unlink, utimes } from "node:fs/promises";
import { errnoOf } from "./errno-of.ts";
import type { FileLayer, FileStat, FileTimes, OpenFile } from "./file-layer.ts";

const OWNER_FILE_MODE = 0o600;
const OWNER_DIRECTORY_MODE = 0o700;
// The access time is ours: it says when an entry was last used, and listing entries is no use of them.
const READ_QUIETLY = constants.O_RDONLY | ((constants as Partial<typeof constants>).O_NOATIME ?? 0);

function toFileStat(stats: Stats): FileStat {
  return {
    bytes: stats.size,
    modifiedAtMs: Math.round(stats.mtimeMs),
    accessedAtMs: Math.round(stats.atimeMs),
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
    // A disk that runs full takes a part without an error; only the next write says so.
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
    // Reading quietly is only for a file's owner; some network file systems do not know who that is.
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
  makeDirectory: async (path) => {
    await mkdir(path, { recursive: true, mode: OWNER_DIRECTORY_MODE });
  },
  removeDirectory: (path) => rmdir(path),
  readDirectory: (path) => readdir(path),
  syncDirectory: async (path) => {
    // Windows has no such call, and writes names down with the files.
    if (process.platform === "win32") return;
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};
