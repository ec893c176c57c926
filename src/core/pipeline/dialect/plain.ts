import type { Notes, Outcome } from "../../contract/outcome.ts";
import { readToolFailure } from "../../contract/tool-failure.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { readMeta } from "../../contract/read-meta.ts";
import { NOTES_META_KEY } from "../../contract/wire-names.ts";
import { asideOf, quietPresence, splitAside } from "./aside.ts";
import { checkMeta } from "./meta-rules.ts";
import { type Dialect, type RenderOptions, untypedFault, untypedFaultLosses } from "./dialect.ts";
import {
  checkToolResult,
  isAsSent,
  isOurs,
  jsonOrText,
  resultRules,
  blockTexts,
  toolResultSchema,
} from "./result-rules.ts";

function render(outcome: Outcome, options: RenderOptions): JsonValue {
  const aside = asideOf(quietPresence, outcome, options);
  const said = outcome.ok ? JSON.stringify(outcome.data) : outcome.fault.message;
  const texts = [said, ...(aside === undefined ? [] : [JSON.stringify(aside)])];
  const content = texts.map((text) => ({ type: "text", text }));
  if (!outcome.ok) return { content, isError: true };
  // Legacy clients accept only objects here; other values travel as text alone.
  return isJsonObject(outcome.data) ? { content, structuredContent: outcome.data } : { content };
}

/** Blocks other than text. */
function otherBlocks(result: JsonObject): readonly JsonValue[] {
  const content = Array.isArray(result["content"]) ? result["content"] : [];
  return content.filter((block) => !isJsonObject(block) || block["type"] !== "text");
}

/** Whether something that a cut left out has a name that begins so. */
function lacks({ fidelity }: Notes, beginning: string): boolean {
  return fidelity?.dropped.some((name) => name.startsWith(beginning)) === true;
}

function payloadOf(result: JsonObject, texts: readonly string[], notes: Notes): JsonValue | undefined {
  const { structuredContent: structured } = result;
  if (structured !== undefined) return structured;
  const [only, ...more] = texts;
  const isCutHere = isAsSent(result) && notes.fidelity !== undefined;
  // A text of JSON that lost fields is still the JSON.
  const isLean = notes.warnings?.some(({ code }) => code === "FIELDS_DROPPED") === true;
  if (isCutHere && isLean && texts.length === 1 && !isCutShort(notes)) return jsonOrText(only ?? "");
  // The first of several texts: what is missing has its place in their list.
  if (isCutHere && lacks(notes, "/")) return texts;
  if (only === undefined) return undefined;
  if (more.length > 0) return texts.join("\n");
  // The beginning of a longer text is a text, even if it looks like JSON.
  return isCutHere && lacks(notes, "#char=") ? only : jsonOrText(only);
}

function isCutShort({ warnings = [] }: Notes): boolean {
  return warnings.some(({ code }) => code === "CONTENT_TRUNCATED");
}

/** The notes of a cut text: of the results that Waybill writes as plain MCP, only these have a fidelity. */
function cutNotesIn(meta: unknown): JsonObject | undefined {
  const notes = isJsonObject(meta) ? meta[NOTES_META_KEY] : undefined;
  return isJsonObject(notes) && notes["content_fidelity"] !== undefined ? notes : undefined;
}

/** The texts without those that say notes. The notes of a cut text are in `_meta`, and its last text says them in words. */
function splitNotes(result: JsonObject): ReturnType<typeof splitAside> {
  const texts = blockTexts(result);
  const cut = isAsSent(result) ? cutNotesIn(result["_meta"]) : undefined;
  if (cut === undefined || checkMeta(cut, "/_meta").some(({ severity }) => severity === "MUST"))
    return splitAside(texts);
  const { texts: own, notes } = splitAside(texts.slice(0, -1));
  return { texts: own, notes: { ...notes, ...readMeta(cut) } };
}

/** Images and other blocks go beside the payload under `content`, so that nothing of the result is lost. */
function read(json: JsonValue): Outcome {
  const result = json as JsonObject;
  const { texts: all, notes } = splitNotes(result);
  // In a result that Waybill wrote, the last text is the result or the error; the texts before it are the author's.
  const texts = isOurs(result) && !isAsSent(result) ? all.slice(-1) : all;
  const blocks = otherBlocks(result);
  const structured = result["structuredContent"];
  if (result["isError"] === true) {
    const data = {
      ...(structured === undefined ? {} : { structured_content: structured }),
      ...(blocks.length > 0 ? { content: blocks } : {}),
    };
    const { _meta: meta } = result;
    // A server that describes its failure in the draft of the specification says more than its text.
    const said = readToolFailure(isJsonObject(meta) ? meta : undefined);
    const fault = { ...untypedFault(texts.join("\n")), ...said };
    const all = { ...said?.data, ...data };
    return { ok: false, fault: Object.keys(all).length > 0 ? { ...fault, data: all } : fault, notes };
  }
  const payload = payloadOf(result, texts, notes);
  if (blocks.length === 0) return { ok: true, data: payload ?? null, notes };
  return {
    ok: true,
    data: { ...(payload === undefined ? {} : { result: payload }), content: blocks },
    notes,
  };
}

/** MCP as it is: the tool's own data as structuredContent and text, failures as isError text. */
export const plain: Dialect = {
  id: "plain",
  says: "MCP as it is: structuredContent and its text, or isError text",
  level: "result",
  takesBarePayloads: true,
  presence: quietPresence,
  schema: toolResultSchema,
  rules: Object.values(resultRules),
  losses: untypedFaultLosses,
  render,
  check: checkToolResult,
  read,
};
