import { Argument, type Command, CommanderError, Option } from "commander";
import { didYouMean } from "../../core/text/did-you-mean.ts";
import { dialectIds } from "../../core/contract/dialect-id.ts";
import { profileNames } from "../../core/contract/choices.ts";
import { type ShellChoice, addWord, parseUpTo, shellChoices } from "./option-values.ts";
import { CliError } from "../cli-io.ts";
import type { ClientsCommandOptions } from "../commands/clients.ts";
import type { ConfigCommandOptions } from "../commands/config.ts";
import type { DemoCommandOptions } from "../commands/demo.ts";
import type { DoctorCommandOptions } from "../commands/doctor.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";

export const configExamples: readonly Example[] = [
  {
    args: "config",
    output: [
      "setting                  value                       source",
      "…",
      "budget.tokens            8000                        default",
      "…",
      "dialect                  response-v2                 default",
      "…",
    ].join("\n"),
  },
];

export function declareConfig(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("config")
    .summary("show the effective settings and where each comes from")
    .description(
      "Shows the effective settings, where each comes from, what `waybill gateway` makes of them, and the files that " +
        "were looked for.",
    )
    .option("--config <file>", "use this file instead of looking for one")
    .option("--cwd <dir>", "look from this directory")
    .option("--tool <name>", "show what files and environment say of one tool, and which layer decided")
    .action(async (options: ConfigCommandOptions) => {
      const { config } = await import("../commands/config.ts");
      give(await config(options, io));
    });
  addManual(command, [0, 2], configExamples);
}

export const doctorExamples: readonly Example[] = [
  {
    args: "doctor --client codex",
    output: ["…", "ok       budget                                8000 tokens", "…"].join("\n"),
  },
];

export function declareDoctor(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("doctor")
    .summary("check what a server relies on")
    .description(
      "Checks Node, the configuration, the store, the cursor key, the token counter, packages, and the budget " +
        "against the limits of known clients, and what `waybill gateway` would use; says what to do where something is wrong. The store is tried with " +
        "a small entry that is removed again. No password or secret is printed.",
    )
    .option("--store <store>", "a directory, redis://… or postgres://… (default: the configured store)")
    .option("--config <file>", "use this file instead of looking for one")
    .option("--client <name>", "only the limit of this client")
    .action(async (options: DoctorCommandOptions) => {
      const { doctor } = await import("../commands/doctor.ts");
      give(await doctor(options, io));
    });
  addManual(command, [0, 1, 2], doctorExamples);
}

const MAX_SECONDS = 3_600;

export const clientsExamples: readonly Example[] = [
  {
    args: "clients",
    output: [
      "client                 reader             of a success                            of a failure    what it does",
      "…",
    ].join("\n"),
  },
];

export function declareClients(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("clients")
    .summary("show what the model behind each known client reads")
    .description(
      "Prints one row a client: what its model gets of a success and of a failure, from which length on the client " +
        "cuts, which blocks it drops, and how that is known. `--json` prints all that is known.\n\n" +
        "With --check it starts the servers of your clients (those that `waybill wrap` knows), calls their read-only " +
        "tools, and says for each client what its model would lose, pay twice or get cut, by which call, and what the " +
        "gateway would do about it.",
    )
    .argument("[file]", "with --check: this client's config (default: the configs of all known clients)")
    .option("--check", "start the servers of your clients and try their read-only tools")
    .option("--server <name>", "with --check: only this server; may be repeated", addWord)
    .option(
      "--timeout <seconds>",
      "with --check: how long an answer may take (default: 30)",
      parseUpTo(MAX_SECONDS, "seconds"),
    )
    .action(async (file: string | undefined, options: ClientsCommandOptions) => {
      const { clients } = await import("../commands/clients.ts");
      give(await clients(file, options, io));
    });
  addManual(command, [0, 1, 2, 3], clientsExamples);
}

export const demoExamples: readonly Example[] = [
  {
    args: "demo --fail",
    output: [
      "0. handler  task_query throws",
      "   37 bytes",
      '   "ToolFault: Task not found: task-404"',
      "…",
    ].join("\n"),
  },
];

export function declareDemo(program: Command, { give }: DeclareContext): void {
  const command = program
    .command("demo")
    .summary("watch one result pass through the stages, and the gateway at work")
    .description(
      "Walks one tool result through the stages and shows what each does to it. Then it puts the gateway in front of " +
        "a server and shows a cut, a retrieval, a question and a failure. Both run on this machine alone, in this process. " +
        "An option that is about the walk shows the walk alone.",
    )
    .addOption(
      new Option("--dialect <dialect>", "the dialect it is said in (default: response-v2)").choices(
        dialectIds,
      ),
    )
    .addOption(
      new Option(
        "--profile <profile>",
        "how much metadata it carries (default: standard; minimal in scalpel)",
      ).choices(profileNames),
    )
    .option("--fail", "walk a thrown fault instead")
    .option("--select <expression>", "ask a question with the call, as _waybill_select does")
    .option("--gateway", "only what the gateway does")
    .action(async (options: DemoCommandOptions) => {
      const { demo } = await import("../commands/demo.ts");
      give(await demo(options));
    });
  addManual(command, [0, 2], demoExamples);
}

export function declareCompletion(program: Command, { give }: DeclareContext): void {
  const command = program
    .command("completion")
    .summary("print a completion script for a shell")
    .description(
      "Prints a completion script for commands, options and their choices.\n\n" +
        "  bash  source <(waybill completion bash)\n" +
        "  zsh   source <(waybill completion zsh)\n" +
        "  fish  waybill completion fish | source",
    )
    .addArgument(new Argument("<shell>", "the shell").choices(shellChoices))
    .action(async (shell: ShellChoice) => {
      const { completion } = await import("../commands/completion.ts");
      give(completion(shell, program));
    });
  addManual(command, [0, 2], []);
}

/** Commander's own `help` shows the root page for an unknown command; this one reports an error. */
export function declareHelp(program: Command): void {
  program
    .helpCommand(false)
    .command("help")
    .summary("show the manual of a command")
    .description("Shows the manual of a command, or of all.")
    .argument("[command...]", "the command")
    .action((names: readonly string[]) => {
      let asked: Command = program;
      for (const name of names) asked = innerCommand(asked, name);
      asked.outputHelp();
      // Commander's own end of a page takes the exit code that the process has at that moment.
      throw new CommanderError(0, "commander.helpDisplayed", "(outputHelp)");
    });
}

function innerCommand(command: Command, name: string): Command {
  const found = command.commands.find((inner) => inner.name() === name);
  if (found !== undefined) return found;
  const meant = didYouMean(
    name,
    command.commands.map((inner) => inner.name()),
  );
  const hint = meant === undefined ? "" : ` (Did you mean ${meant}?)`;
  throw new CliError(`unknown command '${name}'${hint}`, { remediation: "See `waybill help`." });
}
