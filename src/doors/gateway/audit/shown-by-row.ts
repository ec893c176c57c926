import type { JsonObject } from "../../../core/json/json-value.ts";
import type { Reader, ReaderLimit } from "../../../core/readers/reader.ts";
import {
  type Reading,
  type TextSizes,
  countLines,
  limitsFor,
  shownResult,
  usedOf,
} from "../../../core/readers/shown-result.ts";
import type { TokenCounter } from "../../../core/tokens/token-counter.ts";

interface ShownTexts {
  readonly given: readonly string[];
  /** The client's own limit was passed. */
  readonly isCut: boolean;
}

/**
 * What a client gives its model of a result, by the client's row: for a history that has results alone, and for what
 * the gateway would have sent. A result over a limit of the client loses what exceeds it, from its middle or its
 * end; only the length of the rest counts here, not its words.
 */
export function shownByRow(result: JsonObject, reader: Reader, counter: TokenCounter): ShownTexts {
  const [reading] = shownResult(result, reader, false).readings;
  if (reading === undefined) return { given: [], isCut: false };
  const over = limitsFor(result, reader)
    .filter(({ of }) => of !== "line")
    .map((limit) => ({ limit, share: roomOf(limit, reading, reader, counter) }))
    .sort((one, other) => one.share - other.share)[0];
  if (over === undefined || over.share >= 1) return { given: reading.texts, isCut: false };
  return { given: reading.texts.map((text) => cut(text, over.share, over.limit)), isCut: true };
}

/** How much of a reading has room: 1 for all of it. */
function roomOf(limit: ReaderLimit, reading: Reading, reader: Reader, counter: TokenCounter): number {
  const sizes: TextSizes = {
    tokens: (text) => (text.length <= limit.most ? 0 : counter.count(text)),
    bytes: (text) => Buffer.byteLength(text),
    characters: ({ length }) => length,
    lines: countLines,
  };
  const used = usedOf(reading, limit, reader, sizes);
  return used === 0 ? 1 : limit.most / used;
}

function cut(text: string, share: number, { keeps }: ReaderLimit): string {
  const kept = Math.floor(text.length * share);
  if (keeps === "nothing") return "";
  if (keeps !== "beginning and end") return text.slice(0, kept);
  const half = Math.floor(kept / 2);
  return text.slice(0, half) + text.slice(text.length - half);
}
