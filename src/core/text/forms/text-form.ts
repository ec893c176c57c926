// What is known of a text line by line, for a cut, which must leave lines out: which line gives another its meaning, which
// come first, which say the same. A reader of a form is sure of itself or gives nothing.

export type FormKind = "tree" | "log" | "table" | "code" | "diff" | "trace" | "html";

/** Ranks of lines. */
export const FIRST = 0;
export const STRUCTURE = 1;
export const ORDINARY = 2;
export const DECORATION = 3;

/** What is known of the lines of a text; index 0 is line 1. Typed arrays: a log of 30 MB has 400,000 lines. */
export interface TextForm {
  readonly kind: FormKind;
  /**
   * The line that gives this line its meaning: an ancestor of a tree, the header of a table, the file of a hunk, the
   * declaration around a body; -1 without one. It is always before the line, and a line that is kept brings it.
   */
  readonly parents: Int32Array;
  /**
   * 0: kept before all others, such as a header or the message of an error; 1: structure, such as declarations,
   * interactive elements, errors of a log; 2: ordinary; 3: decoration, given up first.
   */
  readonly ranks: Uint8Array;
  /**
   * Of lines that are equal apart from numbers and times: the first of them; else the line itself. Undefined if the
   * kind has no repeats.
   */
  readonly sameAs?: Int32Array;
  /** How much of the room the structure may take before both ends of the text. Default: more than half. */
  readonly structureShare?: number;
  /** What the lines are called in a gap. Default: "lines". */
  readonly noun?: string;
}

/** Undefined if it is not sure: the text is then plain text. */
export type ReadForm = (text: string, lineStarts: Int32Array) => TextForm | undefined;

/** Where each line begins; a line end at the end of the text does not start another line. */
export function lineStartsOf(text: string): Int32Array {
  let starts = new Int32Array(Math.max(16, text.length >> 6));
  let count = 0;
  for (let at = 0; at < text.length;) {
    if (count === starts.length) {
      const larger = new Int32Array(count * 2);
      larger.set(starts);
      starts = larger;
    }
    starts[count++] = at;
    const end = text.indexOf("\n", at);
    at = end < 0 ? text.length : end + 1;
  }
  return starts.subarray(0, count);
}

/** Where a line ends, its line end included. */
export function lineEnd(text: string, lineStarts: Int32Array, line: number): number {
  return lineStarts[line + 1] ?? text.length;
}
