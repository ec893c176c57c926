import { realpath, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { type CliIo, CliError, exitCodes } from "../cli-io.ts";
import { printable } from "./format-values.ts";

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
