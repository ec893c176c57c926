// Writes the outcome in a dialect: response-v2 by default, any of six, or with `auto` one chosen for each result.
// Promises that reading the wire form back gives the outcome again, up to the dialect's pinned losses.
// Never decides what is said: the profile and the earlier stages did.

import { shownNotes } from "../../contract/profile.ts";
import type { DialectChoice, DialectId } from "../../contract/dialect-id.ts";
import type { Outcome } from "../../contract/outcome.ts";
import { writeMeta } from "../../contract/envelope.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import {
  type Parcel,
  type Rendering,
  type Wire,
  blockText,
  hasProse,
  partOf,
  placedData,
  stamp,
} from "../parcel.ts";
import type { PipelineContext, FitContext } from "../pipeline-context.ts";
import type { Dialect, RenderOptions } from "./dialect.ts";
import { drf } from "./drf.ts";
import { plain } from "./plain.ts";
import { responseV1 } from "./response-v1.ts";
import { responseV2Draft } from "./response-v2-draft.ts";
import { responseV2 } from "./response-v2.ts";
import { scalpel } from "./scalpel.ts";
import { cutTexts, plainWords } from "./auto.ts";
import { asideOf, quietPresence } from "./aside.ts";

/** The six ways to write one outcome. */
export const dialects: Readonly<Record<DialectId, Dialect>> = {
  "response-v2": responseV2,
  "response-v2-draft": responseV2Draft,
  "response-v1": responseV1,
  scalpel,
  drf,
  plain,
};

interface DialectTraits extends Pick<
  Dialect,
  | "wrapsData"
  | "carriesOmissions"
  | "fixesCapabilities"
  | "sendsAuthored"
  | "lift"
  | "strays"
  | "writeBlock"
  | "writeError"
> {
  /** The dialect is chosen for each result, which may also be sent as it is. */
  readonly choosesByResult?: true;
}

/** `auto` cuts in response-v2, apart from bare text, and has no other traits of its own. */
const autoTraits: DialectTraits = {
  wrapsData: true,
  carriesOmissions: true,
  sendsAuthored: true,
  choosesByResult: true,
};

/** What is known of a choice before there is a result. */
export function traitsOf(choice: DialectChoice): DialectTraits {
  return choice === "auto" ? autoTraits : dialects[choice];
}

/** A text that repeats the structure is the first to go, unless only that text says that the call failed or was cut. */
function leavesMirror(
  parcel: Parcel,
  outcome: Outcome,
  dialect: Dialect,
  { delivery }: PipelineContext,
): boolean {
  if (parcel.dropsRepeatedText !== true || !hasProse(parcel) || !outcome.ok || delivery === "text")
    return false;
  return dialect.carriesOmissions === true || (outcome.notes.fidelity?.level ?? "full") === "full";
}

/** The notes of the envelope, which a reader of texts alone would otherwise lose. */
function notesAlone(dialect: Dialect, outcome: Outcome, options: RenderOptions): JsonObject | undefined {
  const written = writeMeta(shownNotes(dialect, outcome, options));
  const { version: _, ...unversioned } = written;
  // Only dialects that have `meta` themselves write the version.
  const meta = dialect.wrapsData === true ? written : unversioned;
  return Object.keys(meta).length > 0 ? { meta } : undefined;
}

/** The wire form of the parcel's outcome in the context's dialect and profile. */
export function wireOf(parcel: Parcel, context: PipelineContext): Wire {
  if (context.dialect !== "auto") return wordsIn(dialects[context.dialect], parcel, context);
  const other = context.staysPlain === true ? plain : responseV2;
  return plainWords(parcel, context) ?? wordsIn(other, sayingOnce(parcel), context);
}

/** The reader of `auto` knows no contract and gains nothing from a warning that is there twice, as text and in detail. */
function sayingOnce(parcel: Parcel): Parcel {
  const outcome = partOf(parcel, "outcome");
  const { notes } = outcome;
  if (notes.warnings === undefined) return parcel;
  const authored = { ...notes.authored, detailsAlone: true };
  return { ...parcel, outcome: { ...outcome, notes: { ...notes, authored } } };
}

function placedOutcome(parcel: Parcel, context: PipelineContext): Outcome {
  const outcome = partOf(parcel, "outcome");
  if (!outcome.ok) return outcome;
  const data = placedData(parcel, outcome.data, context);
  return data === outcome.data ? outcome : { ...outcome, data };
}

/** Plain MCP can carry a structure as it came: the same object, which the sender writes as its original text. */
function withOwnStructure(rendered: JsonValue, { arrival, outcome, source }: Parcel): JsonValue {
  const { exactText } = source ?? {};
  if (exactText === undefined || outcome?.ok !== true || outcome.data !== exactText) return rendered;
  if (arrival.kind !== "result" || !isJsonObject(rendered) || !Array.isArray(rendered["content"]))
    return rendered;
  const [, ...others] = rendered["content"] as readonly JsonObject[];
  const { structuredContent = null } = arrival.result;
  return { ...rendered, content: [{ type: "text", text: exactText }, ...others], structuredContent };
}

function wordsIn(dialect: Dialect, parcel: Parcel, context: PipelineContext): Wire {
  const outcome = placedOutcome(parcel, context);
  const { profile, requestIdFrom, draftNotes: metadata } = context;
  const options = { profile, requestIdFrom, metadata };
  const aside = dialect.aside?.(outcome, options);
  const rendered = dialect.render(outcome, options);
  const json = dialect === plain ? withOwnStructure(rendered, parcel) : rendered;
  const isWrapped = dialect.wrapsData === true && isUnderKey(parcel);
  const wire: Wire = { level: dialect.level, json, aside, dialect: dialect.id, isWrapped };
  if (!hasStructure(wire)) return wire;
  const texts = cutTexts(parcel, shownNotes(dialect, outcome, options), context);
  if (texts !== undefined) return { ...wire, unmirrored: { texts, isSame: true } };
  if (!leavesMirror(parcel, outcome, dialect, context)) return wire;
  return { ...wire, unmirrored: { texts: asTexts(notesAlone(dialect, outcome, options)) } };
}

function asTexts(aside: JsonObject | undefined): readonly string[] {
  return aside === undefined ? [] : [JSON.stringify(aside)];
}

/** Whether the data is under `result` in an envelope: our own, or one of another contract that said so. */
function isUnderKey({ outcome, source }: Parcel): boolean {
  if (outcome?.ok !== true || outcome.data === null) return false;
  if (!isJsonObject(outcome.data)) return true;
  return source?.isWrapped === true && Object.keys(outcome.data).join() === "result";
}

/** What the author wrote beside the data, as the dialect sends it. */
export function besideOf(
  { blocks = [], outcome }: Parcel,
  { dialect }: PipelineContext,
): readonly JsonObject[] {
  if (dialect === "auto") return blocks;
  const { writeBeside, writeBlock } = dialects[dialect];
  if (outcome === undefined || (writeBeside === undefined && writeBlock === undefined)) return blocks;
  return blocks.map((block) => {
    const { type, text } = block;
    if (type !== "text")
      return writeBlock === undefined ? block : { type: "text", text: writeBlock(block, outcome) };
    return typeof text === "string" && writeBeside !== undefined
      ? { ...block, text: writeBeside(text, outcome) }
      : block;
  });
}

/** The parcel in its wire form, without an author's own text. */
export function sayPlainly(parcel: Parcel, context: PipelineContext): Parcel {
  return saidIn(parcel, wireOf(parcel, context), context);
}

/** A promise only if an author's text has to be counted. */
export function say(parcel: Parcel, context: PipelineContext): Parcel | Promise<Parcel> {
  const { rendering } = parcel;
  const isRendered = rendering !== undefined && rendering.outcome === parcel.outcome;
  const wire = isRendered ? rendering.wire : wireOf(parcel, context);
  const words = authorWords(parcel, wire, context);
  if (words === undefined) return saidIn(parcel, wire, context);
  const isWithin = hasRoom(words, context.fit);
  if (typeof isWithin === "boolean") return sayWords(words, isWithin, parcel, wire, context);
  return isWithin.then((counted) => sayWords(words, counted, parcel, wire, context));
}

/** The author's text is first, and a text that repeats the structure can go; without room for it, the JSON is sent. */
function sayWords(
  { text, aside }: AuthorWords,
  isWithin: boolean,
  parcel: Parcel,
  wire: Wire,
  context: PipelineContext,
): Parcel {
  if (!isWithin) {
    context.format?.onTooLong();
    return saidIn(parcel, wire, context);
  }
  const written = { ...parcel, blocks: [{ type: "text", text }] };
  return saidIn(written, { ...wire, unmirrored: { texts: asTexts(aside) } }, context, ", the author's text");
}

function saidIn(parcel: Parcel, wire: Wire, context: PipelineContext, more = ""): Parcel {
  const change = parcel.blocks === undefined ? { wire } : { wire, blocks: besideOf(parcel, context) };
  return stamp(
    parcel,
    "dialect",
    `${wire.dialect ?? context.dialect}, profile ${context.profile.name}${more}`,
    change,
  );
}

function textsIn({ content }: { readonly content?: unknown }): readonly string[] {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return blocks.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
}

function textsOf({ level, json, aside }: Wire): readonly string[] {
  if (level === "result") return textsIn(json as JsonObject);
  return [JSON.stringify(json), ...(aside === undefined ? [] : [JSON.stringify(aside)])];
}

/** The wire form without a text that repeats the structure: the remaining texts, and the structure. */
function unmirroredOf(wire: Wire): Pick<Rendering, "texts" | "structure"> | undefined {
  const { level, json, unmirrored } = wire;
  if (unmirrored === undefined) return undefined;
  const structure = level === "result" ? (json as JsonObject)["structuredContent"] : json;
  return { texts: unmirrored.texts, structure: JSON.stringify(structure) };
}

/** All texts of a ready-made result, and its structure: a client may show either. */
function sentOf({ json }: Wire): Pick<Rendering, "texts" | "structure"> {
  const { content, structuredContent: structured } = json as JsonObject;
  const texts = (Array.isArray(content) ? content.filter(isJsonObject) : []).map(blockText);
  return structured === undefined ? { texts } : { texts, structure: JSON.stringify(structured) };
}

/** The parcel's outcome as the context's dialect and delivery would send it: the envelope once, then other text. */
export function renderParcel(parcel: Parcel, context: PipelineContext): Rendering {
  const outcome = partOf(parcel, "outcome");
  const wire = wireOf(parcel, context);
  if (wire.isAsSent === true) return { outcome, wire, ...sentOf(wire) };
  const unmirrored = unmirroredOf(wire);
  const texts = unmirrored?.texts ?? textsOf(wire);
  const blocks = besideOf(parcel, context);
  const all = blocks.length === 0 ? texts : [...texts, ...blocks.map(blockText)];
  if (unmirrored === undefined) return { outcome, wire, texts: all };
  return { outcome, wire, texts: all, structure: unmirrored.structure };
}

// The author's own text in place of the JSON that repeats the structure: models read it if a tool has `format`.
// Promises that the structure stays, that notes and omissions are still said in a text, and that the text fits the
// budget. If one of these is impossible, or no text could be made, the JSON is sent as usual.

/** The levels at which the data still has the form that the tool gave it. */
const formed: readonly (string | undefined)[] = [undefined, "full", "partial"];

/** Whether a structure is sent too, so that a text need not repeat it. */
function hasStructure({ level, json }: Wire): boolean {
  if (level === "envelope") return isJsonObject(json);
  return isJsonObject(json) && json["structuredContent"] !== undefined;
}

/** If a dialect has no place to say what was left out, a cut structure is not sent, and the text must be the data. */
function isStructureSure({ cut, lean }: Parcel, { level, aside }: Wire): boolean {
  return (cut === undefined && lean === undefined) || (level === "envelope" && aside === undefined);
}

/** Whether an author's text may replace the JSON text of this result. */
function mayReplace(parcel: Parcel, wire: Wire, { delivery }: PipelineContext): boolean {
  const { outcome, arrival, isSelected } = parcel;
  if (outcome?.ok !== true || arrival.kind !== "value" || isSelected === true) return false;
  if (delivery === "text" || !hasStructure(wire) || !isStructureSure(parcel, wire)) return false;
  return formed.includes(outcome.notes.fidelity?.level);
}

/** An author's text, and the notes beside it. */
interface AuthorWords {
  readonly text: string;
  readonly aside: JsonObject | undefined;
}

/** A token is at least one byte, so most texts need no counting, and no waiting for the counter. */
function hasRoom({ text, aside }: AuthorWords, fit: FitContext | undefined): boolean | Promise<boolean> {
  if (fit === undefined) return true;
  const texts = aside === undefined ? [text] : [text, JSON.stringify(aside)];
  const { tokens, bytes } = fit.budget;
  const length = texts.reduce((sum, text) => sum + fit.byteLength(text), 0);
  if (bytes !== "off" && length > bytes) return false;
  if (tokens === "off" || length <= tokens) return true;
  return isCountedWithin(texts, tokens, fit.counter);
}

async function isCountedWithin(
  texts: readonly string[],
  tokens: number,
  loadCounter: FitContext["counter"],
): Promise<boolean> {
  const counter = await loadCounter();
  return texts.reduce((sum, text) => sum + counter.count(text), 0) <= tokens;
}

/** The author's text for the parcel; undefined if the JSON is sent. */
function authorWords(parcel: Parcel, wire: Wire, context: PipelineContext): AuthorWords | undefined {
  const { format } = context;
  const { outcome } = parcel;
  if (format === undefined || outcome?.ok !== true || !mayReplace(parcel, wire, context)) return undefined;
  const text = format.write(outcome.data);
  return text === undefined ? undefined : { text, aside: asideOf(quietPresence, outcome, context) };
}
