// The author's own text in place of the JSON that repeats the structure: what models read where a tool has `format`.
// Promises that the structure stays, that what is noted or left out is still said in a text, and that the text fits the
// budget. Where one of these cannot be, or no text could be made, the JSON goes out as it would have.

import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { type MaybePromise, chain } from "../maybe-promise.ts";
import { asideOf, quietPresence } from "./aside.ts";
import type { FitContext, Parcel, PipelineContext, Wire } from "../parcel.ts";

/** The levels at which the data still has the form that the tool gave it. */
const formed: readonly (string | undefined)[] = [undefined, "full", "partial"];

/** Whether the words go out as structure too, so that a text need not repeat them. */
export function hasStructure({ level, json }: Wire): boolean {
  if (level === "envelope") return isJsonObject(json);
  return isJsonObject(json) && json["structuredContent"] !== undefined;
}

/** Where a dialect has no place for what was left out, a cut structure is not sent, and the text must be the data. */
function isStructureSure({ cut }: Parcel, { level, aside }: Wire): boolean {
  return cut === undefined || (level === "envelope" && aside === undefined);
}

/** Whether an author's text may stand for this result. */
function mayReplace(parcel: Parcel, wire: Wire, { delivery }: PipelineContext): boolean {
  const { outcome, arrival, isSelected } = parcel;
  if (outcome?.ok !== true || arrival.kind !== "value" || isSelected === true) return false;
  if (delivery === "text" || !hasStructure(wire) || !isStructureSure(parcel, wire)) return false;
  return formed.includes(outcome.notes.fidelity?.level);
}

/** A token is at least one byte, so most texts need no counting. */
function hasRoom(texts: readonly string[], fit: FitContext | undefined): MaybePromise<boolean> {
  if (fit === undefined) return true;
  const { tokens, bytes } = fit.budget;
  const length = texts.reduce((sum, text) => sum + fit.byteLength(text), 0);
  if (bytes !== "off" && length > bytes) return false;
  if (tokens === "off" || length <= tokens) return true;
  return chain(
    fit.counter(),
    (counter) => texts.reduce((sum, text) => sum + counter.count(text), 0) <= tokens,
  );
}

/** The author's text for the parcel, with the notes that stand beside it; undefined where the JSON goes out. */
export function authorWords(
  parcel: Parcel,
  wire: Wire,
  context: PipelineContext,
): MaybePromise<{ readonly text: string; readonly aside: JsonObject | undefined } | undefined> {
  const { format } = context;
  const { outcome } = parcel;
  if (format === undefined || outcome?.ok !== true || !mayReplace(parcel, wire, context)) return undefined;
  const text = format.write(outcome.data);
  if (text === undefined) return undefined;
  const aside = asideOf(quietPresence, outcome, context);
  const texts = [text, ...(aside === undefined ? [] : [JSON.stringify(aside)])];
  return chain(hasRoom(texts, context.fit), (isWithin) => {
    if (isWithin) return { text, aside };
    format.onTooLong();
    return undefined;
  });
}
