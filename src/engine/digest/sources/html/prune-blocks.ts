import { isProseBlock } from "./survey-html.ts";
import { type TextBlock, charactersOf, isFact, isTextBlock } from "./text-writer.ts";

/** An extraction, compared with its page. */
export interface MainColumn {
  readonly headline: TextBlock | undefined;
  /** The blocks between the page's headline and the first kept paragraph. */
  readonly lead: readonly TextBlock[];
  /** Lost characters of the lead, per kept character. */
  readonly lostLead: number;
  /** The same for rows and definitions outside the lead. */
  readonly lostFacts: number;
  /** The kept blocks, from the first paragraph on. */
  readonly body: readonly TextBlock[];
  /** The kept share of the page's text: 0 to 1. */
  readonly share: number;
}

/**
 * The position of an extraction on its page. The text right under the headline is the page's subject; an
 * extractor that prefers long paragraphs may choose the answers or the reviews instead. Text at other places
 * is often clutter, so only lost facts count there.
 */
export function mainColumn(page: readonly TextBlock[], kept: readonly TextBlock[]): MainColumn {
  const texts = new Set(kept.map(({ text }) => text));
  const isLost = (block: TextBlock): boolean => isTextBlock(block) && !texts.has(block.text);
  const characters = Math.max(1, charactersOf(kept));
  const bodyStart = Math.max(0, kept.findIndex(isProseBlock));
  const first = page.findIndex(({ text }) => text === kept[bodyStart]?.text);
  const top = page.slice(0, Math.max(0, first)).findLastIndex(({ kind }) => kind === "headline");
  const headline = page[top];
  const between = headline === undefined ? [] : page.slice(top + 1, first);
  const text = between.filter(isTextBlock);
  // Under the name of a site there is a menu first.
  const lead = 2 * charactersOf(text) < charactersOf(between) ? [] : text;
  const lost = page.filter(isLost);
  const inLead = new Set(lead);
  const lostFacts = lost.filter((block) => isFact(block) && !inLead.has(block));
  return {
    headline,
    lead,
    lostLead: charactersOf(lead.filter(isLost)) / characters,
    lostFacts: charactersOf(lostFacts) / characters,
    body: kept.slice(bodyStart),
    share: characters / (characters + charactersOf(lost)),
  };
}

const LABEL_CHARACTERS = 60;
const LEAD_CHARACTERS = 80;
const SHORT_LEAD_CHARACTERS = 20;
const PREFIX_CHARACTERS = 24;

const sentenceEnd = /[.!?…。！？؟।]["'”’»)\]]*$/u;
const labelEnd = /(?::|…|\.\.\.)$/u;
const prefix = /^[^:]{1,20}:\s/u;
const digit = /\p{N}/u;
const currency = /\p{Sc}/u;

/**
 * Removes what an extractor keeps around an article: links to other articles, date and author lines before
 * the first sentence, and headings with nothing under them. Decides by form, not by words, so that it works
 * in every language. If that would remove half of the text, the page is a list of links, and all of it stays.
 */
export function pruneBlocks(blocks: readonly TextBlock[]): readonly TextBlock[] {
  const dropped = new Set<TextBlock>([
    ...linkedBlocks(blocks),
    ...blocks.filter((block) => isPrefixedLink(block) || isWayOut(block)),
  ]);
  for (const block of leadBlocks(blocks, dropped)) dropped.add(block);
  for (const block of tailBlocks(blocks, dropped)) dropped.add(block);
  const kept = blocks.filter((block) => !dropped.has(block));
  return 2 * charactersOf(kept) > charactersOf(blocks) ? kept : blocks;
}

function isLink({ kind, linked, text }: TextBlock): boolean {
  return kind !== "code" && linked >= 0.9 * text.length;
}

function isLabel({ kind, text }: TextBlock): boolean {
  return kind !== "code" && text.length < LABEL_CHARACTERS && labelEnd.test(text);
}

/** For example "Related: another article", where all but the first word is a link. */
function isPrefixedLink({ kind, linked, text }: TextBlock): boolean {
  return (
    kind !== "code" &&
    linked >= 0.6 * text.length &&
    text.length - linked <= PREFIX_CHARACTERS &&
    prefix.test(text)
  );
}

/** Blocks that are only links, under a label that introduces them or as a list at the end. */
function linkedBlocks(blocks: readonly TextBlock[]): TextBlock[] {
  const found: TextBlock[] = [];
  let run: TextBlock[] = [];
  let before: TextBlock | undefined;
  for (const block of blocks) {
    if (isLink(block)) {
      run.push(block);
      continue;
    }
    if (run.length > 0 && before !== undefined && isLabel(before)) found.push(before, ...run);
    run = [];
    before = block;
  }
  const isLabelled = before !== undefined && isLabel(before);
  if (isLabelled && before !== undefined && run.length > 0) found.push(before, ...run);
  else if (run.length >= 2) found.push(...run);
  return found;
}

/** A paragraph that is only a link leads out of the article; if its text is an address, the reader needs it. */
function isWayOut(block: TextBlock): boolean {
  return block.kind === "prose" && block.isParagraph && isLink(block) && !isOneWord(block);
}

function isOneWord({ text }: TextBlock): boolean {
  return /^[!-~]+$/.test(text);
}

/** Headings and labels at the end: what they introduce is not part of the article. */
function tailBlocks(blocks: readonly TextBlock[], dropped: ReadonlySet<TextBlock>): TextBlock[] {
  const last = blocks.findLastIndex(
    (block) => !dropped.has(block) && !isHeading(block) && !(isLabel(block) && block.text.endsWith(":")),
  );
  return last < 0 ? [] : blocks.slice(last + 1);
}

function isHeading({ kind }: TextBlock): boolean {
  return kind === "heading" || kind === "headline";
}

/** Short lines before the first sentence that contain a number, are links, or are hardly a line. */
function leadBlocks(blocks: readonly TextBlock[], dropped: ReadonlySet<TextBlock>): TextBlock[] {
  const first = blocks.findIndex(
    (block) =>
      !dropped.has(block) &&
      (block.kind === "code" ||
        (block.text.length >= LEAD_CHARACTERS && !isOneWord(block)) ||
        sentenceEnd.test(block.text)),
  );
  return blocks
    .slice(0, Math.max(0, first))
    .filter((block) => !isFact(block))
    .filter(
      ({ kind, linked, text }) =>
        kind !== "headline" &&
        kind !== "heading" &&
        // A price is not a date.
        !currency.test(text) &&
        (text.length <= SHORT_LEAD_CHARACTERS || 2 * linked >= text.length || digit.test(text)),
    );
}
