import type { Command } from "commander";
import type { ConfigCommandOptions } from "../commands/config.ts";
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
    .description("Shows the effective settings, where each comes from, and the files that were looked for.")
    .option("--config <file>", "use this file instead of looking for one")
    .option("--cwd <dir>", "look from this directory")
    .action(async (options: ConfigCommandOptions) => {
      const { config } = await import("../commands/config.ts");
      give(await config(options, io));
    });
  addManual(command, [0, 2], configExamples);
}
