// Whether a text says what a structure says, in any words or format: a table, a list, a sentence. The values of the
// structure are compared: they occur in the text, whatever is around them.

import type { JsonValue } from "../../json/json-value.ts";
import { ResultJson } from "../../pipeline/outcome/result-json.ts";

/** At most this many values of a large structure are searched for, spread over all of it. */
const MAX_SAMPLES = 200;
const MAX_NODES = 20_000;
/** The share of the values that the text must contain. */
const MIN_SHARE = 0.8;

/** The texts and numbers of a value, each once; bounded, because a server decides how many there are. */
function valuesOf(root: JsonValue): readonly string[] {
  const found = new Set<string>();
  const pending: JsonValue[] = [root];
  for (let count = 0; pending.length > 0 && count < MAX_NODES; count++) {
    const node = pending.pop();
    if (typeof node === "number") found.add(String(node));
    else if (typeof node === "string") found.add(node.trim().toLowerCase());
    else if (typeof node === "object" && node !== null)
      for (const inner of Object.values(node).slice(0, MAX_NODES)) pending.push(inner);
  }
  found.delete("");
  return [...found];
}

function sampleOf(values: readonly string[], most: number): readonly string[] {
  if (values.length <= most) return values;
  const step = values.length / most;
  return Array.from({ length: most }, (_, index) => values[Math.floor(index * step)] ?? "");
}

/** At most this many lines of a long value are searched for: each search may read the whole text. */
const MAX_LINES = 20;

/** A value of several lines may be indented in the text. */
function isSaid(value: string, text: string): boolean {
  if (text.includes(value)) return true;
  const lines = value.split("\n");
  return lines.length > 1 && sampleOf(lines, MAX_LINES).every((line) => text.includes(line.trim()));
}

function shareOf(values: readonly string[], text: string): number {
  const sample = sampleOf(values, MAX_SAMPLES);
  const lower = text.toLowerCase();
  const said = sample.filter((value) => isSaid(value, lower));
  return sample.length === 0 ? 0 : said.length / sample.length;
}

/** Whether a reader of the text alone learns nearly all of the structure; an empty structure says nothing. */
export function saysAll(text: string, structured: JsonValue): boolean {
  const values = valuesOf(structured);
  return values.length === 0 || shareOf(values, text) >= MIN_SHARE;
}

/** A shorter text costs too little to report: about 500 tokens. */
const MIN_LENGTH = 2_000;
const MIN_VALUES = 10;
/** Short values occur in any text. */
const MIN_VALUE_LENGTH = 3;
/** A document from which the structure has only a few facts says more than the structure. */
const MAX_TEXT_TO_STRUCTURE = 3;

/** The texts that are neither the structure's JSON nor one of its fields. */
function ownTexts(texts: readonly string[], structured: JsonValue): readonly string[] {
  const json = new ResultJson();
  return texts.filter((text) => !json.repeats(text, structured));
}

/** Whether texts repeat the structure at length, in other words or another format. */
export function saysTwice(texts: readonly string[], structured: JsonValue): boolean {
  const text = ownTexts(texts, structured).join("\n");
  if (text.length < MIN_LENGTH) return false;
  if (text.length > MAX_TEXT_TO_STRUCTURE * JSON.stringify(structured).length) return false;
  const values = valuesOf(structured).filter(({ length }) => length >= MIN_VALUE_LENGTH);
  return values.length >= MIN_VALUES && shareOf(values, text) >= MIN_SHARE;
}

/** The first long text that occurs twice in the content. */
export function repeatedText(texts: readonly string[]): number | undefined {
  const seen = new Set<string>();
  for (const [index, text] of texts.entries()) {
    if (text.length < MIN_LENGTH) continue;
    if (seen.has(text)) return index;
    seen.add(text);
  }
  return undefined;
}
