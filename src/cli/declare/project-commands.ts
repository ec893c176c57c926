import { type Command, InvalidArgumentError } from "commander";
import type { DevCommandOptions } from "../commands/dev.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";

export const initExamples: readonly Example[] = [
  {
    args: "init Demo",
    output: [
      'waybill: "Demo" is no name for a project: npm takes small letters, digits, and - . _ ~ inside of it. Did you mean demo?',
      "Write small letters, digits and hyphens, as in `waybill init demo`.",
    ].join("\n"),
  },
];

export function declareInit(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("init")
    .summary("make a new project: a server, one tool, one test")
    .description(
      "Writes a project of seven files: a server with one tool, its test, package.json, tsconfig.json, README and " +
        ".gitignore. It passes its own test, and serves on stdio and over HTTP. A folder that is not empty is left " +
        "as it is. It asks nothing.",
    )
    .argument("[name]", "the project's name and folder (default: this folder, if it is empty)")
    .action(async (name: string | undefined) => {
      const { init } = await import("../commands/init.ts");
      give(init(name, io));
    });
  addManual(command, [0, 1, 2], initExamples);
}

const MAX_PORT = 65_535;

/** `3000`, `127.0.0.1:3000`, `[::1]:3000`, as `serve` accepts it. */
function parseAddress(text: string): string {
  const [, port = ""] = /^(?:(?:[^\s:]+|\[[0-9A-Fa-f:.]+\]):)?(\d{1,5})$/.exec(text) ?? [];
  if (port !== "" && Number(port) <= MAX_PORT) return text;
  throw new InvalidArgumentError(
    `Give a port from 0 to ${MAX_PORT}, or an address and a port such as 127.0.0.1:8080.`,
  );
}

export const devExamples: readonly Example[] = [
  { args: "dev server.ts", output: "waybill: There is no file server.ts." },
];

export function declareDev(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("dev")
    .summary("run a server, start it again on change, print each call")
    .description(
      "Runs the module of a server that calls serve(), starts it again when its source changes, and prints each call " +
        "on stderr: what came of it, each stage, its tokens. Started by a client it speaks MCP on stdin and stdout, " +
        "and the client's session goes on from process to process. In a terminal it serves over HTTP.",
    )
    .argument("<module>", "the file that starts the server: JavaScript or TypeScript")
    .argument("[args...]", "arguments for the server, behind --")
    .option(
      "--http [address]",
      "serve over HTTP: a port, or an address and a port (default: 3000)",
      parseAddress,
    )
    .action(async (module: string, args: readonly string[], options: DevCommandOptions, own: Command) => {
      const { dev } = await import("../commands/dev.ts");
      const { json } = own.optsWithGlobals<{ json?: boolean }>();
      give(await dev(module, args, { ...options, json }, io));
    });
  addManual(command, [0, 2], devExamples);
}
