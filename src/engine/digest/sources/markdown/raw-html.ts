import { skippedElements } from "../html/element-layout.ts";

/** A tag, by its name, anywhere in a block. */
const tag = /<(\/?)([a-z][a-z0-9-]*)(?=[\s/>])(?:[^<>"']|"[^"]*"|'[^']*')*>?/gi;

/**
 * A block of HTML in a Markdown text. An element that hides what is in it, such as a script, must end in its own
 * block: if it does not, its tags are taken away, since all that follows would be lost with it.
 */
export function closeHtml(html: string): string {
  const open = new Map<string, number>();
  for (const [, slash, name = ""] of html.matchAll(tag)) {
    const key = name.toLowerCase();
    if (skippedElements.has(key)) open.set(key, (open.get(key) ?? 0) + (slash === "" ? 1 : -1));
  }
  const unclosed = [...open].filter(([, count]) => count !== 0).map(([name]) => name);
  if (unclosed.length === 0) return html;
  return html.replaceAll(tag, (whole: string, _slash: string, name: string) =>
    unclosed.includes(name.toLowerCase()) ? " " : whole,
  );
}
