import { serverTransports } from "../../core/protocol/names.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { dialectIds } from "../../core/contract/dialect-id.ts";
import { readerChoices } from "../../core/readers/readers.ts";
import { eraChoices } from "../../doors/check/check-options.ts";
import {
  type ReportChoice,
  addHeader,
  addWord,
  parseUpTo,
  parseWholeUpTo,
  reportChoices,
} from "./option-values.ts";
import type { OutFile } from "../check/write-reports.ts";
import type { CheckCommandOptions } from "../commands/check.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";

export const checkExamples: readonly Example[] = [
  {
    args: "check",
    output: [
      "waybill: No server is named.",
      "Write the command that starts it behind --, as in `waybill check -- node server.js`, or its URL.",
    ].join("\n"),
  },
];

const MAX_SEED = 0xffff_ffff;
const MAX_SECONDS = 3_600;

function addReport(word: string, before: readonly ReportChoice[] = []): readonly ReportChoice[] {
  const found = reportChoices.find((choice) => choice === word);
  if (found !== undefined) return [...before, found];
  throw new InvalidArgumentError(`Allowed choices are ${reportChoices.join(", ")}.`);
}

export function declareCheck(program: Command, { io, give }: DeclareContext): void {
  // The choices are for help and completion; the parser below checks each of several values.
  const report = new Option(
    "--report <form>",
    "the form of the report; may be repeated, each followed by its own --out (default: pretty)",
  ).choices(reportChoices);
  report.argParser(addReport);
  // Options are read in the order in which they stand, so what was read until now stood before this one.
  const addOut = (file: string, before: readonly OutFile[] = []): readonly OutFile[] => {
    const reports = command.getOptionValue("report") as readonly ReportChoice[] | undefined;
    return [...before, { file, after: reports?.length ?? 0 }];
  };
  const command: Command = program
    .command("check")
    .summary("judge a server's responses, and say how to repair them")
    .description(
      "Starts an MCP server, or calls one by its URL, lists its tools, calls those that are marked read-only, and " +
        "judges what comes back by rules that each say why and how to mend it. An error makes the exit code 1; " +
        "warnings do so with --strict. Rules that could not be tried count as untested, never as passed, and a " +
        "check that could call no tool tested nothing: it has no score, and its exit code is 1.",
    )
    .argument("[server...]", "the command that starts the server, behind --, or its URL")
    .addOption(report)
    .option(
      "--out <file>",
      "write the report of the --report before it to this file; what is on stdout is then the pretty one",
      addOut,
    )
    .option(
      "--source <file>",
      "where the tools are written, for the lines in --report sarif (default: what the command starts); may be repeated",
      addWord,
    )
    .option("--policy <file>", "write the gateway configuration that repairs what can be repaired")
    .addOption(
      new Option(
        "--reader <reader>",
        "the client that --policy is for (`waybill clients` lists them)",
      ).choices(readerChoices.filter((choice) => choice !== "auto")),
    )
    .option("--baseline <file>", "known failures, which fail nothing; an entry that is gone does")
    .option("--update-baseline", "write all that was found to --baseline")
    .option("--snapshot <file>", "record tools, schemas and result shapes; if it is there, say what changed")
    .option("--update-snapshot", "write --snapshot anew")
    .option(
      "--record <folder>",
      "write each answer to a file of this folder; if it has files already, compare with them",
    )
    .option("--update-record", "write the files of --record anew")
    .option("--args <file>", "JSON with arguments by tool; tools named there are called, read-only or not")
    .option("--all", "call every tool, also those that may change something")
    .option("--definitions-only", "call no tool: judge only what the server says of itself and of its tools")
    .option("--tool <name>", "call only this tool; may be repeated", addWord)
    .addOption(new Option("--era <era>", "the protocol to speak (default: auto)").choices(eraChoices))
    .addOption(
      new Option("--dialect <dialect>", "the form that results must have (default: what each shows)").choices(
        dialectIds,
      ),
    )
    .option(
      "--seed <n>",
      "for generated arguments: the same seed makes the same calls (default: 1)",
      parseWholeUpTo(MAX_SEED),
    )
    .option(
      "--timeout <seconds>",
      "how long an answer may take (default: 10); the start may take 30 at least",
      parseUpTo(MAX_SECONDS, "seconds"),
    )
    .option("--strict", "fail for warnings too, and if the check was not finished")
    .option(
      "--header <header>",
      "a header for a URL, as 'Name: value'; ${NAME} is taken from the environment; may be repeated",
      addHeader,
    )
    .addOption(
      new Option(
        "--transport <transport>",
        "what the server at a URL speaks: http (Streamable HTTP), sse (HTTP+SSE of 2024), or auto, which tries both (default: auto)",
      ).choices(serverTransports),
    )
    .option("--verbose", "list every rule that was not tested, with the reason, in place of one line")
    .option("--progress", "say on stderr how far it is, also where that is no terminal")
    .action(async (words: readonly string[], options: CheckCommandOptions, own: Command) => {
      const { checkCommand } = await import("../commands/check.ts");
      const { json } = own.optsWithGlobals<{ json?: boolean }>();
      give(await checkCommand(words, { ...options, json }, io));
    });
  addManual(command, [0, 1, 2, 3], checkExamples);
}
