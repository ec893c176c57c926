// The folder of `waybill check --record`: read before the server is started, compared or written after the check.

import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CheckRun } from "../../doors/check/check-options.ts";
import type { CheckReport } from "../../doors/check/report/check-report.ts";
import {
  type RecordedCall,
  compareCalls,
  readRecorded,
  recordedCalls,
  writeRecorded,
} from "../../doors/check/record/recorded-calls.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { CliError } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { count, printable } from "../output/format-values.ts";

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
      ...(skipped === 0 ? [] : [`${count(skipped, "file")} of tools that were not called`]),
      ...(added === 0 ? [] : [`${count(added, "call")} without a file (--update-record writes them)`]),
    ];
    const said = `waybill: compared ${count(compared, "answer")} with ${printable(this.#name)}`;
    return { report: { ...report, differences }, remarks: [[said, ...asides].join("; ")] };
  }

  #write(now: readonly RecordedCall[], { tools }: CheckReport): readonly string[] {
    const before = new Map(this.#files.map((call) => [call.file, call]));
    const written = new Set(now.map(({ file }) => file));
    const called = new Set(now.map(({ tool }) => tool));
    const listed = new Set(tools.map(({ name }) => name));
    mkdirSync(this.#path, { recursive: true });
    for (const call of now)
      writeFileSync(join(this.#path, call.file), writeRecorded(call, before.get(call.file)));
    // A file of a tool that was not called this time may still be right.
    const gone = this.#files.filter(
      ({ file, tool }) => !written.has(file) && (called.has(tool) || !listed.has(tool)),
    );
    for (const { file } of gone) rmSync(join(this.#path, file));
    const removed = gone.length === 0 ? "" : `, removed ${gone.length}`;
    return [`waybill: recorded ${count(now.length, "answer")} in ${printable(this.#name)}${removed}`];
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
