import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CliError } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { exitCodes } from "../exit-codes.ts";
import { printable } from "./printable.ts";

/** Writes a result to the file that was named for it; a CliError says why it cannot be. */
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
