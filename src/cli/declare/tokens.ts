import { type Command, Option } from "commander";
import { encodings } from "../../tokens/token-counter.ts";
import type { TokensCommandOptions } from "../commands/tokens.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";

export const tokensExamples: readonly Example[] = [
  {
    stdin: '{ "tasks": [ { "id": 1 } ] }',
    args: "tokens",
    output: [
      "tokens  bytes  characters  bytes/token  as compact JSON   input",
      "14      29     29          2.07         9 (saves 35.7 %)  stdin",
    ].join("\n"),
  },
];

export function declareTokens(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("tokens")
    .summary("count what a text costs a model")
    .description(
      "Counts the tokens of files, or of stdin, exactly: with their bytes and characters, and for JSON " +
        "what the same value costs without spaces.",
    )
    .argument("[file...]", 'text files; "-" or none reads stdin')
    .addOption(
      new Option("--encoding <encoding>", "the vocabulary to count in")
        .choices(encodings)
        .default("o200k_base"),
    )
    .action(async (files: string[], options: TokensCommandOptions) => {
      const { tokens } = await import("../commands/tokens.ts");
      give(await tokens(files, options, io));
    });
  addManual(command, [0, 1, 2], tokensExamples);
}
