import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { CliError, type CliErrorOptions } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { maskCredentials } from "../output/mask-credentials.ts";
import { printable } from "../output/printable.ts";

export const MAX_INPUT_BYTES = 64 * 1024 * 1024;

export interface Input {
  /** The path as it was given, or `stdin`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The inputs a command was given; none means stdin, unless a person sits there. */
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

/** The bytes of a file, or of stdin for `-`; refused by a CliError when they cannot be had. */
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
  const limit = maxBytes >= 1024 * 1024 ? `${maxBytes / 1024 / 1024} MiB` : `${maxBytes} bytes`;
  return new CliError(`${printable(name)} is larger than ${limit}.`, {
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
