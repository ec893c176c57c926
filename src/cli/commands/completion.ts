import type { Command, Argument, Option } from "commander";
import type { ShellChoice } from "../declare/option-values.ts";
import { exitCodes } from "../cli-io.ts";
import type { CommandReport } from "../report.ts";

interface OptionShape {
  /** `--strict`, `-h`: as they are typed. */
  readonly flags: readonly string[];
  readonly says: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

interface CommandShape {
  /** As it is typed: `validate`, or `archive ls` for a subcommand. */
  readonly name: string;
  readonly says: string;
  readonly options: readonly OptionShape[];
  /** The allowed words for the arguments; empty if the command takes no arguments, or any. */
  readonly words: readonly string[];
  readonly takesFiles: boolean;
}

interface ProgramShape {
  readonly name: string;
  readonly commands: readonly CommandShape[];
  /** The options before any command. */
  readonly options: readonly OptionShape[];
}

/** The facts about the commander tree that a completion script needs. */
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

/** Whether a command directly follows the program's name. */
function isFirst({ name }: CommandShape): boolean {
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

/** A word for bash, zsh or fish, in single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`'\''`)}'`;
}

/** A completion script for bash 3.2 and later. */
function bashScript({ name, commands, options }: ProgramShape): string {
  const names = commands.filter(isFirst).map((command) => command.name);
  const known = commands.map((command) => `"${command.name}"`).join("|");
  return `# bash completion for ${name}: source <(${name} completion bash)
_${name}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" i
  # bash takes --option=value apart at the equals sign.
  if [[ "$cur" == "=" ]]; then cur=""
  elif [[ "$prev" == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    words="\${command:+$command }\${COMP_WORDS[i]}"
    case "$words" in ${known}) command="$words" ;; esac
  done
  COMPREPLY=()
  case "$command $prev" in
${commands.flatMap(valueCases).join("\n")}
  esac
  case "$command" in
    "") words="${names.join(" ")}"; [[ "$cur" == -* ]] && words="${flagsOf(options)}" ;;
${commands.map(wordCase).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _${name} ${name}`;
}

function flagsOf(options: readonly OptionShape[]): string {
  return options.flatMap(({ flags }) => flags).join(" ");
}

/** After an option with a value: its choices, or whatever readline offers. */
function valueCases({ name, options }: CommandShape): string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map(({ flags, choices }) => {
      const pattern = flags.map((flag) => `"${name} ${flag}"`).join("|");
      const reply =
        choices.length === 0 ? "" : `COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$cur")); `;
      return `    ${pattern}) ${reply}return ;;`;
    });
}

function wordCase({ name, options, words, takesFiles }: CommandShape): string {
  // Without this, readline would offer files even if none are accepted; bash before 4 has no compopt.
  const files = takesFiles ? "" : ` compopt +o default 2>/dev/null;`;
  return `    "${name}")${files} words="${words.join(" ")}"; [[ "$cur" == -* ]] && words="${flagsOf(options)}" ;;`;
}

/** A completion script for zsh: sourced, or saved as `_waybill` in a folder of fpath. */
function zshScript({ name, commands, options }: ProgramShape): string {
  const first = commands.filter(isFirst);
  return `#compdef ${name}
# zsh completion for ${name}: source <(${name} completion zsh)
_${name}() {
  local context state line
  local -a commands=(
${first.map((command) => `    ${quote(`${command.name}:${command.says}`)}`).join("\n")}
  )
  _arguments -C \\
${options.map((option) => `    ${zshOption(option)} \\`).join("\n")}
    '1: :->command' '*:: :->rest'
  case $state in
    command) _describe command commands ;;
    rest)
      case $line[1] in
${first.map((command) => commandCase(command, commands)).join("\n")}
      esac ;;
  esac
}
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi`;
}

/** A subcommand has its own options, after the same first words. */
function commandCase(command: CommandShape, all: readonly CommandShape[]): string {
  const { name } = command;
  const inner = all.filter((each) => each.name.startsWith(`${name} `));
  if (inner.length === 0) return `        ${name}) ${argumentsOf(command, command)} ;;`;
  const cases = inner.map((each) => `${each.name.slice(name.length + 1)}) ${argumentsOf(each, command)} ;;`);
  return `        ${name}) case $words[2] in ${[...cases, `*) ${argumentsOf(command, command)} ;;`].join(" ")} esac ;;`;
}

function argumentsOf({ options, takesFiles }: CommandShape, { words }: CommandShape): string {
  const rest = words.length > 0 ? `'1: :(${words.join(" ")})'` : takesFiles ? "'*:file:_files'" : "";
  return `_arguments ${[...options.map(zshOption), rest].filter(Boolean).join(" ")}`;
}

/** Aliases of one option exclude each other: `(-h --help)'{-h,--help}'[says]'`. */
function zshOption({ flags, says, takesValue, choices }: OptionShape): string {
  const help = `[${says.replaceAll(/[[\]]/g, String.raw`\$&`)}]`;
  const value = !takesValue ? "" : choices.length > 0 ? `:value:(${choices.join(" ")})` : ":value:_files";
  const [only = ""] = flags;
  if (flags.length === 1) return quote(`${only}${help}${value}`);
  return `${quote(`(${flags.join(" ")})`)}{${flags.join(",")}}${quote(`${help}${value}`)}`;
}

/** A completion script for fish. */
function fishScript({ name, commands, options }: ProgramShape): string {
  const before = "__fish_use_subcommand";
  return [
    `# fish completion for ${name}: ${name} completion fish | source`,
    `complete -c ${name} -f`,
    ...commands
      .filter(isFirst)
      .map((command) => `complete -c ${name} -n ${before} -a ${command.name} -d ${quote(command.says)}`),
    ...options.map((option) => `complete -c ${name} -n ${before} ${fishOption(option)}`),
    ...commands.flatMap((command) => commandLines(name, command)),
  ].join("\n");
}

function commandLines(program: string, { name, options, words, takesFiles }: CommandShape): string[] {
  const seen = name.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
  const when = `complete -c ${program} -n ${quote(seen.join("; and "))}`;
  return [
    ...options.map((option) => `${when} ${fishOption(option)}`),
    ...(words.length > 0 ? [`${when} -a ${quote(words.join(" "))}`] : []),
    ...(takesFiles ? [`${when} -F`] : []),
  ];
}

function fishOption({ flags, says, takesValue, choices }: OptionShape): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = !takesValue ? "" : choices.length > 0 ? ` -x -a ${quote(choices.join(" "))}` : " -r -F";
  return `${names.join(" ")}${value} -d ${quote(says)}`;
}

const writers: Readonly<Record<ShellChoice, (program: ProgramShape) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Prints a shell's completion script, made from the same tree that parses the line. */
export function completion(shell: ShellChoice, program: Command): CommandReport {
  const script = writers[shell](describeTree(program));
  return { exitCode: exitCodes.fine, data: { shell, script }, text: () => script };
}
