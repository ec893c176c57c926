import { isProse } from "./survey-html.ts";
import { type TextBlock, charactersOf, isFact, isText } from "./text-block.ts";

/** An extraction, beside the page it was taken from. */
export interface MainColumn {
  readonly headline?: TextBlock;
  /** What stands between the page's headline and the first paragraph that was kept. */
  readonly lead: readonly TextBlock[];
  /** How much of the lead was not kept, for each character that was. */
  readonly lostLead: number;
  /** The same of rows and definitions at all other places. */
  readonly lostFacts: number;
  /** What was kept, from its first paragraph on. */
  readonly body: readonly TextBlock[];
  /** How much of the page's text was kept: 0 to 1. */
  readonly share: number;
}

/**
 * Where an extraction stands on its page. What a page says right under its headline is its subject; an extractor that
 * goes by long paragraphs may take the answers for it, or the reviews. Of the text at other places, which often is
 * clutter, only facts are missed.
 */
export function mainColumn(page: readonly TextBlock[], kept: readonly TextBlock[]): MainColumn {
  const texts = new Set(kept.map(({ text }) => text));
  const isLost = (block: TextBlock): boolean => isText(block) && !texts.has(block.text);
  const characters = Math.max(1, charactersOf(kept));
  const bodyStart = Math.max(0, kept.findIndex(isProse));
  const first = page.findIndex(({ text }) => text === kept[bodyStart]?.text);
  const top = page.slice(0, Math.max(0, first)).findLastIndex(({ kind }) => kind === "headline");
  const headline = page[top];
  const between = headline === undefined ? [] : page.slice(top + 1, first);
  const text = between.filter(isText);
  // Under a site's name there is a menu first.
  const lead = 2 * charactersOf(text) < charactersOf(between) ? [] : text;
  const lost = page.filter(isLost);
  const inLead = new Set(lead);
  const lostFacts = lost.filter((block) => isFact(block) && !inLead.has(block));
  return {
    ...(headline === undefined ? {} : { headline }),
    lead,
    lostLead: charactersOf(lead.filter(isLost)) / characters,
    lostFacts: charactersOf(lostFacts) / characters,
    body: kept.slice(bodyStart),
    share: characters / (characters + charactersOf(lost)),
  };
}
