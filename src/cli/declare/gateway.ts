import { serverTransports } from "../../core/protocol/names.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { retrieveNameProblem } from "../../core/contract/wire-names.ts";
import { type Leaf, leavesIn } from "../../engine/settings/table-leaves.ts";
import { logLevels } from "../../engine/observe/log-event.ts";
import { logForms } from "../../engine/observe/terminal.ts";
import type { GatewayCommandOptions } from "../commands/gateway.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";
import { addHeader, addNamed, addWord, parseWhole } from "./option-values.ts";

export const gatewayExamples: readonly Example[] = [
  {
    args: "gateway",
    output: [
      "waybill: No server is named.",
      "Write the command that starts it behind --, as in `waybill gateway -- npx -y @modelcontextprotocol/server-filesystem .`; or give --upstream <url>, or a configuration with `upstreams`.",
    ].join("\n"),
  },
];

const MAX_PORT = 65_535;

function parsePort(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= MAX_PORT) return value;
  throw new InvalidArgumentError(`Give a port from 0 to ${MAX_PORT}; 0 takes a free one.`);
}

function parseAmount(text: string): number | "off" {
  if (text === "off") return text;
  const value = Number(text);
  if (/^\d+$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('Give a whole number of tokens above 0, or "off".');
}

function parseRetrieveName(text: string): string {
  const problem = retrieveNameProblem(text);
  if (problem === undefined) return text;
  throw new InvalidArgumentError(`It ${problem}`);
}

/** The option of a setting: `--budget <tokens>`; with its values, for `waybill wrap` too. */
export function settingOption({ kind, names, line = "--", gateway }: Leaf, description = gateway): Option {
  const value = kind.is === "toggle" ? "" : ` <${names.at(-1)}>`;
  const option = new Option(`${line}${value}`, description);
  if (kind.is === "choice") return option.choices(kind.of);
  if (kind.is === "amount") return option.argParser(parseAmount);
  if (kind.is === "whole") return option.argParser(parseWhole);
  return kind.is === "tool-name" ? option.argParser(parseRetrieveName) : option;
}

/** The options for the server's list of tools, which `waybill wrap` has too. */
export function addToolChoice(command: Command): Command {
  return command
    .option(
      "--allow-tool <name>",
      "clients know only this tool, or those of a pattern (read_*); may be repeated",
      addWord,
    )
    .option(
      "--hide-tool <name>",
      "clients do not know this tool, or those of a pattern (write_*); may be repeated",
      addWord,
    )
    .option(
      "--rename-tool <old=new>",
      "another name for a tool, or for those of a pattern (gh_*=github_*); may be repeated",
      addNamed,
    )
    .option("--describe-tool <name=text>", "another description for a tool; may be repeated", addNamed);
}

export function declareGateway(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("gateway")
    .summary("put the contract around an MCP server you cannot change")
    .description(
      "Starts an MCP server, or calls one by its URL, and speaks MCP for it on stdin and stdout, or over HTTP: same " +
        "tools, same names, same behaviour. A result that fits leaves as it came. One that is too large is cut, says " +
        "what is missing, and how the rest is fetched. A failure gets a code and a remedy.\n\n" +
        "Several servers of a configuration are one server: on stdin and stdout, and over HTTP at /mcp, beside " +
        "/<name>/mcp of each.",
    )
    .argument("[command...]", "the command that starts the server, behind --")
    .option("--upstream <url>", "a server that runs already: its address over HTTP")
    .option(
      "--header <header>",
      "a header for --upstream, as 'Name: value'; ${NAME} is taken from the environment; may be repeated",
      addHeader,
    )
    .addOption(
      new Option(
        "--transport <transport>",
        "what the server behind --upstream speaks: http (Streamable HTTP), sse (HTTP+SSE of 2024), or auto, which tries both (default: auto)",
      ).choices(serverTransports),
    )
    // Marks what `waybill wrap` wrote; it has no other effect.
    .addOption(new Option("--wrapped").hideHelp())
    .option("--http <port>", "serve over HTTP on 127.0.0.1 instead of stdin and stdout", parsePort)
    .option(
      "--name <name>",
      "the server's name: in its path, /<name>/mcp, in logs, and on stdio in <name>_retrieve (default: server)",
    )
    .option("--config <file>", "the configuration: settings, and servers under `upstreams`");
  for (const leaf of leavesIn("gateway")) command.addOption(settingOption(leaf));
  addToolChoice(command)
    .option(
      "--dashboard [port]",
      "a page in your browser that shows what passes through; its link is printed on stderr (default port: 3334)",
      parsePort,
    )
    .option("--dashboard-actions", "the page may call tools, run checks and change settings")
    .option("--dashboard-bodies", "the page may show arguments, results and what was kept")
    .addOption(
      new Option("--log <form>", "how stderr is written: lines for people, or JSON (default: plain)").choices(
        logForms,
      ),
    )
    .addOption(
      new Option("--log-level <level>", "what stderr tells, and everything graver (default: warn)").choices(
        Object.keys(logLevels),
      ),
    )
    .option(
      "--access-log <file>",
      "one JSON line for each call and each refused request; SIGHUP opens the file again; - is stdout, on stdio stderr (default: none)",
    )
    .option("--summary", "at the end, say on stderr what was saved")
    .action(async (words: readonly string[], options: GatewayCommandOptions, own: Command) => {
      const { gateway } = await import("../commands/gateway.ts");
      const { json } = own.optsWithGlobals<{ json?: boolean }>();
      give(await gateway(words, { ...options, json }, io));
    });
  addManual(command, [0, 1, 2, 3], gatewayExamples);
}
