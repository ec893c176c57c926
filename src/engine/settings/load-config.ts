import { closeSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { decodeUtf8 } from "../../core/json/decode-utf8.ts";
import { invalidConfig } from "./config-problem.ts";
import {
  type Candidate,
  type FindConfigOptions,
  findConfigSync,
  isExplicit,
  isFolder,
} from "./find-config.ts";
import { MAX_CONFIG_BYTES, configTooLarge } from "./parse-jsonc.ts";
import { resolveConfig, type ConfigSources, type ConfigText, type LoadedConfig } from "./resolve-config.ts";

export interface LoadConfigOptions extends FindConfigOptions {
  /** The settings from a program's command line; they beat everything else. */
  readonly commandLine?: ConfigSources["commandLine"];
  /**
   * A scalpel file without a `waybill.config.json` chooses the scalpel dialect, if nothing else chooses one,
   * as in `serve`. Default: false, the dialect is only proposed.
   */
  readonly followScalpel?: boolean | undefined;
}

/** Finds, reads, checks and merges the configuration; any problem is an INVALID_CONFIG error. */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  for (let attempt = 1; ; attempt++) {
    const files = findConfigSync(options);
    try {
      const read = await Promise.all(usedOf(files).map(async ({ path }) => readBytes(path)));
      return complete(options, files, read);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isMissing(error)) throw error;
    }
  }
}

/** The synchronous form of `loadConfig`, for a program that starts. */
export function loadConfigSync(options: LoadConfigOptions = {}): LoadedConfig {
  for (let attempt = 1; ; attempt++) {
    const files = findConfigSync(options);
    try {
      return complete(
        options,
        files,
        usedOf(files).map(({ path }) => readBytesSync(path)),
      );
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isMissing(error)) throw error;
    }
  }
}

// A file may vanish between finding and reading it, as in a save by renaming; then the search is repeated.
const MAX_ATTEMPTS = 3;

function isMissing(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}

function usedOf(files: readonly Candidate[]): readonly Candidate[] {
  return files.filter(({ status }) => status === "used");
}

/** Turns the found and read files into settings. */
function complete(
  options: LoadConfigOptions,
  files: readonly Candidate[],
  read: readonly Uint8Array[],
): LoadedConfig {
  const notices = checkExplicit(files);
  const texts: { waybill?: ConfigText; scalpel?: ConfigText } = {};
  for (const [index, candidate] of usedOf(files).entries()) {
    const { kind, path } = candidate;
    const text = toText(path, read[index] ?? new Uint8Array());
    const hasOption = options.namedBy === "--config";
    texts[kind] = { file: path, text, isFound: !isExplicit(candidate), hasOption };
  }
  const { environment = process.env, commandLine, followScalpel } = options;
  const resolved = resolveConfig({ ...texts, environment, commandLine, followScalpel });
  return { ...resolved, files, notices: [...notices, ...resolved.notices] };
}

/**
 * A missing file that was named is an error for `waybill`. The scalpel variable belongs to another product,
 * so it only gets a notice.
 */
function checkExplicit(files: readonly Candidate[]): string[] {
  const notices: string[] = [];
  for (const candidate of files.filter(isExplicit)) {
    const { path, origin, status, kind } = candidate;
    if (status !== "absent") break;
    if (kind === "scalpel")
      notices.push(`${origin} names ${path}, which is not a file; the next place is used.`);
    else {
      const message = isFolder(path)
        ? `This is a folder, but ${origin} names it as the file. Name the file in it, such as waybill.config.json.`
        : `There is no such file, but ${origin} names it. Create it, or correct ${origin}.`;
      throw invalidConfig([{ place: { file: path }, path: "", message }]);
    }
  }
  return notices;
}

function toText(file: string, bytes: Uint8Array): string {
  const decoded = decodeUtf8(bytes);
  if (decoded.ok) return decoded.text;
  const message = `The file is not UTF-8: byte ${decoded.offset} does not start a valid character. Save it as UTF-8.`;
  throw invalidConfig([{ place: { file, line: 1, column: 1 }, path: "", message }]);
}

/** Reads at most one byte more than allowed, so that reading an endless file ends too. */
async function readBytes(file: string): Promise<Uint8Array> {
  try {
    const handle = await open(file, "r");
    try {
      const buffer = Buffer.alloc(MAX_CONFIG_BYTES + 1);
      let length = 0;
      while (length < buffer.length) {
        const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return withinLimit(file, buffer, length);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function readBytesSync(file: string): Uint8Array {
  try {
    const handle = openSync(file, "r");
    try {
      const buffer = Buffer.alloc(MAX_CONFIG_BYTES + 1);
      let length = 0;
      for (let read = -1; read !== 0 && length < buffer.length; length += read) {
        read = readSync(handle, buffer, length, buffer.length - length, null);
      }
      return withinLimit(file, buffer, length);
    } finally {
      closeSync(handle);
    }
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function withinLimit(file: string, buffer: Uint8Array, length: number): Uint8Array {
  if (length > MAX_CONFIG_BYTES) throw configTooLarge(file);
  return buffer.subarray(0, length);
}

function unreadable(file: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !("code" in cause) || cause.name === "ContractError") return cause;
  const message = `The file cannot be read (${String(cause.code)}). Check its permissions.`;
  return invalidConfig([{ place: { file, line: 1, column: 1 }, path: "", message }], { cause });
}
