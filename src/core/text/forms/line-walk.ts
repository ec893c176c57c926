// What the readers of forms do alike: they walk over lines, and judge a line by its beginning.

import { DECORATION, type FormKind, ORDINARY, type TextForm, lineEnd } from "./text-form.ts";

/** What a line is shows in its beginning; a line may have megabytes. */
const SHOWN_LENGTH = 1_000;

/** The beginning of a line, without its line end. */
export function beginningOf(text: string, lineStarts: Int32Array, line: number): string {
  const start = lineStarts[line] ?? text.length;
  const end = Math.min(lineEnd(text, lineStarts, line), start + SHOWN_LENGTH);
  return text.slice(start, end).trimEnd();
}

/** Parents and ranks of a form while its lines are read: no parent, and ordinary. */
export interface LineNotes {
  readonly parents: Int32Array;
  readonly ranks: Uint8Array;
}

export function noteLines(count: number): LineNotes {
  return { parents: new Int32Array(count).fill(-1), ranks: new Uint8Array(count).fill(ORDINARY) };
}

export function setLine({ parents, ranks }: LineNotes, line: number, rank: number, parent = -1): void {
  parents[line] = parent;
  ranks[line] = rank;
}

/** A blank line says nothing. */
export function skipBlank(notes: LineNotes, line: number): void {
  setLine(notes, line, DECORATION);
}

/** A form is sure of itself if it knows this share of the lines that are not blank. */
const SURE_SHARE = 0.75;

export function formIfSure(
  kind: FormKind,
  notes: LineNotes,
  { known, blank }: { readonly known: number; readonly blank: number },
): TextForm | undefined {
  const lines = notes.ranks.length - blank;
  return known > 0 && known >= lines * SURE_SHARE ? { kind, ...notes } : undefined;
}

/** The open ancestors of an indented tree. */
export class Ancestors {
  readonly #lines: number[] = [];
  readonly #indents: number[] = [];

  /** The parent of a line with this indent, which is then open itself; -1 if it has none. */
  enter(line: number, indent: number): number {
    while (this.#lines.length > 0 && (this.#indents.at(-1) ?? 0) >= indent) this.#leave();
    const parent = this.#lines.at(-1) ?? -1;
    this.#lines.push(line);
    this.#indents.push(indent);
    return parent;
  }

  #leave(): void {
    this.#lines.pop();
    this.#indents.pop();
  }

  clear(): void {
    this.#lines.length = 0;
    this.#indents.length = 0;
  }
}
