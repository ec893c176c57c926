import type { CommandShape, OptionShape, ProgramShape } from "./describe-tree.ts";
import { quote } from "./quote.ts";

/** A completion script for zsh: sourced, or saved as `_waybill` in a folder of fpath. */
export function zshScript({ name, commands, options }: ProgramShape): string {
  return `#compdef ${name}
# zsh completion for ${name}: source <(${name} completion zsh)
_${name}() {
  local context state line
  local -a commands=(
${commands.map((command) => `    ${quote(`${command.name}:${command.says}`)}`).join("\n")}
  )
  _arguments -C \\
${options.map((option) => `    ${optionSpec(option)} \\`).join("\n")}
    '1: :->command' '*:: :->rest'
  case $state in
    command) _describe command commands ;;
    rest)
      case $line[1] in
${commands.map(commandCase).join("\n")}
      esac ;;
  esac
}
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi`;
}

function commandCase({ name, options, words, takesFiles }: CommandShape): string {
  const rest = words.length > 0 ? `'1: :(${words.join(" ")})'` : takesFiles ? "'*:file:_files'" : "";
  return `        ${name}) _arguments ${[...options.map(optionSpec), rest].filter(Boolean).join(" ")} ;;`;
}

/** Aliases of one option exclude each other: `(-h --help)'{-h,--help}'[says]'`. */
function optionSpec({ flags, says, takesValue, choices }: OptionShape): string {
  const help = `[${says.replaceAll(/[[\]]/g, String.raw`\$&`)}]`;
  const value = !takesValue ? "" : choices.length > 0 ? `:value:(${choices.join(" ")})` : ":value:_files";
  const [only = ""] = flags;
  if (flags.length === 1) return quote(`${only}${help}${value}`);
  return `${quote(`(${flags.join(" ")})`)}{${flags.join(",")}}${quote(`${help}${value}`)}`;
}
