import { briefText } from "../../core/contract/brief-text.ts";
import { isOfCut } from "../../core/contract/closing-line.ts";
import type { DialectId } from "../../core/contract/dialect-id.ts";
import type { Outcome } from "../../core/contract/outcome.ts";
import { jsonEqual } from "../../core/json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { dialects } from "../../core/pipeline/dialect/dialects.ts";
import { envelopeOf } from "../../core/pipeline/dialect/detect-dialect.ts";
import { isAsSent, isOurs, jsonOrText } from "../../core/pipeline/dialect/result-rules.ts";

function isNotes(json: JsonValue): boolean {
  return isJsonObject(json) && isJsonObject(json["meta"]) && Object.keys(json).length === 1;
}

/** The indexes of the texts that carry the outcome, in a result without structure. */
function placesOfWords(result: JsonObject, dialect: DialectId, texts: readonly number[]): readonly number[] {
  if (dialects[dialect].level === "envelope") {
    const [, , index] = envelopeOf(result)?.path.split("/") ?? [];
    return [Number(index)];
  }
  // In a foreign result every text is data; in a result that Waybill wrote, the last text is.
  return isOurs(result) && !isAsSent(result) ? texts.slice(-1) : texts;
}

/** What the author of a tool wrote beside its data: every block except those that carry or repeat the outcome. */
export function authoredBlocks(
  result: JsonObject,
  blocks: readonly JsonObject[],
  outcome: Outcome,
  dialect: DialectId,
): readonly JsonObject[] {
  const { readBeside = (text: string) => text, readBlock } = dialects[dialect];
  const texts = blocks.flatMap((block, index) =>
    block["type"] === "text" && typeof block["text"] === "string" ? [{ index, text: block["text"] }] : [],
  );
  const isLast = (index: number): boolean => index === texts.at(-1)?.index;
  const spoken = texts.filter(
    ({ index, text }) => !(isLast(index) && texts.length > 1 && isNotes(jsonOrText(text))),
  );
  const structured = result["structuredContent"];
  const isWords = ({ text }: { readonly text: string }): boolean =>
    text === briefText(outcome) ||
    isOfCut(text, outcome) ||
    (structured !== undefined && jsonEqual(jsonOrText(text), structured));
  const places = spoken.map(({ index }) => index);
  const words =
    structured === undefined
      ? placesOfWords(result, dialect, places)
      : spoken.filter(isWords).map(({ index }) => index);
  return blocks.flatMap((block, index) => {
    if (block["type"] !== "text") return [block];
    const own =
      places.includes(index) && !words.includes(index) ? texts.find((one) => one.index === index) : undefined;
    if (own === undefined) return [];
    return [readBlock?.(own.text) ?? { ...block, text: readBeside(own.text) }];
  });
}
