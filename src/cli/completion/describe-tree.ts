import type { Argument, Command, Option } from "commander";

export interface OptionShape {
  /** `--strict`, `-h`: as they are typed. */
  readonly flags: readonly string[];
  readonly says: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

export interface CommandShape {
  readonly name: string;
  readonly says: string;
  readonly options: readonly OptionShape[];
  /** The words the arguments may be; empty when there are none, or when they are free. */
  readonly words: readonly string[];
  readonly takesFiles: boolean;
}

export interface ProgramShape {
  readonly name: string;
  readonly commands: readonly CommandShape[];
  /** The options before any command. */
  readonly options: readonly OptionShape[];
}

/** What a completion script needs to know of the commander tree. */
export function describeTree(program: Command): ProgramShape {
  const help = program.createHelp();
  const rootOptions = help.visibleOptions(program).map(toOption);
  const own = program.options.map(toOption);
  const names = program.commands.map((command) => command.name());
  const commands = program.commands.map((command): CommandShape => {
    const [argument] = command.registeredArguments;
    const isHelp = command.name() === "help";
    return {
      name: command.name(),
      says: command.summary(),
      options: [
        ...help.visibleOptions(command).map(toOption),
        ...own.filter(({ flags }) => !flags.includes("--version")),
      ],
      words: isHelp ? names : (argument?.argChoices ?? []),
      takesFiles: isFile(argument),
    };
  });
  return { name: program.name(), commands, options: rootOptions };
}

function toOption(option: Option): OptionShape {
  const { short, long, description, required, optional, argChoices } = option;
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    says: description,
    takesValue: required || optional,
    choices: argChoices ?? [],
  };
}

function isFile(argument: Argument | undefined): boolean {
  return argument?.name() === "file";
}
