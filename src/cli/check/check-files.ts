// The files that a check reads: invalid files are refused before the server is started.

import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  statSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve, join } from "node:path";
import { type BaselineEntry, readBaseline } from "../../doors/check/baseline.ts";
import { isPolicy } from "../../doors/check/policy/write-policy.ts";
import { type ContractSnapshot, readSnapshot } from "../../doors/check/snapshot/contract-snapshot.ts";
import { makeFoldersSync } from "../../engine/runtime/make-folders.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { parseJson } from "../../core/json/parse-json.ts";
import { type CliIo, CliError } from "../cli-io.ts";
import { readInput, readJsonInput } from "../input/read-input.ts";
import { printable, countOf } from "../output/format-values.ts";
import type { CheckRun } from "../../doors/check/check-options.ts";
import type { CheckReport } from "../../doors/check/report/check-report.ts";
import {
  type RecordedCall,
  compareCalls,
  readRecorded,
  recordedCalls,
  writeRecorded,
} from "../../doors/check/record/recorded-calls.ts";

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

/** A file of this name holds JSON alone; any other may have comments. */
export function isStrictJson(file: string): boolean {
  return /\.json$/i.test(file);
}

/** A policy may replace only an earlier policy: any other file may contain a user's settings. */
export function refuseForeignPolicy(file: string | undefined, io: CliIo): void {
  if (file === undefined) return;
  const path = resolve(io.cwd, file);
  if (!existsSync(path)) return;
  const text = readFileSync(path, "utf8");
  if (isPolicy(text)) return;
  // Comments in a file that should have none, or half a file: the user looks there first.
  const parsed = isStrictJson(file) ? parseJson(text) : undefined;
  const [fault] = parsed?.ok === false ? parsed.findings : [];
  const why = fault === undefined ? "" : ` It is not JSON either: ${fault.message}`;
  throw new CliError(printable(`${file} exists and is no policy that a check wrote.${why}`), {
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
  const value = readJsonInput(await readInput(file, io));
  const isArguments = (given: unknown): boolean =>
    isJsonObject(given) || (Array.isArray(given) && given.every(isJsonObject));
  if (isJsonObject(value) && Object.values(value).every(isArguments)) return value as CheckFiles["args"];
  throw new CliError(`${printable(file)} has no arguments by tool.`, {
    remediation: 'Write it as {"search": {"query": "tea"}, "read": [{"id": 1}, {"id": 2}]}.',
  });
}

// The folder of `waybill check --record`: read before the server is started, compared or written after the check.

interface RecordOptions {
  readonly record?: string | undefined;
  readonly updateRecord?: boolean | undefined;
}

/** A folder with more files, or with longer ones, was not written by a check. */
const MAX_FILES = 5_000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const OWN_FILE = /^[\w-]+\.(?:given|valid|boundary|invalid)-[0-9a-f]{8}\.json$/;

interface Kept {
  readonly report: CheckReport;
  readonly remarks: readonly string[];
}

class RecordFolder {
  readonly #name: string;
  readonly #path: string;
  readonly #isUpdate: boolean;
  readonly #files: readonly RecordedCall[];

  constructor(name: string, path: string, isUpdate: boolean) {
    this.#name = name;
    this.#path = path;
    this.#isUpdate = isUpdate;
    this.#files = namesIn(name, path).map((file) => readOne(path, file));
  }

  /** Compares; writes if there is nothing to compare with, or if the user asked for it. */
  keep({ report, record }: CheckRun): Kept {
    // An unreachable server or an unfinished check says nothing about missing calls.
    if (!report.isReachable || !report.isComplete) return { report, remarks: [] };
    const now = recordedCalls(record, Date.parse(report.startedAt));
    if (this.#isUpdate || this.#files.length === 0) return { report, remarks: this.#write(now, report) };
    const listed = report.tools.map(({ name }) => name);
    const { differences, compared, skipped, added } = compareCalls(this.#files, now, listed);
    const asides = [
      ...(skipped === 0 ? [] : [`${countOf(skipped, "file")} of tools that were not called`]),
      ...(added === 0 ? [] : [`${countOf(added, "call")} without a file (--update-record writes them)`]),
    ];
    const said = `waybill: compared ${countOf(compared, "answer")} with ${printable(this.#name)}`;
    return { report: { ...report, differences }, remarks: [[said, ...asides].join("; ")] };
  }

  #write(now: readonly RecordedCall[], { tools }: CheckReport): readonly string[] {
    const before = new Map(this.#files.map((call) => [call.file, call]));
    const written = new Set(now.map(({ file }) => file));
    const called = new Set(now.map(({ tool }) => tool));
    const listed = new Set(tools.map(({ name }) => name));
    makeFoldersSync(this.#path);
    for (const call of now)
      writeFileSync(join(this.#path, call.file), writeRecorded(call, before.get(call.file)));
    // A file of a tool that was not called this time may still be right.
    const gone = this.#files.filter(
      ({ file, tool }) => !written.has(file) && (called.has(tool) || !listed.has(tool)),
    );
    for (const { file } of gone) rmSync(join(this.#path, file));
    const removed = gone.length === 0 ? "" : `, removed ${gone.length}`;
    return [`waybill: recorded ${countOf(now.length, "answer")} in ${printable(this.#name)}${removed}`];
  }
}

function namesIn(name: string, path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory())
    throw new CliError(`${printable(name)} is no folder.`, { errorCode: "INVALID_PATH" });
  const names = readdirSync(path).filter((file) => OWN_FILE.test(file));
  if (names.length > MAX_FILES)
    throw new CliError(`${printable(name)} has more than ${MAX_FILES} recorded answers.`, {
      remediation: "Give --record a folder for this server alone.",
    });
  return names.sort();
}

function readOne(folder: string, file: string): RecordedCall {
  try {
    const path = join(folder, file);
    if (statSync(path).size > MAX_FILE_BYTES) throw new ContractError("INVALID_OPTION", "It is too long.");
    return readRecorded(file, readFileSync(path, "utf8"));
  } catch (error) {
    const says = error instanceof Error ? error.message.replace(/^\w+: /, "") : "it cannot be read";
    throw new CliError(`${printable(file)} cannot be used. ${printable(says)}`, {
      remediation: "Correct the file, or delete it and run with --update-record.",
    });
  }
}

/** Undefined if no folder was requested. */
export function openRecordFolder(
  { record, updateRecord = false }: RecordOptions,
  io: CliIo,
): RecordFolder | undefined {
  if (record !== undefined) return new RecordFolder(record, resolve(io.cwd, record), updateRecord);
  if (!updateRecord) return undefined;
  throw new CliError("--update-record needs --record.", {
    errorCode: "MISSING_REQUIRED",
    remediation: "Give --record and a folder.",
  });
}
