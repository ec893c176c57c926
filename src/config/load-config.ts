import { open } from "node:fs/promises";
import { decodeUtf8 } from "../json/decode-utf8.ts";
import { invalidConfig } from "./config-problem.ts";
import { findConfig, isExplicit, type Candidate, type FindConfigOptions } from "./find-config.ts";
import { MAX_CONFIG_BYTES, tooLarge } from "./refuse-limits.ts";
import { resolveConfig, type ConfigSources, type ConfigText, type LoadedConfig } from "./resolve-config.ts";

export type LoadConfigOptions = FindConfigOptions;

/** Finds, reads, checks and merges the configuration; anything wrong is an INVALID_CONFIG error. */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  const found = await readFound(options, 3);
  const notices = checkExplicit(found.files);
  const { files, ...texts } = found;
  const resolved = resolveConfig({ ...texts, environment: options.environment ?? process.env });
  return { ...resolved, files, notices: [...notices, ...resolved.notices] };
}

interface Found extends Pick<ConfigSources, "waybill" | "scalpel"> {
  readonly files: readonly Candidate[];
}

// A file may vanish between the look and the read, as in a save by renaming; then the look is repeated.
async function readFound(options: LoadConfigOptions, attempts: number): Promise<Found> {
  const files = await findConfig(options);
  try {
    const [waybill, scalpel] = await Promise.all([readUsed(files, "waybill"), readUsed(files, "scalpel")]);
    return { files, waybill, scalpel };
  } catch (error) {
    if (attempts > 1 && isMissing(error)) return readFound(options, attempts - 1);
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}

/** A named file that is missing is an error for `waybill`; the scalpel variable belongs to another product and only gets a notice. */
function checkExplicit(files: readonly Candidate[]): string[] {
  const notices: string[] = [];
  for (const candidate of files.filter(isExplicit)) {
    const { path, origin, status, kind } = candidate;
    if (status !== "absent") break;
    if (kind === "scalpel")
      notices.push(`${origin} names ${path}, which is no file; the next place is used.`);
    else {
      const message = `There is no such file, but ${origin} names it. Create it, or correct ${origin}.`;
      throw invalidConfig([{ place: { file: path }, path: "", message }]);
    }
  }
  return notices;
}

async function readUsed(
  files: readonly Candidate[],
  kind: Candidate["kind"],
): Promise<ConfigText | undefined> {
  const used = files.find((candidate) => candidate.kind === kind && candidate.status === "used");
  return used && { file: used.path, text: await readText(used.path) };
}

async function readText(file: string): Promise<string> {
  const decoded = decodeUtf8(await readBytes(file));
  if (decoded.ok) return decoded.text;
  const message = `The file is not UTF-8: byte ${decoded.offset} starts no valid character. Save it as UTF-8.`;
  throw invalidConfig([{ place: { file, line: 1, column: 1 }, path: "", message }]);
}

/** Reads at most one byte more than allowed, so that an endless file ends too. */
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
      if (length > MAX_CONFIG_BYTES) throw tooLarge(file);
      return buffer.subarray(0, length);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function unreadable(file: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !("code" in cause) || cause.name === "ContractError") return cause;
  const message = `The file cannot be read (${String(cause.code)}). Check its permissions.`;
  return invalidConfig([{ place: { file, line: 1, column: 1 }, path: "", message }], { cause });
}
