/** A word for bash, zsh or fish, in single quotes. */
export function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`'\''`)}'`;
}
