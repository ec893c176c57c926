import { type Command, Option } from "commander";
import { findingSeverities } from "../../core/rules/finding-severity.ts";
import type { DocsCommandOptions } from "../commands/docs.ts";
import type { LintCommandOptions } from "../commands/lint.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";

export const lintExamples: readonly Example[] = [
  { args: "lint tools.ts", output: "waybill: There is no file tools.ts." },
];

function addWord(word: string, before: readonly string[] = []): readonly string[] {
  return [...before, word];
}

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
