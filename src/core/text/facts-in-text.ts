// Facts that a text states and a structure does not: numbers, ids and quoted words. A reader of the structure alone
// never learns them. Something that follows from the structure is not such a fact: counts, rounded numbers,
// percentages, parts of dates.

import type { JsonValue } from "../json/json-value.ts";

/** Longer texts and structures are not compared: this runs during calls. */
const MAX_TEXT = 20_000;
const MAX_JSON = 200_000;
const MAX_NUMBERS = 2_000;
const MAX_FACTS = 20;

/** A number in other units: percent, thousands, bytes in larger units, seconds in minutes, hours and days. */
const scales = [
  1,
  100,
  1e-3,
  1e-6,
  1e-9,
  1 / 1024,
  1 / 1024 ** 2,
  1 / 1024 ** 3,
  1 / 60,
  1 / 3_600,
  1 / 86_400,
];

interface Known {
  readonly numbers: ReadonlySet<number>;
  /** The length of the longest list: a number up to this may be the number of an item, which is not a fact. */
  readonly longest: number;
  /** The structure's JSON in lower case. */
  readonly words: string;
}

function survey(root: JsonValue, json: string): Known {
  const numbers = new Set<number>();
  let longest = 0;
  const pending: JsonValue[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === "number" && numbers.size < MAX_NUMBERS) numbers.add(next);
    if (typeof next !== "object" || next === null) continue;
    const inner = Object.values(next);
    longest = Math.max(longest, inner.length);
    for (const value of inner) pending.push(value);
  }
  return { numbers, longest, words: json.toLowerCase() };
}

function decimalsOf(written: string): number {
  return written.split(".")[1]?.length ?? 0;
}

/** Whether a number is in the structure, or is one of its numbers rounded, or in another unit. */
function isKnownNumber(written: string, { numbers, longest, words }: Known): boolean {
  const plain = written.replaceAll(/[,'\u00A0\u202F]/g, "");
  const value = Number(plain);
  if (!Number.isFinite(value) || (Number.isInteger(value) && value <= longest)) return true;
  if (words.includes(plain.replace(/^0+(?=\d)/, ""))) return true;
  const factor = 10 ** decimalsOf(plain);
  for (const number of numbers)
    for (const scale of scales)
      if (Math.abs(Math.abs(number * scale) - value) * factor <= 0.5 + 1e-9) return true;
  return false;
}

/** Numbers on their own, not inside a word: an id is searched for as a whole. */
const numberForm = /(?<![\w.-])\d[\d,'\u00A0\u202F]*(?:\.\d+)?(?![\w-]|\.\d)/g;
/** A word of letters and digits: a key, a hash, a name with a number. */
const idForm = /(?<![\w.-])(?=[\w.-]*\d)(?=[\w.-]*[A-Za-z])[\w-][\w.-]{2,126}[\w](?![\w-])/g;
const quotedForm = /"([^"\n]{2,80})"|“([^”\n]{2,80})”|`([^`\n]{2,80})`/g;

function* factsOf(text: string, known: Known): Generator<string> {
  for (const [whole, straight, curly, code] of text.matchAll(quotedForm)) {
    const quoted = straight ?? curly ?? code ?? "";
    // A sentence that a format itself puts in quotes is reported too: it looks like a quote from the data.
    if (!known.words.includes(JSON.stringify(quoted).slice(1, -1).toLowerCase())) yield whole;
  }
  for (const [id] of text.matchAll(idForm)) if (!known.words.includes(id.toLowerCase())) yield id;
  for (const [number] of text.matchAll(numberForm)) if (!isKnownNumber(number, known)) yield number;
}

/** The facts, each once; none if text or structure is too long to compare. */
export function factsOnlyInText(text: string, structure: JsonValue): readonly string[] {
  if (text.length > MAX_TEXT) return [];
  const json = JSON.stringify(structure);
  if (json.length > MAX_JSON) return [];
  const found = new Set<string>();
  for (const fact of factsOf(text, survey(structure, json))) {
    found.add(fact);
    if (found.size >= MAX_FACTS) break;
  }
  return [...found];
}
