import type { Finding } from "./mask.ts";

const mayBeJson = /^\s*["[{]/;

function isJson(text: string): boolean {
  if (!mayBeJson.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The quotes that open and close the strings of a JSON text, in order. */
function* quotesIn(text: string): Generator<number> {
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text[before - 1] === "\\") before--;
    if ((at - before) % 2 === 0) yield at;
  }
}

/**
 * In a JSON text a secret stands in strings, whatever its words look like: what begins outside one is none, and what
 * ends outside one ends with the string that it began in. So a mask never breaks the JSON around it.
 */
export function insideStrings(text: string, findings: readonly Finding[]): readonly Finding[] {
  if (findings.length === 0 || !isJson(text)) return findings;
  const quotes = quotesIn(text);
  let quote = quotes.next();
  let isInside = false;
  /** Moves on to a place, which is inside a string up to and including the quote that closes it. */
  const moveTo = (place: number): boolean => {
    while (quote.done !== true && quote.value < place) {
      isInside = !isInside;
      quote = quotes.next();
    }
    return isInside;
  };
  return findings.flatMap((finding) => {
    if (!moveTo(finding.start)) return [];
    const stringEnd = quote.value ?? text.length;
    return moveTo(finding.end) ? [finding] : [{ ...finding, end: stringEnd }].filter(isLonger);
  });
}

function isLonger({ start, end }: Finding): boolean {
  return end > start;
}
