import { tooDeep } from "../../contract/tool-fault.ts";
import { readEnvelope } from "../../contract/read-envelope.ts";
import { briefText } from "../../contract/brief-text.ts";
import { isOfCut } from "../../contract/closing-line.ts";
import type { Notes, Outcome } from "../../contract/outcome.ts";
import type { WarningDetail } from "../../contract/warning.ts";
import { jsonEqual } from "../../json/canonical-json.ts";
import type { WrittenValue } from "../../json/json-chunks.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { appendPointer } from "../../json/pointer.ts";
import type { FormReader, ReadForm } from "../pipeline-context.ts";
import { type ExactStructure, exactStructure, withNote, type ReadJson, ResultJson } from "./result-json.ts";
import {
  MAX_ORIGINAL_LENGTH,
  type Reading,
  type Said,
  failureNote,
  failureOf,
  nameFailure,
  partialIn,
  payloadIn,
} from "./foreign-failure.ts";
import { unmarkedIn } from "./unmarked-failure.ts";
import { readToolFailure } from "../../contract/tool-failure.ts";
import { startsLike } from "./failure-signs.ts";
import { readFailurePayload } from "./failure-payload.ts";

interface FromResult {
  readonly outcome: Outcome;
  /** What the outcome does not contain: images and other blocks, and text beside a structure, in their order. */
  readonly blocks: readonly JsonObject[];
  readonly meta: JsonObject | undefined;
  /** What another contract said beside the data; undefined if no contract wrote the result. */
  readonly ownNotes?: Notes | undefined;
  readonly isEnvelope: boolean;
  /** The data is several texts. */
  readonly isTexts: boolean;
  /** The data's original JSON text, if it came as a text. */
  readonly written?: WrittenValue | undefined;
  /** Set if the data is the text of a structure that JSON.parse would have changed. */
  readonly exactText?: string | undefined;
  /** The field of the structure that is a text of the result too. */
  readonly textAt?: string | undefined;
  /** Why it counts as a failure, or as this failure, if a rule decided or guessed. */
  readonly reading?: Reading | undefined;
}

/** The result's data: the structure, else the JSON of a lone text, else the text. */
function dataOf(texts: readonly string[], structured: JsonValue | undefined, read: ReadJson): JsonValue {
  if (structured !== undefined) return structured;
  const [only = "", ...more] = texts;
  if (more.length > 0) return texts;
  return texts.length === 0 ? {} : (read(only) ?? only);
}

interface CarriedForm extends ReadForm {
  readonly envelope: JsonObject;
}

/** An envelope that a handler or an upstream server built with the builders of response-v2. */
function readOwn(json: JsonValue): ReadForm | undefined {
  const outcome = readEnvelope(json);
  return outcome && { outcome, isEnvelope: true, isCoded: true };
}

/** The envelope in a result: in the structure, else in a text, the last first, because ours follow the author's. */
function carriedBy(
  structured: JsonValue | undefined,
  texts: readonly string[],
  read: ReadJson,
  readForm: (json: JsonValue) => ReadForm | undefined,
): CarriedForm | undefined {
  const places = structured === undefined ? texts.toReversed().map((text) => read(text)) : [structured];
  for (const json of places) {
    const found = readForm(json ?? null);
    if (found !== undefined) return { ...found, envelope: json as JsonObject };
  }
  return undefined;
}

/** Whether a text repeats an envelope: the envelope itself, its notes, or its short form. */
function isOfEnvelope(text: string, { envelope, outcome }: CarriedForm, json: ResultJson): boolean {
  if (json.repeats(text, envelope)) return true;
  const notes = text.startsWith('{"meta":') ? json.read(text) : undefined;
  const isNotes = notes !== undefined && jsonEqual(notes, { meta: envelope["meta"] ?? null });
  return isNotes || text === briefText(outcome) || isOfCut(text, outcome);
}

function textOf({ type, text }: JsonObject): string | undefined {
  return type === "text" && typeof text === "string" ? text : undefined;
}

/** How a result is to be read. */
interface Reader {
  readonly reader?: FormReader | undefined;
  /** Fields must be removed from the data, so it has to be a value even if its numbers changed. */
  readonly needsValue?: boolean | undefined;
  /** The data must be read, to remove fields, mask secrets or answer a question. */
  readonly isLookedInto?: boolean | undefined;
  /** The texts are documents: only the server's own mark makes the result a failure. */
  readonly isDocument?: boolean | undefined;
  /** Whether the tool has an output schema, so that its structure is typed data; undefined if that is not known. */
  readonly isTyped?: boolean | undefined;
  /** Beginnings of texts with which this tool reports failures that it does not mark. */
  readonly failureStarts?: readonly string[] | undefined;
}

/** A ready-made `CallToolResult` as an outcome; everything else is sent on unchanged. */
export function fromResult(
  result: JsonObject,
  { reader, needsValue, isLookedInto = needsValue, isDocument = false, isTyped, failureStarts }: Reader = {},
): FromResult {
  const content = Array.isArray(result["content"]) ? result["content"].filter(isJsonObject) : [];
  const texts = content.map(textOf).filter((text) => text !== undefined);
  /** Blocks that are not text, and texts for which `isOwn` is true. */
  const blocksWhere = (isOwn: (text: string) => boolean): readonly JsonObject[] =>
    content.filter((block) => {
      const text = textOf(block);
      return text === undefined ? block["type"] !== "text" : isOwn(text);
    });
  const exact = exactStructure(result["structuredContent"]);
  const structured = exact?.value ?? result["structuredContent"];
  const meta = isJsonObject(result["_meta"]) ? result["_meta"] : undefined;
  const json = new ResultJson(exact !== undefined);
  const carried = carriedBy(structured, texts, json.read, (value) =>
    reader?.envelope === undefined ? readOwn(value) : reader.envelope(value, meta),
  );
  /** The outcome of a recognised form; a failure without a code gets one from its words. */
  const inForm = (form: ReadForm, blocks: readonly JsonObject[]): FromResult => {
    const { outcome: read, isEnvelope, isCoded } = form;
    const named = read.ok || isCoded ? { outcome: read, reading: undefined } : nameFailure(read, meta, json);
    const outcome = withNote(named.outcome, exact);
    const ownNotes = isCoded ? outcome.notes : read.notes;
    const { reading } = named;
    // If Waybill chose the code, the result no longer counts as the server's envelope.
    return { outcome, blocks, meta, ownNotes, isEnvelope: isEnvelope && isCoded, isTexts: false, reading };
  };
  // A result that says it failed has failed, whatever its texts look like.
  const isContradicted = result["isError"] === true && carried?.outcome.ok === true;
  if (carried !== undefined && !isContradicted)
    return inForm(
      carried,
      blocksWhere((text) => !isOfEnvelope(text, carried, json)),
    );
  const read = exact === undefined ? result : { ...result, structuredContent: exact.value };
  const form = carried === undefined ? reader?.result(read) : undefined;
  if (form !== undefined)
    return inForm(
      form,
      blocksWhere(() => false),
    );
  const said = {
    texts,
    structured,
    meta,
    isMarked: result["isError"] === true || readToolFailure(meta) !== undefined,
    hasOthers: texts.length < content.length,
    isTyped,
  };
  const told = toldByPolicy(said, failureStarts, json);
  if (told !== undefined) {
    const { outcome, reading } = failureOf({ ...said, structured: undefined }, undefined, json);
    const blocks = blocksWhere(() => false);
    return { outcome, blocks, meta, isEnvelope: false, isTexts: false, reading: reading ?? told };
  }
  const payload = payloadIn(said, json);
  const found = payload ?? unmarkedIn(said);
  if (said.isMarked || (found?.confidence === "high" && !isDocument)) {
    const { outcome, fault, reading } = failureOf(said, found, json);
    // If a rule decided, the server's own text stays: the rule may be wrong.
    const blocks = blocksWhere((text) => !said.isMarked && text.trim() !== fault.message);
    return { outcome: withNote(outcome, exact), blocks, meta, isEnvelope: false, isTexts: false, reading };
  }
  // Sent as a text, too deep JSON would evade every filter and mask. Without these it is a text like any other.
  const isRead = isLookedInto === true && structured === undefined && texts.length === 1;
  if (isRead && json.isTooDeep(texts[0] ?? ""))
    return {
      outcome: tooDeep().toOutcome(),
      blocks: blocksWhere(() => false),
      meta,
      isEnvelope: false,
      isTexts: false,
    };
  const notes = notesOn(found?.rule, partialIn(said, json));
  if (exact !== undefined && structured !== undefined) {
    const blocks = blocksWhere((text) => !json.repeats(text, structured));
    return { ...exactSuccess(exact, notes, needsValue), blocks, meta, isEnvelope: false, isTexts: false };
  }
  const data = dataOf(texts, structured, json.read);
  const outcome: Outcome = { ok: true, data, notes };
  // Without a structure the texts are the data.
  const blocks = blocksWhere((text) => structured !== undefined && !json.repeats(text, structured));
  const isTexts = structured === undefined && texts.length > 1;
  const textAt = fieldAsText(structured, texts);
  return { outcome, blocks, meta, isEnvelope: false, isTexts, written: json.writtenFor(data), textAt };
}

/** The author of the policy knows the tool, so it decides without doubt, also where the tool gives documents. */
function toldByPolicy(
  { texts, structured, isMarked }: Said,
  starts: readonly string[] | undefined,
  json: ResultJson,
): Reading | undefined {
  const [only = "", ...more] = texts;
  if (isMarked || more.length > 0 || !startsLike(only, starts)) return undefined;
  if (structured !== undefined && !json.repeats(only, structured)) return undefined;
  return { rule: "policy/starts-with", confidence: "high", original: only.slice(0, MAX_ORIGINAL_LENGTH) };
}

function notesOn(rule: string | undefined, partial: WarningDetail | undefined): Notes {
  const warnings = [
    ...(rule === undefined ? [] : [failureNote(rule)]),
    ...(partial === undefined ? [] : [partial]),
  ];
  return warnings.length === 0 ? {} : { warnings };
}

/** Where a structure has the only text of its result, such as `/content`. */
function fieldAsText(
  structured: JsonValue | undefined,
  [only, ...more]: readonly string[],
): string | undefined {
  if (only === undefined || more.length > 0 || !isJsonObject(structured)) return undefined;
  const key = Object.keys(structured).find((name) => structured[name] === only);
  return key === undefined ? undefined : appendPointer("", key);
}

/** The structure's original text is sent, unless the data must be read. */
function exactSuccess(
  exact: ExactStructure,
  notes: Notes,
  needsValue: boolean | undefined,
): Pick<FromResult, "outcome" | "exactText" | "ownNotes"> {
  if (needsValue !== true) return { outcome: { ok: true, data: exact.text, notes }, exactText: exact.text };
  const outcome = withNote({ ok: true, data: exact.value, notes }, exact);
  // A note about the change is only for readers who see the change: the original result needs none.
  return { outcome, ownNotes: outcome.notes };
}

// A handler may report a failure without an envelope and without throwing: `{ success: false, error }`. It is read by
// the rules for other servers' results, so that a tool means the same behind every door.

/** Whether a value says by its own flag that it failed; an `error` without the flag may be a field of the data. */
function isFlagged(value: unknown): value is JsonObject {
  return isJsonObject(value) && value["success"] === false && value["error"] !== undefined;
}

/** The failure that a handler's value reports; undefined for data, and if there is data beside the report. */
export function reportedFailure(value: unknown): Outcome | undefined {
  if (!isFlagged(value)) return undefined;
  const payload = readFailurePayload(value, false);
  if (payload === undefined || payload.confidence !== "high") return undefined;
  const said = { texts: [], structured: value, meta: undefined, isMarked: false };
  return failureOf(said, payload, new ResultJson()).outcome;
}
