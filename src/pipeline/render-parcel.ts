import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { besideOf, wordsOf } from "./dialect/dialects.ts";
import { blockText } from "./fit/blocks.ts";
import { type Parcel, type PipelineContext, type Rendering, type Wire, partOf } from "./parcel.ts";

function textsIn({ content }: { readonly content?: unknown }): readonly string[] {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return blocks.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
}

function textsOf({ level, json, aside }: Wire): readonly string[] {
  if (level === "result") return textsIn(json as JsonObject);
  return [JSON.stringify(json), ...(aside === undefined ? [] : [JSON.stringify(aside)])];
}

/** The words where no text repeats them: what is left of the texts, and the structure. */
function unmirroredOf(wire: Wire): Pick<Rendering, "texts" | "structure"> | undefined {
  const { level, json, unmirrored } = wire;
  if (unmirrored === undefined) return undefined;
  const structure = level === "result" ? (json as JsonObject)["structuredContent"] : json;
  const { aside } = unmirrored;
  return {
    texts: aside === undefined ? [] : [JSON.stringify(aside)],
    structure: JSON.stringify(structure),
  };
}

/** The parcel's outcome as the dialect and delivery of the context would send it: the envelope once, then other text. */
export function renderParcel(parcel: Parcel, context: PipelineContext): Rendering {
  const outcome = partOf(parcel, "outcome");
  const wire = wordsOf(parcel, context);
  const { texts, ...more } = unmirroredOf(wire) ?? { texts: textsOf(wire) };
  const blocks = besideOf(parcel, context);
  return {
    outcome,
    wire,
    texts: blocks.length === 0 ? texts : [...texts, ...blocks.map(blockText)],
    ...more,
  };
}
