import {
  type AskPlace,
  type Count,
  RETRIEVE,
  archiveOf,
  callAll,
  connectAsk,
  tokensOf,
} from "./ask-client.ts";
import type { QuestionSet } from "./ask-question.ts";

/** What it takes to have everything without a question. */
export interface Reading {
  /** Tokens of the whole as compact JSON. */
  readonly everything: number;
  /** Reading the archive to its end, page by page. */
  readonly pages: {
    readonly calls: number;
    readonly tokens: number;
    /** Only the first pages were read; the rest is in proportion to the records. */
    readonly isEstimate: boolean;
  };
}

const MAX_PAGES = 50;

/** Counts the whole, and reads it page by page as far as that is quick. */
export async function readPages({ value }: QuestionSet, place: AskPlace, counter: Count): Promise<Reading> {
  const client = await connectAsk(value, place);
  try {
    const records = Array.isArray(value) ? value.length : 1;
    const args = { archive: await archiveOf(client), pointer: Array.isArray(value) ? "/*" : "" };
    const pages = await callAll(client, RETRIEVE, args, MAX_PAGES);
    const tokens = pages.reduce((sum, page) => sum + tokensOf(page, counter), 0);
    const isEstimate = pages.at(-1)?.cursor !== undefined;
    const read = pages.reduce((sum, { data }) => sum + Number(data["returned"]), 0);
    const times = isEstimate ? records / read : 1;
    return {
      everything: counter.count(JSON.stringify(value)),
      pages: { calls: Math.ceil(pages.length * times), tokens: Math.round(tokens * times), isEstimate },
    };
  } finally {
    await client.close();
  }
}
