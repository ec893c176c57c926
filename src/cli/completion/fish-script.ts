import { type CommandShape, type OptionShape, type ProgramShape, isFirst } from "./describe-tree.ts";
import { quote } from "./quote.ts";

/** A completion script for fish. */
export function fishScript({ name, commands, options }: ProgramShape): string {
  const before = "__fish_use_subcommand";
  return [
    `# fish completion for ${name}: ${name} completion fish | source`,
    `complete -c ${name} -f`,
    ...commands
      .filter(isFirst)
      .map((command) => `complete -c ${name} -n ${before} -a ${command.name} -d ${quote(command.says)}`),
    ...options.map((option) => `complete -c ${name} -n ${before} ${optionSpec(option)}`),
    ...commands.flatMap((command) => commandLines(name, command)),
  ].join("\n");
}

function commandLines(program: string, { name, options, words, takesFiles }: CommandShape): string[] {
  const seen = name.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
  const when = `complete -c ${program} -n ${quote(seen.join("; and "))}`;
  return [
    ...options.map((option) => `${when} ${optionSpec(option)}`),
    ...(words.length > 0 ? [`${when} -a ${quote(words.join(" "))}`] : []),
    ...(takesFiles ? [`${when} -F`] : []),
  ];
}

function optionSpec({ flags, says, takesValue, choices }: OptionShape): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = !takesValue ? "" : choices.length > 0 ? ` -x -a ${quote(choices.join(" "))}` : " -r -F";
  return `${names.join(" ")}${value} -d ${quote(says)}`;
}
