import type { ConfigWatch } from "../../config/watch-config.ts";
import { followConfig } from "../../config/watch-config.ts";
import { readGatewayConfig } from "../../gateway/config/read-gateway-config.ts";
import { HEADERS_VARIABLE } from "../../gateway/wrap/gateway-command.ts";
import { isJsonObject } from "../../json/json-value.ts";
import type { CommandLine } from "../../config/resolve-config.ts";
import { openGateway } from "../../gateway/create-gateway.ts";
import type { Gateway, GatewayEnd, GatewayOptions, UpstreamOptions } from "../../gateway/gateway-options.ts";
import { upstreamProblem } from "../../gateway/upstream/child-upstream.ts";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import type { gatewayDialectChoices } from "../choices.ts";
import { takeEarlyServer } from "../early-server.ts";
import { explainStart } from "../gateway/explain-start.ts";
import { redisProblem } from "../gateway/redis-problem.ts";
import { printSummary } from "../output/print-summary.ts";
import type { Report } from "../report.ts";

export interface GatewayCommandOptions {
  readonly upstream?: string | undefined;
  readonly header?: Readonly<Record<string, string>> | undefined;
  readonly http?: number | undefined;
  readonly name?: string | undefined;
  readonly config?: string | undefined;
  readonly budget?: number | "off" | undefined;
  readonly profile?: string | undefined;
  readonly dialect?: (typeof gatewayDialectChoices)[number] | undefined;
  readonly store?: string | undefined;
  readonly summary?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const howToName =
  "Write the command that starts it behind --, as in `waybill gateway -- npx -y @modelcontextprotocol/server-filesystem .`; or give --upstream <url>, or a configuration with `upstreams`.";

/** `${NAME}` in a header is a variable of the environment, so that no secret has to stand in a process list. */
function fillHeaders(
  headers: Readonly<Record<string, string>>,
  env: CliIo["env"],
): Readonly<Record<string, string>> {
  const fill = (value: string): string =>
    value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_whole, name: string) => {
      const found = env[name];
      if (found !== undefined && found !== "") return found;
      throw new CliError(`A --header needs the variable ${name}, which is not set.`, {
        errorCode: "MISSING_REQUIRED",
        remediation: `Set ${name} where the gateway is started.`,
      });
    });
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
}

/** The headers that a wrapped entry keeps in the environment. Their values are not shown. */
function headersFromEnvironment(env: CliIo["env"]): Readonly<Record<string, string>> {
  const text = env[HEADERS_VARIABLE];
  if (text === undefined || text === "") return {};
  try {
    const headers: unknown = JSON.parse(text);
    if (isJsonObject(headers) && Object.values(headers).every((value) => typeof value === "string"))
      return headers as Readonly<Record<string, string>>;
  } catch {
    // Told below: what is wrong is the same for text that is no JSON.
  }
  throw new CliError(`${HEADERS_VARIABLE} is not an object of texts.`, {
    remediation: 'Write it as {"Authorization": "Bearer …"}.',
  });
}

/** The one server that the line names; undefined where it names none. */
function namedUpstream(
  words: readonly string[],
  { upstream, header = {} }: GatewayCommandOptions,
  env: CliIo["env"],
): UpstreamOptions | undefined {
  const [command, ...args] = words;
  if (command !== undefined && upstream !== undefined)
    throw new CliError("Two servers are named: --upstream, and a command behind --.", {
      remediation: "Give one of them; for several, use a configuration with `upstreams`.",
    });
  if (command !== undefined && Object.keys(header).length > 0)
    throw new CliError("--header goes with --upstream: a command gets no HTTP request.");
  // What a person starts by hand sees what that person's shell has; the gateway's own secrets are left out.
  if (command !== undefined) return { command, args, inheritEnv: true };
  if (upstream === undefined) return undefined;
  return { url: upstream, headers: { ...headersFromEnvironment(env), ...fillHeaders(header, env) } };
}

/** What the line sets beats every file. */
function commandLineOf({ dialect, profile, budget, store }: GatewayCommandOptions): CommandLine {
  return {
    ...(dialect === undefined ? {} : { dialect }),
    ...(profile === undefined ? {} : { profile }),
    ...(budget === undefined ? {} : { budget: { tokens: budget } }),
    ...(store === undefined ? {} : { store }),
  };
}

function optionsOf(
  words: readonly string[],
  options: GatewayCommandOptions,
  config: ConfigWatch,
  io: CliIo,
): GatewayOptions {
  const { name = "server", http: port } = options;
  const upstream = namedUpstream(words, options, io.env);
  const file = readGatewayConfig(config.current, io.env);
  const upstreams = upstream === undefined ? file.upstreams : { [name]: upstream };
  if (Object.keys(upstreams).length === 0)
    throw new CliError("No server is named.", { errorCode: "MISSING_REQUIRED", remediation: howToName });
  const listen = port === undefined ? {} : { port };
  // A server that the line names is served on stdio, whatever address a file has for others.
  const isHttp = port !== undefined || (upstream === undefined && file.http !== undefined);
  return { upstreams, config, http: isHttp ? { ...file.http, ...listen } : undefined };
}

function refuseJson({ http }: GatewayOptions, { json }: GatewayCommandOptions): void {
  if (json !== true || http !== undefined) return;
  throw new CliError("--json has no place here: on stdout the gateway speaks MCP.", {
    remediation: "Use --summary, which prints to stderr, or --http.",
  });
}

/** The server that was started early is the gateway's from here on. */
async function open(options: GatewayOptions, followsFile: boolean): Promise<Gateway> {
  const early = takeEarlyServer();
  try {
    return openGateway(options, { early, followsFile });
  } catch (error) {
    await early?.upstream.close();
    throw explainStart(error);
  }
}

async function listen(gateway: Gateway): Promise<Readonly<Record<string, string>>> {
  try {
    return (await gateway.listen()).urls;
  } catch (error) {
    await gateway.close();
    throw explainStart(error);
  }
}

/** Calls do not wait for it: most results are not cut. */
async function tellStore(store: string | undefined, io: CliIo): Promise<void> {
  const problem = await redisProblem(store);
  if (problem !== undefined) io.stderr.write(`waybill: ${problem}\n`);
}

async function serve(
  gateway: Gateway,
  { upstreams }: GatewayOptions,
  store: string | undefined,
  io: CliIo,
): Promise<GatewayEnd> {
  const stopped = new Promise<void>((resolve) => io.onStop?.(resolve));
  const urls = await listen(gateway);
  for (const [name, url] of Object.entries(urls)) {
    io.stderr.write(`waybill: ${name} listens on ${url}\n`);
    // Over HTTP the first client starts the server: whoever starts the gateway has gone by then.
    const upstream = upstreams[name];
    const problem = upstream?.command === undefined ? undefined : upstreamProblem(upstream);
    if (problem !== undefined) io.stderr.write(`waybill: ${name}: ${problem}\n`);
  }
  const asked = tellStore(store, io);
  const first = await Promise.race([gateway.ended(), stopped]);
  await gateway.close();
  await asked;
  return first ?? gateway.ended();
}

/** Runs until the client leaves, the server cannot be kept up, or somebody stops it. */
export async function gateway(
  words: readonly string[],
  options: GatewayCommandOptions,
  io: CliIo,
): Promise<Report> {
  const config = followConfig({
    configPath: options.config,
    namedBy: "--config",
    cwd: io.cwd,
    home: io.env["HOME"],
    environment: io.env,
    commandLine: commandLineOf(options),
  });
  try {
    const wanted = optionsOf(words, options, config, io);
    refuseJson(wanted, options);
    const running = await open(wanted, words.length === 0 && options.upstream === undefined);
    const { by, reason } = await serve(running, wanted, config.current.settings.store, io);
    const exitCode: ExitCode = by === "server" ? exitCodes.unreachable : exitCodes.fine;
    const summary = await running.summary();
    return {
      exitCode,
      data: { ended_by: by, summary: { ...summary } },
      failure:
        by === "server" ? { message: `The server is gone: ${reason}`, errorCode: "UNAVAILABLE" } : undefined,
      text: () => "",
      remarks: [
        ...(by === "server" ? [`waybill: the server is gone: ${reason}`] : []),
        ...(options.summary === true ? printSummary(summary) : []),
      ],
    };
  } finally {
    await config.close();
  }
}
