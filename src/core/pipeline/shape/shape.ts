// Shape keeps the part of a parcel's data that the tool's configuration asks for, makes it lean and writes its lists as
// tables if told to.
// It promises a part of the input: same places, same order, same values; what is unchanged is the same reference.
// If the call asks a question, the answer replaces the data; only then, and for lean, does the stage wait for anything.
// It masks secrets in everything that is sent with a failure. Apart from that it never touches an error's message,
// code, type, remediation or details, adds nothing, and removes no array item.

import type { Fault, Outcome, Notes } from "../../contract/outcome.ts";
import { sayNames } from "../../text/say-name.ts";
import { encodeTables } from "../../json/table/encode-tables.ts";
import { type WarningDetail, orderWarnings } from "../../contract/warning.ts";
import { type JsonObject, isJsonObject, type JsonValue } from "../../json/json-value.ts";
import { type Maskable, maskParcel } from "./mask-parcel.ts";
import { type CompiledFilter, type FieldFilter, type FilterFacts, compileFilter } from "./compile-filter.ts";
import { type LeanResult, type Parcel, partOf, stamp } from "../parcel.ts";
import { type DataEncoding, type PipelineContext, type Asking, tableFormOf } from "../pipeline-context.ts";
import type { leanOutcome } from "./lean/lean-outcome.ts";
import { SELECTED_KEY } from "../../contract/wire-names.ts";
import type { WrittenValue } from "../../json/json-chunks.ts";

export type ShapeFacts = Pick<FilterFacts, "tier">;

/** Filters the data of a success, or the extra data of a fault; if nothing changes it is the same outcome. */
export function shapeOutcome(
  outcome: Outcome,
  filter: FieldFilter | CompiledFilter | undefined,
  facts: ShapeFacts = {},
): Outcome {
  if (filter === undefined) return outcome;
  const keep = typeof filter === "function" ? filter : compileFilter(filter);
  const tier = facts.tier ?? outcome.notes.tier;
  if (!outcome.ok) {
    const fault = shapeFault(outcome.fault, keep, tier);
    return fault === outcome.fault ? outcome : { ...outcome, fault };
  }
  const data = keep(outcome.data, { tier });
  return data === outcome.data ? outcome : { ...outcome, data };
}

function shapeFault(fault: Fault, keep: CompiledFilter, tier: string | undefined): Fault {
  const { data, ...rest } = fault;
  if (data === undefined) return fault;
  const kept = keep(data, { failed: true, tier });
  if (kept === data) return fault;
  // A reader returns a fault without extras as one without `data`, so an emptied `data` is left out.
  return isJsonObject(kept) && Object.keys(kept).length > 0 ? { ...rest, data: kept } : rest;
}

const leftOut: WarningDetail = {
  code: "CONTENT_DROPPED",
  severity: "warning",
  message: "Text beside the data was left out: fields are filtered here, and text may repeat them",
};

const linkRemoved: WarningDetail = {
  code: "CONTENT_DROPPED",
  severity: "warning",
  message: "A link was left out: it holds a secret",
};

/** What the author wrote beside the data. A text may repeat any field, so if fields are hidden no text is sent. */
function shapeBeside(
  { blocks = [] }: Parcel,
  outcome: Outcome,
  { filter, tier }: PipelineContext,
): { readonly blocks: readonly JsonObject[]; readonly isLeftOut: boolean } {
  const isText = ({ type }: JsonObject): boolean => type === "text";
  if (!blocks.some(isText)) return { blocks, isLeftOut: false };
  const keep = typeof filter === "object" ? compileFilter(filter) : filter;
  if (keep?.hides({ failed: !outcome.ok, tier: tier ?? outcome.notes.tier }) === true)
    return { blocks: blocks.filter((block) => !isText(block)), isLeftOut: true };
  return { blocks, isLeftOut: false };
}

function withNote(outcome: Outcome, note: WarningDetail): Outcome {
  const { notes } = outcome;
  return { ...outcome, notes: { ...notes, warnings: orderWarnings([...(notes.warnings ?? []), note]) } };
}

/** Warns which fields of a success its reader should no longer rely on. */
function noteDeprecated(outcome: Outcome, shaped: Outcome, { deprecated }: PipelineContext): Outcome {
  if (deprecated === undefined || !shaped.ok) return outcome;
  const fields = deprecated(shaped.data);
  if (fields.length === 0) return outcome;
  const names = sayNames(fields);
  const message =
    fields.length === 1 ? `The field ${names} is deprecated` : `These fields are deprecated: ${names}`;
  return withNote(outcome, { code: "DEPRECATED_FIELD", severity: "info", message, context: { fields } });
}

/** The lists of a success as tables, if those are shorter. */
function encodeOutcome(outcome: Outcome, encoding: DataEncoding | undefined): Outcome {
  const form = tableFormOf(encoding);
  if (form === undefined || !outcome.ok) return outcome;
  const data = encodeTables(outcome.data, form);
  return data === outcome.data ? outcome : { ...outcome, data };
}

function describeChange(
  isFiltered: boolean,
  isSelected: boolean,
  isLean: boolean,
  isEncoded: boolean,
): string {
  const done = [
    ...(isFiltered ? ["fields left out"] : []),
    ...(isSelected ? ["question answered"] : []),
    ...(isLean ? ["what a model does not need left out, and archived"] : []),
    ...(isEncoded ? ["lists written as tables"] : []),
  ];
  return done.join(", ");
}

/** The parcel with secrets masked: always in a failure, in a success only if asked for. */
function masked(
  parts: Maskable,
  { redact, redactsSuccesses }: PipelineContext,
): Maskable & { readonly isMasked?: boolean } {
  if (redact === undefined || (parts.outcome.ok && redactsSuccesses !== true)) return parts;
  const { removed, count, ...rest } = maskParcel(parts, redact);
  const outcome = removed === 0 ? rest.outcome : withNote(rest.outcome, linkRemoved);
  return { ...rest, outcome, isMasked: count + removed > 0 };
}

/** What is known of a parcel before its question, if any, is answered. */
interface Cleaned {
  readonly before: Outcome;
  readonly filtered: Outcome;
  readonly resultMeta: JsonObject | undefined;
  readonly isLeftOut: boolean;
  readonly isMasked: boolean;
}

type Draft = { -readonly [Key in keyof Parcel]: Parcel[Key] };

function finish(parcel: Parcel, context: PipelineContext, cleaned: Cleaned, asked: Asked): Parcel {
  const { before, filtered, resultMeta, isLeftOut, isMasked } = cleaned;
  const { outcome: clean, blocks, isSelected, lean, isDense, warning } = asked;
  const encoded = encodeOutcome(clean, context.encoding);
  const noted = isLeftOut ? withNote(encoded, leftOut) : encoded;
  const warned = warning === undefined ? noted : withNote(noted, warning);
  // An answer has its own fields, which may not be those of the schema.
  const outcome = isSelected ? warned : noteDeprecated(warned, clean, context);
  const masking = isMasked ? "; secrets masked" : "";
  const leaving = isLeftOut ? "; text beside the data left out" : "";
  const isEncoded = encoded !== clean;
  const isLean = lean !== undefined;
  const changed = filtered !== before || isSelected || isLean || isEncoded;
  const said = changed
    ? describeChange(filtered !== before, isSelected, isLean, isEncoded)
    : "nothing to leave out";
  const says = `${said}${masking}${leaving}`;
  const change: Partial<Draft> = { outcome };
  if (parcel.blocks !== undefined) change.blocks = blocks;
  if (resultMeta !== parcel.resultMeta) change.resultMeta = resultMeta;
  if (isLean) change.lean = lean;
  if (isDense === true) change.isDense = true;
  if (isSelected) {
    change.isSelected = true;
    // The tool's pages are pages of its own list, not of the answer.
    change.arrival = { ...parcel.arrival, pager: undefined };
  }
  return stamp(parcel, "shape", says, change, changed ? { changed } : undefined);
}

/** Loaded with the first result that may be made lean: most servers send results as they are. */
async function leanly(...given: Parameters<typeof leanOutcome>): ReturnType<typeof leanOutcome> {
  const { leanOutcome } = await import("./lean/lean-outcome.ts");
  return leanOutcome(...given);
}

export function shape(
  parcel: Parcel,
  context: PipelineContext & { readonly asking: undefined; readonly lean?: undefined },
): Parcel;
export function shape(parcel: Parcel, context: PipelineContext): Parcel | Promise<Parcel>;
export function shape(parcel: Parcel, context: PipelineContext): Parcel | Promise<Parcel> {
  const before = partOf(parcel, "outcome");
  const filtered = shapeOutcome(before, context.filter, { tier: context.tier });
  const { blocks: kept, isLeftOut } = shapeBeside(parcel, before, context);
  const { resultMeta: given } = parcel;
  const found = masked({ outcome: filtered, blocks: kept, resultMeta: given }, context);
  const { outcome, blocks, resultMeta, isMasked = false } = found;
  const cleaned: Cleaned = { before, filtered, resultMeta, isLeftOut, isMasked };
  const { asking } = context;
  if (asking === undefined) {
    const asked: Asked = { outcome, blocks, isSelected: false };
    const { lean } = context;
    if (lean === undefined || !outcome.ok) return finish(parcel, context, cleaned, asked);
    return leanly(parcel, outcome, lean, context).then((leaned) =>
      finish(parcel, context, cleaned, { ...asked, ...leaned }),
    );
  }
  const written = parcel.source?.written;
  return selectAnswer({ outcome, blocks, written }, asking).then((asked) =>
    finish(parcel, context, cleaned, asked),
  );
}

// Replaces the data of a call by the answer to its question. If there is no answer, nothing is removed: the data stays
// as it is, and a warning says why. Text beside the data goes with the data, because it may repeat all of it.

/** What the question is about, and what is sent of it. */
interface Askable {
  readonly outcome: Outcome;
  readonly blocks: readonly JsonObject[];
}

interface Written extends Askable {
  readonly written: WrittenValue | undefined;
}

interface Asked extends Askable {
  readonly isSelected: boolean;
  readonly lean?: LeanResult | undefined;
  readonly isDense?: boolean | undefined;
  readonly warning?: WarningDetail | undefined;
}

function unasked(message: string): WarningDetail {
  return { code: "SELECT_FAILED", severity: "warning", message };
}

const onFailure = unasked("The call failed, so its question was not asked.");
const onBlocks = unasked("The result has no data that a question could be put to: it is here as it came.");

/** Only images, sounds and links: there is no text to ask about. */
function isWordless(data: JsonValue, blocks: readonly JsonObject[]): boolean {
  return blocks.length > 0 && isJsonObject(data) && Object.keys(data).length === 0;
}

/**
 * A tool's schema does not describe an answer, so the answer has a key of its own; an answer of null needs one to be
 * seen.
 */
function placed(answer: JsonValue, isTyped: boolean): JsonValue {
  return isTyped || answer === null ? { [SELECTED_KEY]: answer } : answer;
}

/** The answer is complete, so its level stays the same although something is archived beside it. */
function withArchives(notes: Notes, archives: readonly (readonly [string, string])[] = []): Notes {
  if (archives.length === 0) return notes;
  const { fidelity = { level: "full", dropped: [], archives: {} } } = notes;
  const all = { ...fidelity.archives, ...Object.fromEntries(archives) };
  return { ...notes, fidelity: { ...fidelity, archives: all } };
}

async function selectAnswer({ outcome, blocks, written }: Written, { ask, isTyped }: Asking): Promise<Asked> {
  if (!outcome.ok) return { outcome, blocks, isSelected: false, warning: onFailure };
  if (isWordless(outcome.data, blocks)) return { outcome, blocks, isSelected: false, warning: onBlocks };
  const asked = await ask(outcome.data, written);
  const { warning } = asked;
  const notes = withArchives(outcome.notes, asked.archives);
  if (!("answer" in asked)) return { outcome: { ...outcome, notes }, blocks, isSelected: false, warning };
  return {
    warning,
    outcome: { ...outcome, data: placed(asked.answer, isTyped), notes },
    blocks: blocks.filter(({ type }) => type !== "text"),
    isSelected: true,
  };
}
