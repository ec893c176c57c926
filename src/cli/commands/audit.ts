import type { JsonObject } from "../../core/json/json-value.ts";
import { formatCount } from "../../core/report/page-text.ts";
import {
  type Audit,
  type ClientHistory,
  auditHistories,
  totalOf,
} from "../../doors/gateway/audit/audit-histories.ts";
import type { ServerCost } from "../../doors/gateway/audit/server-tally.ts";
import { CliError, type CliIo, exitCodes, machineOf } from "../cli-io.ts";
import { alignRows, countOf, formatBytes, printable } from "../output/format-values.ts";
import type { CommandReport, Paint } from "../report.ts";

export interface AuditCommandOptions {
  readonly client?: readonly string[] | undefined;
  readonly sinceMs: number;
  readonly maxBytes: number;
  readonly html?: string | undefined;
  readonly json?: boolean | undefined;
}

/** What the histories of this user's clients say that MCP servers cost, and what the gateway would have changed. */
export async function audit(options: AuditCommandOptions, io: CliIo): Promise<CommandReport> {
  const { html, client: clients, sinceMs, maxBytes } = options;
  if (html === "-") throw new CliError("--html needs a file: give its name.");
  const { home, ...machine } = machineOf(io);
  if (home === undefined)
    throw new CliError("This user has no home folder, so there is no place for histories.", {
      remediation: "Set HOME to the folder that has them.",
    });
  const progress = options.json === true ? undefined : showProgress(io);
  const found = await auditHistories({
    machine: { ...machine, home },
    clients,
    sinceMs,
    maxBytes,
    onProgress: progress?.report,
  }).finally(() => progress?.end());
  const since = new Date(sinceMs).toISOString();
  const written = html === undefined ? [] : [await writePage(html, found, since, io)];
  return {
    exitCode: exitCodes.fine,
    data: {
      since,
      max_bytes: maxBytes,
      ...found,
      total: totalOf(found.servers),
      notes: notesOn(found),
      ...(html === undefined ? {} : { html }),
    } as unknown as JsonObject,
    text: (paint) => print(found, since, paint),
    remarks: written,
  };
}

async function writePage(file: string, found: Audit, since: string, io: CliIo): Promise<string> {
  const { auditPage } = await import("../../doors/gateway/audit/audit-page.ts");
  const { writeOutput } = await import("../input/read-input.ts");
  const bytes = Buffer.from(auditPage(found, { since, notes: notesOn(found) }));
  await writeOutput(file, bytes, io);
  return `waybill: wrote ${formatBytes(bytes.length)} to ${printable(file)}`;
}

const head = [
  "server",
  "client",
  "calls",
  "tokens",
  "cut",
  "repeated",
  "failed",
  "as success",
  "behind the gateway",
];

function print(found: Audit, since: string, paint: Paint): string {
  const { servers } = found;
  const total = servers.length > 1 ? [rowOf({ ...totalOf(servers), server: "all", client: "" })] : [];
  const [title = "", ...lines] = alignRows([head, ...servers.map(rowOf), ...total]);
  const none = `No call of an MCP server is in the histories since ${since.slice(0, 10)}.`;
  const table = servers.length === 0 ? [none] : [paint.bold(title), ...lines, "", ...explanation];
  return [...table, "", ...found.clients.map(sayClient), ...notesOn(found)].join("\n");
}

function rowOf({ gateway, ...cost }: Omit<ServerCost, "tools">): string[] {
  const amounts = [cost.calls, cost.tokens, cost.cut];
  const again =
    cost.repeated === 0 ? "0" : `${formatCount(cost.repeated)} (${formatCount(cost.repeated_tokens)})`;
  const missing = gateway.compared === cost.calls ? "" : ` of ${countOf(gateway.compared, "call")}`;
  const kept = gateway.cut === 0 ? "" : `, ${formatCount(gateway.cut)} cut with a way to the rest`;
  const behind = `${formatCount(gateway.tokens_before)} -> ${formatCount(gateway.tokens_after)} tokens${missing}${kept}`;
  return [
    cost.server ?? "(not named)",
    cost.client,
    ...amounts.map(formatCount),
    again,
    formatCount(cost.failures),
    withLikely(cost),
    gateway.compared === 0 ? "not known: no result is whole" : behind,
  ];
}

function withLikely({
  failures_as_successes: sure,
  possible_failures: likely,
}: Pick<ServerCost, "failures_as_successes" | "possible_failures">): string {
  return likely === 0 ? formatCount(sure) : `${formatCount(sure)} + ${formatCount(likely)} likely`;
}

const explanation = [
  "tokens: what models were given of results, each counted once; every later request of a session sends them again.",
  "cut: by the client. repeated: the same result of the same tool in one session, with its tokens. as success: failures",
  "that the server sent as successes. behind the gateway: the same results through it, with its default settings.",
];

function sayClient({ client, files, bytes, calls, tried_with: version }: ClientHistory): string {
  const from = version === null ? "format not tried with the real client" : `format tried with ${version}`;
  const read =
    files === 0
      ? "no history"
      : `${countOf(files, "file")}, ${formatBytes(bytes)}, ${countOf(calls, "call")}`;
  return `${client}: ${read} (${from})`;
}

/** What was not read or not understood, in sentences. */
function notesOn({ clients, servers }: Audit): readonly string[] {
  const notes = clients.flatMap((history) => {
    const { client, not_understood: odd, not_read: passed } = history;
    const parts = [
      say(odd.not_json, "line or document is no JSON", "lines or documents are no JSON"),
      say(odd.not_utf8, "line or document is no UTF-8", "lines or documents are no UTF-8"),
      say(odd.too_long, "line or document is over 64 MiB", "lines or documents are over 64 MiB"),
      say(odd.odd_calls, "call has an unknown form", "calls have an unknown form"),
      say(passed.links, "link was not followed", "links were not followed"),
      say(passed.unreadable, "file or folder cannot be read", "files or folders cannot be read"),
      say(passed.beyond, "folder was not read to its end", "folders were not read to their end"),
      say(history.older_files, "file is older than --since", "files are older than --since"),
      say(history.files_without_room, "file had no room in --max-bytes", "files had no room in --max-bytes"),
      say(history.copies, "call is in two files and counts once", "calls are in two files and count once"),
    ].flat();
    const database =
      history.databases === 0
        ? []
        : [`${client}: its history is a database, which Node reads from 22.5 on: ${withNewerNode}`];
    return [...(parts.length === 0 ? [] : [`${client}: ${parts.join("; ")}.`]), ...database];
  });
  const nameless = servers.some(({ server }) => server === null);
  const unnamed =
    "A server is not named where neither the history nor a configuration says to which server a tool belongs.";
  return nameless ? [...notes, unnamed] : notes;
}

const withNewerNode = "run `npx -p waybill -p node@22 waybill audit`.";

function say(amount: number, one: string, many: string): string[] {
  return amount === 0 ? [] : [`${formatCount(amount)} ${amount === 1 ? one : many}`];
}

const QUIET_MS = 1_000;
const CLEAR_LINE = "\r\u001b[K";

/** A line on stderr that is replaced on a terminal, and written every ten seconds elsewhere. */
function showProgress(io: CliIo) {
  const isLive = io.isTTY.stderr && io.env["TERM"] !== "dumb";
  let nextMs = performance.now() + (isLive ? QUIET_MS : 10 * QUIET_MS);
  let isShown = false;
  return {
    report: (readBytes: number, ofBytes: number): void => {
      if (performance.now() < nextMs) return;
      nextMs = performance.now() + (isLive ? QUIET_MS / 4 : 10 * QUIET_MS);
      isShown = true;
      const line = `waybill: reading histories, ${formatBytes(readBytes)} of ${formatBytes(ofBytes)}`;
      io.stderr.write(isLive ? CLEAR_LINE + line : `${line}\n`);
    },
    end: (): void => {
      if (isLive && isShown) io.stderr.write(CLEAR_LINE);
    },
  };
}
