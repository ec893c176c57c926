// What is kept of a text whose form is known: the passages that match the words of the call, then the lines that the form
// puts first, its structure, both ends, and what else has room. Every line brings the lines that give it its meaning, and
// of lines that say the same only the first is chosen.

import type { LineOrder } from "../../text/forms/order-lines.ts";
import type { KnownForm } from "../../text/forms/recognise-form.ts";
import { DECORATION, FIRST, ORDINARY, STRUCTURE, lineEnd } from "../../text/forms/text-form.ts";
import type { Passage } from "../../text/passages.ts";
import type { WeighPart } from "./cut-text.ts";
import { type ChosenLines, longNote, longestNote, notesOn } from "./gap-notes.ts";
import { LEAST_MARKS, type LineTools } from "./keep-lines.ts";
import { type KeptLines, weighMark, withMarks } from "./mark-gaps.ts";
import { MAX_TOKEN_BYTES } from "./weigh-parcel.ts";

/** The share of the remaining room that each part may take when its turn comes. */
const SHARES = { passages: 0.6, structure: 0.6, tail: 0.4, head: 0.5, repeats: 0.5 } as const;
/** The most passages that are kept although their lines say the same as other kept lines. */
const MAX_ALIKE = 3;
/** How many lines without room may be skipped before others are chosen. */
const MAX_MISSES = 8;

/** The note on the largest gap may take this share of the room. */
const LONG_NOTE_SHARE = 0.1;
/** More lines than these weigh more than a mark. */
const MAX_FILLED_LINES = 8;

export interface FormTools extends LineTools {
  readonly form: KnownForm;
  readonly order: LineOrder;
}

/** Undefined if there is no room for lines of several places. */
export function keepForm(text: string, room: number, known: FormTools): KeptLines | undefined {
  const { form, order } = known;
  const tools = { ...known, marksInBlocks: form.kind === "tree" };
  const mark = weighMark(room, tools, longestNote(form));
  if (room < mark * LEAST_MARKS) return undefined;
  const noted = tools.weigh(longNote(form), room);
  const hasLongNote = noted <= room * LONG_NOTE_SHARE;
  const choice = new LineChoice(text, form, {
    room: hasLongNote ? room - noted : room,
    mark,
    weigh: tools.weigh,
  });
  const takeAll = (rank: number): boolean => choice.take(order[rank] ?? []);
  choice.within(SHARES.passages, () => keepPassages(known.ranked(), choice, form));
  takeAll(FIRST);
  choice.within(form.structureShare ?? SHARES.structure, () => void takeAll(STRUCTURE));
  const last = form.ranks.length - 1;
  const isTold = (line: number): boolean =>
    form.ranks[line] !== DECORATION && (form.sameAs === undefined || form.sameAs[line] === line);
  choice.within(SHARES.tail, () => choice.walk(last, -1, (line) => line > last - LAST_LINES || isTold(line)));
  choice.within(SHARES.head, () => choice.walk(0, 1, isTold));
  takeAll(STRUCTURE);
  // Where statements have no room, a line of an import says nothing.
  if (takeAll(ORDINARY) || form.kind !== "code") takeAll(DECORATION);
  choice.within(SHARES.repeats, () => void choice.take(repeatedStructure(form)));
  choice.walk(last, -1, () => true);
  if (choice.isEmpty) return undefined;
  choice.closeShortGaps();
  return withMarks(text, choice.parts(), tools, notesOn(form, { ...choice.result(), hasLongNote }));
}

/** The repeats of errors in a log: when one came again says more than one more ordinary line. */
function* repeatedStructure({ ranks, sameAs }: KnownForm): Generator<number> {
  if (sameAs === undefined) return;
  for (const [line, first] of sameAs.entries()) if (first !== line && ranks[line] === STRUCTURE) yield line;
}

/** The last lines are kept whatever they say: they are what happened last. */
const LAST_LINES = 4;

/** The best passages that have room; many that say the same would say no more than a few. */
function keepPassages(ranked: readonly Passage[], choice: LineChoice, form: KnownForm): void {
  const { sameAs } = form;
  let alike = 0;
  for (const passage of ranked) {
    const lines = withoutDecoration(choice.linesOf(passage), form);
    const isAlike =
      sameAs !== undefined && lines.every((each) => sameAs[each] !== each && choice.has(sameAs[each] ?? -1));
    if (isAlike && ++alike > MAX_ALIKE) continue;
    if (!choice.add(lines) && lines.length === 1) choice.addPiece(passage);
  }
}

/** A passage without the decoration of a tree whose parent is in the passage too: it says no more than the parent. */
function withoutDecoration(lines: readonly number[], { kind, parents, ranks }: KnownForm): readonly number[] {
  if (kind !== "tree") return lines;
  return lines.filter((line) => ranks[line] !== DECORATION || !lines.includes(parents[line] ?? -1));
}

interface Limits {
  readonly room: number;
  /** What a gap costs. */
  readonly mark: number;
  readonly weigh: WeighPart;
}

/** The lines that are kept so far, and the room that is left. */
class LineChoice {
  readonly #text: string;
  readonly #form: KnownForm;
  readonly #limits: Limits;
  readonly #kept: Uint8Array;
  readonly #pieces: Passage[] = [];
  #left: number;

  constructor(text: string, form: KnownForm, limits: Limits) {
    this.#text = text;
    this.#form = form;
    this.#limits = limits;
    this.#kept = new Uint8Array(form.ranks.length);
    // What is not kept of the whole text is one gap.
    this.#left = limits.room - limits.mark;
  }

  get isEmpty(): boolean {
    return !this.#kept.includes(1);
  }

  has(line: number): boolean {
    return this.#kept[line] === 1;
  }

  /** Lets something be chosen within a share of what is left. */
  within(share: number, choose: () => void): void {
    const reserved = Math.floor(this.#left * (1 - share));
    this.#left -= reserved;
    choose();
    this.#left += reserved;
  }

  /** Adds as many of the lines as have room; false if some have no room. */
  take(lines: Iterable<number>): boolean {
    let misses = 0;
    for (const line of lines) {
      if (this.#left <= 0 || misses > MAX_MISSES) return false;
      if (!this.add([line])) misses++;
    }
    return misses === 0;
  }

  /** Adds the wanted lines one by one, from a line on, until one has no room. */
  walk(from: number, step: 1 | -1, wants: (line: number) => boolean): void {
    for (let line = from; line >= 0 && line < this.#kept.length; line += step)
      if (wants(line) && !this.add([line])) return;
  }

  /** Adds these lines and all that give them their meaning, or none of them. */
  add(lines: readonly number[]): boolean {
    const added: number[] = [];
    let left = this.#left;
    for (const line of lines) {
      for (let at = line; at >= 0 && !this.has(at) && left >= 0; at = this.#form.parents[at] ?? -1) {
        // A count that stops above its limit is not exact, so the mark that is saved counts first.
        left -= this.#marksFor(at) * this.#limits.mark;
        left -= this.#weightOf(at, Math.max(0, left));
        this.#kept[at] = 1;
        added.push(at);
      }
    }
    if (left >= 0) {
      this.#left = left;
      return true;
    }
    for (const line of added) this.#kept[line] = 0;
    return false;
  }

  /** Adds a part of a line that has no room itself. */
  addPiece(piece: Passage): void {
    const weight = this.#limits.weigh(this.#text.slice(piece.start, piece.end), this.#left);
    const parent = this.#form.parents[piece.line - 1] ?? -1;
    const rest = this.#left - weight - 2 * this.#limits.mark;
    if (rest < 0) return;
    const before = this.#left;
    this.#left = rest;
    if (parent < 0 || this.add([parent])) this.#pieces.push(piece);
    else this.#left = before;
  }

  /** The whole lines of a passage, which may begin or end within a line. */
  linesOf({ start, end, line }: Passage): readonly number[] {
    const lines: number[] = [];
    for (let at = line - 1; at < this.#kept.length; at++) {
      if ((this.#form.lineStarts[at] ?? end) >= Math.max(end, start + 1)) break;
      lines.push(at);
    }
    return lines;
  }

  /** A gap that weighs no more than its mark is filled. */
  closeShortGaps(): void {
    for (let last = this.#kept.indexOf(1); last >= 0;) {
      const gap = this.#kept.indexOf(0, last);
      const next = gap < 0 ? -1 : this.#kept.indexOf(1, gap);
      if (next > 0 && next - gap <= MAX_FILLED_LINES)
        this.add(Array.from({ length: next - gap }, (_, at) => gap + at));
      last = next;
    }
  }

  /** What a note on a gap may ask. */
  result(): Pick<ChosenLines, "missing" | "has"> {
    const kept = this.#kept;
    const missing = kept.reduce((sum, each) => sum - each, kept.length);
    return { missing, has: (line) => kept[line] === 1 };
  }

  /** What is kept, in order; lines that follow each other are one part. */
  parts(): readonly Passage[] {
    const { lineStarts } = this.#form;
    const parts = this.#pieces.filter(({ line }) => !this.has(line - 1));
    for (let line = this.#kept.indexOf(1); line >= 0;) {
      const gap = this.#kept.indexOf(0, line);
      const next = gap < 0 ? this.#kept.length : gap;
      const end = lineEnd(this.#text, lineStarts, next - 1);
      parts.push({ start: lineStarts[line] ?? 0, end, line: line + 1 });
      line = this.#kept.indexOf(1, next);
    }
    return parts.sort((a, b) => a.start - b.start);
  }

  #weightOf(line: number, limit: number): number {
    const { lineStarts } = this.#form;
    const start = lineStarts[line] ?? 0;
    const end = lineEnd(this.#text, lineStarts, line);
    // A line this long has no room, which is certain without reading it.
    if (end - start > limit * MAX_TOKEN_BYTES) return limit + 1;
    return this.#limits.weigh(this.#text.slice(start, end), limit);
  }

  /** A line within a gap makes two of it, one between two kept lines closes it. */
  #marksFor(line: number): number {
    const isKeptBefore = line === 0 || this.has(line - 1);
    const isKeptAfter = line === this.#kept.length - 1 || this.has(line + 1);
    if (isKeptBefore && isKeptAfter) return -1;
    return isKeptBefore || isKeptAfter ? 0 : 1;
  }
}
