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
    .argument("[command]", "the command")
    .action((name: string | undefined) => {
      const names = program.commands.map((command) => command.name());
      const asked =
        name === undefined ? program : program.commands.find((command) => command.name() === name);
      if (asked !== undefined) return asked.help();
      const meant = didYouMean(name ?? "", names);
      const hint = meant === undefined ? "" : ` (Did you mean ${meant}?)`;
      throw new CliError(`unknown command '${name}'${hint}`, { remediation: "See `waybill help`." });
    });
}
