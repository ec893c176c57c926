import { type Command, Option } from "commander";
import { dialectChoices, profileChoices } from "../choices.ts";
import type { TranslateCommandOptions } from "../commands/translate.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";

export const translateExamples: readonly Example[] = [
  {
    stdin: '{"error":"gone"}',
    args: "translate --to response-v2",
    output:
      '{"success":false,"data":{"error_code":"INTERNAL_ERROR","error_type":"internal"},"error":"gone","meta":{"version":"response-v2"}}',
  },
  {
    stdin:
      '{"success":false,"data":{"error_code":"NOT_FOUND","error_type":"not_found"},"error":"Spec not found: login","meta":{"version":"response-v2"}}',
    args: "translate --to drf",
    output: [
      '{"content":[{"type":"text","text":"Error executing tool: Spec not found: login"}],"isError":true}',
      'waybill: drf cannot carry /fault/code: it becomes "INTERNAL_ERROR", because a failure is a text alone.',
      'waybill: drf cannot carry /fault/type: it becomes "internal", because a failure is a text alone.',
    ].join("\n"),
  },
];

export function declareTranslate(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("translate")
    .summary("say a response in another dialect")
    .description(
      "Prints a response in another dialect. What that dialect cannot carry is named on stderr; " +
        "what cannot be read without loss is refused.",
    )
    .argument("[file]", 'a JSON file; "-" or none reads stdin')
    .addOption(
      new Option("--to <dialect>", "the dialect to write").choices(dialectChoices).makeOptionMandatory(),
    )
    .addOption(
      new Option("--from <dialect>", "the dialect to read; detected if not given").choices(dialectChoices),
    )
    .addOption(
      new Option("--profile <profile>", "how much metadata to write (default: standard)").choices(
        profileChoices,
      ),
    )
    .addOption(
      new Option("--metadata <place>", "response-v2-draft only: where metadata rides").choices([
        "meta",
        "data",
      ]),
    )
    .addOption(
      new Option("--fill <value>", "scalpel only: write all keys, null where there is nothing").choices([
        "null",
      ]),
    )
    .option("--pretty", "indent the JSON")
    .action(async (file: string | undefined, options: TranslateCommandOptions) => {
      const { translate } = await import("../commands/translate.ts");
      give(await translate(file, options, io));
    });
  addManual(command, [0, 1, 2], translateExamples);
}
