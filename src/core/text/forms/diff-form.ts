// A diff: which files and which places of them, then what changed, then the lines around it. Hunks are counted by
// their heads, so that a removed line of dashes is not taken for a file.

import { beginningOf, formIfSure, type LineNotes, noteLines, setLine, skipBlank } from "./line-walk.ts";
import { DECORATION, FIRST, ORDINARY, type ReadForm, STRUCTURE } from "./text-form.ts";

const FILE = /^(?:diff --(?:git|cc|combined) |Index: \S)/;
const OLD_NAME = /^--- \S/;
const NEW_NAME = /^\+\+\+ \S/;
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
/** A hunk of a merge, which has a column for each parent; its lines are not counted. */
const MERGED_HUNK = /^@@@+ -\d/;
/** What git says of a file besides its names: it was moved, is new, has another mode. */
const FILE_NOTE =
  /^(?:new file mode|deleted file mode|rename (?:from|to)|copy (?:from|to)|old mode|new mode|Binary files |GIT binary patch)/;
const FILE_DETAIL = /^(?:index [0-9a-f,.]+|similarity index|dissimilarity index|=====)/;
const COMMIT = /^(?:commit [0-9a-f]{7,64}\b|From [0-9a-f]{40} )/;

export const readDiff: ReadForm = (text, lineStarts) => {
  const notes = noteLines(lineStarts.length);
  const reading = new DiffReading(notes);
  for (let line = 0; line < lineStarts.length; line++) {
    reading.read(line, beginningOf(text, lineStarts, line));
    if (line === PATIENCE_LINES && reading.hunks === 0) return undefined;
  }
  return reading.hunks > 0 && reading.files > 0 ? formIfSure("diff", notes, reading) : undefined;
};

/** A long message and the list of files may come first. */
const PATIENCE_LINES = 1_000;

class DiffReading {
  known = 0;
  blank = 0;
  files = 0;
  hunks = 0;
  readonly #notes: LineNotes;
  #commit = -1;
  #file = -1;
  #hunk = -1;
  /** The lines of the hunk that are still to come, on either side. */
  #old = 0;
  #new = 0;
  #isMerged = false;
  /** Whether the file was opened by its old name, and not by a line of git. */
  #isNamed = false;

  constructor(notes: LineNotes) {
    this.#notes = notes;
  }

  read(line: number, said: string): void {
    if (this.#readChange(line, said) || this.#readHunk(line, said) || this.#readFile(line, said)) return;
    if (said === "") {
      this.blank++;
      return skipBlank(this.#notes, line);
    }
    if (COMMIT.test(said)) {
      this.known++;
      [this.#commit, this.#file, this.#hunk] = [line, -1, -1];
      return setLine(this.#notes, line, FIRST);
    }
    // What a commit says of itself, before its files.
    if (this.#commit >= 0 && this.#file < 0) this.known++;
    this.#hunk = -1;
    setLine(this.#notes, line, ORDINARY, this.#file < 0 ? this.#commit : -1);
  }

  /** A line of the hunk, as long as its head announced more of them. */
  #readChange(line: number, said: string): boolean {
    if (this.#hunk < 0 || !(this.#isMerged || this.#old > 0 || this.#new > 0 || said.startsWith("\\")))
      return false;
    const sign = said === "" ? " " : said.charAt(0);
    if (!" +-\\".includes(sign) || (this.#isMerged && FILE.test(said))) return false;
    if (!this.#isMerged && sign !== "\\") this.#count(sign);
    this.known++;
    const isChange = sign === "+" || sign === "-" || (this.#isMerged && /^ [+-]/.test(said));
    setLine(this.#notes, line, isChange ? ORDINARY : DECORATION, this.#hunk);
    return true;
  }

  #count(sign: string): void {
    if (sign !== "+") this.#old--;
    if (sign !== "-") this.#new--;
  }

  #readHunk(line: number, said: string): boolean {
    const head = HUNK.exec(said);
    this.#isMerged = head === null && MERGED_HUNK.test(said);
    if (head === null && !this.#isMerged) return false;
    this.known++;
    this.hunks++;
    this.#hunk = line;
    [this.#old, this.#new] = [Number(head?.[1] ?? 1), Number(head?.[2] ?? 1)];
    setLine(this.#notes, line, STRUCTURE, this.#file);
    return true;
  }

  #readFile(line: number, said: string): boolean {
    if (FILE.test(said) || (OLD_NAME.test(said) && (this.#file < 0 || this.#hunk >= 0))) {
      this.known++;
      this.files++;
      [this.#file, this.#hunk] = [line, -1];
      this.#isNamed = OLD_NAME.test(said);
      setLine(this.#notes, line, FIRST, this.#commit);
      return true;
    }
    if (this.#file < 0 || this.#hunk >= 0) return false;
    const rank = this.#rankInHead(said);
    if (rank === undefined) return false;
    this.known++;
    setLine(this.#notes, line, rank, this.#file);
    return true;
  }

  /** A file has one name before and one after; where git says both in its first line, they are said again. */
  #rankInHead(said: string): number | undefined {
    if (FILE_NOTE.test(said)) return STRUCTURE;
    if (NEW_NAME.test(said)) return this.#isNamed ? FIRST : DECORATION;
    return OLD_NAME.test(said) || FILE_DETAIL.test(said) ? DECORATION : undefined;
  }
}
