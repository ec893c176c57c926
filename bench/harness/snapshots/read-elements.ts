// The elements of a recorded snapshot, read from its lines alone, so that what is measured is not what measures.

export interface PageElement {
  /** The line of the snapshot, counted from 0. */
  readonly line: number;
  readonly role: string;
  readonly name: string;
  readonly ref: string;
  /** Whether no other element of its role has its name. */
  readonly isUnique: boolean;
  /** The nearest heading above it, or the name of what it stands in. */
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
    const [, role = "", name = "", ref = ""] = named.exec(said) ?? [];
    if (role === "link" || role === "button") found.push({ line, role, name: plain(name), ref, place });
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

/** The references of a text in two kinds: of what can be clicked or filled, and of everything else. */
export interface SnapshotLines {
  readonly usable: ReadonlySet<string>;
  /** Lines of the tree that show nothing that can be used, one for each. */
  readonly others: readonly string[];
}

export function linesOf(text: string): SnapshotLines {
  const lines = text.split("\n").filter((line) => /^\s*- /.test(line));
  const refs = lines.flatMap((line) => usable.exec(line)?.[1] ?? []);
  return { usable: new Set(refs), others: lines.filter((line) => !usable.test(line)) };
}

/** Kept lines of the tree of which something that they stand in is missing: the nearest deeper line is not theirs. */
export function withoutAncestors(whole: string, cut: string): number {
  const parents = new Map<string, string>();
  const open: { readonly indent: number; readonly line: string }[] = [];
  for (const line of whole.split("\n")) {
    const indent = line.search(/\S/);
    if (!line.startsWith("- ", indent)) continue;
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const parent = open.at(-1)?.line;
    if (parent !== undefined && line.includes("[ref=")) parents.set(line, parent);
    open.push({ indent, line });
  }
  const kept = new Set(cut.split("\n"));
  return [...kept].filter((line) => {
    const parent = parents.get(line);
    return parent !== undefined && !kept.has(parent);
  }).length;
}
