import { isAbsolute } from "node:path";
import type { CheckOptions, CheckRun, CheckTarget, EraChoice } from "../../doors/check/check-options.ts";
import { applyBaseline, readBaseline, writeBaseline } from "../../doors/check/baseline.ts";
import type { ServerTransport } from "../../core/protocol/names.ts";
import { runCheck } from "../../doors/check/check-server.ts";
import { createPolicy } from "../../doors/check/policy/create-policy.ts";
import { type CheckReport, type CheckVerdict, verdictOf } from "../../doors/check/report/check-report.ts";
import { compareSnapshots } from "../../doors/check/snapshot/compare-snapshots.ts";
import { takeSnapshot, writeSnapshot } from "../../doors/check/snapshot/contract-snapshot.ts";
import type { DialectId } from "../../core/contract/dialect-id.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { adviseName } from "../../core/text/did-you-mean.ts";
import { type CliIo, type ExitCode, CliError, exitCodes } from "../cli-io.ts";
import type { ReportChoice } from "../declare/option-values.ts";
import {
  type CheckFiles,
  type FileOptions,
  isStrictJson,
  openRecordFolder,
  readCheckFiles,
  refuseForeignPolicy,
  refuseUnwritable,
} from "../check/check-files.ts";
import {
  type OutFile,
  type WantedReport,
  checkProgress,
  formReport,
  wantedReports,
  writeText,
} from "../check/write-reports.ts";
import { nextStep, printCheck } from "../check/print-check.ts";
import { fillHeaders } from "../input/read-input.ts";
import { countOf, printable } from "../output/format-values.ts";
import type { ToolPlace } from "../lint/tool-places.ts";
import { type CommandReport, type ReportFailure, createPaint } from "../report.ts";

export interface CheckCommandOptions extends FileOptions {
  readonly report?: readonly ReportChoice[] | undefined;
  readonly out?: readonly OutFile[] | undefined;
  readonly source?: readonly string[] | undefined;
  readonly policy?: string | undefined;
  readonly reader?: string | undefined;
  readonly all?: boolean | undefined;
  readonly definitionsOnly?: boolean | undefined;
  readonly record?: string | undefined;
  readonly updateRecord?: boolean | undefined;
  readonly tool?: readonly string[] | undefined;
  readonly era?: EraChoice | undefined;
  readonly dialect?: DialectId | undefined;
  readonly seed?: number | undefined;
  readonly timeout?: number | undefined;
  readonly strict?: boolean | undefined;
  readonly header?: Readonly<Record<string, string>> | undefined;
  readonly transport?: ServerTransport | undefined;
  readonly progress?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const MAX_STDERR_LINES = 10;
const MIN_START_MS = 30_000;

/** The server named on the command line. */
function targetOf(
  words: readonly string[],
  { header, transport }: CheckCommandOptions,
  io: CliIo,
): CheckTarget {
  const [command, ...args] = words;
  if (command === undefined)
    throw new CliError("No server is named.", {
      errorCode: "MISSING_REQUIRED",
      remediation:
        "Write the command that starts it behind --, as in `waybill check -- node server.js`, or its URL.",
    });
  const isUrl = /^https?:\/\//i.test(command);
  if (isUrl && args.length > 0)
    throw new CliError("More than a URL is named.", { remediation: "Give one URL, or a command behind --." });
  if (isUrl)
    return { url: command, headers: fillHeaders(header ?? {}, io.env), ...(transport && { transport }) };
  if (transport !== undefined)
    throw new CliError("--transport goes with a URL: it says what the server there speaks.");
  if (header !== undefined) throw new CliError("--header goes with a URL: a command gets no HTTP request.");
  return { command, args, cwd: io.cwd };
}

function optionsOf(options: CheckCommandOptions, { args }: CheckFiles): CheckOptions {
  const { era, all, definitionsOnly, tool, seed, dialect, timeout } = options;
  const callMs = timeout === undefined ? undefined : Math.ceil(timeout * 1_000);
  // A long time limit for answers also applies to the start; with a short one a package manager can still fetch the
  // server.
  const limits = callMs === undefined ? undefined : { callMs, startMs: Math.max(callMs, MIN_START_MS) };
  return { era, all, definitionsOnly, only: tool, args, seed, dialect, limits };
}

/** Runs the check; keeps the last lines that the server wrote to stderr, in case it does not start. */
async function run(
  target: CheckTarget,
  options: CheckOptions,
  isProgressWanted: boolean,
  io: CliIo,
): Promise<CheckRun & { readonly said: readonly string[]; readonly isStopped: boolean }> {
  const said: string[] = [];
  const stop = new AbortController();
  io.onStop?.(() => stop.abort());
  const progress = checkProgress(io, isProgressWanted);
  const onStderr = (line: string): void => {
    said.push(line);
    if (said.length > MAX_STDERR_LINES) said.shift();
  };
  try {
    const result = await runCheck(target, {
      ...options,
      onStderr,
      onProgress: progress?.report,
      signal: stop.signal,
    });
    return { ...result, said, isStopped: stop.signal.aborted };
  } finally {
    progress?.end();
  }
}

/** An unknown tool name, in an option or its file, is a usage error, which only the server's list can reveal. */
function refuseUnknownTools(
  { tool: wanted = [], args: file = "" }: CheckCommandOptions,
  { args = {} }: CheckFiles,
  { tools, isReachable }: CheckReport,
): void {
  const names = tools.map(({ name }) => name);
  const unknown = [...wanted, ...Object.keys(args)].find((name) => !names.includes(name));
  if (unknown === undefined || !isReachable) return;
  const place = wanted.includes(unknown) ? "" : `, for which ${file} has arguments`;
  throw new CliError(printable(`The server has no tool ${unknown}${place}.`), {
    errorCode: "NOT_FOUND",
    remediation: printable(adviseName(unknown, names)),
  });
}

interface Kept {
  readonly report: CheckReport;
  readonly remarks: readonly string[];
}

/** Compares with the files of earlier checks, and writes the files that were requested. */
async function keep(
  { report, record }: CheckRun,
  files: CheckFiles,
  options: CheckCommandOptions,
  io: CliIo,
): Promise<Kept> {
  const { baseline, snapshot, updateBaseline } = options;
  const remarks: string[] = [];
  let known = report;
  // If the server was not reached, neither file is changed.
  const canKeep = report.isReachable;
  if (baseline !== undefined && updateBaseline === true && canKeep) {
    const text = writeBaseline(report, files.baseline);
    remarks.push(await writeText(baseline, text, io));
    known = applyBaseline(report, readBaseline(text));
  } else if (files.baseline !== undefined) known = applyBaseline(report, files.baseline);
  if (snapshot === undefined || !canKeep) return { report: known, remarks };
  const taken = takeSnapshot(record);
  if (files.snapshot !== undefined)
    return { report: { ...known, changes: compareSnapshots(files.snapshot, taken) }, remarks };
  remarks.push(await writeText(snapshot, writeSnapshot(taken), io));
  return { report: known, remarks };
}

/** Headers as they were typed, so that the file holds names of variables and no secrets; without the working folder. */
function policyTarget(target: CheckTarget, { header }: CheckCommandOptions): CheckTarget {
  if ("url" in target) return { ...target, headers: header };
  return "command" in target ? { ...target, cwd: undefined } : target;
}

async function writePolicy(
  file: string,
  report: CheckReport,
  target: CheckTarget,
  { dialect, reader }: CheckCommandOptions,
  io: CliIo,
): Promise<readonly string[]> {
  const { repaired, text, strictText } = createPolicy(report, target, { dialect, reader });
  const left = report.findings.length - repaired;
  return [
    await writeText(file, isStrictJson(file) ? strictText : text, io),
    `waybill: the policy repairs ${countOf(repaired, "finding")}; ${left} ${left === 1 ? "stays" : "stay"}, and the file says why`,
  ];
}

const exitOf = {
  passed: exitCodes.fine,
  failed: exitCodes.violated,
  unreachable: exitCodes.unreachable,
} as const;

function failureOf({ outcome, because }: CheckVerdict, isStopped: boolean): ReportFailure | undefined {
  const why = because.join(", ");
  if (outcome === "unreachable")
    return {
      message: `The server could not be reached: ${why}`,
      errorCode: "UNAVAILABLE",
      remediation: "Start the server by hand, and see what it says.",
    };
  if (outcome === "failed")
    return {
      message: `The server fails the check: ${why}`,
      errorCode: "VALIDATION_ERROR",
      remediation: "Each finding in data.findings has a `fix`.",
    };
  return isStopped ? { message: "The check was stopped.", errorCode: "OPERATION_FAILED" } : undefined;
}

/** Options that choose which tools are called are an error if no tool is called. */
function refuseIdleCalls({ definitionsOnly, all, tool, args, record }: CheckCommandOptions): void {
  const idle = { "--all": all, "--tool": tool, "--args": args, "--record": record };
  const [option] = Object.entries(idle).find(([, value]) => value !== undefined) ?? [];
  if (definitionsOnly !== true || option === undefined) return;
  throw new CliError(`--definitions-only calls no tool, and ${option} speaks of calls.`, {
    remediation: "Give one of them.",
  });
}

/** Checks a server, and writes the requested reports. */
export async function checkCommand(
  words: readonly string[],
  options: CheckCommandOptions,
  io: CliIo,
): Promise<CommandReport> {
  const target = targetOf(words, options, io);
  refuseIdleCalls(options);
  if (options.reader !== undefined && options.policy === undefined)
    throw new CliError("--reader names the client that a policy is for, and no policy is written.", {
      remediation: "Say --policy <file> too.",
    });
  const wanted = wantedReports(options);
  const files = await readCheckFiles(options, io);
  const folder = openRecordFolder(options, io);
  const { policy: policyFile, snapshot: snapshotFile, baseline, updateBaseline } = options;
  const kept = [policyFile, snapshotFile, updateBaseline === true ? baseline : undefined];
  refuseUnwritable([...wanted.map(({ file }) => file), ...kept], io);
  refuseForeignPolicy(policyFile, io);
  if (options.all === true)
    io.stderr.write(
      "waybill: --all calls every tool, also those that change or delete something; use it where nothing can be lost\n",
    );
  const ran = await run(target, optionsOf(options, files), options.progress === true, io);
  refuseUnknownTools(options, files, ran.report);
  const answers = folder?.keep(ran);
  const { report, remarks } = await keep(
    { ...ran, report: answers?.report ?? ran.report },
    files,
    options,
    io,
  );
  const policy =
    options.policy === undefined || !report.isReachable
      ? []
      : await writePolicy(options.policy, report, policyTarget(target, options), options, io);
  const verdict = verdictOf(report, options);
  const next = nextStep(report, words, target, options);
  const { strict, verbose } = options;
  const printing = { strict, verbose, columns: io.columns, next };
  const plain = createPaint(false, io.env);
  const forms = {
    strict,
    artifact: options.snapshot,
    places: async () => placesOf(report, words, options, io),
    pretty: () => printCheck(report, { ...printing, next: undefined }, plain),
  };
  const written: string[] = [];
  for (const { form, file } of wanted)
    if (file !== undefined) written.push(await writeText(file, await formReport(report, form, forms), io));
  const printed = await printedReport(wanted, report, forms);
  const exitCode: ExitCode =
    ran.isStopped && verdict.outcome === "passed" ? exitCodes.violated : exitOf[verdict.outcome];
  return {
    exitCode,
    data: JSON.parse(
      JSON.stringify({ outcome: verdict.outcome, because: verdict.because, ...report }),
    ) as JsonObject,
    failure: failureOf(verdict, ran.isStopped),
    text: (paint) => printed?.trimEnd() ?? printCheck(report, printing, paint),
    // A pipe gets the exact bytes; a terminal gets safe text.
    raw: printed === undefined || io.isTTY.stdout ? undefined : Buffer.from(printed),
    remarks: [
      ...(verdict.outcome === "unreachable" ? unreachableLines(verdict, ran.said) : []),
      ...(answers?.remarks ?? []),
      ...remarks,
      ...policy,
      ...written,
    ],
  };
}

/** Where the author wrote the tools: in the files that were named, or in those that the command starts. */
async function placesOf(
  { tools }: CheckReport,
  words: readonly string[],
  { source }: CheckCommandOptions,
  io: CliIo,
): Promise<ReadonlyMap<string, ToolPlace>> {
  const { findToolPlaces, isSource } = await import("../lint/tool-places.ts");
  const names = tools.map(({ name }) => name);
  const places = findToolPlaces(source ?? words.filter(isSource), names, io.cwd);
  // A path in a log is read in the repository: what lies outside means nothing there.
  return new Map([...places].filter(([, { file }]) => !file.startsWith("..") && !isAbsolute(file)));
}

/** The report for stdout, if it is not the pretty one. */
async function printedReport(
  wanted: readonly WantedReport[],
  report: CheckReport,
  forms: Parameters<typeof formReport>[2],
): Promise<string | undefined> {
  const printed = wanted.find(({ form, file }) => file === undefined && form !== "pretty");
  return printed === undefined ? undefined : formReport(report, printed.form, forms);
}

function unreachableLines({ because }: CheckVerdict, said: readonly string[]): readonly string[] {
  return [
    `waybill: the server could not be reached: ${printable(because.join(", "))}`,
    // A server that does not start is tried more than once, and prints the same each time.
    ...Array.from(new Set(said), (line) => `  ${printable(line)}`),
  ];
}
