// Stack traces of Node, Python, Java, .NET, Ruby and PHP: what went wrong, then the frames of the program's own
// code, then those of libraries, last those of the runtime itself.

import { beginningOf, formIfSure, type LineNotes, noteLines, setLine, skipBlank } from "./line-walk.ts";
import { DECORATION, FIRST, ORDINARY, type ReadForm, STRUCTURE } from "./text-form.ts";

/** A frame. Each begins with what no sentence begins with, and has a place in the code. */
const frames: readonly RegExp[] = [
  // Node and Java: "at read (/srv/app.js:12:5)", "at org.example.App.main(App.java:14)"; .NET: "in app.cs:line 12"
  /^\s*at (?:async )?[^\n]{0,800}(?:[:(]\d+(?::\d+)?\)?|\((?:Native Method|Unknown Source|<anonymous>|native|index \d+|[\w-]+\.\w+)\)| in .{1,400}:line \d+|\.[\w<>`]+\(.{0,300}\))\s*(?:~?\[.{0,100}\])?[ ,{}]*$/,
  /^\s*File "[^"\n]{1,400}", line \d+/,
  /^\s*from \S{1,400}\.rb:\d+:in /,
  // PHP
  /^#\d+ (?:\S{1,400}\(\d+\): |\{main\}|\[internal function\])/,
];
/** What is left out by the program that wrote the trace. */
const MORE_FRAMES =
  /^\s*(?:\.\.\. \d+ (?:more|common frames omitted)|\[Previous line repeated \d+ more times\]|\.\.\.\d+ frames elided\.\.\.)/;

/** Frames of the runtime, which are the same in every trace. */
const RUNTIME =
  /\bnode:|\(internal\/|<frozen |<anonymous>\)?$|\/lib\/python\d(?:\.\d+)?\/(?!(?:site|dist)-packages)|\bat (?:app\/\/|java\.base\/|jdk\.|sun\.|com\.sun\.|java\.|javax\.|System\.|Microsoft\.)|\[internal function\]/;
/** Frames of libraries: what a package manager has installed, and what nearly every program of the language uses. */
const LIBRARY =
  /[/\\](?:node_modules|site-packages|dist-packages|vendor|gems)[/\\]|\bat (?:\S{1,40}\/\/?)?(?:org\.(?:apache|springframework|junit|hibernate|eclipse|jboss|gradle|mockito)|io\.(?:netty|undertow|micronaut|quarkus)|com\.(?:fasterxml|google|zaxxer)|reactor|kotlin|kotlinx|scala|akka)\./;

const HEAD = /^Traceback \(most recent call last\)|^(?:PHP )?Stack ?trace:/i;
/** The name of an error at the beginning of a line, as each language prints it before its message. */
const MESSAGE =
  /^\s*(?:\+ |\| )?(?:Uncaught |Unhandled (?:exception|rejection)[.:]? |Exception in thread "[^"]{0,100}" |Caused by: |Suppressed: |\[cause\]: |PHP )?(?:[\w$]+[.:\\]{1,2})*(?:[A-Z][\w$]*)?(?:Error|Exception|Warning|Failure|Throwable|Interrupt|Exit|Fault)\b|^\s*(?:Caused by|Suppressed|(?:PHP )?Fatal error)\b|^\S{1,300}\.rb:\d+:in /;
/** What an error of Node has besides its message: `code: "ENOENT",`. */
const FIELD = /^\s+(?:[\w$]{1,40}|\[[\w$]{1,40}\]): /;
/** The line of code that a trace shows under a frame, and what points into it. */
const POINTER = /^\s*[\^~]+[\^~ ]*$/;

export const readTrace: ReadForm = (text, lineStarts) => {
  const notes = noteLines(lineStarts.length);
  const reading = new TraceReading(notes);
  for (let line = 0; line < lineStarts.length; line++) {
    reading.read(line, beginningOf(text, lineStarts, line));
    if (line === PATIENCE_LINES && reading.frames < MIN_FRAMES) return undefined;
  }
  if (reading.frames < MIN_FRAMES) return undefined;
  const form = formIfSure("trace", notes, reading);
  // Where the program's own code went wrong is asked first of a trace, wherever the trace says it.
  return form === undefined ? undefined : { ...form, sameAs: reading.sameAs, structureShare: 1 };
};

const PATIENCE_LINES = 500;
const MIN_FRAMES = 4;
/** How many lines a message may have before its first frame. */
const MAX_MESSAGE_LINES = 20;

class TraceReading {
  known = 0;
  blank = 0;
  frames = 0;
  readonly sameAs: Int32Array;
  readonly #notes: LineNotes;
  readonly #firsts = new Map<string, number>();
  /** What the frames below belong to: a message, or the head of a trace. */
  #head = -1;
  #frame = -1;
  #frameRank = ORDINARY;
  /** Whether the error is said after its frames, as in Python. */
  #isMessageLast = false;
  /** How many lines the message has so far; -1 outside of one. */
  #messageLines = -1;

  constructor(notes: LineNotes) {
    this.#notes = notes;
    this.sameAs = Int32Array.from(notes.ranks, (_, line) => line);
  }

  read(line: number, said: string): void {
    if (said.trim() === "") return this.#skipBlank(line);
    if (frames.some((frame) => frame.test(said))) return this.#enterFrame(line, said);
    if (HEAD.test(said)) return this.#enterHead(line, said);
    if (MORE_FRAMES.test(said)) return this.#note(line, DECORATION, this.#head);
    if (this.#isCode(said)) return this.#enterCode(line, said);
    if (MESSAGE.test(said) || this.#isMessage(said)) return this.#enterMessage(line);
    this.#readOther(line, said);
  }

  #skipBlank(line: number): void {
    this.blank++;
    skipBlank(this.#notes, line);
    this.#frame = -1;
  }

  #note(line: number, rank: number, parent: number): void {
    this.known++;
    setLine(this.#notes, line, rank, parent);
  }

  #enterFrame(line: number, said: string): void {
    this.frames++;
    this.#frame = line;
    this.#frameRank = RUNTIME.test(said) ? DECORATION : LIBRARY.test(said) ? ORDINARY : STRUCTURE;
    this.#messageLines = -1;
    this.#note(line, this.#frameRank, this.#head);
    const first = this.#firsts.get(said);
    if (first === undefined) this.#firsts.set(said, line);
    else this.sameAs[line] = first;
  }

  #enterHead(line: number, said: string): void {
    this.#isMessageLast = said.startsWith("Traceback");
    this.#note(line, STRUCTURE, -1);
    [this.#head, this.#frame, this.#messageLines] = [line, -1, -1];
  }

  /** Under a frame is the line of code that it is at. */
  #isCode(said: string): boolean {
    return this.#frame >= 0 && (POINTER.test(said) || (this.#isMessageLast && /^ {3}/.test(said)));
  }

  #enterCode(line: number, said: string): void {
    const isLess = POINTER.test(said) || this.#frameRank !== STRUCTURE;
    this.#note(line, isLess ? DECORATION : ORDINARY, this.#frame);
  }

  /** Whatever its name, the error is after the frames of a Python trace, as far left as its head. */
  #isMessage(said: string): boolean {
    return this.#isMessageLast && this.#frame >= 0 && !/^\s/.test(said);
  }

  #enterMessage(line: number): void {
    this.#note(line, FIRST, this.#isMessageLast ? this.#head : -1);
    // In Python the next trace has its own head.
    [this.#head, this.#frame, this.#messageLines] = [line, -1, 0];
    this.#isMessageLast = false;
  }

  /** More lines of a message, or what the program said between two traces. */
  #readOther(line: number, said: string): void {
    this.#frame = -1;
    if (this.#head >= 0 && FIELD.test(said)) return this.#note(line, ORDINARY, this.#head);
    if (this.#messageLines >= 0 && this.#messageLines < MAX_MESSAGE_LINES) {
      this.#messageLines++;
      return this.#note(line, STRUCTURE, this.#head);
    }
    setLine(this.#notes, line, ORDINARY);
  }
}
