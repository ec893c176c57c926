import type { Command } from "commander";
import { type CliIo, type ExitCode, exitCodeMeanings } from "../cli-io.ts";
import type { CommandReport } from "../report.ts";

/** What a declared command may use: the process, and the receiver of its report. */
export interface DeclareContext {
  readonly io: CliIo;
  readonly give: (report: CommandReport) => void;
}

/** A command with its real output; a test runs each one and compares. */
export interface Example {
  /** What `echo` pipes in. */
  readonly stdin?: string;
  readonly args: string;
  /** Both streams, stdout first; a last line of `…` means the rest. */
  readonly output: string;
}

/** Adds exit codes and examples to a command's help, like a manual page. */
export function addManual(
  command: Command,
  codes: readonly ExitCode[],
  examples: readonly Example[],
): Command {
  const exits = codes.map((code) => `  ${code}  ${exitCodeMeanings[code]}`);
  const shown = examples.map(({ stdin, args, output }) => {
    const pipe = stdin === undefined ? "" : `echo '${stdin}' | `;
    return [`  $ ${pipe}waybill ${args}`, ...output.split("\n").map((line) => `  ${line}`.trimEnd())].join(
      "\n",
    );
  });
  const parts = [["Exit codes:", ...exits].join("\n")];
  if (shown.length > 0) parts.push(`Examples:\n${shown.join("\n\n")}`);
  return command.addHelpText("after", `\n${parts.join("\n\n")}`);
}
