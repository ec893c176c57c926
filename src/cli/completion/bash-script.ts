import { type CommandShape, type OptionShape, type ProgramShape, isFirst } from "./describe-tree.ts";

/** A completion script for bash 3.2 and later. */
export function bashScript({ name, commands, options }: ProgramShape): string {
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

/** After an option that takes a value: its choices, or whatever readline offers. */
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
  // Without this, readline would offer files where none are taken; bash before 4 has no compopt.
  const files = takesFiles ? "" : ` compopt +o default 2>/dev/null;`;
  return `    "${name}")${files} words="${words.join(" ")}"; [[ "$cur" == -* ]] && words="${flagsOf(options)}" ;;`;
}
