// Texts of each form, as real programs wrote them, and what a reader says of them.
import { readFileSync } from "node:fs";
import { type ReadForm, type TextForm, lineEnd, lineStartsOf } from "./text-form.ts";

const root = new URL("../../../../", import.meta.url);

export function readSample(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

/** A form with its lines, by their texts. */
export interface SampleForm extends TextForm {
  readonly lines: readonly string[];
  /** The lines of one rank, without the spaces around them. */
  ranked(rank: number): readonly string[];
  /** The first line that contains these words. */
  lineWith(words: string): number;
  /** What is above a line, from the outermost. */
  above(words: string): readonly string[];
}

export function readForm(read: ReadForm, text: string): SampleForm {
  const starts = lineStartsOf(text);
  const form = read(text, starts);
  if (form === undefined) throw new Error("The reader is not sure of its sample.");
  const lines = Array.from(starts, (start, line) => text.slice(start, lineEnd(text, starts, line)).trim());
  const lineWith = (words: string): number => {
    const found = lines.findIndex((line) => line.includes(words));
    if (found < 0) throw new Error(`No line has "${words}".`);
    return found;
  };
  return {
    ...form,
    lines,
    lineWith,
    ranked: (rank) => lines.filter((_, line) => form.ranks[line] === rank),
    above: (words) => {
      const found: string[] = [];
      for (let line = form.parents[lineWith(words)] ?? -1; line >= 0; line = form.parents[line] ?? -1)
        found.unshift(lines[line] ?? "");
      return found;
    },
  };
}

/** Whether a reader takes a text for its own. */
export function isSure(read: ReadForm, text: string): boolean {
  return read(text, lineStartsOf(text)) !== undefined;
}
