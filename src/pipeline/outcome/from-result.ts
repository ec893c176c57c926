import { legacyErrorIn, readEnvelope } from "../../contract/read-envelope.ts";
import { briefText } from "../../contract/brief-text.ts";
import { errorRegistry } from "../../contract/error-registry.ts";
import type { Fault, Outcome } from "../../contract/outcome.ts";
import { readToolFailure } from "../../contract/standards/tool-failure.ts";
import { jsonEqual } from "../../json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { parseJson } from "../../json/parse-json.ts";
import { CONTRACT_META_KEY } from "../../contract/wire-names.ts";
import { readFailureText } from "./failure-text.ts";

interface FromResult {
  readonly outcome: Outcome;
  /** What is not said by the outcome: images and other blocks, and text beside a structure, in their order. */
  readonly blocks: readonly JsonObject[];
  readonly meta: JsonObject | undefined;
  readonly isEnvelope: boolean;
  /** The data is several texts. */
  readonly isTexts: boolean;
}

/** JSON text becomes a value only if every number and key survives; otherwise it is sent as text. */
function jsonIn(text: string): JsonValue | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.reordersKeys) return undefined;
  const { value } = parsed;
  const isStructure = typeof value === "object" && value !== null;
  return isStructure && parsed.findings.every(({ kind }) => kind === "lone-surrogate") ? value : undefined;
}

/** The JSON in texts; each is parsed once, since parsing a large one is most of what an answer costs. */
type ReadJson = (text: string) => JsonValue | undefined;

function readOnce(): ReadJson {
  const known = new Map<string, JsonValue | undefined>();
  return (text) => {
    if (!known.has(text)) known.set(text, jsonIn(text));
    return known.get(text);
  };
}

/** A text that only repeats what the structure says, as JSON or as one of its fields, or that says nothing. */
function repeats(text: string, structured: JsonValue, read: ReadJson): boolean {
  if (text.trim() === "") return true;
  const json = read(text);
  if (json !== undefined && jsonEqual(json, structured)) return true;
  if (!isJsonObject(structured)) return false;
  const values = Object.values(structured);
  const [only = null] = values;
  // A list has to stand under a name in the structure; its text is often the list alone.
  return values.includes(text) || (json !== undefined && values.length === 1 && jsonEqual(json, only));
}

/** What a failed result is about: what it says of itself in `_meta`, else what its words leave no doubt about. */
function kindOf(message: string, meta: JsonObject | undefined): Omit<Fault, "message"> {
  const said = readToolFailure(meta);
  const read = said === undefined ? readFailureText(message) : undefined;
  const code = said?.code ?? read?.code ?? "OPERATION_FAILED";
  const { type, remediation } = errorRegistry.get(code) ?? { type: "internal", remediation: "" };
  const wait = read?.retryAfterSeconds;
  return {
    code,
    type,
    remediation,
    // Whose limit it is, the words do not say: the tool may have done a part of its work.
    ...(read?.code === "RATE_LIMIT_EXCEEDED" ? { details: { executed: "unknown" } } : {}),
    ...said,
    ...(wait === undefined ? {} : { data: { retry_after_seconds: wait } }),
  };
}

function faultOf(
  texts: readonly string[],
  structured: JsonValue | undefined,
  meta: JsonObject | undefined,
  read: ReadJson,
): Fault {
  const own = structured === undefined ? texts : texts.filter((text) => !repeats(text, structured, read));
  const said = own.length > 0 ? own : texts;
  const message = said.join("\n").trim() || "The tool failed without a message";
  const { details, ...kind } = kindOf(message, meta);
  const all = { ...(isJsonObject(structured) ? structured : {}), ...details };
  return { message, ...kind, ...(Object.keys(all).length > 0 ? { details: all } : {}) };
}

/** What the result's own words are: structure first, then the JSON of a lone text, then the text. */
function dataOf(texts: readonly string[], structured: JsonValue | undefined, read: ReadJson): JsonValue {
  if (structured !== undefined) return structured;
  const [only = "", ...more] = texts;
  if (more.length > 0) return texts;
  return texts.length === 0 ? {} : (read(only) ?? only);
}

/** The envelope a result carries: as structure, else in whichever text, the last first, as ours follow the author's. */
function carriedBy(
  structured: JsonValue | undefined,
  texts: readonly string[],
  read: ReadJson,
): { readonly envelope: JsonObject; readonly outcome: Outcome } | undefined {
  const places = structured === undefined ? texts.toReversed().map((text) => read(text)) : [structured];
  for (const json of places) {
    const outcome = readEnvelope(json ?? null);
    if (outcome !== undefined) return { envelope: json as JsonObject, outcome };
  }
  return undefined;
}

/** A text that says again what an envelope says: the envelope itself, its notes, or it in brief. */
function isOfEnvelope(
  text: string,
  { envelope, outcome }: { readonly envelope: JsonObject; readonly outcome: Outcome },
  read: ReadJson,
): boolean {
  if (repeats(text, envelope, read)) return true;
  const notes = text.startsWith('{"meta":') ? read(text) : undefined;
  const isNotes = notes !== undefined && jsonEqual(notes, { meta: envelope["meta"] ?? null });
  return isNotes || text === briefText(outcome);
}

/**
 * What a server of before response-v2 says of its failure: `{"error": "…"}` is all of its text, and MCP is told nothing.
 * A result that names its dialect says failure as that dialect does.
 */
function legacyError(
  texts: readonly string[],
  structured: JsonValue | undefined,
  meta: JsonObject | undefined,
  read: ReadJson,
): string | undefined {
  const [only = "", ...more] = texts;
  if (more.length > 0 || !only.includes('"error"') || meta?.[CONTRACT_META_KEY] !== undefined)
    return undefined;
  const json = read(only);
  const isAll = structured === undefined || (json !== undefined && jsonEqual(json, structured));
  return isAll ? legacyErrorIn(json) : undefined;
}

function textOf({ type, text }: JsonObject): string | undefined {
  return type === "text" && typeof text === "string" ? text : undefined;
}

/** A ready-made `CallToolResult` as an outcome; everything else is sent on unchanged. */
export function fromResult(result: JsonObject): FromResult {
  const content = Array.isArray(result["content"]) ? result["content"].filter(isJsonObject) : [];
  const texts = content.map(textOf).filter((text) => text !== undefined);
  /** Blocks that are no text, and texts that pass. */
  const blocksWhere = (isOwn: (text: string) => boolean): readonly JsonObject[] =>
    content.filter((block) => {
      const text = textOf(block);
      return text === undefined ? block["type"] !== "text" : isOwn(text);
    });
  const structured = result["structuredContent"];
  const meta = isJsonObject(result["_meta"]) ? result["_meta"] : undefined;
  const read = readOnce();
  const carried = carriedBy(structured, texts, read);
  // A result that says it failed has failed, whatever a text in it looks like.
  const isContradicted = result["isError"] === true && carried?.outcome.ok === true;
  if (carried !== undefined && !isContradicted) {
    const blocks = blocksWhere((text) => !isOfEnvelope(text, carried, read));
    return { outcome: carried.outcome, blocks, meta, isEnvelope: true, isTexts: false };
  }
  const legacy = legacyError(texts, structured, meta, read);
  if (legacy !== undefined || result["isError"] === true) {
    const fault =
      legacy === undefined
        ? faultOf(texts, structured, meta, read)
        : faultOf([legacy], undefined, meta, read);
    const outcome: Outcome = { ok: false, fault, notes: {} };
    return { outcome, blocks: blocksWhere(() => false), meta, isEnvelope: false, isTexts: false };
  }
  const outcome: Outcome = { ok: true, data: dataOf(texts, structured, read), notes: {} };
  // Without a structure the texts are the data.
  const blocks = blocksWhere((text) => structured !== undefined && !repeats(text, structured, read));
  const isTexts = structured === undefined && texts.length > 1;
  return { outcome, blocks, meta, isEnvelope: false, isTexts };
}
