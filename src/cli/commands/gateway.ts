import { resolve } from "node:path";
import { type ConfigWatch, followConfig } from "../../engine/settings/watch-config.ts";
import { type LoadConfigOptions, loadConfigSync } from "../../engine/settings/load-config.ts";
import type { LogForm } from "../../engine/observe/terminal.ts";
import { leavesIn, withValue } from "../../engine/settings/table-leaves.ts";
import { renamingProblem } from "../../engine/session/tool-names.ts";
import { RETRIEVE_TOOL } from "../../core/contract/wire-names.ts";
import { readGatewayConfig } from "../../doors/gateway/config/read-gateway-config.ts";
import { HEADERS_VARIABLE } from "../../doors/gateway/wrap/gateway-command.ts";
import type { ServerTransport } from "../../core/protocol/names.ts";
import { isJsonObject } from "../../core/json/json-value.ts";
import type { CommandLine } from "../../engine/settings/resolve-config.ts";
import type { DashboardOptions } from "../../doors/gateway/dashboard/dashboard-parts.ts";
import { keepLink } from "../../doors/gateway/keep-link.ts";
import { checkGateway, openGateway } from "../../doors/gateway/create-gateway.ts";
import type {
  Gateway,
  GatewayAddresses,
  GatewayEnd,
  GatewayOptions,
  GatewaySummary,
  UpstreamOptions,
} from "../../doors/gateway/gateway-options.ts";
import { upstreamProblem } from "../../doors/gateway/upstream/child-upstream.ts";
import { type CliIo, type ExitCode, CliError, exitCodes, machineOf } from "../cli-io.ts";
import { takeEarlyServer } from "../early-server.ts";
import {
  type GatewayLog,
  type TypedWord,
  explainStart,
  gatewayLog,
  printSummary,
  remoteProblem,
  typedWords,
} from "../gateway/gateway-log.ts";
import { standing } from "../gateway/view-gateway.ts";
import { fillHeaders } from "../input/read-input.ts";
import type { CommandReport } from "../report.ts";

/** What clients know of the server's tools. */
export interface ToolChoiceOptions {
  readonly allowTool?: readonly string[] | undefined;
  readonly hideTool?: readonly string[] | undefined;
  readonly renameTool?: Readonly<Record<string, string>> | undefined;
  readonly describeTool?: Readonly<Record<string, string>> | undefined;
}

/** The options of the command; those of settings are read by their names in the table. */
export interface GatewayCommandOptions extends ToolChoiceOptions {
  readonly upstream?: string | undefined;
  readonly header?: Readonly<Record<string, string>> | undefined;
  readonly transport?: ServerTransport | undefined;
  readonly http?: number | undefined;
  readonly name?: string | undefined;
  readonly config?: string | undefined;
  readonly store?: string | undefined;
  readonly summary?: boolean | undefined;
  /** True without a port. */
  readonly dashboard?: number | true | undefined;
  readonly dashboardActions?: boolean | undefined;
  readonly dashboardBodies?: boolean | undefined;
  readonly log?: LogForm | undefined;
  readonly logLevel?: GatewayOptions["logLevel"];
  readonly accessLog?: string | undefined;
  readonly json?: boolean | undefined;
}

const DEFAULT_NAME = "server";

const howToName =
  "Write the command that starts it behind --, as in `waybill gateway -- npx -y @modelcontextprotocol/server-filesystem .`; or give --upstream <url>, or a configuration with `upstreams`.";

/** The headers that a wrapped entry keeps in the environment. Their values are not printed. */
function headersFromEnvironment(env: CliIo["env"]): Readonly<Record<string, string>> {
  const text = env[HEADERS_VARIABLE];
  if (text === undefined || text === "") return {};
  try {
    const headers: unknown = JSON.parse(text);
    if (isJsonObject(headers) && Object.values(headers).every((value) => typeof value === "string"))
      return headers as Readonly<Record<string, string>>;
  } catch {
    // Reported below: the problem is the same for text that is not JSON.
  }
  throw new CliError(`${HEADERS_VARIABLE} is not an object of texts.`, {
    remediation: 'Write it as {"Authorization": "Bearer …"}.',
  });
}

/** The server named on the command line, or undefined. */
function namedUpstream(
  words: readonly string[],
  { upstream, header = {}, transport, http }: GatewayCommandOptions,
  env: CliIo["env"],
): UpstreamOptions | undefined {
  const [command, ...args] = words;
  if (command !== undefined && upstream !== undefined)
    throw new CliError("Two servers are named: --upstream, and a command behind --.", {
      remediation: "Give one of them; for several, use a configuration with `upstreams`.",
    });
  if (command !== undefined && Object.keys(header).length > 0)
    throw new CliError("--header goes with --upstream: a command gets no HTTP request.");
  if (upstream === undefined && transport !== undefined)
    throw new CliError("--transport goes with --upstream: it says what the server at that address speaks.");
  // A server started by hand sees the variables of the user's shell, except the gateway's own secrets.
  if (command !== undefined) return { command, args, inheritEnv: true };
  if (upstream === undefined) return undefined;
  const headers = { ...headersFromEnvironment(env), ...fillHeaders(header, env) };
  const hasKey = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  // Over HTTP it would not be known whose login it is.
  const auth = hasKey || http !== undefined ? undefined : "oauth";
  return { url: upstream, headers, ...(transport && { transport }), ...(auth && { auth }) };
}

/** Of several servers it would not be known whose tools are meant. */
function withToolChoice(
  upstream: UpstreamOptions | undefined,
  { allowTool, hideTool, renameTool, describeTool }: ToolChoiceOptions,
): UpstreamOptions | undefined {
  const chosen = Object.entries({
    allowTools: allowTool,
    hide: hideTool,
    renameTools: renameTool,
    describeTools: describeTool,
  }).filter(([, value]) => value !== undefined);
  const problem = renameTool && renamingProblem(renameTool);
  if (problem !== undefined) throw new CliError(`--rename-tool cannot be used: ${problem}`);
  if (upstream !== undefined) return { ...upstream, ...Object.fromEntries(chosen) };
  if (chosen.length === 0) return undefined;
  throw new CliError("Options for tools go with a server on the command line.", {
    remediation:
      "In a configuration, write allow_tools, hide, rename_tools or describe_tools below the server's name.",
  });
}

/** Settings on the command line override every file. */
function commandLineOf(options: object): CommandLine {
  let given: CommandLine = {};
  for (const { line = "--", path } of leavesIn("gateway")) {
    const value = (options as Readonly<Record<string, unknown>>)[attributeOf(line)];
    if (value !== undefined) given = withValue(given, path.split("."), value);
  }
  return given;
}

/** The name under which Commander gives an option: `retrieveName` for `--retrieve-name`. */
function attributeOf(option: string): string {
  return option.slice(2).replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
}

/**
 * The dashboard that the command line asks for, or the file beside the servers of that file; what the file says of it
 * holds in both cases. Dashboard permissions without a dashboard are an error.
 */
function dashboardOf(
  options: GatewayCommandOptions,
  file: DashboardOptions | undefined,
  isOfFile: boolean,
): DashboardOptions | undefined {
  const { dashboard, dashboardActions: actions, dashboardBodies: bodies } = options;
  if (dashboard !== undefined || (isOfFile && file !== undefined))
    return {
      ...file,
      ...(typeof dashboard === "number" ? { port: dashboard } : {}),
      ...(actions === undefined ? {} : { actions }),
      ...(bodies === undefined ? {} : { bodies }),
    };
  const idle = actions === true ? "--dashboard-actions" : bodies === true ? "--dashboard-bodies" : undefined;
  if (idle !== undefined) throw new CliError(`${idle} has no effect without --dashboard. Add --dashboard.`);
  return undefined;
}

function optionsOf(
  words: readonly string[],
  options: GatewayCommandOptions,
  config: ConfigWatch,
  io: CliIo,
): GatewayOptions {
  const { name = DEFAULT_NAME, http: port } = options;
  const upstream = withToolChoice(namedUpstream(words, options, io.env), options);
  const file = readGatewayConfig(config.current, io.env);
  const upstreams = upstream === undefined ? file.upstreams : { [name]: upstream };
  // A default name is not used as a prefix of tools.
  const isUnnamed = upstream !== undefined && options.name === undefined;
  if (Object.keys(upstreams).length === 0)
    throw new CliError("No server is named.", { errorCode: "MISSING_REQUIRED", remediation: howToName });
  if (upstream === undefined && options.name !== undefined)
    throw new CliError("--name names a server of the command line, and there is none.", {
      errorCode: "INVALID_FORMAT",
      remediation: "Servers of a configuration have the names that it gives them: leave --name out.",
    });
  const listen = port === undefined ? {} : { port };
  // A server named on the command line is served on stdio, whatever address a file has for others.
  const isHttp = port !== undefined || (upstream === undefined && file.http !== undefined);
  const { merge, endpoints } = upstream === undefined ? file : {};
  return {
    upstreams,
    ...(merge && { merge }),
    ...(endpoints && { endpoints }),
    config,
    http: isHttp ? { ...file.http, ...listen } : undefined,
    dashboard: dashboardOf(options, file.dashboard, upstream === undefined),
    accessLog: accessLogOf(options, io),
    logLevel: options.logLevel,
    ledger: config.current.settings.ledger,
    ...(isUnnamed ? { retrieve: { name: RETRIEVE_TOOL } } : {}),
  };
}

/** A path counts from the folder that the command was started in. */
function accessLogOf({ accessLog }: GatewayCommandOptions, { cwd }: CliIo): string | undefined {
  return accessLog === undefined || accessLog === "-" ? accessLog : resolve(cwd, accessLog);
}

function refuseJson({ http }: GatewayOptions, { json }: GatewayCommandOptions): void {
  if (json !== true || http !== undefined) return;
  throw new CliError("--json has no place here: on stdout the gateway speaks MCP.", {
    remediation: "Use --summary, which prints to stderr, or --http.",
  });
}

/** The running gateway, and its log. */
interface Running {
  readonly options: GatewayOptions;
  readonly followsFile: boolean;
  readonly words: readonly TypedWord[];
  readonly log: GatewayLog;
}

/**
 * The token in the link is for the person who reads this, and works once. A JSON log is collected and read by others: it
 * names a file of this user that has the link.
 */
function sayLink(
  { log, options: { dashboard } }: Pick<Running, "log" | "options">,
  io: CliIo,
  link: string,
): void {
  if (dashboard?.auth !== undefined)
    return log.say("dashboard", `the dashboard is at ${link}; its tokens open it`, { url: link });
  if (log.logger !== undefined)
    return log.say("dashboard", `the dashboard opens once with ${link}`, { url: link });
  const file = keepLink(link, machineOf(io));
  if (file !== undefined)
    return log.say("dashboard", "the dashboard opens once with the link in this file", { file });
  return log.say("dashboard", "no folder of this user can keep the dashboard's link: set XDG_STATE_HOME");
}

type Upstreams = GatewayOptions["upstreams"];

/** The checker for the page; its code is loaded with the first check. */
function checkerOf(upstreams: () => Upstreams, log: GatewayLog): DashboardOptions["check"] {
  return async (name, tell, signal) => {
    const { checkUpstream } = await import("../gateway/check-upstream.ts");
    return checkUpstream(upstreams, log.server)(name, tell, signal);
  };
}

/** From here on the gateway owns the server that was started early. */
async function open(
  { options, followsFile, words, log }: Running,
  upstreams: () => Upstreams,
  io: CliIo,
): Promise<Gateway> {
  const early = takeEarlyServer();
  const dashboard = options.dashboard && { ...options.dashboard, check: checkerOf(upstreams, log) };
  try {
    const told = log.logger === undefined ? { logForm: "json" as const } : { logger: log.logger };
    const announce = (link: string): void => sayLink({ log, options }, io, link);
    return openGateway(
      { ...options, dashboard, ...told, logLevel: options.logLevel ?? "warn" },
      { early, followsFile, serverNote: log.server, announce },
    );
  } catch (error) {
    await early?.upstream.close();
    throw explainStart(error, words);
  }
}

async function listen(gateway: Gateway, { options, words }: Running): Promise<GatewayAddresses> {
  try {
    return await gateway.listen();
  } catch (error) {
    await gateway.close();
    throw explainStart(error, words, options.dashboard?.port);
  }
}

/** Calls do not wait for this: most results are not cut. */
async function tellStore(store: string | undefined, log: GatewayLog): Promise<void> {
  const problem = await remoteProblem(store);
  if (problem !== undefined) log.say("store-unreachable", problem);
}

async function serve(
  gateway: Gateway,
  running: Running,
  store: string | undefined,
  io: CliIo,
): Promise<GatewayEnd> {
  const stopped = new Promise<void>((resolve) => io.onStop?.(resolve));
  const { urls, merged, endpoints, dashboard } = await listen(gateway, running);
  const {
    options: { upstreams },
    log,
  } = running;
  if (dashboard !== undefined) sayLink(running, io, dashboard);
  for (const [name, url] of Object.entries(urls)) {
    log.say("listening", `${name} listens on ${url}`, { upstream: name, url });
    // Without probes the first client starts the server: the person who started the gateway has left then.
    const upstream = upstreams[name];
    const isTold = upstream?.command === undefined || upstream.probe !== "off";
    const problem = isTold ? undefined : upstreamProblem(upstream);
    if (problem !== undefined) log.say("server-problem", `${name}: ${problem}`, { upstream: name });
  }
  if (merged !== undefined) log.say("listening", `as one server they listen on ${merged}`, { url: merged });
  for (const [name, url] of Object.entries(endpoints ?? {}))
    log.say("listening", `${name} listens on ${url}`, { endpoint: name, url });
  const asked = tellStore(store, log);
  const first = await Promise.race([gateway.ended(), stopped]);
  await gateway.close();
  await asked;
  return first ?? gateway.ended();
}

/** The final message, in the format of the log. */
function sayEnd(log: GatewayLog, { by, reason }: GatewayEnd, summary: GatewaySummary | undefined): string[] {
  if (by === "server") log.say("server-gone", `the server is gone: ${reason}`);
  if (summary === undefined) return [];
  if (log.logger !== undefined) return printSummary(summary);
  log.say("summary", "what was saved", { ...summary });
  return [];
}

function sourcesOf(options: GatewayCommandOptions, { cwd, env }: CliIo): LoadConfigOptions {
  return {
    configPath: options.config,
    namedBy: "--config",
    cwd,
    home: env["HOME"],
    environment: env,
    commandLine: commandLineOf(options),
  };
}

/** Refuses a command line as `gateway` would at its start, in the same words; nothing is started or opened. */
export function checkGatewayLine(words: readonly string[], options: GatewayCommandOptions, io: CliIo): void {
  const loaded = loadConfigSync(sourcesOf(options, io));
  try {
    // What the file should say otherwise is told by the gateway at each start.
    checkGateway({ ...optionsOf(words, options, standing(loaded), io), logLevel: "silent" });
  } catch (error) {
    throw explainStart(error, typedWords(options, options.name ?? DEFAULT_NAME));
  }
}

/** Runs until the client leaves, the server cannot be kept running, or a signal stops it. */
export async function gateway(
  words: readonly string[],
  options: GatewayCommandOptions,
  io: CliIo,
): Promise<CommandReport> {
  const config = followConfig(sourcesOf(options, io));
  try {
    const wanted = optionsOf(words, options, config, io);
    refuseJson(wanted, options);
    const log = gatewayLog(options.log ?? "plain", io);
    const isNamed = words.length > 0 || options.upstream !== undefined;
    const typed = isNamed
      ? typedWords(options, options.name ?? DEFAULT_NAME)
      : typedWords({ store: options.store }, "");
    const running: Running = { options: wanted, followsFile: !isNamed, words: typed, log };
    const unserved = isNamed ? Object.keys(config.current.gateway?.upstreams ?? {}) : [];
    if (unserved.length > 0 && options.config !== undefined)
      log.say(
        "config-notice",
        `the servers of ${options.config} (${unserved.join(", ")}) are not served: the command line names a server. Leave one of the two out.`,
      );
    // A followed file may name other servers by the time one is checked.
    const upstreams = (): Upstreams =>
      isNamed ? wanted.upstreams : readGatewayConfig(config.current, io.env).upstreams;
    const gateway = await open(running, upstreams, io);
    const end = await serve(gateway, running, config.current.settings.store?.place, io);
    const { by, reason } = end;
    const exitCode: ExitCode = by === "server" ? exitCodes.unreachable : exitCodes.fine;
    const summary = await gateway.summary();
    return {
      exitCode,
      data: { ended_by: by, summary: { ...summary } },
      failure:
        by === "server" ? { message: `The server is gone: ${reason}`, errorCode: "UNAVAILABLE" } : undefined,
      text: () => "",
      remarks: sayEnd(log, end, options.summary === true ? summary : undefined),
    };
  } finally {
    await config.close();
  }
}
