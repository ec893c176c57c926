import { relative, resolve } from "node:path";
import { FRONT_VARIABLE } from "../../engine/transport/http/behind-front.ts";
import { logFormIn } from "../../engine/observe/terminal.ts";
import { type ChildLink, startChild } from "../../engine/transport/child-process.ts";
import { type CliIo, CliError, exitCodes } from "../cli-io.ts";
import { type Keeper, keepHttp } from "../dev/keep-http.ts";
import { describeExit } from "../dev/gone-process.ts";
import { nodeArguments, sentenceAlone } from "../dev/node-arguments.ts";
import { SessionKeeper } from "../dev/session-keeper.ts";
import { projectOf, watchSources } from "../dev/watch-sources.ts";
import type { CommandReport } from "../report.ts";

export interface DevCommandOptions {
  /** True without an address: the port is then PORT, else the port in the server's code, else 3000. */
  readonly http?: string | true | undefined;
  /** The client whose model reads the results; what it gets is printed with each call. */
  readonly reader?: string | undefined;
  readonly dashboard?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Where the lines of the command and of the server go. */
interface Voice {
  readonly say: (line: string) => void;
  readonly note: (text: string) => void;
}

/** The project may be the working directory, whose relative path would be a dot. */
export function sayWatched(cwd: string, file: string, project: string): string {
  return `${relative(cwd, file)} is started again when a file of ${relative(cwd, project) || project} changes`;
}

/**
 * The variables of the server: those of this shell, how the server is reached, and what it prints. Its stderr is a pipe
 * to this process, so it cannot see the terminal itself.
 */
function environmentOf({ env, isTTY }: CliIo, http: string, reader: string | undefined): CliIo["env"] {
  const hasColors = isTTY.stderr && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  return {
    ...env,
    ...(hasColors ? { FORCE_COLOR: "1" } : {}),
    ...(isTTY.stderr && logFormIn(env) === undefined ? { WAYBILL_LOG: "plain" } : {}),
    ...(reader === undefined ? {} : { WAYBILL_READER: reader }),
    WAYBILL_PRINT_CALLS: reader === undefined ? "1" : "read",
    WAYBILL_HTTP: http,
    ...(http === "false" ? {} : { [FRONT_VARIABLE]: "1" }),
  };
}

/** In a terminal no client speaks MCP on stdin, so HTTP is used there; "false" is stdio. */
function addressOf({ http }: DevCommandOptions, { isTTY }: CliIo): string {
  if (http === undefined) return isTTY.stdin ? "true" : "false";
  return http === true ? "true" : http;
}

/** The server's process, by turns, for as long as clients or a signal let it. */
function keep(
  file: string,
  more: readonly string[],
  options: DevCommandOptions,
  io: CliIo,
  { say, note }: Voice,
): Keeper {
  const http = addressOf(options, io);
  const isStdio = http === "false";
  const command = {
    command: process.execPath,
    args: [...sentenceAlone, ...nodeArguments(file, io.cwd), ...more],
    cwd: io.cwd,
    environment: environmentOf(io, http, options.reader),
    keepsColors: io.isTTY.stderr,
    describeExit,
  };
  const start = (stderr: (line: string) => void): ChildLink =>
    startChild({ ...command, stderr, stdout: isStdio ? undefined : say });
  if (!isStdio) return keepHttp({ start, say, note });
  const { stdin: input, stdout: output } = process;
  return new SessionKeeper({ input, output, start: () => start(say), note });
}

/** Without a port of its own the gateway listens where `serve` does by default. */
async function withDashboard(
  file: string,
  more: readonly string[],
  options: DevCommandOptions,
  io: CliIo,
  voice: Voice,
): Promise<CommandReport> {
  // What cannot be started is refused here, in one sentence.
  nodeArguments(file, io.cwd);
  const { serveBehindDashboard } = await import("../dev/behind-dashboard.ts");
  const { reader } = options;
  const address = addressOf(options, io);
  const http = address === "true" ? (io.env["PORT"] ?? "3000") : address === "false" ? undefined : address;
  const words = [...(reader === undefined ? [] : ["--reader", reader]), file, "--", ...more];
  const environment = { ...environmentOf(io, "false", reader), FORCE_COLOR: undefined, NO_COLOR: "1" };
  const { by, reason } = await serveBehindDashboard({ words, environment, http, reader }, io, voice);
  const isGone = by === "server";
  if (isGone) voice.note(`the server is gone: ${reason}`);
  return {
    exitCode: isGone ? exitCodes.unreachable : exitCodes.fine,
    data: { ended_by: by },
    text: () => "",
  };
}

/** Runs a server, restarts it when its source changes, and prints each call on stderr. */
export async function dev(
  module: string,
  more: readonly string[],
  options: DevCommandOptions,
  io: CliIo,
): Promise<CommandReport> {
  if (options.json === true)
    throw new CliError("--json has no place here: the server runs until it is stopped, and reports nothing.");
  const file = resolve(io.cwd, module);
  const say = (line: string): void => void io.stderr.write(`${line}\n`);
  const note = (text: string): void => say(`waybill dev: ${text}`);
  if (options.dashboard === true) return withDashboard(file, more, options, io, { say, note });
  const stopped = new Promise<void>((done) => io.onStop?.(done));
  const keeper = keep(file, more, options, io, { say, note });
  const project = projectOf(file);
  let restarts = 0;
  const watch = await watchSources(
    project,
    (path) => {
      note(`${path} changed, the server is started again`);
      restarts += 1;
      keeper.restart();
    },
    (error) => note(`files cannot be watched (${String(error)})`),
  );
  note(sayWatched(io.cwd, file, project));
  await Promise.race([keeper.left.then(() => note("the client has left")), stopped]);
  await Promise.all([keeper.close(), watch.close()]);
  return { exitCode: exitCodes.fine, data: { restarts }, text: () => "" };
}
