import { printable } from "./printable.ts";

/** A word as it can be typed in a shell: in single quotes where it must be. */
export function shellWord(text: string): string {
  const safe = printable(text);
  return /^[\w./:@%+,=-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", String.raw`'\''`)}'`;
}
