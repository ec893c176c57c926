// The accessibility snapshot of a page, as Playwright writes it: an indented list of roles and names. What can be
// clicked or filled comes first, since a reference that is left out cannot be used.

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

/** What a person can use, or must answer before anything else. */
const interactive = new Set(
  (
    "alert alertdialog button checkbox combobox dialog link listbox menuitem menuitemcheckbox menuitemradio radio " +
    "searchbox slider spinbutton switch tab textbox treeitem"
  ).split(" "),
);

/** Containers that say what is in them, even without a name. */
const landmarks = new Set(
  (
    "article banner complementary contentinfo figure form grid iframe main menu menubar navigation radiogroup region " +
    "search table tablist tabpanel toolbar tree treegrid"
  ).split(" "),
);

const others = new Set(
  (
    "application blockquote caption cell code columnheader definition deletion directory document emphasis feed " +
    "generic gridcell group heading img image insertion list listitem log mark marquee math meter none note option " +
    "paragraph presentation progressbar row rowgroup rowheader scrollbar separator status strong subscript " +
    "superscript suggestion term text time timer tooltip"
  ).split(" "),
);

/** An element: `- link "Read more" [ref=e5] [cursor=pointer]: text`, all of it in quotes if YAML needs them. */
const ELEMENT =
  /^( *)- (?:<changed> )?'?([a-z]+)(?: ("(?:[^"\\]|\\.)*"?|\/(?:[^/\\]|\\.)*\/?))?((?: \[[^\]]{0,80}\])*)'?:?(?: (.*))?$/;
/** A property of the element above it, such as `- /url: /about`. */
const PROPERTY = /^( *)- \/([a-z]+):/;
/** Properties that say what an element is for. */
const TELLING = /^(?:placeholder|checked|value)$/;
/** Words that a text shares with a name are looked for in this many characters. */
const NAME_LENGTH = 300;

interface Element {
  readonly indent: number;
  readonly role: string;
  readonly attributes: string;
  /** Its name, else the text behind the colon. */
  readonly said: string;
}

export const readSnapshot: ReadForm = (text, lineStarts) => {
  const notes = noteLines(lineStarts.length);
  const reading = new SnapshotReading(notes);
  for (let line = 0; line < lineStarts.length; line++) {
    reading.read(line, beginningOf(text, lineStarts, line));
    if (reading.isHopeless(line)) return undefined;
  }
  const form = reading.hasRoles ? formIfSure("tree", notes, reading) : undefined;
  return form === undefined ? undefined : { ...form, structureShare: 1 };
};

/** A text that does not look like a snapshot after this many lines is no snapshot: the rest need not be read. */
const PATIENCE_LINES = 500;
/** The lines before the tree say what page it is; longer texts are something else. */
const MAX_PREFACE_LINES = 40;

class SnapshotReading {
  known = 0;
  blank = 0;
  #withRole = 0;
  /** Whether elements have references: then one without a reference is not shown to people. */
  #hasRefs: boolean | undefined;
  readonly #notes: LineNotes;
  readonly #ancestors = new Ancestors();
  /**
   * What can be clicked around the line, and its name: texts in it that say the same are repeats. The first text in what
   * has no name of its own says what it is.
   */
  readonly #usable: { readonly indent: number; name: string }[] = [];

  constructor(notes: LineNotes) {
    this.#notes = notes;
  }

  get hasRoles(): boolean {
    return this.#withRole > this.known / 2;
  }

  isHopeless(line: number): boolean {
    return line === PATIENCE_LINES && this.known < line / 4;
  }

  read(line: number, said: string): void {
    const property = PROPERTY.exec(said);
    if (property !== null) return this.#enterProperty(line, property);
    const element = elementIn(said);
    if (element !== undefined) return this.#enterElement(line, element);
    if (said.trim() === "") {
      this.blank++;
      return skipBlank(this.#notes, line);
    }
    this.#readOutside(line, said);
  }

  #enterProperty(line: number, [, indent = "", name = ""]: RegExpExecArray): void {
    this.known++;
    const parent = this.#ancestors.enter(line, indent.length);
    setLine(this.#notes, line, TELLING.test(name) ? ORDINARY : DECORATION, parent);
  }

  #enterElement(line: number, element: Element): void {
    const { indent, role, said } = element;
    this.known++;
    if (isRole(role)) this.#withRole++;
    const parent = this.#ancestors.enter(line, indent);
    while ((this.#usable.at(-1)?.indent ?? -1) >= indent) this.#usable.pop();
    this.#hasRefs ??= element.attributes.includes("[ref=");
    const isUsable = isInteractive(element, this.#hasRefs);
    setLine(this.#notes, line, isUsable ? STRUCTURE : this.#rankOfText(element), parent);
    if (isUsable) this.#usable.push({ indent, name: said });
  }

  #rankOfText({ role, said }: Element): number {
    if (said === "") return landmarks.has(role) ? ORDINARY : DECORATION;
    const around = this.#usable.at(-1);
    if (around === undefined) return ORDINARY;
    if (around.name !== "") return around.name.includes(said) ? DECORATION : ORDINARY;
    around.name = said;
    return STRUCTURE;
  }

  /** The lines around the tree: which page it is of, or what else the tool says. */
  #readOutside(line: number, said: string): void {
    this.#ancestors.clear();
    this.#usable.length = 0;
    const isFence = /^(?:```|~~~)/.test(said);
    if (isFence) this.blank++;
    const isPreface = line < MAX_PREFACE_LINES && this.#withRole === 0;
    setLine(this.#notes, line, isFence ? DECORATION : isPreface ? FIRST : ORDINARY);
  }
}

function elementIn(line: string): Element | undefined {
  const found = ELEMENT.exec(line);
  if (found === null) return undefined;
  const [, indent = "", role = "", name = "", attributes = "", text = ""] = found;
  const said = (name || text).replaceAll(/^"|"$/g, "").slice(0, NAME_LENGTH);
  return { indent: indent.length, role, attributes, said };
}

function isRole(role: string): boolean {
  return interactive.has(role) || landmarks.has(role) || others.has(role);
}

/** By its role, or because the pointer over it is that of a link. */
function isInteractive({ role, attributes }: Element, hasRefs: boolean): boolean {
  if (hasRefs && !attributes.includes("[ref=")) return false;
  return interactive.has(role) || attributes.includes("[cursor=pointer]");
}
