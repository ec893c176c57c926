// Starts the servers of client configs, calls their read-only tools, and says what the model behind each client would
// lose, pay twice or get cut, by which call, and what the gateway would do about it.

import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { type FailingKind, type ReaderFailing, failingsOf } from "../../core/readers/model-view.ts";
import type { Reader } from "../../core/readers/reader.ts";
import { readers, unknownReader } from "../../core/readers/readers.ts";
import { type CallWithResult, answeredIn, definitionOf } from "../../core/rules/called.ts";
import type { ServerRecord } from "../../core/rules/server-record.ts";
import { type TokenCounter, loadCounter } from "../../core/tokens/token-counter.ts";
import type { CheckRun, CheckTarget } from "../../doors/check/check-options.ts";
import { runCheck } from "../../doors/check/check-server.ts";
import { verdictOf } from "../../doors/check/report/check-report.ts";
import { judgeBySchema } from "../../doors/check/schema/schema-judge.ts";
import type { ClientConfig } from "../../doors/gateway/wrap/client-configs.ts";
import { type ServerEntry, labelOf } from "../../doors/gateway/wrap/config-text.ts";
import { serverReach } from "../../doors/gateway/wrap/measure-server.ts";
import { type CliIo, exitCodes, machineOf } from "../cli-io.ts";
import { countOf, printable } from "../output/format-values.ts";
import type { CommandReport, Paint } from "../report.ts";
import { eachServer, sayNoConfigs } from "./each-server.ts";
import { mendedFor, sayMend } from "./say-mend.ts";

const DEFAULT_SECONDS = 30;

/** One thing that would go wrong, and the smallest call that shows it. */
interface FoundFailing {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly failing: ReaderFailing;
  readonly gateway: string;
}

interface CheckedServer {
  readonly config: ClientConfig;
  readonly reader: Reader;
  readonly entry?: ServerEntry | undefined;
  /** Why nothing is known of the server. */
  readonly reason?: string | undefined;
  readonly isFailed?: boolean | undefined;
  readonly tools?: number | undefined;
  readonly called?: number | undefined;
  readonly results?: number | undefined;
  readonly failings: readonly FoundFailing[];
}

export async function checkClients(
  file: string | undefined,
  options: { readonly server?: readonly string[] | undefined; readonly timeout?: number | undefined },
  io: CliIo,
): Promise<CommandReport> {
  const counter = await loadCounter();
  const callMs = (options.timeout ?? DEFAULT_SECONDS) * 1_000;
  const stop = new AbortController();
  io.onStop?.(() => stop.abort());
  // A server that several clients have is started once.
  const runs = new Map<string, Promise<CheckRun>>();
  const run = (target: CheckTarget): Promise<CheckRun> => {
    const key = JSON.stringify(target);
    const started =
      runs.get(key) ?? runCheck(target, { limits: { callMs, startMs: callMs }, signal: stop.signal });
    runs.set(key, started);
    return started;
  };
  const { results, lookedAt } = await eachServer<CheckedServer>(
    file,
    options,
    io,
    (config, entry) => checkOne(config, entry, { run, counter, io }),
    (config, reason) => ({ config, reader: readerOf(config), reason, isFailed: true, failings: [] }),
  );
  return reportOf(results, lookedAt);
}

/** By the name that `wrap` has for the client. */
function readerOf({ client }: ClientConfig): Reader {
  const name = client === "Copilot" ? "Copilot CLI" : client;
  return readers.find((reader) => reader.name === name) ?? unknownReader;
}

interface Around {
  readonly run: (target: CheckTarget) => Promise<CheckRun>;
  readonly counter: TokenCounter;
  readonly io: CliIo;
}

async function checkOne(
  config: ClientConfig,
  entry: ServerEntry,
  { run, counter, io }: Around,
): Promise<CheckedServer> {
  const about = { config, reader: readerOf(config), entry, failings: [] };
  const reach = serverReach(entry, { env: io.env, home: machineOf(io).home });
  if ("reason" in reach) return { ...about, reason: reach.reason };
  const target = "url" in reach ? reach : { ...reach, cwd: reach.cwd ?? io.cwd };
  const { report, record } = await run(target);
  if (!report.isReachable) return { ...about, reason: verdictOf(report).because.join(", "), isFailed: true };
  const answered = answeredIn(record).filter(({ call }) => call.purpose !== "unknown-tool");
  return {
    ...about,
    tools: record.tools.length,
    called: new Set(answered.map(({ call }) => call.tool)).size,
    results: answered.length,
    failings: await failingsIn(answered, record, about.reader, counter),
  };
}

/** One for each tool and kind, with the smallest arguments. */
async function failingsIn(
  answered: readonly CallWithResult[],
  record: ServerRecord,
  reader: Reader,
  counter: TokenCounter,
): Promise<readonly FoundFailing[]> {
  const found = new Map<string, FoundFailing & { readonly size: number }>();
  const countTokens = (text: string): number => counter.count(text);
  for (const { call, result } of answered) {
    const schema = definitionOf(record, call.tool)?.["outputSchema"];
    const breaksSchema = await breaks(schema, result);
    const isTyped = isJsonObject(schema);
    const mended = await mendedFor(result, reader, schema, breaksSchema);
    const left = failingsOf(mended, reader, { countTokens, isTyped });
    for (const failing of failingsOf(result, reader, { countTokens, isTyped, breaksSchema })) {
      const key = `${call.tool} ${failing.kind}`;
      const size = JSON.stringify(call.arguments).length;
      if (size >= (found.get(key)?.size ?? Number.POSITIVE_INFINITY)) continue;
      const { kind } = failing;
      const isMended = !left.some((other) => other.kind === kind);
      const gateway = sayMend(kind, { reader, result, mended, isMended });
      found.set(key, { tool: call.tool, arguments: call.arguments, failing, gateway, size });
    }
  }
  return [...found.values()];
}

/** Whether the structure breaks the tool's own schema; a success must have one. */
async function breaks(schema: JsonValue | undefined, result: JsonObject): Promise<boolean> {
  const { isError, structuredContent } = result;
  if (!isJsonObject(schema)) return false;
  if (structuredContent === undefined) return isError !== true;
  return (await judgeBySchema(schema, structuredContent)).errors.length > 0;
}

const titles: Readonly<Record<FailingKind, string>> = {
  ends: "lost",
  hidden: "lost",
  blocks: "lost",
  structure: "lost",
  text: "lost",
  twice: "paid twice",
  cut: "cut again",
};

function reportOf(results: readonly CheckedServer[], lookedAt: readonly string[]): CommandReport {
  const failed = results.filter(({ isFailed }) => isFailed === true).length;
  const amount = results.reduce((sum, { failings }) => sum + failings.length, 0);
  return {
    exitCode: failed > 0 ? exitCodes.unreachable : amount > 0 ? exitCodes.violated : exitCodes.fine,
    data: { servers: results.map(toJson) },
    failure:
      failed > 0
        ? { message: `${countOf(failed, "server")} could not be checked`, errorCode: "UNAVAILABLE" }
        : undefined,
    text: (paint) => {
      if (lookedAt.length > 0) return sayNoConfigs(lookedAt);
      const end = `${countOf(results.length, "server")}, ${countOf(amount, "failing")} between server and model`;
      return [...results.flatMap((each) => printServer(each, paint)), paint.bold(end)].join("\n");
    },
  };
}

function printServer(server: CheckedServer, paint: Paint): readonly string[] {
  const { config, reader, entry, reason, failings } = server;
  const row = reader === unknownReader ? ", of which nothing is known" : "";
  const title = `${config.client}${row}  ${entry === undefined ? printable(config.path) : labelOf(entry)}`;
  if (reason !== undefined) return [paint.bold(title), `  not checked: ${printable(reason)}`, ""];
  const counts = `${countOf(server.tools ?? 0, "tool")}, ${server.called ?? 0} called, ${countOf(server.results ?? 0, "result")}`;
  const whole = failings.length === 0 ? ": its model gets every fact once" : "";
  return [
    paint.bold(title),
    `  ${counts}${whole}`,
    ...failings.flatMap(({ tool, arguments: args, failing, gateway }) => [
      `  ${printable(`${tool} ${JSON.stringify(args)}`)}`,
      `    ${paint.yellow(titles[failing.kind])}: it ${printable(failing.says)}`,
      `    the gateway ${gateway}`,
    ]),
    "",
  ];
}

function toJson({
  config,
  reader,
  entry,
  reason,
  tools,
  called,
  results,
  failings,
}: CheckedServer): JsonObject {
  return {
    client: config.client,
    reader: reader.id,
    path: config.path,
    name: entry?.name ?? null,
    ...(entry?.project === undefined ? {} : { project: entry.project }),
    ...(reason === undefined ? {} : { reason }),
    ...(tools === undefined ? {} : { tools, called: called ?? 0, results: results ?? 0 }),
    failings: failings.map(({ tool, arguments: args, failing, gateway }) => ({
      tool,
      arguments: args,
      kind: failing.kind,
      says: failing.says,
      gateway,
    })),
  };
}
