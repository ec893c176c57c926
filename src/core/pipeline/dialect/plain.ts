import type { Notes, Outcome } from "../../contract/outcome.ts";
import { readToolFailure } from "../../contract/tool-failure.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { cutNotesIn } from "../../contract/contract-mark.ts";
import { readMeta } from "../../contract/read-meta.ts";
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

/** Whether the text is the beginning of a longer one, sent bare: it is a text, even if it looks like JSON. */
function isBareHead(result: JsonObject, { fidelity }: Notes): boolean {
  return isAsSent(result) && fidelity?.dropped.some((name) => name.startsWith("#char=")) === true;
}

function payloadOf(
  structured: JsonValue | undefined,
  texts: readonly string[],
  isText: boolean,
): JsonValue | undefined {
  if (structured !== undefined) return structured;
  const [only, ...more] = texts;
  if (only === undefined) return undefined;
  if (more.length > 0) return texts.join("\n");
  return isText ? only : jsonOrText(only);
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
  const payload = payloadOf(structured, texts, isBareHead(result, notes));
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
