import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { relative, resolve } from "node:path";
import { RestartingChild } from "../../doors/gateway/upstream/restarting-child.ts";
import { type ChildLink, startChild } from "../../engine/transport/child-process.ts";
import { type CliIo, CliError, exitCodes } from "../cli-io.ts";
import { nodeArguments, sentenceAlone } from "../dev/node-arguments.ts";
import { SessionKeeper, describeExit, describeServerEnd } from "../dev/session-keeper.ts";
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
  restart(): void;
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

/** A free port, so that the address stays the same after a restart. */
async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/**
 * A server over HTTP. Its sessions are not kept: requests of the current protocol need none, and connections are refused
 * while a new process starts.
 */
function keepHttp(start: () => ChildLink, note: (text: string) => void): Keeper {
  const server = new RestartingChild({ start, isEdited: true, note });
  server.listen({
    message: () => undefined,
    oversized: () => undefined,
    closed: () => undefined,
    interrupted: ({ reason, retryInMs }) => {
      if (retryInMs === undefined) note(describeServerEnd(reason));
    },
  });
  return {
    left: new Promise(() => undefined),
    restart: () => server.restart(),
    close: () => {
      server.close();
      return server.ended();
    },
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
  const http = await addressOf(options, io);
  const isStdio = http === "false";
  const command = {
    command: process.execPath,
    args: [...sentenceAlone, ...nodeArguments(file, io.cwd), ...more],
    cwd: io.cwd,
    environment: environmentOf(io, http),
    stderr: say,
    stdout: isStdio ? undefined : say,
    describeExit,
  };
  const start = (): ChildLink => startChild(command);
  const stopped = new Promise<void>((done) => io.onStop?.(done));
  const keeper: Keeper = isStdio
    ? new SessionKeeper({ input: process.stdin, output: process.stdout, start, note })
    : keepHttp(start, note);
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
