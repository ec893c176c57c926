import type { JsonObject } from "../../core/json/json-value.ts";
import { formatCount } from "../../core/report/page-text.ts";
import { dayOf } from "../../doors/gateway/ledger/ledger.ts";
import {
  type LedgerRow,
  UnreadableLedger,
  readLedger,
  sumOf,
} from "../../doors/gateway/ledger/ledger-file.ts";
import { ledgerFile } from "../../doors/gateway/state-folder.ts";
import { CliError, type CliIo, exitCodes, machineOf } from "../cli-io.ts";
import { alignRows } from "../output/format-values.ts";
import type { CommandReport, Paint } from "../report.ts";

export interface LedgerCommandOptions {
  readonly sinceMs: number;
  readonly server?: string | undefined;
}

/** What each server cost and saved behind the stdio gateways of this user, by day. */
export async function ledger({ sinceMs, server }: LedgerCommandOptions, io: CliIo): Promise<CommandReport> {
  const file = ledgerFile(machineOf(io));
  if (file === undefined)
    throw new CliError("This user has no home folder, so there is no ledger.", {
      remediation: "Set HOME, or XDG_STATE_HOME.",
    });
  const since = dayOf(new Date(sinceMs));
  const rows = (await read(file)).filter(
    (row) => row.day >= since && (server === undefined || row.server === server),
  );
  const total = totalOf(rows);
  return {
    exitCode: exitCodes.fine,
    data: {
      file,
      since,
      rows: rows.map(toJson),
      servers: byServer(rows).map(({ day: _day, ...row }) => toJson(row)),
      total: total === undefined ? null : toJson(withoutNames(total)),
    },
    text: (paint) => (total === undefined ? nothing(since, server) : print(rows, total, paint)),
  };
}

async function read(file: string): Promise<readonly LedgerRow[]> {
  try {
    return await readLedger(file);
  } catch (error) {
    if (!(error instanceof UnreadableLedger)) throw error;
    throw new CliError(`${error.message}: ${file}`, {
      exitCode: exitCodes.violated,
      errorCode: "OPERATION_FAILED",
      remediation: error.isNewer
        ? "Use the newer version of Waybill."
        : "The next gateway that counts a call puts it aside, and begins a new one.",
    });
  }
}

function toJson(row: Omit<LedgerRow, "day" | "server">): JsonObject {
  return { ...row, tokens_saved: row.tokens_in - row.tokens_out };
}

function withoutNames({ day: _day, server: _server, ...counts }: LedgerRow) {
  return counts;
}

function totalOf([first, ...others]: readonly LedgerRow[]): LedgerRow | undefined {
  return first && others.reduce(sumOf, first);
}

/** The servers, those that cost most first. */
function byServer(rows: readonly LedgerRow[]): readonly LedgerRow[] {
  const sums = new Map<string, LedgerRow>();
  for (const row of rows) {
    const known = sums.get(row.server);
    sums.set(row.server, known === undefined ? row : sumOf(known, row));
  }
  return [...sums.values()].sort((one, other) => other.tokens_out - one.tokens_out);
}

function nothing(since: string, server: string | undefined): string {
  const of = server === undefined ? "" : ` of ${JSON.stringify(server)}`;
  return [
    `The ledger has no call${of} since ${since}.`,
    "Every gateway on stdio counts its calls there, unless it has --ledger off.",
  ].join("\n");
}

const head = [
  "day",
  "server",
  "calls",
  "tokens from the server",
  "tokens to the client",
  "saved",
  "cut",
  "retrievals",
  "repaired",
];

function print(rows: readonly LedgerRow[], total: LedgerRow, paint: Paint): string {
  const servers = byServer(rows);
  const days = new Set(rows.map(({ day }) => day));
  const sums = servers.map((row) => ({ ...row, day: "all days" }));
  const all = { ...total, day: "all days", server: "all" };
  const newestFirst = rows.toReversed();
  const lines = [
    ...newestFirst,
    ...(days.size > 1 && servers.length > 1 ? sums : []),
    ...(rows.length > 1 ? [all] : []),
  ];
  const [title = "", ...table] = alignRows([head, ...lines.map(cellsOf)]);
  const about = total.is_estimated ? ["", "≈ estimated: of long texts the beginnings were counted."] : [];
  return [paint.bold(title), ...table, ...about].join("\n");
}

function cellsOf(row: LedgerRow): string[] {
  const about = row.is_estimated ? "≈ " : "";
  return [
    row.day,
    row.server,
    formatCount(row.calls),
    about + formatCount(row.tokens_in),
    about + formatCount(row.tokens_out),
    savedOf(row),
    formatCount(row.cuts),
    formatCount(row.retrievals),
    formatCount(row.errors_repaired),
  ];
}

/** Envelopes may add more than cuts take away. */
function savedOf({ tokens_in: before, tokens_out: after }: LedgerRow): string {
  const saved = before === 0 ? 0 : Math.round((100 * (before - after)) / before);
  return saved >= 0 ? `${saved} %` : `${-saved} % more`;
}
