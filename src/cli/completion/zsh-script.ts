import { type CommandShape, type OptionShape, type ProgramShape, isFirst } from "./describe-tree.ts";
import { quote } from "./quote.ts";

/** A completion script for zsh: sourced, or saved as `_waybill` in a folder of fpath. */
export function zshScript({ name, commands, options }: ProgramShape): string {
  const first = commands.filter(isFirst);
  return `#compdef ${name}
# zsh completion for ${name}: source <(${name} completion zsh)
_${name}() {
  local context state line
  local -a commands=(
${first.map((command) => `    ${quote(`${command.name}:${command.says}`)}`).join("\n")}
  )
  _arguments -C \\
${options.map((option) => `    ${optionSpec(option)} \\`).join("\n")}
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

/** A command of a command has options of its own, behind the same first words. */
function commandCase(command: CommandShape, all: readonly CommandShape[]): string {
  const { name } = command;
  const inner = all.filter((each) => each.name.startsWith(`${name} `));
  if (inner.length === 0) return `        ${name}) ${argumentsOf(command, command)} ;;`;
  const cases = inner.map((each) => `${each.name.slice(name.length + 1)}) ${argumentsOf(each, command)} ;;`);
  return `        ${name}) case $words[2] in ${[...cases, `*) ${argumentsOf(command, command)} ;;`].join(" ")} esac ;;`;
}

function argumentsOf({ options, takesFiles }: CommandShape, { words }: CommandShape): string {
  const rest = words.length > 0 ? `'1: :(${words.join(" ")})'` : takesFiles ? "'*:file:_files'" : "";
  return `_arguments ${[...options.map(optionSpec), rest].filter(Boolean).join(" ")}`;
}

/** Aliases of one option exclude each other: `(-h --help)'{-h,--help}'[says]'`. */
function optionSpec({ flags, says, takesValue, choices }: OptionShape): string {
  const help = `[${says.replaceAll(/[[\]]/g, String.raw`\$&`)}]`;
  const value = !takesValue ? "" : choices.length > 0 ? `:value:(${choices.join(" ")})` : ":value:_files";
  const [only = ""] = flags;
  if (flags.length === 1) return quote(`${only}${help}${value}`);
  return `${quote(`(${flags.join(" ")})`)}{${flags.join(",")}}${quote(`${help}${value}`)}`;
}
