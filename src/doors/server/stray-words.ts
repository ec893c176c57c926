import { didYouMean } from "../../core/text/did-you-mean.ts";

const flags = ["http", "stdio"] as const;

/** What other programs call it; no misspelling, so that the distance of the letters does not tell. */
const otherNames: ReadonlySet<string> = new Set(["port", "http-port", "https"]);

/**
 * What to say of words on the command line that look as if they were meant for `serve`, which does not read them.
 * All other flags are the program's own, and so is everything behind `--`.
 */
export function strayWords(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  const words = (end === -1 ? args : args.slice(0, end)).filter((word) => word.startsWith("-"));
  const names = words.map((word) => word.replace(/=.*$/s, ""));
  const strays = names.flatMap((name) => {
    const bare = name.replace(/^--?/, "").toLowerCase();
    if (name === "--http" || name === "--stdio") return [];
    const meant = otherNames.has(bare) ? "http" : didYouMean(bare, flags);
    return meant === undefined ? [] : [`serve: ${name} is not read. Did you mean --${meant}?`];
  });
  const isBoth = flags.every((flag) => names.includes(`--${flag}`));
  const last = names.findLast((name) => name === "--http" || name === "--stdio");
  return isBoth ? [...strays, `serve: --http and --stdio are both given. The last counts: ${last}.`] : strays;
}
