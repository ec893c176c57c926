import type { JsonObject } from "../../core/json/json-value.ts";
import { storeLimitsOf } from "../../engine/settings/store-limits.ts";
import { isMemory } from "../archive/named-store.ts";
import { type CliIo, exitCodes } from "../cli-io.ts";
import {
  checkBudget,
  checkClientConfigs,
  checkConfig,
  checkCursorKey,
  checkGateway,
} from "../doctor/check-settings.ts";
import {
  type Check,
  type CheckStatus,
  checkCounter,
  checkNode,
  checkPackages,
  checkReaders,
  checkScaling,
  checkStatuses,
  checkStore,
} from "../doctor/check-runtime.ts";
import { alignRows, countOf, printable } from "../output/format-values.ts";
import type { Paint, CommandReport, ReportFailure } from "../report.ts";

export interface DoctorCommandOptions {
  readonly store?: string | undefined;
  readonly config?: string | undefined;
  readonly client?: string | undefined;
}

/** Checks everything that a server relies on, and says what is wrong and what to do. */
export async function doctor(options: DoctorCommandOptions, io: CliIo): Promise<CommandReport> {
  const { checks: configured, settings, loaded } = await checkConfig(options.config, io);
  const store = options.store ?? settings.store?.place;
  const kept = await checkStore(store, io, storeLimitsOf(settings));
  const checks: readonly Check[] = [
    checkNode(),
    ...configured,
    ...kept,
    checkCursorKey(settings, stateOf(store, kept)),
    await checkCounter(),
    ...checkPackages(store),
    ...checkReaders(),
    checkScaling(),
    ...checkBudget(settings, options.client),
    checkClientConfigs(io),
    ...(await checkGateway(loaded, store, io)),
  ];
  const counts = countStatuses(checks);
  const failed = counts.problem;
  return {
    exitCode: failed > 0 ? exitCodes.violated : exitCodes.fine,
    data: { checks: checks.map(toJson), summary: counts },
    failure: failed > 0 ? checksFailed(failed, checks.length) : undefined,
    text: (paint) => printChecks(checks, counts, paint),
  };
}

function checksFailed(failed: number, of: number): ReportFailure {
  return {
    message: `${failed} of ${countOf(of, "check")} failed`,
    errorCode: "OPERATION_FAILED",
    remediation: "Do what data.checks[].advice says where the status is problem.",
  };
}

function stateOf(store: string | undefined, checks: readonly Check[]): "lasting" | "broken" | "none" {
  if (store === undefined || isMemory(store)) return "none";
  return checks.some(({ status }) => status === "problem") ? "broken" : "lasting";
}

type Counts = Readonly<Record<CheckStatus, number>>;

function countStatuses(checks: readonly Check[]): Counts {
  const amount = (status: CheckStatus): number => checks.filter((check) => check.status === status).length;
  return { ok: amount("ok"), note: amount("note"), problem: amount("problem") };
}

function toJson({ id, status, says, advice, details }: Check): JsonObject {
  return { id, status, says, advice: advice ?? null, ...(details === undefined ? {} : { details }) };
}

function printChecks(checks: readonly Check[], counts: Counts, paint: Paint): string {
  const colours = { ok: paint.green, note: paint.yellow, problem: paint.red };
  const width = Math.max(...checkStatuses.map((status) => status.length));
  const rows = alignRows(checks.map(({ id, says }) => [id, says]));
  const lines = checks.flatMap(({ status, advice }, index) => {
    const mark = colours[status](status) + " ".repeat(width - status.length);
    const line = `${mark}  ${rows[index] ?? ""}`;
    return advice === undefined ? [line] : [line, `${" ".repeat(width)}    ${paint.dim(printable(advice))}`];
  });
  const { ok, note, problem } = counts;
  const sum = `${countOf(checks.length, "check")}: ${ok} ok, ${countOf(note, "note")}, ${countOf(problem, "problem")}`;
  return [...lines, paint.bold(sum)].join("\n");
}
