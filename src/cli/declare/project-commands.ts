import { type Command, InvalidArgumentError, Option } from "commander";
import { readerChoices } from "../../core/readers/readers.ts";
import type { DevCommandOptions } from "../commands/dev.ts";
import { addWord } from "./option-values.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";
import { findingSeverities } from "../../core/rules/server-rule.ts";
import type { DocsCommandOptions } from "../commands/docs.ts";
import type { InitCommandOptions } from "../commands/init.ts";
import type { LintCommandOptions } from "../commands/lint.ts";
import { templates } from "../init/templates.ts";

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
      "Writes a project: a server with one tool, its test, package.json, tsconfig.json, README and .gitignore. The " +
        "template http has callers with tokens, a rate limit and /metrics besides; resources has resources, completion " +
        "and a prompt; worker is a Cloudflare Worker. It passes its own tests, and serves on stdio and over HTTP. A " +
        "folder that is not empty is left as it is. It asks nothing.",
    )
    .argument("[name]", "the project's name and folder (default: this folder, if it is empty)")
    .addOption(
      new Option("--template <template>", "what the project starts as (default: stdio)").choices(templates),
    )
    .action(async (name: string | undefined, options: InitCommandOptions) => {
      const { init } = await import("../commands/init.ts");
      give(init(name, options, io));
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
        "on stderr: what came of it, each stage, its tokens. Started by a client it speaks MCP on stdin and stdout; in a " +
        "terminal it serves over HTTP. Sessions and connections of clients go on from process to process.",
    )
    .argument("<module>", "the file that starts the server: JavaScript or TypeScript")
    .argument("[args...]", "arguments for the server, behind --")
    .option(
      "--http [address]",
      "serve over HTTP: a port, or an address and a port (default: 3000)",
      parseAddress,
    )
    .addOption(
      new Option(
        "--reader <client>",
        "make results for this client of `waybill clients`, and print what its model reads of each",
      ).choices(readerChoices),
    )
    .option("--dashboard", "open a page that shows each call, and may make some, on this machine alone")
    .action(async (module: string, args: readonly string[], options: DevCommandOptions, own: Command) => {
      const { dev } = await import("../commands/dev.ts");
      const { json } = own.optsWithGlobals<{ json?: boolean }>();
      give(await dev(module, args, { ...options, json }, io));
    });
  addManual(command, [0, 2], devExamples);
}

export const lintExamples: readonly Example[] = [
  { args: "lint tools.ts", output: "waybill: There is no file tools.ts." },
];

const modules = "JavaScript or TypeScript files that export tools, or that call serve()";

export function declareLint(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("lint")
    .summary("judge tools by their source")
    .description(
      "Loads modules and judges their tools as a check would judge them behind a server: names, descriptions, schemas, " +
        "options that do not exist, lists without an end, tokens. No server is started and no tool is called; the " +
        "modules themselves run. An error fails; warnings do so with --strict.",
    )
    .argument("<module...>", modules)
    .option("--strict", "fail for warnings too")
    .addOption(
      new Option("--level <severity>", "the least severity that is shown")
        .choices(findingSeverities)
        .default("info"),
    )
    .option("--ignore <rule>", "leave out a rule, or a group such as definition; may be repeated", addWord)
    .action(async (files: readonly string[], options: LintCommandOptions) => {
      const { lint } = await import("../commands/lint.ts");
      give(await lint(files, options, io));
    });
  addManual(command, [0, 1, 2], lintExamples);
}

export const docsExamples: readonly Example[] = [
  { args: "docs tools.ts", output: "waybill: There is no file tools.ts." },
];

export function declareDocs(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("docs")
    .summary("write a Markdown page of tools")
    .description(
      "Writes a Markdown page of the tools of modules: what each does, its arguments, result, declared errors, pages " +
        "and tokens. No server is started and no tool is called; the modules themselves run.",
    )
    .argument("<module...>", modules)
    .option("--out <file>", "write to this file instead of stdout")
    .action(async (files: readonly string[], options: DocsCommandOptions) => {
      const { docs } = await import("../commands/docs.ts");
      give(await docs(files, options, io));
    });
  addManual(command, [0, 1, 2], docsExamples);
}
