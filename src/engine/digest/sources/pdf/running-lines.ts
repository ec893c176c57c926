import type { TextLine } from "./join-lines.ts";

// Running headers and footers: lines at the top or bottom of a page that return on other pages, at the same height,
// with the same words or with only the number of the page changed. They are no part of the text: between the halves
// of a sentence that goes on over a page they tear it, and repeated a hundred times they seem to be what it is about.

/** As many lines are looked at above and below the text of a page. */
const EDGE_LINES = 3;
/** A line that returns on fewer pages may be there by chance. */
const MIN_PAGES = 3;
/** Lines beside each other differ by less, in the page's own units. */
const SAME_HEIGHT = 2;
/** Between pages they may differ more: the first often begins a little lower. */
const NEARLY_SAME_HEIGHT = 10;
/** A heading is larger than the text; a running line is not. */
const LARGER_THAN_TEXT = 1.15;
const MAX_CHARS = 300;
const MAX_NUMBERS = 8;
/** Between the number of the page and one end of its line are at most so many characters. */
const MAX_BESIDE_NUMBER = 16;
/** A page with more lines at its edges is a drawing, not a text. */
const MAX_EDGES = 32;
const NUMBERS = /\d+/g;
const ONLY_NUMBER = /^[^\p{L}\p{N}]*\d+[^\p{L}\p{N}]*$/u;

/** A line at the top or bottom of a page, and its range in the text of the page. */
interface EdgeLine {
  readonly text: string;
  readonly baseline: number;
  readonly isLarge: boolean;
  readonly start: number;
  readonly end: number;
}

/** A page as it was joined, and those of its lines that may be running lines. */
export interface JoinedPage {
  readonly text: string;
  readonly edges: readonly EdgeLine[];
  /** Whether other lines would be left. */
  readonly hasMore: boolean;
}

/** A line with its range in the text of its page. */
export interface PlacedLine {
  readonly line: TextLine;
  readonly start: number;
  readonly end: number;
}

/** The page with its outermost lines; a line that is turned, or in a font without a size, is not looked at. */
export function joinedPage(text: string, lines: readonly PlacedLine[]): JoinedPage {
  const upright = lines.filter(({ line, start, end }) => line.angle === 0 && line.height > 0 && end > start);
  const usual = middleOf(upright.map(({ line }) => line.height));
  const heights = levelsOf(upright.map(({ line }) => line.baseline));
  const outer = [...heights.slice(0, EDGE_LINES), ...heights.slice(-EDGE_LINES)];
  const edges = upright
    .filter(({ line }) => outer.some((height) => Math.abs(height - line.baseline) < SAME_HEIGHT))
    .filter(({ start, end }) => end - start <= MAX_CHARS);
  if (edges.length > MAX_EDGES) return { text, edges: [], hasMore: true };
  return {
    text,
    edges: edges.map(({ line, start, end }) => ({
      text: text.slice(start, end),
      baseline: line.baseline,
      isLarge: line.height > LARGER_THAN_TEXT * usual,
      start,
      end,
    })),
    hasMore: edges.length < lines.length,
  };
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** The distinct heights of lines, from the top; lines beside each other have one. */
function levelsOf(baselines: readonly number[]): number[] {
  const levels: number[] = [];
  for (const baseline of baselines.toSorted((one, other) => other - one)) {
    if ((levels.at(-1) ?? Number.POSITIVE_INFINITY) - baseline >= SAME_HEIGHT) levels.push(baseline);
  }
  return levels;
}

/** An edge line, and the page where it is. */
interface Candidate extends EdgeLine {
  readonly page: number;
}

/** The texts of the pages without their running lines; a page that has nothing else keeps them. */
export function withoutRunningLines(pages: readonly JoinedPage[]): readonly string[] {
  const groups = new Map<string, Candidate[]>();
  for (const [page, { edges }] of pages.entries()) {
    for (const edge of edges) {
      const words = edge.text.replaceAll(NUMBERS, "#").replaceAll(/\s+/g, " ");
      addTo(groups, words, { ...edge, page });
    }
  }
  const running = new Map<number, EdgeLine[]>();
  for (const group of groups.values()) {
    for (const line of runningOf(group)) addTo(running, line.page, line);
  }
  return pages.map((page, index) => withoutLines(page, running.get(index) ?? []));
}

function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** The lines of a group of equal words that return at one height, with the same numbers or those of their pages. */
function runningOf(group: readonly Candidate[]): readonly Candidate[] {
  if (group.length < MIN_PAGES) return [];
  const sorted = group.toSorted((one, other) => one.baseline - other.baseline);
  const found: Candidate[] = [];
  for (let start = 0; start < sorted.length;) {
    const first = sorted[start]?.baseline ?? 0;
    let end = start + 1;
    while (end < sorted.length && (sorted[end]?.baseline ?? 0) - first < NEARLY_SAME_HEIGHT) end++;
    found.push(...sameOrCounting(sorted.slice(start, end)));
    start = end;
  }
  return found;
}

/** Of lines with equal words at one height, those that have equal numbers, or count their pages. */
function sameOrCounting(lines: readonly Candidate[]): readonly Candidate[] {
  const same = new Map<string, Candidate[]>();
  for (const line of lines) {
    addTo(same, line.text, line);
    // A heading counts too, "Chapter 1", but is larger than the text.
    if (line.isLarge && !ONLY_NUMBER.test(line.text)) continue;
    const places = [...line.text.matchAll(NUMBERS)];
    if (places.length > MAX_NUMBERS) continue;
    const numbers = places.map(([number]) => Number(number));
    for (const [at, place] of places.entries()) {
      if (!isNearEdge(line.text, place.index, place[0].length)) continue;
      const rest = numbers.map((number, index) => (index === at ? number - line.page : number));
      addTo(same, `${at}:${rest.join(" ")}`, line);
    }
  }
  const found = new Set<Candidate>();
  for (const group of same.values()) {
    if (new Set(group.map(({ page }) => page)).size >= MIN_PAGES) for (const line of group) found.add(line);
  }
  return [...found];
}

/** "Page 3 of 10", "Annual report, 3": the number of a page stands at an end of its line; inside, it is a sentence's. */
function isNearEdge(text: string, at: number, length: number): boolean {
  return at <= MAX_BESIDE_NUMBER || text.length - at - length <= MAX_BESIDE_NUMBER;
}

function withoutLines({ text, edges, hasMore }: JoinedPage, lines: readonly EdgeLine[]): string {
  const cut = new Set(lines.map(({ start }) => start));
  if (cut.size === 0 || (!hasMore && cut.size === edges.length)) return text;
  let left = text;
  for (const { start, end } of lines.toSorted((one, other) => other.start - one.start)) {
    const before = left.slice(0, start);
    const after = left.slice(end);
    const head = before.trimEnd();
    const tail = after.trimStart();
    const joints = [before.slice(head.length), after.slice(0, after.length - tail.length)];
    const [joint = ""] = joints.sort((one, other) => other.length - one.length);
    left = head === "" || tail === "" ? head + tail : head + joint + tail;
  }
  return left;
}
