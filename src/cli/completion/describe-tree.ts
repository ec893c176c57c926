import type { Argument, Command, Option } from "commander";

export interface OptionShape {
  /** `--strict`, `-h`: as they are typed. */
  readonly flags: readonly string[];
  readonly says: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

export interface CommandShape {
  /** As it is typed: `validate`, or `archive ls` for a command of a command. */
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
  const everywhere = program.options.map(toOption).filter(({ flags }) => !flags.includes("--version"));
  const describe = (command: Command, before: string): CommandShape[] => {
    const [argument] = command.registeredArguments;
    const isHelp = command.name() === "help";
    const name = before + command.name();
    const inner = isHelp ? program.commands : command.commands;
    const shape: CommandShape = {
      name,
      says: command.summary(),
      options: [...help.visibleOptions(command).map(toOption), ...everywhere],
      words: inner.length > 0 ? inner.map((each) => each.name()) : (argument?.argChoices ?? []),
      takesFiles: isFile(argument),
    };
    return [shape, ...command.commands.flatMap((each) => describe(each, `${name} `))];
  };
  const commands = program.commands.flatMap((command) => describe(command, ""));
  return { name: program.name(), commands, options: rootOptions };
}

/** Whether a command stands right behind the program's name. */
export function isFirst({ name }: CommandShape): boolean {
  return !name.includes(" ");
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

const fileArguments: readonly string[] = ["file", "source", "digest"];

function isFile(argument: Argument | undefined): boolean {
  return argument !== undefined && fileArguments.includes(argument.name());
}
