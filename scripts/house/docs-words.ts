import { readFileSync, readdirSync } from "node:fs";

export interface DocsWords {
  readonly total: number;
  readonly parts: readonly { readonly part: string; readonly words: number }[];
  readonly longest: readonly { readonly page: string; readonly words: number }[];
}

/** It shows these figures, so it cannot be one of them. */
const ownPage = "docs/house.md";
const LONGEST = 10;

const MANUAL = "the manual with the README";
const GENERATED = "generated: reference, lists, what clients show";

/** The first that a page begins with; any other page is of the manual. */
const places: readonly (readonly [start: string, part: string])[] = [
  ["docs/decisions/", "decisions"],
  ["docs/documents/", "pages of the source documents"],
  ["docs/reference/", GENERATED],
  ["docs/README.md", GENERATED],
  ["docs/sources.md", GENERATED],
  ["docs/clients.md", GENERATED],
];

const partOf = (name: string): string => places.find(([start]) => name.startsWith(start))?.[1] ?? MANUAL;

/** Words as `wc -w` counts them: everything between spaces. `written` has pages that are newer than their files. */
export function docsWords(root: string, written: ReadonlyMap<string, string> = new Map()): DocsWords {
  const pages = readdirSync(`${root}docs`, { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((page) => page.endsWith(".md") && page !== ownPage);
  const counted = ["README.md", ...pages.toSorted()].map((page) => {
    const text = written.get(page) ?? readFileSync(`${root}${page}`, "utf8");
    return { page, words: text.match(/\S+/g)?.length ?? 0 };
  });
  const sum = (list: typeof counted): number => list.reduce((all, { words }) => all + words, 0);
  const names = [...new Set([MANUAL, ...places.map(([, part]) => part)])];
  const parts = names.map((part) => ({
    part,
    words: sum(counted.filter(({ page }) => partOf(page) === part)),
  }));
  return {
    total: sum(counted),
    parts,
    // A generated list is as long as what it lists; only a page written by hand can be too long.
    longest: counted
      .filter(({ page }) => partOf(page) !== GENERATED)
      .toSorted((a, b) => b.words - a.words)
      .slice(0, LONGEST),
  };
}
