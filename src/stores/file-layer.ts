// The few things a file store asks of a file system, so that tests can put a failing or forgetful one underneath.

export interface FileStat {
  readonly bytes: number;
  readonly modifiedAtMs: number;
  readonly accessedAtMs: number;
  /** Differs between two files that had the same name one after the other. */
  readonly inode: number;
  readonly isDirectory: boolean;
  /** True for a symbolic link; a file system without links leaves it out. */
  readonly isLink?: boolean | undefined;
}

export interface FileTimes {
  readonly accessedAtMs: number;
  readonly modifiedAtMs: number;
}

export interface OpenFile {
  stat(): Promise<FileStat>;
  /** The bytes from a position on; fewer than asked for only where the file ends. */
  read(position: number, bytes: number): Promise<Uint8Array>;
  /** Appends all of it. */
  write(bytes: Uint8Array): Promise<void>;
  setTimes(times: FileTimes): Promise<void>;
  /** Resolves when what was written survives a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface FileLayer {
  /** A new file for its owner alone; rejects with EEXIST when the name is taken. */
  create(path: string): Promise<OpenFile>;
  open(path: string): Promise<OpenFile>;
  /** Of what stands there under this very name: a symbolic link is not followed. */
  stat(path: string): Promise<FileStat>;
  setTimes(path: string, times: FileTimes): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A second name for a file; rejects with EEXIST when it is taken. */
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Makes a directory for its owner alone, and those above it. */
  makeDirectory(path: string): Promise<void>;
  /** Removes an empty directory. */
  removeDirectory(path: string): Promise<void>;
  readDirectory(path: string): Promise<readonly string[]>;
  /** Resolves when the names in a directory survive a power cut. */
  syncDirectory(path: string): Promise<void>;
}
