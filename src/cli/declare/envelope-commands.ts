import { type Command, Option } from "commander";
import { tokenEncodings } from "../../core/tokens/token-counter.ts";
import { dialectChoices, levelChoices, profileChoices } from "../choices.ts";
import type { TokensCommandOptions } from "../commands/tokens.ts";
import type { TranslateCommandOptions } from "../commands/translate.ts";
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
    .summary("check responses against the contract")
    .description(
      "Checks responses against the contract: one verdict for each file, or for stdin. " +
        "A broken MUST makes a response invalid; a broken SHOULD or MAY is reported.",
    )
    .argument("[file...]", 'JSON files; "-" or none reads stdin')
    .addOption(new Option("--dialect <dialect>", "the dialect (default: detected)").choices(dialectChoices))
    .addOption(
      new Option(
        "--level <level>",
        "what the input is: an envelope, an MCP tool result or a JSON-RPC message",
      )
        .choices(levelChoices)
        .default("auto"),
    )
    .option("--method <method>", "the method that a message or result answers, such as tools/call")
    .option(
      "--tiers <names>",
      "scalpel only: the tiers there are, lowest first (default: those of the configuration)",
      (names: string) => names.split(",").map((name) => name.trim()),
    )
    .option("--strict", "fail for a SHOULD or MAY as well")
    .action(async (files: string[], options: ValidateCommandOptions) => {
      const { validate } = await import("../commands/validate.ts");
      give(await validate(files, options, io));
    });
  addManual(command, [0, 1, 2], validateExamples);
}

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
    .summary("write a response in another dialect")
    .description(
      "Prints a response in another dialect. stderr names what that dialect cannot carry; " +
        "a response that cannot be read without loss is refused.",
    )
    .argument("[file]", 'a JSON file; "-" or none reads stdin')
    .addOption(
      new Option("--to <dialect>", "the dialect to write").choices(dialectChoices).makeOptionMandatory(),
    )
    .addOption(
      new Option("--from <dialect>", "the dialect to read (default: detected)").choices(dialectChoices),
    )
    .addOption(
      new Option("--profile <profile>", "how much metadata to write (default: standard)").choices(
        profileChoices,
      ),
    )
    .addOption(
      new Option("--metadata <place>", "response-v2-draft only: where metadata is written").choices([
        "meta",
        "data",
      ]),
    )
    .addOption(
      new Option("--fill <value>", "scalpel only: write all keys, null where there is nothing").choices([
        "null",
      ]),
    )
    .addOption(
      new Option(
        "--request-id-from <who>",
        "who chose the request id: a client's own is written in every profile (default: server)",
      ).choices(["client", "server"]),
    )
    .option("--pretty", "indent the JSON")
    .action(async (file: string | undefined, options: TranslateCommandOptions) => {
      const { translate } = await import("../commands/translate.ts");
      give(await translate(file, options, io));
    });
  addManual(command, [0, 1, 2], translateExamples);
}

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
        "what the same value costs without spaces. With --compare, what one payload costs in each form it could be sent in.",
    )
    .argument("[file...]", 'text files; "-" or none reads stdin')
    .addOption(
      new Option("--encoding <encoding>", "the vocabulary to count in")
        .choices(tokenEncodings)
        .default("o200k_base"),
    )
    .option(
      "--compare",
      "one file as given, minified, as tables, as TOON, in an envelope and cut, counted in both vocabularies",
    )
    .option("--html <file>", "with --compare: also write it as a page")
    .action(async (files: string[], options: TokensCommandOptions) => {
      const { tokens } = await import("../commands/tokens.ts");
      give(await tokens(files, options, io));
    });
  addManual(command, [0, 1, 2], tokensExamples);
}
