import { type Command, Option } from "commander";
import { dialectChoices, profileChoices } from "../choices.ts";
import type { DemoCommandOptions } from "../commands/demo.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";

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
    .summary("watch one result pass through the stages")
    .description("Walks one tool result through the stages and shows what each does to it.")
    .addOption(
      new Option("--dialect <dialect>", "the dialect it is said in")
        .choices(dialectChoices)
        .default("response-v2"),
    )
    .addOption(
      new Option(
        "--profile <profile>",
        "how much metadata it carries (default: standard; minimal in scalpel)",
      ).choices(profileChoices),
    )
    .option("--fail", "walk a thrown fault instead")
    .action(async (options: DemoCommandOptions) => {
      const { demo } = await import("../commands/demo.ts");
      give(await demo(options));
    });
  addManual(command, [0, 2], demoExamples);
}
