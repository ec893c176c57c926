import { type Command, Option } from "commander";
import { dialectChoices, levelChoices } from "../choices.ts";
import type { ValidateCommandOptions } from "../commands/validate.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";

export const validateExamples: readonly Example[] = [
  {
    stdin: '{"success":true,"data":{},"error":"late","meta":{"version":"response-v2","request_id":"req_1"}}',
    args: "validate --dialect response-v2",
    output: [
      "stdin: invalid, response-v2, level envelope",
      "  MUST",
      "    envelope/success-error at /error",
      "      success is true but error is not null. Set error to null on success and to the message on failure.",
      "1 response, 1 failed: 1 MUST, 0 SHOULD, 0 MAY",
    ].join("\n"),
  },
  {
    stdin: '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[]"}]}}',
    args: "validate",
    output: [
      "stdin: valid, plain, level message",
      "  dialect detected: an MCP result without an envelope; could also be drf or response-v1 (name it with --dialect)",
      "1 response, none failed: 0 MUST, 0 SHOULD, 0 MAY",
    ].join("\n"),
  },
];

export function declareValidate(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("validate")
    .summary("judge responses by the contract")
    .description(
      "Judges responses by the contract: one verdict for each file, or for stdin. " +
        "A broken MUST makes a response invalid; a broken SHOULD or MAY is reported.",
    )
    .argument("[file...]", 'JSON files; "-" or none reads stdin')
    .addOption(
      new Option("--dialect <dialect>", "the dialect; detected if not given").choices(dialectChoices),
    )
    .addOption(
      new Option(
        "--level <level>",
        "what the input is: an envelope, an MCP tool result or a JSON-RPC message",
      )
        .choices(levelChoices)
        .default("auto"),
    )
    .option("--method <method>", "the method that a message answers, such as tools/call")
    .option("--strict", "fail for a SHOULD or MAY as well")
    .action(async (files: string[], options: ValidateCommandOptions) => {
      const { validate } = await import("../commands/validate.ts");
      give(await validate(files, options, io));
    });
  addManual(command, [0, 1, 2], validateExamples);
}
