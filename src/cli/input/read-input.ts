import { createReadStream } from "node:fs";
import { resolve, basename, dirname, join, sep } from "node:path";
import { decodeUtf8 } from "../../core/json/decode-utf8.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import { type JsonFinding, parseJson } from "../../core/json/parse-json.ts";
import { CliError, type CliErrorOptions, exitCodes, type CliIo } from "../cli-io.ts";
import { countOf, formatBytes, maskCredentials, printable } from "../output/format-values.ts";
import type { ReportFailure } from "../report.ts";
import { realpath, stat, writeFile } from "node:fs/promises";

export const MAX_INPUT_BYTES = 64 * 1024 * 1024;

export interface Input {
  /** The path as given, or `stdin`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The inputs of a command; without any, stdin, unless it is a terminal. */
export function chooseInputs(given: readonly string[], io: CliIo): readonly string[] {
  if (given.filter((name) => name === "-").length > 1) {
    throw new CliError('"-" is given twice, but stdin can be read only once.', {
      remediation: 'Keep one "-".',
    });
  }
  if (given.length > 0) return given;
  if (!io.isTTY.stdin) return ["-"];
  throw new CliError("There is nothing to read.", {
    errorCode: "MISSING_REQUIRED",
    remediation: 'Name a file, pipe the JSON in, or give "-" to type it and end with Ctrl-D.',
  });
}

/** The bytes of a file, or of stdin for `-`; throws a CliError if they cannot be read. */
export async function readInput(given: string, io: CliIo, maxBytes = MAX_INPUT_BYTES): Promise<Input> {
  const name = given === "-" ? "stdin" : maskCredentials(given);
  const source = given === "-" ? io.stdin : createReadStream(resolve(io.cwd, given));
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of source) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Uint8Array);
      size += bytes.length;
      if (size > maxBytes) throw tooLarge(name, maxBytes);
      chunks.push(bytes);
    }
  } catch (error) {
    throw error instanceof CliError ? error : unreadable(name, error, io);
  }
  return { name, bytes: Buffer.concat(chunks, size) };
}

function tooLarge(name: string, maxBytes: number): CliError {
  return new CliError(`${printable(name)} is larger than ${formatBytes(maxBytes)}.`, {
    errorCode: "TOO_LARGE",
    remediation: "A tool result of that size reaches no model: give one response at a time.",
    details: { source: name, limit_bytes: maxBytes },
  });
}

const reasons: Readonly<Record<string, (cwd: string) => readonly [string, CliErrorOptions]>> = {
  ENOENT: (cwd) => [
    "there is no such file",
    { errorCode: "NOT_FOUND", remediation: `Check the path; relative ones start at ${printable(cwd)}.` },
  ],
  EISDIR: () => ["it is a directory", { errorCode: "INVALID_PATH", remediation: "Name a file in it." }],
  EACCES: () => [
    "permission is denied",
    { errorCode: "FORBIDDEN", remediation: "Make the file readable, or run as its owner." },
  ],
  ENOTDIR: () => [
    "a part of the path is a file",
    { errorCode: "INVALID_PATH", remediation: "Check the path." },
  ],
};

function unreadable(name: string, error: unknown, io: CliIo): CliError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
  const known = reasons[code]?.(io.cwd);
  const [why, options] = known ?? [
    code,
    { errorCode: "INVALID_PATH" as const, remediation: "Give another file." },
  ];
  return new CliError(`Cannot read ${printable(name)}: ${why}.`, { ...options, details: { source: name } });
}

/** The text of an input that is given to a model unchanged; refused if it is not UTF-8. */
export function readTextInput({ name, bytes }: Input): string {
  const decoded = decodeUtf8(bytes);
  if (decoded.ok) return decoded.text;
  throw new CliError(`${printable(name)} is not UTF-8: a model is given text.`, {
    exitCode: exitCodes.violated,
    remediation: decoded.message,
    details: { source: name, offset: decoded.offset },
  });
}

/** The JSON of an input: anything that parsing would change or drop is refused with its position. */
export function readJsonInput({ name, bytes }: Input): JsonValue {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) throw refuse(`${printable(name)} is not UTF-8.`, [decoded.message], { source: name });
  const parsed = parseJson(decoded.text);
  // Half a surrogate pair is kept: it is written back as the escape it came from.
  const findings = parsed.findings.filter(({ kind }) => kind !== "lone-surrogate");
  if (parsed.ok && findings.length === 0) return parsed.value;
  const title = parsed.ok
    ? `${printable(name)} would lose ${parsed.truncated ? "at least " : ""}${countOf(findings.length, "value")} by being read.`
    : `${printable(name)} is not JSON that can be read.`;
  const details = { source: name, findings: findings.map(toDetail) };
  throw refuse(title, findings.map(toLine), details);
}

function toLine({ kind, line, column, message }: JsonFinding): string {
  const saysWhere = kind === "syntax" || kind === "depth";
  return saysWhere ? message : `Line ${line}, column ${column}: ${message}`;
}

function toDetail({ kind, pointer, line, column, message }: JsonFinding) {
  return { kind, pointer, line, column, message };
}

function refuse(message: string, lines: readonly string[], details: CliErrorDetails): CliError {
  return new CliError(message, {
    exitCode: exitCodes.violated,
    errorCode: "INVALID_FORMAT",
    remediation: "Correct the input at the named places and try again.",
    lines: lines.map(printable),
    details,
  });
}

type CliErrorDetails = NonNullable<CliError["details"]>;

/** The failure of a command that could not read some of its inputs, although it processed the others. */
export function cannotRead(unread: readonly CliError[], read: number): ReportFailure {
  const [first] = unread;
  const only = unread.length === 1 && read === 0;
  return {
    message:
      only && first ? first.message : `${unread.length} of ${unread.length + read} inputs cannot be read`,
    errorCode: first?.errorCode ?? "NOT_FOUND",
    remediation: first?.remediation,
    details: { inputs: unread.map(({ message, details }) => ({ ...details, message })) },
  };
}

/** `${NAME}` in the value of a header, or of another option, is an environment variable, so that no secret appears in a process list. */
export function fillHeaders(
  headers: Readonly<Record<string, string>>,
  env: CliIo["env"],
  option = "--header",
): Readonly<Record<string, string>> {
  const fill = (value: string): string =>
    value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_whole, name: string) => {
      const found = env[name];
      if (found !== undefined && found !== "") return found;
      throw new CliError(`A ${option} needs the variable ${name}, which is not set.`, {
        errorCode: "MISSING_REQUIRED",
        remediation: `Set ${name} where waybill is started.`,
      });
    });
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
}

/** Refuses to overwrite the input file, however its path is written or linked. */
export async function refuseOwnSource(
  option: string,
  file: string,
  source: string,
  io: CliIo,
): Promise<void> {
  const input = source === "-" ? "/dev/stdin" : source;
  const [written, read] = await Promise.all([statOf(resolve(io.cwd, file)), statOf(resolve(io.cwd, input))]);
  // A terminal may be both input and output.
  if (written?.isFile() !== true || written.ino !== read?.ino || written.dev !== read.dev) return;
  throw refusal(`${option} ${file} would overwrite the document itself`);
}

/** Refuses to write into the directory of a store. */
export async function refuseOwnStore(
  option: string,
  file: string,
  directory: string,
  io: CliIo,
): Promise<void> {
  const path = resolve(io.cwd, file);
  const real = (await realOf(path)) ?? join((await realOf(dirname(path))) ?? dirname(path), basename(path));
  const root = (await realOf(directory)) ?? directory;
  if (real.startsWith(root + sep)) throw refusal(`${option} ${file} would write into the store itself`);
}

function refusal(message: string): CliError {
  return new CliError(`${printable(message)}.`, {
    errorCode: "INVALID_PATH",
    remediation: "Give another file.",
  });
}

/** A missing file cannot be overwritten; opening a file that cannot be inspected will report the error. */
function statOf(path: string) {
  // Inode numbers of some file systems are too large for a double.
  return stat(path, { bigint: true }).catch(() => undefined);
}

function realOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** Writes a result to its file; throws a CliError with the reason if it cannot. */
export async function writeOutput(file: string, bytes: Uint8Array, io: CliIo): Promise<void> {
  try {
    await writeFile(resolve(io.cwd, file), bytes);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    throw new CliError(`Cannot write ${printable(file)} (${code}).`, {
      exitCode: exitCodes.violated,
      errorCode: "OPERATION_FAILED",
      remediation: "Give a path in a directory that exists and can be written.",
    });
  }
}
