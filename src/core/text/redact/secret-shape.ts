/** One provider's published key format. A shape is tried only where one of its prefixes occurs. */
export interface SecretShape {
  readonly label: string;
  readonly prefixes: readonly string[];
  readonly pattern: RegExp;
  /** Characters right before the prefix that belong to the key, at most `max`. */
  readonly lead?: { readonly of: RegExp; readonly max: number } | undefined;
  /** The beginning of the match that is not part of the secret and stays. */
  readonly keeps?: RegExp | undefined;
}

/**
 * A place where a key may begin: after none of the given characters, or right after an escape (`\n`, `\u0022`, `%22`, a
 * terminal colour), whose last letter is not part of the word that follows.
 */
function startsAfterNo(characters: string): string {
  return `(?:(?<![${characters}])|(?<=\\\\[bfnrt])|(?<=%[0-9A-Fa-f]{2})|(?<=\\\\u[0-9A-Fa-f]{4})|(?<=\\u001b\\[[0-9;]{0,8}m))`;
}

export const word = startsAfterNo("A-Za-z0-9");
// Short prefixes made of the base64url alphabet occur by chance inside cursors and ids.
export const alone = startsAfterNo("A-Za-z0-9_-");

// The engine keeps a backtracking point for each character of a run: an endless run would exhaust its stack.
export const MAX = 65_536;

export function shape(
  label: string,
  prefixes: readonly string[],
  start: string,
  source: string,
  more: Pick<SecretShape, "lead" | "keeps"> = {},
): SecretShape {
  return { label, prefixes, pattern: new RegExp(start + source, "y"), ...more };
}
