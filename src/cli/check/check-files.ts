// The files that a check reads: invalid files are refused before the server is started.

import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type BaselineEntry, readBaseline } from "../../doors/check/baseline.ts";
import { POLICY_MARK } from "../../doors/check/policy/write-policy.ts";
import { type ContractSnapshot, readSnapshot } from "../../doors/check/snapshot/contract-snapshot.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { CliError } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { readInput, readJson } from "../input/read-input.ts";
import { printable } from "../output/format-values.ts";

export interface FileOptions {
  readonly args?: string | undefined;
  readonly baseline?: string | undefined;
  readonly updateBaseline?: boolean | undefined;
  readonly snapshot?: string | undefined;
  readonly updateSnapshot?: boolean | undefined;
}

export interface CheckFiles {
  readonly args: Readonly<Record<string, JsonObject | readonly JsonObject[]>> | undefined;
  /** Undefined if the file does not exist yet, or was not requested. */
  readonly baseline: readonly BaselineEntry[] | undefined;
  readonly snapshot: ContractSnapshot | undefined;
}

/** Reads the files that the options name. */
export async function readCheckFiles(options: FileOptions, io: CliIo): Promise<CheckFiles> {
  const { args, baseline, snapshot } = options;
  if (options.updateBaseline === true && baseline === undefined)
    throw needs("--update-baseline", "--baseline");
  if (options.updateSnapshot === true && snapshot === undefined)
    throw needs("--update-snapshot", "--snapshot");
  const isThere = (file: string): boolean => existsSync(resolve(io.cwd, file));
  if (baseline !== undefined && options.updateBaseline !== true && !isThere(baseline))
    throw new CliError(`There is no baseline ${printable(baseline)}.`, {
      errorCode: "NOT_FOUND",
      remediation: "Run once with --update-baseline to write it.",
    });
  return {
    args: args === undefined ? undefined : await readArguments(args, io),
    baseline:
      baseline !== undefined && isThere(baseline) ? await readText(baseline, readBaseline, io) : undefined,
    snapshot:
      snapshot !== undefined && options.updateSnapshot !== true && isThere(snapshot)
        ? await readText(snapshot, readSnapshot, io)
        : undefined,
  };
}

/** Checks that every output file can be written, so that no report is lost after a long check. */
export function refuseUnwritable(files: readonly (string | undefined)[], io: CliIo): void {
  for (const file of files) {
    if (file === undefined) continue;
    const path = resolve(io.cwd, file);
    const why = whyUnwritable(path);
    if (why === undefined) continue;
    throw new CliError(`Cannot write ${printable(file)}: ${why}.`, {
      errorCode: "INVALID_PATH",
      remediation: "Give a path in a directory that exists and can be written.",
    });
  }
}

function whyUnwritable(path: string): string | undefined {
  const isThere = existsSync(path);
  try {
    if (isThere && statSync(path).isDirectory()) return "it is a directory";
    accessSync(isThere ? path : dirname(path), constants.W_OK);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "ENOENT" ? "its directory does not exist" : "it is not allowed";
  }
}

/** A policy may replace only an earlier policy: any other file may contain a user's settings. */
export function refuseForeignPolicy(file: string | undefined, io: CliIo): void {
  if (file === undefined) return;
  const path = resolve(io.cwd, file);
  if (!existsSync(path) || readFileSync(path, "utf8").startsWith(POLICY_MARK)) return;
  throw new CliError(`${printable(file)} exists and is no policy that a check wrote.`, {
    errorCode: "ALREADY_EXISTS",
    remediation: "Give --policy another file, or move this one away.",
  });
}

function needs(option: string, other: string): CliError {
  return new CliError(`${option} needs ${other}.`, {
    errorCode: "MISSING_REQUIRED",
    remediation: `Give ${other} and a file.`,
  });
}

async function readText<Value>(file: string, read: (text: string) => Value, io: CliIo): Promise<Value> {
  const { bytes } = await readInput(file, io);
  try {
    return read(Buffer.from(bytes).toString());
  } catch (error) {
    if (!ContractError.isInstance(error)) throw error;
    throw new CliError(
      `${printable(file)} cannot be used. ${printable(error.message.replace(/^\w+: /, ""))}`,
      {
        details: error.details,
        remediation: "Correct the file, or write it anew with --update-baseline or --update-snapshot.",
      },
    );
  }
}

async function readArguments(file: string, io: CliIo): Promise<CheckFiles["args"]> {
  const value = readJson(await readInput(file, io));
  const isArguments = (given: unknown): boolean =>
    isJsonObject(given) || (Array.isArray(given) && given.every(isJsonObject));
  if (isJsonObject(value) && Object.values(value).every(isArguments)) return value as CheckFiles["args"];
  throw new CliError(`${printable(file)} has no arguments by tool.`, {
    remediation: 'Write it as {"search": {"query": "tea"}, "read": [{"id": 1}, {"id": 2}]}.',
  });
}
