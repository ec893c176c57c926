import type { Command } from "commander";
import type { ShellChoice } from "../choices.ts";
import { type ProgramShape, bashScript, describeTree, fishScript, zshScript } from "./completion-scripts.ts";
import { exitCodes } from "../cli-error.ts";
import type { Report } from "../report.ts";

const writers: Readonly<Record<ShellChoice, (program: ProgramShape) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Prints a shell's completion script, made from the same tree that parses the line. */
export function completion(shell: ShellChoice, program: Command): Report {
  const script = writers[shell](describeTree(program));
  return { exitCode: exitCodes.fine, data: { shell, script }, text: () => script };
}
