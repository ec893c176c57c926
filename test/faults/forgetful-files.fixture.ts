// A file system in memory that forgets, at a power cut, all that was not synced: the bytes of files, and the names in
// directories, each for itself, as POSIX allows. It counts its steps and can be cut off after any of them.
import { basename, dirname } from "node:path";
import type { FileLayer, FileStat, FileTimes, OpenFile } from "../../src/engine/archive/file/file-layer.ts";

interface FileNode {
  readonly inode: number;
  bytes: Buffer;
  /** What a power cut leaves. */
  syncedBytes: Buffer;
  times: FileTimes;
}

interface DirectoryNode {
  readonly inode: number;
  readonly names: Map<string, Node>;
  syncedNames: Map<string, Node>;
}

type Node = FileNode | DirectoryNode;

/** What survives beyond what was synced: nothing, or what `chance` says of each name and each file's bytes. */
export type Chance = () => boolean;

function failure(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall });
}

const isDirectory = (node: Node): node is DirectoryNode => "names" in node;

export class ForgetfulFiles implements FileLayer {
  steps = 0;
  cutAfterSteps = Number.POSITIVE_INFINITY;
  #inodes = 1;
  readonly #root: DirectoryNode = { inode: 0, names: new Map(), syncedNames: new Map() };

  /** The power goes and comes back: only what was synced is there, and what chance saved. */
  cutPower(chance: Chance = () => false): void {
    this.cutAfterSteps = Number.POSITIVE_INFINITY;
    this.#forget(this.#root, chance);
  }

  async create(path: string): Promise<OpenFile> {
    this.#step();
    const { names } = this.#directory(dirname(path));
    if (names.has(basename(path))) throw failure("EEXIST", "open");
    const times = { accessedAtMs: Date.now(), modifiedAtMs: Date.now() };
    const node = { inode: this.#inodes++, bytes: Buffer.alloc(0), syncedBytes: Buffer.alloc(0), times };
    names.set(basename(path), node);
    return this.#opened(node);
  }

  async open(path: string): Promise<OpenFile> {
    this.#step();
    return this.#opened(this.#file(path));
  }

  async stat(path: string): Promise<FileStat> {
    this.#step();
    return this.#describe(this.#node(path));
  }

  async setTimes(path: string, times: FileTimes): Promise<void> {
    this.#step();
    this.#file(path).times = times;
  }

  async rename(from: string, to: string): Promise<void> {
    this.#step();
    const node = this.#file(from);
    const target = this.#directory(dirname(to));
    this.#directory(dirname(from)).names.delete(basename(from));
    target.names.set(basename(to), node);
  }

  async link(from: string, to: string): Promise<void> {
    this.#step();
    const { names } = this.#directory(dirname(to));
    if (names.has(basename(to))) throw failure("EEXIST", "link");
    names.set(basename(to), this.#file(from));
  }

  async unlink(path: string): Promise<void> {
    this.#step();
    this.#file(path);
    this.#directory(dirname(path)).names.delete(basename(path));
  }

  async makeDirectory(path: string): Promise<void> {
    this.#step();
    let directory = this.#root;
    for (const name of path.split("/").filter((part) => part !== "")) {
      const next = directory.names.get(name) ?? {
        inode: this.#inodes++,
        names: new Map(),
        syncedNames: new Map(),
      };
      if (!isDirectory(next)) throw failure("ENOTDIR", "mkdir");
      directory.names.set(name, next);
      directory = next;
    }
  }

  async removeDirectory(path: string): Promise<void> {
    this.#step();
    if (this.#directory(path).names.size > 0) throw failure("ENOTEMPTY", "rmdir");
    this.#directory(dirname(path)).names.delete(basename(path));
  }

  async readDirectory(path: string): Promise<readonly string[]> {
    this.#step();
    return [...this.#directory(path).names.keys()];
  }

  async syncDirectory(path: string): Promise<void> {
    this.#step();
    const directory = this.#directory(path);
    directory.syncedNames = new Map(directory.names);
  }

  #step(): void {
    if (this.steps >= this.cutAfterSteps) throw failure("EIO", "power");
    this.steps++;
  }

  #node(path: string): Node {
    let node: Node = this.#root;
    for (const name of path.split("/").filter((part) => part !== "")) {
      if (!isDirectory(node)) throw failure("ENOTDIR", "open");
      const next = node.names.get(name);
      if (next === undefined) throw failure("ENOENT", "open");
      node = next;
    }
    return node;
  }

  #directory(path: string): DirectoryNode {
    const node = this.#node(path);
    if (!isDirectory(node)) throw failure("ENOTDIR", "open");
    return node;
  }

  #file(path: string): FileNode {
    const node = this.#node(path);
    if (isDirectory(node)) throw failure("EISDIR", "open");
    return node;
  }

  #describe(node: Node): FileStat {
    if (isDirectory(node)) {
      return { bytes: 0, modifiedAtMs: Date.now(), accessedAtMs: 0, inode: node.inode, isDirectory: true };
    }
    return { bytes: node.bytes.byteLength, ...node.times, inode: node.inode, isDirectory: false };
  }

  #opened(node: FileNode): OpenFile {
    const step = (): void => this.#step();
    return {
      stat: async () => this.#describe(node),
      read: async (position, bytes) => Buffer.from(node.bytes.subarray(position, position + bytes)),
      write: async (bytes) => {
        step();
        node.bytes = Buffer.concat([node.bytes, bytes]);
      },
      setTimes: async (times) => {
        step();
        node.times = times;
      },
      sync: async () => {
        step();
        node.syncedBytes = node.bytes;
      },
      close: async () => undefined,
    };
  }

  #forget(directory: DirectoryNode, chance: Chance): void {
    for (const [name, node] of directory.names) {
      if (directory.syncedNames.get(name) !== node && chance()) directory.syncedNames.set(name, node);
    }
    directory.names.clear();
    for (const [name, node] of directory.syncedNames) {
      directory.names.set(name, node);
      if (isDirectory(node)) this.#forget(node, chance);
      else if (!chance()) node.bytes = node.syncedBytes;
    }
  }
}
