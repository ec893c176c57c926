// Codex shows less to models that it does not know, and names the model with each call.

import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import type { Reader } from "./reader.ts";
import { readerChosen } from "./readers.ts";

/**
 * The row for the model behind a call, where a client names it and shows some models less. Of a model that is not named
 * the least is taken for granted, unless a setting chose the row.
 */
export function readerForModel(reader: Reader, meta: JsonObject | undefined, isChosen = false): Reader {
  if (reader.id !== "codex") return reader;
  const turn = meta?.["x-codex-turn-metadata"];
  const model = isJsonObject(turn) ? turn["model"] : undefined;
  if (typeof model !== "string" && isChosen) return reader;
  return readerChosen(codexRow(typeof model === "string" ? model : "")) ?? reader;
}

/** All models that Codex 0.166.0 knows (`codex debug models`). */
function codexRow(model: string): string {
  if (/^(?:gpt-(?:5\.[6-9]|[6-9]|daybreak)|codex-auto-review)/.test(model)) return "codex-code";
  return model === "gpt-5.5" ? "codex" : "codex-other-model";
}
