import { type Command, InvalidArgumentError, Option } from "commander";
import { parseWhole } from "../archive/parse-options.ts";
import { mostOfDigest, policyChoices } from "../choices.ts";
import type { DigestCommandOptions } from "../commands/digest.ts";
import type { VerifyCommandOptions } from "../commands/verify.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";

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
    .option("--timeout <seconds>", "how long a URL may take (default: 30)", parseSeconds)
    .option(
      "--allow-private <place>",
      "permit a host:port or range that is not public; may be repeated",
      addPlace,
    );
}

function parseSeconds(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= MAX_SECONDS) return value;
  throw new InvalidArgumentError(`Give a number of seconds above 0 and up to ${MAX_SECONDS}.`);
}

function addPlace(place: string, before: readonly string[] = []): readonly string[] {
  return [...before, place];
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
        .choices(policyChoices)
        .default("always"),
    )
    .option(
      "--snippets <n>",
      `at most this many quotes, up to ${mostOfDigest.snippets}`,
      upTo(mostOfDigest.snippets),
    )
    .option(
      "--summary-chars <n>",
      `the length of the summary, up to ${mostOfDigest.summaryChars}`,
      upTo(mostOfDigest.summaryChars),
    )
    .option(
      "--key-points <n>",
      `at most this many key points, up to ${mostOfDigest.keyPoints}`,
      upTo(mostOfDigest.keyPoints),
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

function upTo(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from 0 to ${most}.`);
  };
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
