import { didYouMean } from "../text/did-you-mean.ts";

/** What to do about an unknown key: the one that was meant, or all there are. */
export function adviseKey(word: string, known: readonly string[]): string {
  const meant = didYouMean(word, known);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  return known.length === 0 ? "Remove it." : `Choose one of ${known.join(", ")}.`;
}

/** What to do about an unknown name: the one that was meant, if any, and all that are allowed. */
export function adviseName(word: string, allowed: readonly string[]): string {
  const meant = didYouMean(word, allowed);
  const hint = meant === undefined ? "" : `Did you mean "${meant}"? `;
  return `${hint}Choose one of ${allowed.join(", ")}.`;
}
