import { tooDeep } from "../../contract/too-deep.ts";
import { readEnvelope } from "../../contract/read-envelope.ts";
import { briefText } from "../../contract/brief-text.ts";
import type { Notes, Outcome } from "../../contract/outcome.ts";
import { jsonEqual } from "../../json/canonical-json.ts";
import type { WrittenValue } from "../../json/json-chunks.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import type { FormReader, ReadForm } from "../parcel.ts";
import { type ExactStructure, exactStructure, withNote } from "./exact-structure.ts";
import {
  type Reading,
  failureNote,
  failureOf,
  nameFailure,
  payloadIn,
  unmarkedIn,
} from "./foreign-failure.ts";
import { readToolFailure } from "../../contract/standards/tool-failure.ts";
import { type ReadJson, ResultJson } from "./result-json.ts";

interface FromResult {
  readonly outcome: Outcome;
  /** What is not said by the outcome: images and other blocks, and text beside a structure, in their order. */
  readonly blocks: readonly JsonObject[];
  readonly meta: JsonObject | undefined;
  /** What another contract said beside the data; undefined where none wrote it. */
  readonly ownNotes?: Notes | undefined;
  readonly isEnvelope: boolean;
  /** The data is several texts. */
  readonly isTexts: boolean;
  /** The data's own JSON text, where it came as one. */
  readonly written?: WrittenValue | undefined;
  /** The data, where it is the text of a structure that JSON.parse would have changed. */
  readonly exactText?: string | undefined;
  /** Why it counts as a failure, or as this one, where a rule decided or guessed. */
  readonly reading?: Reading | undefined;
}

/** What the result's own words are: structure first, then the JSON of a lone text, then the text. */
function dataOf(texts: readonly string[], structured: JsonValue | undefined, read: ReadJson): JsonValue {
  if (structured !== undefined) return structured;
  const [only = "", ...more] = texts;
  if (more.length > 0) return texts;
  return texts.length === 0 ? {} : (read(only) ?? only);
}

interface CarriedForm extends ReadForm {
  readonly envelope: JsonObject;
}

/** What a handler or a server in front of us built with the builders of response-v2. */
function readOwn(json: JsonValue): ReadForm | undefined {
  const outcome = readEnvelope(json);
  return outcome && { outcome, isEnvelope: true, isCoded: true };
}

/** The envelope a result carries: as structure, else in whichever text, the last first, as ours follow the author's. */
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

/** A text that says again what an envelope says: the envelope itself, its notes, or it in brief. */
function isOfEnvelope(text: string, { envelope, outcome }: CarriedForm, json: ResultJson): boolean {
  if (json.repeats(text, envelope)) return true;
  const notes = text.startsWith('{"meta":') ? json.read(text) : undefined;
  const isNotes = notes !== undefined && jsonEqual(notes, { meta: envelope["meta"] ?? null });
  return isNotes || text === briefText(outcome);
}

function textOf({ type, text }: JsonObject): string | undefined {
  return type === "text" && typeof text === "string" ? text : undefined;
}

/** How a result is to be read. */
interface Reader {
  readonly reader?: FormReader | undefined;
  /** Whoever has to take fields out of the data needs a value, whatever became of its numbers. */
  readonly needsValue?: boolean | undefined;
  /** Somebody has to look into the data, to take fields out, mask secrets or answer a question. */
  readonly isLookedInto?: boolean | undefined;
  /** Its texts are documents: only the server's own mark makes it a failure. */
  readonly isDocument?: boolean | undefined;
  /** Whether the tool has an output schema, so that its structure is typed data; undefined where nobody knows. */
  readonly isTyped?: boolean | undefined;
}

/** A ready-made `CallToolResult` as an outcome; everything else is sent on unchanged. */
export function fromResult(
  result: JsonObject,
  { reader, needsValue, isLookedInto = needsValue, isDocument = false, isTyped }: Reader = {},
): FromResult {
  const content = Array.isArray(result["content"]) ? result["content"].filter(isJsonObject) : [];
  const texts = content.map(textOf).filter((text) => text !== undefined);
  /** Blocks that are no text, and texts that pass. */
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
  /** What a form says, in which the words of a failure without a code give it one. */
  const inForm = (form: ReadForm, blocks: readonly JsonObject[]): FromResult => {
    const { outcome: read, isEnvelope, isCoded } = form;
    const named = read.ok || isCoded ? { outcome: read, reading: undefined } : nameFailure(read, meta, json);
    const outcome = withNote(named.outcome, exact);
    const ownNotes = isCoded ? outcome.notes : read.notes;
    const { reading } = named;
    // Whoever gives a failure its code answers for it.
    return { outcome, blocks, meta, ownNotes, isEnvelope: isEnvelope && isCoded, isTexts: false, reading };
  };
  // A result that says it failed has failed, whatever a text in it looks like.
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
    isTyped,
  };
  const payload = payloadIn(said, json);
  const found = payload ?? unmarkedIn(said);
  if (said.isMarked || (found?.confidence === "high" && !isDocument)) {
    const { outcome, fault, reading } = failureOf(said, payload, json);
    // Where a rule decided, the server's own text stays: the rule may be wrong.
    const blocks = blocksWhere((text) => !said.isMarked && text.trim() !== fault.message);
    return { outcome: withNote(outcome, exact), blocks, meta, isEnvelope: false, isTexts: false, reading };
  }
  // Passed on as text it would go past every filter and every mask; where there is none it is a text like any other.
  const isRead = isLookedInto === true && structured === undefined && texts.length === 1;
  if (isRead && json.isTooDeep(texts[0] ?? ""))
    return {
      outcome: tooDeep().toOutcome(),
      blocks: blocksWhere(() => false),
      meta,
      isEnvelope: false,
      isTexts: false,
    };
  const notes = found === undefined ? {} : { warnings: [failureNote(found.rule)] };
  if (exact !== undefined && structured !== undefined) {
    const blocks = blocksWhere((text) => !json.repeats(text, structured));
    return { ...exactSuccess(exact, notes, needsValue), blocks, meta, isEnvelope: false, isTexts: false };
  }
  const data = dataOf(texts, structured, json.read);
  const outcome: Outcome = { ok: true, data, notes };
  // Without a structure the texts are the data.
  const blocks = blocksWhere((text) => structured !== undefined && !json.repeats(text, structured));
  const isTexts = structured === undefined && texts.length > 1;
  return { outcome, blocks, meta, isEnvelope: false, isTexts, written: json.writtenFor(data) };
}

/** The structure's own text is what travels, unless somebody has to look into it. */
function exactSuccess(
  exact: ExactStructure,
  notes: Notes,
  needsValue: boolean | undefined,
): Pick<FromResult, "outcome" | "exactText" | "ownNotes"> {
  if (needsValue !== true) return { outcome: { ok: true, data: exact.text, notes }, exactText: exact.text };
  const outcome = withNote({ ok: true, data: exact.value, notes }, exact);
  // A note about what was changed is for whoever sees the change: as it came, the result has none of it to say.
  return { outcome, ownNotes: outcome.notes };
}
