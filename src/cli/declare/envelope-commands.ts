import { type Command, Option } from "commander";
import { tokenEncodings } from "../../core/tokens/token-counter.ts";
import { dialectIds } from "../../core/contract/dialect-id.ts";
import { profileNames, digestLimits, digestPolicies } from "../../core/contract/choices.ts";
import type { TokensCommandOptions } from "../commands/tokens.ts";
import type { TranslateCommandOptions } from "../commands/translate.ts";
import type { ValidateCommandOptions } from "../commands/validate.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";
import { addWord, levelChoices, parseUpTo, parseWhole, parseWholeUpTo } from "./option-values.ts";
import type { DigestCommandOptions } from "../commands/digest.ts";
import type { VerifyCommandOptions } from "../commands/verify.ts";

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
    .addOption(new Option("--dialect <dialect>", "the dialect (default: detected)").choices(dialectIds))
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
    .addOption(new Option("--to <dialect>", "the dialect to write").choices(dialectIds).makeOptionMandatory())
    .addOption(new Option("--from <dialect>", "the dialect to read (default: detected)").choices(dialectIds))
    .addOption(
      new Option("--profile <profile>", "how much metadata to write (default: standard)").choices(
        profileNames,
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
      const { translateCommand } = await import("../commands/translate.ts");
      give(await translateCommand(file, options, io));
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

const MAX_SECONDS = 3_600;

/** The options for how a document is found and read. */
function addSource(command: Command): Command {
  return command
    .option(
      "--type <type>",
      "the media type, such as 'text/html; charset=koi8-r' (default: from the server, the name and the content)",
    )
    .option("--max-bytes <n>", "refuse a larger document (default: 64 MiB)", parseWhole)
    .option("--max-pages <n>", "read only this many pages of a PDF (default: 2000)", parseWhole)
    .option("--timeout <seconds>", "how long a URL may take (default: 30)", parseUpTo(MAX_SECONDS, "seconds"))
    .option(
      "--allow-private <place>",
      "permit a host:port or range that is not public; may be repeated",
      addWord,
    );
}

export const digestExamples: readonly Example[] = [
  {
    stdin: "Too short to be digested.",
    args: "digest - --policy auto",
    output: [
      'waybill: stdin has no digest. It has 25 characters, and the policy "auto" leaves texts under 500 as they are.',
      "Use the document itself, or --policy always.",
    ].join("\n"),
  },
];

export function declareDigest(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("digest")
    .summary("condense a document, with quotes that can be checked")
    .description(
      "Digests one document (plain text, Markdown, HTML, PDF): a summary, key points, and evidence that is quoted " +
        "exactly and that `waybill verify` can check. No model is needed. A document that has no digest, because it " +
        "would not get shorter or the policy says so, ends with exit code 1.",
    )
    .argument("<source>", 'a file, an http(s) URL, or "-" for stdin')
    .option("--query <words>", "the question that the digest answers")
    .addOption(
      new Option("--policy <policy>", "auto does not digest short documents")
        .choices(digestPolicies)
        .default("always"),
    )
    .option(
      "--snippets <n>",
      `at most this many quotes, up to ${digestLimits.snippets}`,
      parseWholeUpTo(digestLimits.snippets),
    )
    .option(
      "--summary-chars <n>",
      `the length of the summary, up to ${digestLimits.summary}`,
      parseWholeUpTo(digestLimits.summary),
    )
    .option(
      "--key-points <n>",
      `at most this many key points, up to ${digestLimits.keyPoints}`,
      parseWholeUpTo(digestLimits.keyPoints),
    )
    .option("--payload", "print the digest payload alone, one line of JSON")
    .option("--html <file>", "also write a page: the document with its evidence marked");
  addSource(command)
    .addOption(
      new Option("--compat <system>", "text and payload as that system has them").choices(["foundry"]),
    )
    .option(
      "--summariser-url <url>",
      "let a model write the summary: an OpenAI-compatible endpoint; its key is WAYBILL_SUMMARISER_KEY",
    )
    .option("--summariser-model <name>", "the model of that endpoint")
    .action(async (source: string, options: DigestCommandOptions, own: Command) => {
      const { digest } = await import("../commands/digest.ts");
      const { json } = own.optsWithGlobals<{ json?: boolean }>();
      give(await digest(source, { ...options, json }, io));
    });
  addManual(command, [0, 1, 2, 3], digestExamples);
}

export function declareVerify(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("verify")
    .summary("check a digest against its document")
    .description(
      "Checks a digest against its document: the hash, the length, and every quote at the place and page it names. " +
        "If something is wrong, it shows the first difference, and the exit code is 1.",
    )
    .argument(
      "<digest>",
      'JSON: a digest payload, or anything that holds one, such as a response; "-" for stdin',
    )
    .argument("<source>", 'the document, or its canonical text: a file, an http(s) URL, or "-" for stdin')
    .option("--pointer <pointer>", "where the digest is, if there are several: /data/sources/0");
  addSource(command).action(
    async (digest: string, source: string, options: VerifyCommandOptions, own: Command) => {
      const { verify } = await import("../commands/verify.ts");
      const { json } = own.optsWithGlobals<{ json?: boolean }>();
      give(await verify(digest, source, { ...options, json }, io));
    },
  );
  addManual(command, [0, 1, 2, 3], []);
}
