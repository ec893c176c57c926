// What the model behind a client is given of a result, as lines for the author of the server: the texts, and what this
// client would leave out, pay twice or cut. `waybill dev --reader` turns it on. It is loaded only then.

import picocolors from "picocolors";
import type { JsonObject } from "../../core/json/json-value.ts";
import { failingsOf } from "../../core/readers/model-view.ts";
import type { Reader } from "../../core/readers/reader.ts";
import { type Reading, shownResult } from "../../core/readers/shown-result.ts";
import { printable } from "../../core/text/say-name.ts";

/** A result, and the client that gets it. */
export interface ReadResult {
  readonly result: JsonObject;
  readonly reader: Reader;
  /** The tool has an output schema. */
  readonly isTyped: boolean;
}

export interface ReadingLook {
  readonly hasColors: boolean;
  readonly countTokens: (text: string) => number;
  /** Masks secrets: a terminal is no place for them, whatever the model is given. */
  readonly mask: (text: string) => string;
}

/** The most of one result that is printed, in characters. */
const MAX_SHOWN = 4_000;

const channels: Readonly<Record<Reading["channel"], string>> = {
  blocks: "the content",
  structure: "the structure",
  both: "the content and the structure",
  whole: "the whole result as JSON",
};

function count(amount: number): string {
  return amount.toLocaleString("en-US");
}

/** The lines, including the last line end. */
export function readingLines({ result, reader, isTyped }: ReadResult, look: ReadingLook): string {
  const { dim, yellow } = picocolors.createColors(look.hasColors);
  const { readings, dropped } = shownResult(result, reader, isTyped);
  const may = readings.length > 1 ? "may show" : "shows";
  const lines = readings.flatMap((reading) => {
    const tokens = reading.texts.reduce((sum, text) => sum + look.countTokens(text), 0);
    const size = `${count(tokens)} ${tokens === 1 ? "token" : "tokens"}`;
    const head = `  ${reader.name} (${reader.id}) ${may} its model ${channels[reading.channel]}: ${size}`;
    return [head, ...shownLines(reading, look).map((line) => `${dim("  │")} ${line}`)];
  });
  const failings = failingsOf(result, reader, { countTokens: look.countTokens, isTyped });
  const faults = failings.map(({ says }) => yellow(`  ${reader.name} ${printable(says)}`));
  // Of an empty result there is nothing to lose.
  const isEmpty = readings.every(({ texts }) => texts.length === 0) && dropped.length === 0;
  return `${[...lines, ...faults, ...(isEmpty ? [dim("  │ nothing")] : [])].join("\n")}\n`;
}

/** The texts, one below the other, up to a limit. Each is masked before it is cut: half a secret would not be known. */
function shownLines({ texts }: Reading, { mask }: ReadingLook): readonly string[] {
  const lines: string[] = [];
  let room = MAX_SHOWN;
  let left = 0;
  for (const text of texts) {
    const masked = mask(text);
    const shown = masked.slice(0, room).replace(/[\uD800-\uDBFF]$/, "");
    if (shown !== "") lines.push(...shown.split("\n").map(printable));
    room -= shown.length;
    left += masked.length - shown.length;
  }
  return left === 0 ? lines : [...lines, `… ${count(left)} more characters`];
}
