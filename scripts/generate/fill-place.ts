/** A page written by hand, with the place that a name marks filled anew: `<!-- name:begin -->` … `<!-- name:end -->`. */
export function fillPlace(path: string, page: string, name: string, content: string): string {
  const begin = `<!-- ${name}:begin -->`;
  const [from, to] = [page.indexOf(begin), page.indexOf(`<!-- ${name}:end -->`)];
  if (from === -1 || to < from) throw new Error(`${path} has no place for ${begin}`);
  return `${page.slice(0, from)}${begin}\n${content}\n${page.slice(to)}`;
}

const WIDTH = 150;

/** Prose in lines that a reader of the source can take in; what is code stays on one line. */
export function wrapProse(text: string): string {
  const lines = [""];
  for (const word of text.match(/(?:`[^`]*`|[^\s`])+/g) ?? []) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && `${line} ${word}`.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}

export function table(head: readonly string[], rows: readonly string[]): string {
  return [`| ${head.join(" | ")} |`, `|${" --- |".repeat(head.length)}`, ...rows].join("\n");
}
