import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { buildWorkshop, root } from "./build-workshop.ts";

export type Environment = Readonly<Record<string, string>>;

async function processOf(file: string, environment: Environment) {
  // A child sees nothing of the tests' own environment that could change an answer.
  const { PATH = "", HOME = "", TMPDIR } = process.env;
  return {
    command: process.execPath,
    args: [join(await buildWorkshop(), file)],
    cwd: root,
    env: {
      PATH,
      HOME,
      ...(TMPDIR === undefined ? {} : { TMPDIR }),
      WORKSHOP_VALIDATE: "always",
      ...environment,
    },
  };
}

/** How a client starts the workshop on stdio. */
export function stdioCommand(environment: Environment): ReturnType<typeof processOf> {
  return processOf("stdio.js", environment);
}

export interface HttpWorkshop {
  readonly url: string;
  /** Everything the server printed. */
  readonly printed: () => string;
  /** Ends the process and gives its exit code. */
  readonly stop: (signal?: "SIGTERM" | "SIGINT") => Promise<number | null>;
}

/** The URL the server prints first. */
function urlOf(child: ChildProcess, read: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(read()) ?? [];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on("data", look);
    child.once("exit", (code) => reject(new Error(`The workshop ended with ${code}: ${read()}`)));
  });
}

/** The workshop over HTTP on a free port; `args` of node in place of the compiled copy's. */
export async function startHttp(
  environment: Environment = {},
  nodeArgs?: readonly string[],
): Promise<HttpWorkshop> {
  const { command, args: compiled, cwd, env } = await processOf("http.js", environment);
  const args = nodeArgs ?? compiled;
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  }
  const url = await urlOf(child, () => printed);
  return {
    url,
    printed: () => printed,
    stop: async (signal = "SIGTERM") => {
      if (child.exitCode !== null) return child.exitCode;
      child.kill(signal);
      const [code] = (await once(child, "exit")) as [number | null];
      return code;
    },
  };
}
