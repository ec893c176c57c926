// Keeps what the budget allows: the rendered parcel has at most that many tokens and bytes.
// Promises that a parcel that fits passes untouched, that a cut is valid, named, in order, and the same for equal
// input, and that nothing is announced as archived: the next stage does that. Never cuts a code, a cursor or a hash.

import { listingKeysOnce, jsonChunks, jsonLengthAtLeast } from "../../json/json-chunks.ts";
import { referToBlocks } from "../../contract/block-reference.ts";
import type { Outcome, Notes, Success } from "../../contract/outcome.ts";
import {
  type Parcel,
  type ReaderShare,
  type Rendering,
  blockText,
  hasProse,
  partOf,
  stamp,
  type Cut,
  type KeptPart,
} from "../parcel.ts";
import type { FitContext, PipelineContext } from "../pipeline-context.ts";
import type { cutOver as CutOverFunction } from "./cut-over.ts";
import { hasUnsendable } from "./blocks.ts";
import { makeTextWeigher, ParcelWeigher, chargeOf, isShort } from "./weigh-parcel.ts";
import type { TokenCounter } from "../../tokens/token-counter.ts";
import { type WarningDetail, orderWarnings } from "../../contract/warning.ts";
import { archiveListing, handleOf } from "../../contract/wire-names.ts";
import { withoutKept } from "./candidate.ts";
import { possibleEndings } from "./endings.ts";
import type { SuccessParcel } from "./result-cut.ts";
import { type JsonObject, isJsonObject } from "../../json/json-value.ts";

type CutOver = typeof CutOverFunction;

/** The lowest of the limits, whatever its unit: a token and a character have at least one byte. */
function lowest({ tokens, bytes, characters = Number.POSITIVE_INFINITY }: FitContext["budget"]): number {
  return Math.min(
    tokens === "off" ? Number.POSITIVE_INFINITY : tokens,
    bytes === "off" ? Number.POSITIVE_INFINITY : bytes,
    characters,
  );
}

function isBlobLarge({ blocks }: Parcel, fitting: FitContext): boolean {
  return blocks !== undefined && hasUnsendable(blocks, fitting);
}

/** A token is at least one byte, so a parcel with no more bytes than the budget has tokens need not be counted. */
function acceptByLength(parcel: Parcel, context: PipelineContext, fitting: FitContext): Parcel {
  const outcome = partOf(parcel, "outcome");
  const budget = lowest(fitting.budget);
  if (isBlobLarge(parcel, fitting) || !isShort({ outcome }, budget)) return parcel;
  const rendering = fitting.render(parcel);
  const { blocks = [] } = parcel;
  const pictures = blocks.length === 0 ? 0 : (fitting.bytes?.tokens(blocks) ?? 0);
  const room = budget - chargeOf(outcome.notes, context).bytes;
  if (fitting.showTo !== undefined) {
    const { views, share, times } = fitting.showTo({ ...parcel, rendering });
    const most = budget - times * (budget - room) - pictures;
    const longest = Math.max(...views.map((view) => view.reduce((sum, text) => sum + text.length, 0)));
    const isWithin = longest * MAX_UNIT_BYTES <= most && share * budget <= most;
    return isWithin
      ? stamp(parcel, "fit", "full: no longer than the budget", { rendering })
      : { ...parcel, rendering };
  }
  const { texts, structure = "" } = rendering;
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const isSure = Math.max(length, structure.length) * 3 <= room;
  const shown = isSure ? 0 : texts.reduce((sum, text) => sum + fitting.byteLength(text), 0);
  const bytes = isSure ? 0 : Math.max(shown, fitting.byteLength(structure));
  if (isSure || bytes <= room) return stamp(parcel, "fit", "full: no longer than the budget", { rendering });
  return { ...parcel, rendering };
}

let loaded: CutOver | undefined;

/** Most results fit, so the code that cuts is loaded by the first that does not. */
function withCut(use: (cutOver: CutOver) => Promise<Parcel>): Promise<Parcel> {
  if (loaded !== undefined) return use(loaded);
  return import("./cut-over.ts").then(({ cutOver }) => use((loaded = cutOver)));
}

function isDone(before: Parcel, after: Parcel): boolean {
  return after.trace.length > before.trace.length;
}

function fitWith(
  parcel: Parcel,
  context: PipelineContext,
  fitting: FitContext,
  counter: TokenCounter | undefined,
): Parcel | Promise<Parcel> {
  const outcome = partOf(parcel, "outcome");
  const scale = new ParcelWeigher(context, fitting, makeTextWeigher({ ...fitting, counter }));
  const hasBlob = isBlobLarge(parcel, fitting);
  const mayLeaveMirror = outcome.ok && hasProse(parcel);
  // A long result is usually over the budget, and cutting shows that faster than counting it first.
  const isLarge = hasBlob || !isShort({ outcome }, scale.budget);
  const isWeighed = !isLarge || mayLeaveMirror;
  const rendering = isWeighed ? (parcel.rendering ?? fitting.render(parcel)) : undefined;
  const fits = rendering !== undefined && isWithin({ ...parcel, outcome }, rendering, scale);
  if (fits && !(hasBlob && fitting.canCut))
    return stamp({ ...parcel, rendering }, "fit", "full: within the budget");
  const { rendering: _, ...bare } = parcel;
  const referring = fits ? undefined : withReferences({ ...bare, outcome }, fitting);
  // Only a parcel that is certainly over the budget is changed.
  if (referring !== undefined && (isWeighed || scale.weigh({ ...bare, outcome }) > scale.budget))
    return fitWith(referring, context, fitting, counter);
  // If a server wrote JSON with spaces and line ends, all of it may fit without them.
  const mayBeDense = rendering?.wire.isAsSent === true && !hasBlob;
  if (mayBeDense && outcome.ok && typeof outcome.data === "object") {
    const dense = fitDensely({ ...bare, outcome }, context, fitting, scale);
    if (dense !== undefined) return dense;
  }
  if (fits || !mayLeaveMirror) return withCut((cutOver) => cutOver(bare, context, fitting, scale));
  const spare = { ...bare, outcome, dropsRepeatedText: true } as const;
  const isEnough = !hasBlob && scale.weigh(spare) <= scale.budget;
  if (isEnough || !fitting.canCut)
    return stamp(spare, "fit", "full: without a text that repeats the structure");
  // Data that must be cut anyway is cut a little more, so that readers of texts alone see it too.
  const start = isProseShort(parcel, scale) ? bare : spare;
  return withCut((cutOver) => cutOver(start, context, fitting, scale));
}

/**
 * The parcel with references in place of bytes that its blocks have as well: such a copy is not data that could be
 * missing. Undefined if it has no such copies.
 */
function withReferences(
  parcel: Parcel & { readonly outcome: Outcome },
  { canCut, elasticity }: FitContext,
): Parcel | undefined {
  const { outcome, blocks = [], isSelected } = parcel;
  if (!outcome.ok || !canCut) return undefined;
  const data = referToBlocks(outcome.data, blocks, isSelected === true ? undefined : elasticity);
  return data === outcome.data ? undefined : { ...parcel, outcome: { ...outcome, data } };
}

/** Whether an author's texts leave at least half of the budget for the data. */
function isProseShort({ blocks = [] }: Parcel, scale: ParcelWeigher): boolean {
  const half = scale.budget / 2;
  const texts = blocks.filter(({ type }) => type === "text").map(blockText);
  return scale.weighTexts(texts, half) <= half;
}

function isWithin(
  parcel: Parcel & { readonly outcome: Outcome },
  rendering: Rendering,
  scale: ParcelWeigher,
): boolean {
  const verdict = scale.judge(rendering);
  return verdict === "fits" || (verdict === "near" && scale.weigh(parcel) <= scale.budget);
}

export function fit(parcel: Parcel, context: PipelineContext): Parcel | Promise<Parcel> {
  const { fit: fitting } = context;
  if (fitting === undefined) return stamp(parcel, "fit", "no budget");
  // Beside an author's text, a text that repeats the structure can go, and nothing is lost.
  if (!fitting.canCut && !(partOf(parcel, "outcome").ok && hasProse(parcel)))
    return stamp(parcel, "fit", "full: no cut could be told in this dialect");
  return listingKeysOnce(() => fitSeen(parcel, context, fitting));
}

function fitSeen(parcel: Parcel, context: PipelineContext, fitting: FitContext): Parcel | Promise<Parcel> {
  const seen = acceptByLength(parcel, context, fitting);
  if (isDone(parcel, seen)) return seen;
  const counter = fitting.budget.tokens === "off" ? undefined : fitting.counter();
  if (counter instanceof Promise) return counter.then((loaded) => fitWith(seen, context, fitting, loaded));
  return fitWith(seen, context, fitting, counter);
}

// JSON that a server wrote with spaces and line ends may fit without them, so that nothing is left out. But programs
// that edit by exact text need the original form: the server's own text is archived, and one line says where.

/** The beginning of the archive's key. */
const NAME = "own-text";
const SAYS = "Written without spaces to fit";

function warningOf(
  kept: KeptPart | undefined,
  tool: string | undefined,
  namesFullHash: boolean,
): WarningDetail {
  const told = { code: "WHITESPACE_DROPPED", severity: "info" } as const;
  if (tool === undefined) return { ...told, message: SAYS };
  if (kept === undefined) return { ...told, message: `${SAYS}; the server's own text could not be kept` };
  const call = { archive: namesFullHash ? kept.hash : handleOf(kept.hash), pointer: "" };
  return { ...told, message: `${SAYS}; the server's own text: ${tool} ${JSON.stringify(call)}` };
}

/** Nothing is missing, so the level stays the same although something is archived. */
function withOwnText(notes: Notes, warning: WarningDetail, kept: KeptPart | undefined): Notes {
  const warnings = orderWarnings([...(notes.warnings ?? []), warning]);
  if (kept === undefined) return { ...notes, warnings };
  const { fidelity = { level: "full", dropped: [], archives: {} } } = notes;
  const archives = { ...fidelity.archives, ...Object.fromEntries([archiveListing(NAME, kept.hash)]) };
  return { ...notes, warnings, fidelity: { ...fidelity, archives } };
}

/** The parcel without spaces in its JSON; undefined if that does not fit either. */
function fitDensely(
  parcel: SuccessParcel,
  context: PipelineContext,
  fitting: FitContext,
  scale: ParcelWeigher,
): Parcel | undefined {
  const dense = { ...parcel, isDense: true } as const;
  const { outcome, blocks = [] } = parcel;
  const written = parcel.source?.written;
  // If there is no place for a note, nothing can be said; the data is complete.
  if (!fitting.canCut || written === undefined || written.value !== outcome.data)
    return scale.weigh(dense) <= scale.budget ? stamp(dense, "fit", "full: written densely") : undefined;
  const hasStore = context.keep !== undefined && fitting.retrieveTool !== undefined;
  const tool = hasStore ? fitting.retrieveTool : undefined;
  const namesFullHash = fitting.namesFullHash === true;
  const outcomeWith = (kept: KeptPart | undefined): Success => ({
    ...outcome,
    notes: withOwnText(outcome.notes, warningOf(kept, tool, namesFullHash), kept),
  });
  const content = { [Symbol.iterator]: () => jsonChunks(written.value, undefined, written) };
  const cut: Cut = {
    parts: hasStore ? [{ name: NAME, content, contentType: "application/json" }] : [],
    ending: ([kept]) => ({ outcome: outcomeWith(kept), blocks }),
  };
  const endings = possibleEndings(hasStore ? [NAME] : [], hasStore, namesFullHash);
  const weights = endings.map(({ kept, digitBytes }) =>
    scale.weigh({ ...dense, ...cut.ending(kept.map((part) => part.kept)) }, digitBytes),
  );
  if (Math.max(...weights) > scale.budget) return undefined;
  return stamp(dense, "fit", "full: written without spaces", { ...withoutKept(cut), cut });
}

// Whether a ready-made result fits as it is, found without reading or rendering it: by bounds first, and if they do not
// decide, by a count that stops as soon as it is certain.

type Limits = Pick<FitContext, "budget" | "counter" | "byteLength" | "maxBlobBytes" | "bytes"> & {
  /** Set for a known client; the result is then measured as this client would show it. */
  readonly showTo?: ((result: JsonObject) => ReaderShare) | undefined;
};

/** A result this many times longer than the budget is left to the cut, which will show whether it fits. */
const LONG_FACTOR = 8;
/** UTF-8 takes at most this many bytes for a UTF-16 unit of a JavaScript text. */
const MAX_UNIT_BYTES = 3;

function textsOf({ content }: JsonObject, longest: number): readonly string[] | undefined {
  const texts: string[] = [];
  let length = 0;
  for (const block of Array.isArray(content) ? content.filter(isJsonObject) : []) {
    const text = blockText(block);
    texts.push(text);
    length += text.length;
    if (length > longest) return undefined;
  }
  return texts;
}

/** Each channel by itself, because a client shows its model either one. */
function channelsOf(result: JsonObject, longest: number): readonly (readonly string[])[] | undefined {
  const texts = textsOf(result, longest);
  if (texts === undefined) return undefined;
  const { structuredContent: structured } = result;
  if (structured === undefined) return [texts];
  if (jsonLengthAtLeast(structured, longest) > longest) return undefined;
  const json = JSON.stringify(structured);
  return texts.length === 1 && texts[0] === json ? [texts] : [texts, [json]];
}

async function count(
  channels: readonly (readonly string[])[],
  limits: Limits,
  pictures: number,
): Promise<boolean> {
  const counter = limits.budget.tokens === "off" ? undefined : await limits.counter();
  const gauge = makeTextWeigher({ ...limits, counter });
  return channels.every((texts) => {
    let left = gauge.budget - gauge.reserve({ tokens: pictures, bytes: 0 });
    for (const text of texts) left -= gauge.weigh(text, left, texts.length === 1 ? left : undefined);
    return left >= 0;
  });
}

/**
 * True if nothing of the result has to be cut or moved; false if a closer look is needed. A promise only if the bounds
 * do not decide.
 */
export function fitsWhole(result: JsonObject, limits: Limits): boolean | Promise<boolean> {
  const { budget } = limits;
  const content = Array.isArray(result["content"]) ? result["content"].filter(isJsonObject) : [];
  // Most results are texts alone.
  const mayHoldBytes = content.some(({ type }) => type !== "text");
  if (mayHoldBytes && hasUnsendable(content, limits)) return false;
  const least = lowest(budget);
  if (least === Number.POSITIVE_INFINITY) return true;
  const pictures = mayHoldBytes ? (limits.bytes?.tokens(content) ?? 0) : 0;
  const longest = least * LONG_FACTOR;
  if (limits.showTo === undefined) {
    const channels = channelsOf(result, longest);
    return channels === undefined ? false : isWithinLimits(channels, least, limits, pictures);
  }
  const { structuredContent: structured = null } = result;
  if (textsOf(result, longest) === undefined || jsonLengthAtLeast(structured, longest) > longest)
    return false;
  const { views, share } = limits.showTo(result);
  return share > 1 ? false : isWithinLimits(views, least, limits, pictures);
}

function isWithinLimits(
  channels: readonly (readonly string[])[],
  least: number,
  limits: Limits,
  pictures: number,
): boolean | Promise<boolean> {
  // A token is at least one byte.
  const longest = Math.max(...channels.map((texts) => texts.reduce((sum, text) => sum + text.length, 0)));
  return longest * MAX_UNIT_BYTES + pictures <= least ? true : count(channels, limits, pictures);
}
