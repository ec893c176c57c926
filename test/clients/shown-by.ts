// What the model behind a client is shown of a result, by the client's row: written from what clients were seen to do,
// and not from the code that makes results whole for them.

import { type JsonObject, jsonIn } from "../../src/core/json/json-value.ts";
import type { Reader, Shown } from "../../src/core/readers/reader.ts";

export const refusal = "The tool has an output schema, which its result does not keep to";

/** The form that every advertised schema allows beside the tool's own. */
function isEnvelope(structure: unknown): boolean {
  const keys = typeof structure === "object" && structure !== null ? Object.keys(structure) : [];
  return keys.join() === "success,data,error,meta";
}

/** One text, or two if it is not known which is shown. `fits`: the structure keeps to the tool's schema, if it has one. */
export function shownBy(reader: Reader, result: JsonObject, fits: boolean | undefined): readonly string[] {
  const { content, structuredContent: structure, isError, _meta, ...others } = result;
  const rest = reader.showsMeta === "never" ? others : { ...others, _meta };
  const blocks = content as readonly JsonObject[];
  if (blocks.some(({ type }) => reader.failsOn.some((kind) => kind === type))) return ["the run ended"];
  const isBroken = fits === false && structure !== undefined && !isEnvelope(structure);
  const isMissing = fits !== undefined && structure === undefined;
  if (isError === true && isBroken && reader.hidesBrokenFailures) return [refusal];
  if (isError !== true && (isBroken || isMissing) && reader.hidesBrokenSuccesses) return [refusal];
  const kept = blocks.filter(({ type }) => !reader.drops.some((kind) => kind === type));
  const parts = kept.map((block) => {
    const { text } = (reader.hidesUris === true && (block["resource"] as JsonObject | undefined)) || block;
    return typeof text === "string" ? text : JSON.stringify(block);
  });
  const texts = reader.joins === "apart" ? parts.join("\n") : parts.join(reader.joins);
  const json = structure === undefined ? "" : JSON.stringify(structure);
  const bare = reader.showsBareStructure && blocks.length === 0 ? json : "";
  const isOnce = reader.showsMirrorOnce === true && texts === json;
  const both = isOnce ? texts : `${texts}\n${json}`;
  const areTexts = blocks.every(({ type }) => type === "text");
  const again = isError === true && reader.repeatsFailures === true ? JSON.stringify(kept) : "";
  const copied = reader.copiesJson === true && structure === undefined ? jsonIn(texts) : structure;
  const views: Record<Shown, readonly string[]> = {
    blocks: [texts || bare],
    structure: [json || texts],
    both: [both],
    whole: [`${JSON.stringify({ content: kept, structuredContent: copied, isError, ...rest })}${again}`],
    "structure-for-texts": [areTexts && json !== "" ? json : texts],
    "structure-if-untyped": [fits === undefined ? json || texts : texts || bare],
    "both-for-one-text": [areTexts && blocks.length === 1 ? both : texts],
    either: [texts || bare, json || texts],
  };
  return views[isError === true ? reader.failure : reader.success];
}
