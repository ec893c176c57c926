import type { JsonObject } from "../../core/json/json-value.ts";
import { didYouMean } from "../../core/text/did-you-mean.ts";
import {
  type ClientConfig,
  UNKNOWN_CLIENT,
  isProjectFile,
  clientOf,
  clientPlaces,
  findClientConfigs,
  findYamlConfigs,
  ConfigFileError,
} from "../../doors/gateway/wrap/client-configs.ts";
import { type PlannedChange, WrapRecords } from "../../doors/gateway/wrap/plan-change.ts";
import { CliError, type ExitCode, exitCodes, type CliIo, machineOf } from "../cli-io.ts";
import { countOf, printable } from "../output/format-values.ts";
import { type Paint, type CommandReport, type ReportFailure, createPaint } from "../report.ts";
import { labelOf, ConfigTextError } from "../../doors/gateway/wrap/config-text.ts";
import { sayDone } from "./say-counts.ts";
import { diffLines, hideSecretsOf } from "./show-diff.ts";
import type { ServerOutcome } from "../../doors/gateway/wrap/rewrite-config.ts";
import { resolve } from "node:path";
import { wrapFolder } from "../../doors/gateway/state-folder.ts";

export interface ChangeOptions {
  readonly server?: readonly string[] | undefined;
  readonly all?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/** Whether one file was named; otherwise all of this user's clients are meant. */
interface NamedChange extends ChangeOptions {
  readonly isNamed: boolean;
}

/** The outcome for one file. */
interface FileResult {
  readonly config: ClientConfig;
  readonly plan?: PlannedChange | undefined;
  readonly state: "written" | "unchanged" | "shown" | "declined" | "failed";
  readonly problem?: CliError | undefined;
}

export function checkChoice(file: string | undefined, { all, yes }: ChangeOptions): void {
  if (file !== undefined && all === true) {
    throw new CliError("A file and --all exclude each other.", { remediation: "Give one of them." });
  }
  if (file === undefined && yes === true && all !== true) {
    throw new CliError("--yes without a file would change the configs of every client.", {
      remediation: "If that is meant, say --all --yes; else name a file.",
    });
  }
}

/** Plans, shows, asks and writes, file by file. A failure in one file does not stop the others. */
export async function changeConfigs(
  configs: readonly ClientConfig[],
  plan: (path: string) => Promise<PlannedChange>,
  verb: "wrap" | "unwrap",
  options: NamedChange,
  io: CliIo,
): Promise<CommandReport> {
  const results: FileResult[] = [];
  const planned = await planAll(configs, plan, options.isNamed);
  refuseUnknown(planned, options.server);
  const isAsking = canAsk(io) && options.yes !== true && options.dryRun !== true && options.json !== true;
  const asker = createAsker(io);
  try {
    for (const each of planned) results.push(await settle(each, { verb, isAsking, asker, options, io }));
  } finally {
    await asker.close();
  }
  return reportOf(results, { verb, isAsking, options, io });
}

async function planAll(
  configs: readonly ClientConfig[],
  plan: (path: string) => Promise<PlannedChange>,
  isNamed: boolean,
): Promise<FileResult[]> {
  const planned: FileResult[] = [];
  for (const config of configs) {
    try {
      planned.push({ config, plan: await plan(config.path), state: "shown" });
    } catch (error) {
      const problem = explainConfig(config.path, error);
      if (isNamed) throw problem;
      planned.push({ config, state: "failed", problem });
    }
  }
  return planned;
}

function refuseUnknown(planned: readonly FileResult[], names: readonly string[] = []): void {
  const known = planned.flatMap(({ plan }) => plan?.before.entries.map(({ name }) => name) ?? []);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const meant = didYouMean(unknown, known);
  const hint = meant === undefined ? "" : ` Did you mean ${printable(meant)}?`;
  throw new CliError(`There is no server ${printable(unknown)}.${hint}`, { errorCode: "NOT_FOUND" });
}

interface Settling {
  readonly verb: "wrap" | "unwrap";
  readonly isAsking: boolean;
  readonly asker: ReturnType<typeof createAsker>;
  readonly options: NamedChange;
  readonly io: CliIo;
}

async function settle(result: FileResult, { isAsking, asker, options, io }: Settling): Promise<FileResult> {
  const { plan, config } = result;
  if (plan === undefined) return result;
  if (!plan.isChanged) return { ...result, state: "unchanged" };
  if (options.dryRun === true || (options.yes !== true && !isAsking)) return result;
  if (isAsking) {
    const paint = createPaint(io.isTTY.stderr, io.env, options.color);
    io.stderr.write(`${printFile(result, paint, true).join("\n")}\n`);
    if (!(await asker.confirm("Write this?"))) return { ...result, state: "declined" };
  }
  try {
    await plan.commit();
    return { ...result, state: "written" };
  } catch (error) {
    return { ...result, state: "failed", problem: explainConfig(config.path, error) };
  }
}

function printFile({ config, plan }: FileResult, paint: Paint, hasDiff: boolean): string[] {
  const head = paint.bold(`${config.client}  ${printable(config.path)}`);
  if (plan === undefined) return [head];
  return [
    head,
    ...printOutcomes(plan.outcomes, paint),
    ...(hasDiff && plan.isChanged ? printDiff(plan, paint) : []),
  ];
}

interface Verdict {
  readonly exitCode: ExitCode;
  readonly failure?: ReportFailure | undefined;
}

/** The overall result: the first problem decides. */
function judge(results: readonly FileResult[], options: NamedChange, verb: "wrap" | "unwrap"): Verdict {
  const problem = results.find((result) => result.problem !== undefined)?.problem;
  if (problem !== undefined) {
    const { message, errorCode, remediation } = problem;
    return { exitCode: exitCodes.violated, failure: { message, errorCode, remediation } };
  }
  if (options.dryRun !== true && results.some(({ state }) => state === "shown")) {
    const consent = options.isNamed ? "--yes" : "--all --yes";
    const remediation = `Give ${consent} to write it, or --dry-run to look only.`;
    const message = "Nothing was written: there is no terminal to ask at.";
    return { exitCode: exitCodes.usage, failure: { message, errorCode: "MISSING_REQUIRED", remediation } };
  }
  if (results.some(({ plan }) => plan?.outcomes.some(({ state }) => state === "refused"))) {
    const message = `Not every server could be ${verb}ped.`;
    return { exitCode: exitCodes.violated, failure: { message, errorCode: "CONFLICT" } };
  }
  if (results.some(({ state }) => state === "declined")) {
    return {
      exitCode: exitCodes.violated,
      failure: { message: "Not everything was written.", errorCode: "OPERATION_FAILED" },
    };
  }
  return { exitCode: exitCodes.fine };
}

function reportOf(
  results: readonly FileResult[],
  { verb, isAsking, options, io }: Omit<Settling, "asker">,
): CommandReport {
  const { exitCode, failure } = judge(results, options, verb);
  return {
    exitCode,
    data: { files: results.map(toJson) },
    failure,
    text: (paint) => {
      if (results.length === 0) return noneFound(io).join("\n");
      const lines = results.flatMap((result) => [
        // With questions, the change was already shown.
        ...printFile(result, paint, !isAsking),
        `  ${resultLine(result, verb, paint)}`,
      ]);
      return lines.join("\n");
    },
    remarks: [
      ...(failure === undefined ? [] : [`waybill: ${failure.message}`]),
      ...(failure?.remediation === undefined ? [] : [failure.remediation]),
      ...sharedRemark(results, verb, io),
      ...(verb === "wrap" && !options.isNamed ? yamlRemark(io) : []),
      ...restartRemark(results),
    ],
  };
}

function noneFound(io: CliIo): string[] {
  return [
    "No config of a known client was found. Looked for:",
    ...placesLookedAt(io).map((place) => `  ${place}`),
  ];
}

function resultLine({ state, plan, problem }: FileResult, verb: "wrap" | "unwrap", paint: Paint): string {
  const named = plan?.outcomes.filter((outcome) => outcome.state === "name").length ?? 0;
  const also =
    named === 0 ? "" : `, ${countOf(named, "server")} given ${named === 1 ? "its name" : "their names"}`;
  const done = `${plan === undefined ? "" : sayDone(plan, verb)}${also}`;
  if (state === "written" && verb === "wrap")
    return paint.green(`${done}; the file as it was: ${printable(plan?.backup ?? "")}`);
  if (state === "written") return paint.green(done);
  if (state === "failed") return paint.red(printable(problem?.message ?? "failed"));
  if (state === "unchanged")
    return paint.dim(plan?.outcomes.length === 0 ? "there are no servers in it" : "nothing to change");
  return paint.yellow(
    state === "declined" ? "nothing was written: you did not say yes" : "nothing was written yet",
  );
}

/** Shown before the change is made: a project's file may be committed. */
function sharedRemark(results: readonly FileResult[], verb: "wrap" | "unwrap", io: CliIo): string[] {
  const shared = results.filter(
    ({ config, plan }) =>
      verb === "wrap" && plan?.isChanged === true && isProjectFile(config.path, machineOf(io)),
  );
  return shared.map(
    ({ config }) =>
      `${printable(config.path)} belongs to a project: the paths written to it are those of this machine.`,
  );
}

/** Names the files that a person must change by hand. */
function yamlRemark(io: CliIo): string[] {
  return findYamlConfigs(machineOf(io)).map(
    ({ client, path }) =>
      `${client} keeps its servers in ${printable(path)}, and YAML is not rewritten. By hand, write in front of the command of a server: waybill gateway --name <server> --`,
  );
}

function restartRemark(results: readonly FileResult[]): string[] {
  const written = results.filter(({ state }) => state === "written").map(({ config }) => config.client);
  const names = [...new Set(written)].map((client) => (client === UNKNOWN_CLIENT ? "its client" : client));
  return names.length === 0 ? [] : [`Restart ${names.join(", ")}: servers are started anew only then.`];
}

function toJson({ config, plan, state, problem }: FileResult): JsonObject {
  return {
    client: config.client,
    path: config.path,
    state,
    ...(problem === undefined ? {} : { problem: problem.message }),
    ...(state === "written" ? { backup: plan?.backup ?? null } : {}),
    ...(plan?.mergedInto === undefined ? {} : { entries: plan.mergedInto }),
    servers: (plan?.outcomes ?? []).map(({ entry, state: outcome, reason, servers }) => ({
      name: entry.name,
      ...(entry.project === undefined ? {} : { project: entry.project }),
      state: outcome,
      ...(servers === undefined ? {} : { in_place_of: servers }),
      ...(reason === undefined ? {} : { reason }),
    })),
  };
}

/** Asks the person at the terminal, one line for each question. */
interface Asker {
  /** True only for a clear yes. */
  readonly confirm: (question: string) => Promise<boolean>;
  /** Releases stdin, so that the process can end. */
  readonly close: () => Promise<void>;
}

/** Whether there is a person to ask. */
function canAsk({ isTTY }: CliIo): boolean {
  return isTTY.stdin && isTTY.stderr;
}

function createAsker(io: CliIo): Asker {
  let input: AsyncIterator<Uint8Array | string> | undefined;
  let pending = "";
  let isOver = false;
  const nextLine = async (): Promise<string> => {
    input ??= io.stdin[Symbol.asyncIterator]();
    while (!pending.includes("\n") && !isOver) {
      const { value, done } = await input.next();
      if (done === true) isOver = true;
      else pending += typeof value === "string" ? value : Buffer.from(value).toString("utf8");
    }
    const end = pending.indexOf("\n");
    const line = end === -1 ? pending : pending.slice(0, end);
    pending = end === -1 ? "" : pending.slice(end + 1);
    return line;
  };
  return {
    confirm: async (question) => {
      io.stderr.write(`${question} [y/N] `);
      return /^\s*(y|yes)\s*$/i.test(await nextLine());
    },
    close: async () => {
      await input?.return?.();
    },
  };
}

const marks = {
  wrap: "wrap",
  name: "name",
  unwrap: "unwrap",
  wrapped: "wrapped",
  left: "left",
  refused: "refused",
} as const;
const words = { ...marks, name: "give its name", wrapped: "wrapped already", left: "left as it is" } as const;

/** The outcome for each server, one per line. */
function printOutcomes(outcomes: readonly ServerOutcome[], paint: Paint): string[] {
  const colours = {
    wrap: paint.green,
    name: paint.green,
    unwrap: paint.green,
    wrapped: paint.dim,
    left: paint.yellow,
    refused: paint.red,
  };
  return outcomes.map(({ entry, state, reason, servers }) => {
    const behind = servers === undefined ? "" : ` (in place of ${servers.join(", ")})`;
    const why = behind + (reason === undefined ? "" : `: ${reason}`);
    return `  ${colours[state](words[state])}  ${printable(labelOf(entry) + why)}`;
  });
}

/** The change of the file's text, without the values of headers and variables. */
function printDiff({ before, after, file }: PlannedChange, paint: Paint): string[] {
  const hide = hideSecretsOf([before, after]);
  return diffLines(file.text, after.text).map((line) => {
    if (line === undefined) return paint.dim("  …");
    const text = printable(hide(line.text)).replaceAll("\\u0009", "  ");
    if (line.kind === "same") return paint.dim(`    ${text}`);
    return line.kind === "old" ? paint.red(`  - ${text}`) : paint.green(`  + ${text}`);
  });
}

/** The one named file, or the files of all of this user's clients. */
export function chooseConfigs(file: string | undefined, io: CliIo): readonly ClientConfig[] {
  const machine = machineOf(io);
  if (file === undefined) return findClientConfigs(machine);
  const path = resolve(io.cwd, file);
  return [{ client: clientOf(path, machine), path }];
}

/** Where this user's clients would keep their servers. */
export function placesLookedAt(io: CliIo): readonly string[] {
  return clientPlaces(machineOf(io)).map(({ client, path }) => `${client}: ${path}`);
}

/** The records of this user. */
export function openRecords(io: CliIo): WrapRecords {
  const folder = wrapFolder(machineOf(io));
  if (folder !== undefined) return new WrapRecords(folder);
  throw new CliError("There is no folder for what `unwrap` will need: this user has no home.", {
    remediation: "Set XDG_STATE_HOME to a folder that lasts.",
  });
}

const kindCodes = {
  absent: "NOT_FOUND",
  unreadable: "INVALID_FORMAT",
  unwritable: "FORBIDDEN",
  changed: "CONFLICT",
} as const;

/** Why a file could not be used, as a command-line error; other errors are thrown again. */
export function explainConfig(path: string, error: unknown): CliError {
  const name = printable(path);
  if (error instanceof ConfigTextError) {
    return new CliError(`${name}: ${printable(error.message)}`, {
      remediation: "Correct the file, or let its client write it anew; nothing was changed.",
    });
  }
  if (!(error instanceof ConfigFileError)) throw error;
  const isInput = error.kind === "absent" || error.kind === "unreadable";
  return new CliError(`${name}: ${printable(error.message)}`, {
    exitCode: isInput ? exitCodes.usage : exitCodes.violated,
    errorCode: kindCodes[error.kind],
  });
}
