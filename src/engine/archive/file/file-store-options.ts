import { ContractError } from "../../../core/contract/contract-error.ts";
import { checkOptions } from "../../../core/options/check-options.ts";
import { choice, optionsOf, withMethods } from "../../../core/options/option-kinds.ts";
import { DEFAULT_TTL_MS, storeKinds } from "../store-rules.ts";
import type { FileLayer } from "./file-layer.ts";

/** What a stored entry survives: with `rename` the end of any process, with `fsync` also a power cut. */
const durabilities = ["rename", "fsync"] as const;

export type Durability = (typeof durabilities)[number];

export interface FileStoreOptions {
  /** How long an entry lives after its last put. Default: a week. */
  readonly ttlMs?: number;
  /** How many bytes all entries may take on the disk; the least recently used are removed. Default: 1 GiB. */
  readonly maxBytes?: number;
  /** The longest content that is accepted. Default: `maxBytes`. */
  readonly maxEntryBytes?: number;
  /** Default: `rename`. */
  readonly durability?: Durability;
  readonly now?: () => number;
  /** The file system; tests use one that fails. */
  readonly files?: FileLayer;
}

/** The options with their defaults; without `files`, Node's file system. */
export type FileStoreRules = Required<Omit<FileStoreOptions, "files">> & {
  readonly files: FileLayer | undefined;
  /** Whether `ttlMs` was given: else entries that another store of this directory put for longer live on. */
  readonly isTold: boolean;
};

export const DEFAULT_MAX_BYTES = 1024 * 1024 * 1024;

const fileOptions = optionsOf<FileStoreOptions>({
  ...storeKinds,
  maxEntryBytes: storeKinds.maxBytes,
  durability: choice(durabilities),
  files: withMethods(["readDirectory"], "give a file system for tests, or leave it out"),
});

/** The options with their defaults; throws if one is invalid. */
export function checkFileStoreOptions(directory: string, options: FileStoreOptions): FileStoreRules {
  const { ttlMs = DEFAULT_TTL_MS, maxBytes = DEFAULT_MAX_BYTES, durability = "rename" } = options;
  const { maxEntryBytes = maxBytes, now = Date.now, files } = options;
  if (typeof directory !== "string" || directory === "" || directory.includes("\0")) {
    const message = "The file store has no directory: give the path of one, such as ./archive.";
    throw new ContractError("INVALID_OPTION", message, { option: "directory" });
  }
  checkOptions("fileStore", fileOptions, options);
  return { ttlMs, isTold: options.ttlMs !== undefined, maxBytes, maxEntryBytes, durability, now, files };
}
