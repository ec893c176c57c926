import type { CliIo } from "./cli-io.ts";
import { runCli } from "./run.ts";

export interface RunOptions {
  readonly stdin?: string | Uint8Array;
  readonly env?: CliIo["env"];
  readonly cwd?: string;
  /** A person sits at stdin and stdout. */
  readonly terminal?: boolean;
  /** What that person types. */
  readonly typed?: string;
  /** Takes what goes to stdout, byte for byte. */
  readonly written?: Uint8Array[];
  /** A command that runs until it is stopped is stopped as soon as it runs. */
  readonly stopsAtOnce?: boolean;
}

export interface RunResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line as a function: arguments in; exit code and both streams out. */
export async function runInProcess(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { stdin, typed, env = {}, cwd = process.cwd(), terminal = false, written = [] } = options;
  const { stopsAtOnce = false } = options;
  let stderr = "";
  const exitCode = await runCli(["node", "waybill", ...args], {
    stdin: (async function* () {
      const given = stdin ?? typed;
      if (given !== undefined) yield given;
    })(),
    stdout: { write: (text) => written.push(Buffer.from(text as string)) },
    stderr: { write: (text) => (stderr += text) },
    env: { HOME: "/nonexistent", ...env },
    cwd,
    onStop: (stop) => {
      if (stopsAtOnce) stop();
    },
    isTTY: { stdin: terminal && stdin === undefined, stdout: terminal, stderr: terminal },
  });
  return { exitCode, stdout: Buffer.concat(written).toString(), stderr };
}
