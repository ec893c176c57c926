// YAML: what contains other lines, and what names it, before values; comments last.

import {
  Ancestors,
  beginningOf,
  formIfSure,
  type LineNotes,
  noteLines,
  setLine,
  skipBlank,
} from "./line-walk.ts";
import { DECORATION, FIRST, ORDINARY, type ReadForm, STRUCTURE } from "./text-form.ts";

/** A key at the beginning of a line or item, and what is behind it. */
const KEY =
  /^( *)((?:- +)*)((?:"[^"]*"|'[^']*'|[\w$@.*~/<>+-]+(?: [\w$@.*~/<>+-]+){0,4}))[ \t]*:(?:[ \t]+(.*))?$/;
const ITEM = /^( *)-(?:\s+(.*))?$/;
const DOCUMENT = /^(?:---|\.\.\.)(?:\s|$)|^%YAML/;
const COMMENT = /^\s*#/;
/** A value of several lines follows, each deeper than its key. */
const BLOCK_SCALAR = /^(?:[&!]\S+ )*[|>][+-]?[1-9]?[+-]?\s*(?:#.*)?$/;
/** A value that other lines continue. */
const OPEN_VALUE = /^(?:"(?:[^"\\]|\\.)*|'[^']*|\[[^\]]*)$/;
const VALUE = /^\s+["'[\]{}]/;
/** How lines of code and of JSON end, which have colons too. */
const FOREIGN_END = /[,;{(]$/;
/** What tells one thing from the others. */
const NAMING = /^["']?(?:id|kind|name|title|uses)["']?$/i;

export const readYaml: ReadForm = (text, lineStarts) => {
  if (/^\s*[{[]/.test(text.slice(0, 100))) return undefined;
  const notes = noteLines(lineStarts.length);
  const reading = new YamlReading(notes);
  for (let line = 0; line < lineStarts.length; line++) {
    reading.read(line, beginningOf(text, lineStarts, line));
    if (reading.isHopeless(line)) return undefined;
  }
  return reading.isNested ? formIfSure("tree", notes, reading) : undefined;
};

/** A text that does not look like YAML after this many lines is no YAML: the rest need not be read. */
const PATIENCE_LINES = 500;
/** The least shares of nested lines and of keys, among lines with keys and items: a list of headers is no YAML. */
const MIN_NESTED_SHARE = 0.3;
const MIN_KEY_SHARE = 0.4;

class YamlReading {
  known = 0;
  /** Lines that are not judged. */
  blank = 0;
  #keys = 0;
  #items = 0;
  #nested = 0;
  readonly #notes: LineNotes;
  readonly #ancestors = new Ancestors();
  /** The key whose value the following deeper lines are. */
  #scalar: { readonly line: number; readonly indent: number } | undefined;

  constructor(notes: LineNotes) {
    this.#notes = notes;
  }

  get isNested(): boolean {
    const lines = this.#keys + this.#items;
    return this.#nested >= lines * MIN_NESTED_SHARE && this.#keys >= lines * MIN_KEY_SHARE;
  }

  isHopeless(line: number): boolean {
    return line === PATIENCE_LINES && this.known < line / 4;
  }

  read(line: number, said: string): void {
    if (said.trim() === "") {
      this.blank++;
      return skipBlank(this.#notes, line);
    }
    if (this.#goesOn(line, said)) return;
    if (FOREIGN_END.test(said)) return this.#enterOther(line, said);
    if (DOCUMENT.test(said)) return this.#enterDocument(line);
    if (COMMENT.test(said)) return this.#enterComment(line);
    const key = KEY.exec(said);
    if (key !== null) return this.#enterKey(line, key);
    const item = ITEM.exec(said);
    if (item !== null) return this.#enterItem(line, item);
    // A value may be below its key, such as a list in brackets with an item a line.
    if (VALUE.test(said)) this.known++;
    this.#enterOther(line, said);
  }

  /** A line of a value that began above. */
  #goesOn(line: number, said: string): boolean {
    const scalar = this.#scalar;
    if (scalar === undefined) return false;
    const isDeeper = said.search(/\S/) > scalar.indent;
    // What closes a list is below its key.
    if (!isDeeper && !/^\s*[\]}]/.test(said)) {
      this.#scalar = undefined;
      return false;
    }
    // Such lines could be of anything: they speak neither for YAML nor against it.
    this.blank++;
    setLine(this.#notes, line, ORDINARY, scalar.line);
    return true;
  }

  /** Whatever a document contains is deeper than the line above it. */
  #enterDocument(line: number): void {
    this.known++;
    this.#ancestors.clear();
    this.#ancestors.enter(line, -1);
    setLine(this.#notes, line, STRUCTURE);
  }

  /** A comment is about the lines below it, which it does not contain. */
  #enterComment(line: number): void {
    this.blank++;
    setLine(this.#notes, line, DECORATION);
  }

  #enterKey(line: number, [, indent = "", dashes = "", key = "", value = ""]: RegExpExecArray): void {
    this.known++;
    this.#keys++;
    const at = indent.length + dashes.length;
    const parent = this.#open(line, indent.length, dashes !== "");
    if (indent !== "" || dashes !== "") this.#nested++;
    this.#watchValue(line, at, value);
    const contains = value === "" || /^[&!]\S+$/.test(value);
    const isTelling = contains || NAMING.test(key);
    const rank = isTelling || dashes !== "" ? STRUCTURE : ORDINARY;
    setLine(this.#notes, line, at === 0 && isTelling ? FIRST : rank, parent);
  }

  #enterItem(line: number, [, indent = "", value = ""]: RegExpExecArray): void {
    this.known++;
    this.#items++;
    const parent = this.#open(line, indent.length, true);
    if (parent >= 0) this.#nested++;
    this.#watchValue(line, indent.length, value);
    setLine(this.#notes, line, ORDINARY, parent);
  }

  #enterOther(line: number, said: string): void {
    setLine(this.#notes, line, ORDINARY, this.#open(line, said.search(/\S/), false));
  }

  /** The items of a key may be as far left as the key. */
  #open(line: number, indent: number, isItem: boolean): number {
    return this.#ancestors.enter(line, indent * 2 + (isItem ? 1 : 0));
  }

  #watchValue(line: number, indent: number, value: string): void {
    const goesOn = BLOCK_SCALAR.test(value) || OPEN_VALUE.test(value);
    this.#scalar = goesOn && value !== "" ? { line, indent } : undefined;
  }
}
