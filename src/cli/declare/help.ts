import type { Command } from "commander";
import { didYouMean } from "../../text/did-you-mean.ts";
import { CliError } from "../cli-error.ts";

/** Commander's own `help` shows the root page for a command it does not know; this one says so. */
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
      asked.help();
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
