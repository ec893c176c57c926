// Writes files that belong together: all of them or none.

import { lstatSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFoldersSync } from "../../engine/runtime/make-folders.ts";
import { CliError, exitCodes } from "../cli-io.ts";
import { printable } from "./format-values.ts";

/** The code of a system error, such as EACCES. */
export function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

/** A link counts as a file, wherever it leads. */
export function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

interface WriteOptions {
  /** What the files are together, for the message: "The project". */
  readonly what: string;
  /** Files of the same names are replaced; of a link the link, not what it leads to. */
  readonly replaces?: boolean | undefined;
}

/** Throws if a file is there already, unless it may be replaced. After a failure the new files are removed. */
export function writeAll(
  folder: string,
  files: ReadonlyMap<string, string>,
  { what, replaces = false }: WriteOptions,
): void {
  const made: string[] = [];
  let unmade = "";
  const makeFolder = (path: string): void => {
    unmade = `no folder can be made at ${printable(path)}: `;
    const first = makeFoldersSync(path);
    if (first !== undefined) made.push(first);
    unmade = "";
  };
  let isReplacing = false;
  try {
    makeFolder(folder);
    for (const [path, text] of files) {
      const file = join(folder, path);
      makeFolder(dirname(file));
      if (replaces && isThere(file)) {
        isReplacing = true;
        rmSync(file);
        writeFileSync(file, text, { flag: "wx" });
        continue;
      }
      writeFileSync(file, text, { flag: "wx" });
      made.push(file);
    }
  } catch (error) {
    for (const path of made.toReversed()) rmSync(path, { recursive: true, force: true });
    const left = isReplacing ? "Some files may be replaced already." : "Nothing was left behind.";
    throw new CliError(`${what} cannot be written (${unmade}${reasonOf(error)}). ${left}`, {
      exitCode: exitCodes.violated,
      errorCode: "OPERATION_FAILED",
      remediation: "Look whether the folder may be written to and the disk has room.",
    });
  }
}
