import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { blockTexts } from "../../pipeline/dialect/result-rules.ts";
import { ResultJson } from "../../pipeline/outcome/result-json.ts";
import { factsOnlyInText } from "../../text/facts-in-text.ts";

/** The notes of a contract have a text of their own, and do not describe the data. */
function isNotes(json: JsonValue | undefined): boolean {
  return isJsonObject(json) && isJsonObject(json["meta"]) && Object.keys(json).length === 1;
}

/** Numbers, ids and quoted words that the texts of a success have and its structure does not. */
export function textOnlyFacts(result: JsonObject): readonly string[] {
  const { structuredContent: structured, isError } = result;
  if (isError === true || !isJsonObject(structured)) return [];
  const json = new ResultJson();
  const own = blockTexts(result).filter(
    (text) => !json.repeats(text, structured) && !isNotes(json.read(text)),
  );
  return own.length === 0 ? [] : factsOnlyInText(own.join("\n"), structured);
}
