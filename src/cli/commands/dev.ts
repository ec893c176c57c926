import { relative, resolve } from "node:path";
import { type CliIo, CliError, exitCodes } from "../cli-io.ts";
import {
  HttpKeeper,
  freePort,
  nodeArguments,
  Restarts,
  sentenceAlone,
  ServerProcess,
} from "../dev/server-process.ts";
import { SessionKeeper } from "../dev/session-keeper.ts";
import { projectOf, watchSources } from "../dev/watch-sources.ts";
import type { CommandReport } from "../report.ts";

export interface DevCommandOptions {
  /** True without an address: the port is then PORT, else the port in the server's code, else 3000. */
  readonly http?: string | true | undefined;
  readonly json?: boolean | undefined;
}

/** Keeps a server available while its process changes. */
interface Keeper {
  readonly left: Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The project may be the working directory, whose relative path would be a dot. */
export function sayWatched(cwd: string, file: string, project: string): string {
  return `${relative(cwd, file)} is started again when a file of ${relative(cwd, project) || project} changes`;
}

/** The variables of the server: those of this shell, and how the server is reached. */
function environmentOf({ env, isTTY }: CliIo, http: string): CliIo["env"] {
  const hasColors = isTTY.stderr && (env["NO_COLOR"] ?? "") === "";
  // The server's stderr is a pipe to this process, so the server cannot detect the terminal.
  const colors = hasColors ? { FORCE_COLOR: "1" } : {};
  return { ...env, ...colors, WAYBILL_PRINT_CALLS: "1", WAYBILL_HTTP: http };
}

/** In a terminal no client speaks MCP on stdin, so HTTP is used there; "false" is stdio. */
async function addressOf({ http }: DevCommandOptions, { isTTY }: CliIo): Promise<string> {
  if (http === "0") return String(await freePort());
  if (http === undefined) return isTTY.stdin ? "true" : "false";
  return http === true ? "true" : http;
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
  const http = await addressOf(options, io);
  const command = {
    args: [...sentenceAlone, ...nodeArguments(file, io.cwd), ...more],
    cwd: io.cwd,
    env: environmentOf(io, http),
    say,
  };
  const start = (): ServerProcess => new ServerProcess(command);
  const stopped = new Promise<void>((done) => io.onStop?.(done));
  const keeper: Keeper =
    http === "false"
      ? new SessionKeeper({ input: process.stdin, output: process.stdout, start, note })
      : new HttpKeeper({ start, say, note });
  const restarts = new Restarts(() => keeper.restart());
  const project = projectOf(file);
  const watch = await watchSources(
    project,
    (path) => {
      note(`${path} changed, the server is started again`);
      restarts.ask();
    },
    (error) => note(`files cannot be watched (${String(error)})`),
  );
  note(sayWatched(io.cwd, file, project));
  await Promise.race([keeper.left.then(() => note("the client has left")), stopped]);
  await Promise.all([keeper.close(), watch.close()]);
  await restarts.done();
  return { exitCode: exitCodes.fine, data: { restarts: restarts.count }, text: () => "" };
}
