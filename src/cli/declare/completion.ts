import { Argument, type Command } from "commander";
import { type ShellChoice, shellChoices } from "../choices.ts";
import { type DeclareContext, addManual } from "./declaration.ts";

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
