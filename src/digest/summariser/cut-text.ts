import { firstCodePoints } from "../../contract/code-points.ts";
import { safeCut } from "../evidence/safe-cut.ts";
import { splitUnits } from "../evidence/split-units.ts";
import { Units } from "../evidence/units.ts";

/** What follows a stop decides whether it ends a sentence, so a little more than what is kept is looked at. */
const LOOKAHEAD = 100;
const SPACE = /\s/u;

/** Where the last sentence ends that is whole within the first `limit` units; undefined when that would cost half. */
function findSentenceEnd(text: string, limit: number): number | undefined {
  const to = Math.min(text.length, limit + LOOKAHEAD);
  const units = new Units();
  splitUnits(text, 0, to, to, units);
  for (let index = units.count - 1; index >= 0; index--) {
    const end = units.end(index);
    if (end < limit / 2) return undefined;
    if (end <= limit && units.isWhole(index)) return end;
  }
  return undefined;
}

function findWordEnd(text: string, limit: number): number {
  for (let at = limit; at > limit / 2; at--) if (SPACE.test(text.charAt(at))) return at;
  return safeCut(text, limit, 0);
}

/** Where to end a text of more than `maxChars` code points: after a sentence, else after a word, in UTF-16 units. */
export function findTextEnd(text: string, maxChars: number): number {
  const limit = firstCodePoints(text, maxChars).length;
  if (limit === text.length) return limit;
  return findSentenceEnd(text, limit) ?? findWordEnd(text, limit);
}

/** The text in at most `maxChars` code points; an ellipsis says where it stops within a sentence. */
export function cutText(text: string, maxChars: number): string {
  const limit = firstCodePoints(text, maxChars).length;
  if (limit === text.length) return text;
  const end = findSentenceEnd(text, limit);
  if (end !== undefined) return text.slice(0, end);
  if (maxChars < 1) return "";
  const room = firstCodePoints(text, maxChars - 1).length;
  return `${text.slice(0, findWordEnd(text, room)).trimEnd()}…`;
}
