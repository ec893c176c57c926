// The elements of a recorded snapshot, read from its lines alone, so that what is measured is not what measures.

export interface PageElement {
  /** The line of the snapshot, counted from 0. */
  readonly line: number;
  readonly role: string;
  readonly name: string;
  readonly ref: string;
  /** Whether no other element of its role has its name. */
  readonly isUnique: boolean;
  /** The nearest heading above it, or the name of what contains it. */
  readonly place: string;
}

const USABLE =
  "button|checkbox|combobox|link|listbox|menuitem|menuitemcheckbox|menuitemradio|radio|searchbox|slider|spinbutton|switch|tab|textbox|treeitem";
const usable = new RegExp(String.raw`^\s*- '?(?:${USABLE})\b.*\[ref=(\w+)\]`);
const named = /^\s*- '?([a-z]+) "((?:[^"\\]|\\.)*)".*?\[ref=(\w+)\]/;
const titled =
  /^\s*- '?(?:heading|navigation|region|form|dialog|banner|table|list|group|article) "((?:[^"\\]|\\.)*)"/;

/** Named links and buttons, in their order. */
export function namedElements(text: string): readonly PageElement[] {
  const found: Omit<PageElement, "isUnique">[] = [];
  let place = "";
  for (const [line, said] of text.split("\n").entries()) {
    const [, role = "", quoted = "", ref = ""] = named.exec(said) ?? [];
    const name = plain(quoted);
    // The letters of an icon are no name.
    const isNamed = (role === "link" || role === "button") && /[\p{L}\p{N}]/u.test(name);
    if (isNamed) found.push({ line, role, name, ref, place });
    else place = plain(titled.exec(said)?.[1] ?? place);
  }
  const counts = new Map<string, number>();
  const keyOf = ({ role, name }: Pick<PageElement, "role" | "name">): string => `${role} ${name}`;
  for (const one of found) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return found.map((one) => ({ ...one, isUnique: counts.get(keyOf(one)) === 1 }));
}

/** As a person reads it: without the escapes of YAML and of quotes. */
function plain(name: string): string {
  return name.replaceAll("''", "'").replaceAll(/\\(.)/g, "$1").trim();
}

/** This many, from the first to the last in even steps. */
export function evenly<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items;
  return Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)]).flatMap(
    (item) => (item === undefined ? [] : [item]),
  );
}

/** The lines of a tree in three kinds. */
export interface SnapshotLines {
  /** The references of what can be clicked or filled. */
  readonly usable: readonly string[];
  /** What contains such elements. */
  readonly around: readonly string[];
  /** Everything else. */
  readonly others: readonly string[];
  /** Lines whose parent, by the tree of the whole, is missing. */
  readonly orphans: readonly string[];
}

/** The lines of a text, perhaps cut; `whole` is the text before the cut. */
export function linesOf(whole: string, text: string = whole): SnapshotLines {
  const parents = parentsIn(whole);
  const lines = text.split("\n").filter((line) => ITEM.test(line));
  const used = lines.filter((line) => usable.test(line));
  const around = new Set<string>();
  for (const line of used)
    for (let at = parents.get(line); at !== undefined && !around.has(at); at = parents.get(at))
      around.add(at);
  const kept = new Set(lines);
  return {
    usable: used.flatMap((line) => usable.exec(line)?.[1] ?? []),
    around: lines.filter((line) => !usable.test(line) && around.has(line)),
    others: lines.filter((line) => !usable.test(line) && !around.has(line)),
    orphans: lines.filter((line) => !kept.has(parents.get(line) ?? line)),
  };
}

const ITEM = /^ *- /;

/** The line that holds each line with a reference, which no other line has. */
function parentsIn(whole: string): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  const open: { readonly indent: number; readonly line: string }[] = [];
  for (const line of whole.split("\n")) {
    const indent = line.search(/\S/);
    if (!ITEM.test(line)) continue;
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const parent = open.at(-1)?.line;
    if (parent !== undefined && line.includes("[ref=")) parents.set(line, parent);
    open.push({ indent, line });
  }
  return parents;
}
