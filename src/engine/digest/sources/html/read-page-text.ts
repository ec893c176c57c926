// What a web page says, line by line, for a cut that has no room for its markup: all of its visible text, with the lines
// marked that are its main content. Where only the tokenizer is installed, every line counts as main content.

import type { PageText } from "../../../../core/pipeline/pipeline-context.ts";
import { findArticle } from "./find-article.ts";
import { type HtmlSurvey, surveyHtml } from "./survey-html.ts";
import { type LinkTarget, type TextBlock, charactersOf, isFact, isTextBlock } from "./text-writer.ts";

/** More is cut as it was sent. */
const MAX_PAGE_CHARACTERS = 16 * 1024 * 1024;
/**
 * The main content is found in a tree, on the thread of the call. Real pages have half of each limit at most and take up
 * to a tenth of a second; pages that are made to take long took a fifth.
 */
const MAX_TREE = {
  characters: 2 * 1024 * 1024,
  nodes: 8_000,
  weight: 50_000,
  depth: 100,
  attributes: 64,
  classCharacters: 4_096,
} as const;
/** Such a page is a program that writes its text itself, or holds data. */
const MIN_TEXT_CHARACTERS = 200;
/** With less markup than this share, the source says it as well. */
const MIN_MARKUP_SHARE = 0.05;
/** Longer addresses carry states, not places. */
const MAX_ADDRESS_CHARACTERS = 200;
const LABEL_CHARACTERS = 40;
/** Of a list's ends, one of the last lines is kept for three of the first. */
const FIRST_FOR_A_LAST = 3;

/**
 * Undefined if the page says too little without its markup; rejects where the tokenizer is not installed, and for a page
 * of more blocks than a reader takes.
 */
export async function readPageText(html: string): Promise<PageText | undefined> {
  if (html.length > MAX_PAGE_CHARACTERS) return undefined;
  const survey = await surveyHtml(html);
  const characters = charactersOf(survey.blocks);
  const most = html.length * (1 - MIN_MARKUP_SHARE);
  if (characters < MIN_TEXT_CHARACTERS || characters > most) return undefined;
  const main = await mainTexts(html, survey);
  const page = writePage(survey, main);
  return page.text.length > most ? undefined : page;
}

/** The texts of the main content; undefined if it cannot be told from the rest, or not in time. */
async function mainTexts(html: string, survey: HtmlSurvey): Promise<ReadonlySet<string> | undefined> {
  const { nodes, weight, depth, attributes, classCharacters } = survey;
  const isLarge =
    html.length > MAX_TREE.characters ||
    nodes > MAX_TREE.nodes ||
    weight > MAX_TREE.weight ||
    depth > MAX_TREE.depth ||
    attributes > MAX_TREE.attributes ||
    classCharacters > MAX_TREE.classCharacters;
  if (isLarge || !survey.isPage) return undefined;
  const article = await findArticle(html, survey).catch(() => undefined);
  return article === undefined ? undefined : new Set(article.blocks.map(({ text }) => text));
}

function writePage({ blocks, title }: HtmlSurvey, main: ReadonlySet<string> | undefined): PageText {
  const isNamed = title === undefined || blocks.some((block) => isHeading(block) && block.text === title);
  const told = new Set<string>();
  const lines = blocks.map((block) => lineOf(block, told));
  if (!isNamed) lines.unshift(`# ${oneLine(title)}`);
  const first = isNamed ? 0 : 1;
  const headings = new Int32Array(lines.length).fill(-1);
  const titles: number[] = isNamed ? [] : [0];
  const mains: number[] = [];
  const others: number[] = [];
  const links: number[] = [];
  let [headline, heading] = [-1, -1];
  for (const [index, block] of blocks.entries()) {
    const line = index + first;
    const isMain = main === undefined ? isTextBlock(block) || isHeading(block) : main.has(block.text);
    if (block.kind === "headline") [headline, heading] = [line, -1];
    else if (block.kind === "heading") {
      headings[line] = headline;
      heading = line;
    } else headings[line] = heading >= 0 ? heading : headline;
    if (isNamed && titles.length === 0 && isHeading(block) && block.text === title) titles.push(line);
    else if (isMain) mains.push(line);
    else (isTextBlock(block) && !isLabel(block) ? others : links).push(line);
  }
  const order = [
    Int32Array.from(titles),
    fromBothEnds(mains),
    fromBothEnds(others),
    fromBothEnds(links),
  ] as const;
  return { text: lines.join("\n"), headings, order };
}

/** Beside the main content a few words name a menu or a button. */
function isLabel(block: TextBlock): boolean {
  return block.text.length < LABEL_CHARACTERS && !isFact(block);
}

function isHeading({ kind }: TextBlock): boolean {
  return kind === "headline" || kind === "heading";
}

const signs: Partial<Record<TextBlock["kind"], string>> = { headline: "# ", heading: "## ", item: "- " };

function lineOf(block: TextBlock, told: Set<string>): string {
  return `${signs[block.kind] ?? ""}${oneLine(withTargets(block, told))}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, " ");
}

/** Where a block is links, it says where they lead, each address once a page; in a sentence an address only disturbs. */
function withTargets(block: TextBlock, told: Set<string>): string {
  const { text, targets = [] } = block;
  if (isTextBlock(block)) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { at, address } of targets.filter(isPlace)) {
    if (told.has(address)) continue;
    told.add(address);
    parts.push(text.slice(from, at), ` (${address})`);
    from = at;
  }
  return `${parts.join("")}${text.slice(from)}`;
}

function isPlace({ address }: LinkTarget): boolean {
  return address.length <= MAX_ADDRESS_CHARACTERS && !/^(?:$|#|javascript:|data:)|\s/i.test(address);
}

/** The beginning and the end of a text before its middle. */
function fromBothEnds(lines: readonly number[]): Int32Array {
  const order = new Int32Array(lines.length);
  let [first, last] = [0, lines.length - 1];
  for (let turn = 1; first <= last; turn++)
    order[turn - 1] = lines[turn % (FIRST_FOR_A_LAST + 1) === 0 ? last-- : first++] ?? 0;
  return order;
}
