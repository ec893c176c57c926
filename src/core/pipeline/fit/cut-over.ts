import type { Success, Failure, Fault } from "../../contract/outcome.ts";
import type { Pagination } from "../../contract/meta.ts";
import { HANDLE_LENGTH } from "../../contract/wire-names.ts";
import { type JsonValue, isJsonObject, type JsonObject, mapObject } from "../../json/json-value.ts";
import { type Pager, type Parcel, partOf, stamp } from "../parcel.ts";
import type { FitContext, PipelineContext, TextDigest } from "../pipeline-context.ts";
import { cutSuccess, lessRoom } from "./cut-success.ts";
import { type SuccessParcel, ResultCut } from "./result-cut.ts";
import type { ParcelWeigher, TextWeigher } from "./weigh-parcel.ts";
import { type CutCandidate, withoutKept, CandidateMaker, type TrimLevel, trimLevels } from "./candidate.ts";
import { looksEncoded, cutText, type LongText, longText } from "./cut-text.ts";
import { MIN_DIGEST_CHARS, shareDigestLimits } from "./digest-source.ts";
import { type Whole, omittedWhole, scalarsOf, summaryStub, surveyWhole } from "./stub.ts";
import { writeErrorData } from "../../contract/error-data.ts";
import { jsonChunks } from "../../json/json-chunks.ts";
import { countCodePoints } from "../../text/code-points.ts";
import { appendPointer } from "../../json/pointer.ts";
import { planBlocks } from "./blocks.ts";
import { withPages } from "./read-pages.ts";
import { withCopies } from "./scaled-copies.ts";
import type { Omission } from "./omission.ts";

/** A new cursor may be longer than the one it replaces. */
const CURSOR_RESERVE = 128;

interface ShrunkPage {
  readonly parcel: SuccessParcel;
  readonly fits: boolean;
  readonly says: string;
}

function itemsAt(data: JsonValue, path: string): readonly JsonValue[] | undefined {
  const items = isJsonObject(data) ? data[path] : undefined;
  return Array.isArray(items) ? (items as readonly JsonValue[]) : undefined;
}

function withItems(
  parcel: SuccessParcel,
  path: string,
  items: readonly JsonValue[],
  pagination: Pagination | undefined,
): SuccessParcel {
  const { data, notes } = parcel.outcome;
  const outcome: Success = {
    ok: true,
    data: { ...(isJsonObject(data) ? data : {}), [path]: items },
    notes: pagination === undefined ? notes : { ...notes, pagination },
  };
  return { ...parcel, outcome };
}

/** How many of the first items fit; at least one. */
function countFitting(items: readonly JsonValue[], room: number, { gauge }: ParcelWeigher): number {
  let left = room;
  for (const [index, item] of items.entries()) {
    left -= gauge.weigh(`${JSON.stringify(item)},`, left);
    if (left < 0) return Math.max(1, index);
  }
  return items.length;
}

async function shorten(
  parcel: SuccessParcel,
  items: readonly JsonValue[],
  pager: Pager,
  scale: ParcelWeigher,
): Promise<ShrunkPage> {
  const frame = scale.weigh(withItems(parcel, pager.path, [], undefined)) + CURSOR_RESERVE;
  let keep = Math.min(items.length - 1, countFitting(items, scale.budget - frame, scale));
  for (;;) {
    const shorter = withItems(parcel, pager.path, items.slice(0, keep), await pager.shrink(keep));
    const excess = scale.weigh(shorter) - scale.budget;
    if (excess <= 0) return { parcel: shorter, fits: true, says: `full: page of ${keep}` };
    if (keep === 1) return { parcel: shorter, fits: false, says: "" };
    keep = Math.max(1, keep - Math.max(1, Math.ceil((keep * excess) / (2 * scale.budget))));
  }
}

/**
 * A page over the budget gets shorter and its cursor moves back, so that nothing is lost and nothing has to be
 * archived.
 */
async function shrinkPage(parcel: SuccessParcel, scale: ParcelWeigher): Promise<ShrunkPage> {
  const { pager } = parcel.arrival;
  const items = pager === undefined ? undefined : itemsAt(parcel.outcome.data, pager.path);
  if (pager === undefined || items === undefined || items.length < 2)
    return { parcel, fits: false, says: "" };
  return shorten(parcel, items, pager, scale);
}

/** An example in the warning may cost this share of the budget; a more expensive example is left out. */
const EXAMPLE_SHARE = 0.025;

/** The fitting context with a question that the cut's warning can show as an example. */
async function withExample(
  data: JsonValue,
  fitting: FitContext,
  { budget, gauge }: ParcelWeigher,
): Promise<FitContext> {
  const example = await fitting.exampleFor?.(data);
  const about = example?.([]);
  if (about === undefined) return fitting;
  const digits = gauge.reserve({ tokens: HANDLE_LENGTH, bytes: HANDLE_LENGTH });
  const cost = gauge.weigh(JSON.stringify({ or: { archive: "", ...about } })) + digits;
  return cost > budget * EXAMPLE_SHARE ? fitting : { ...fitting, example };
}

/**
 * Cuts a parcel that is over the budget. Inside a text that lean wrote anew a place is not the same place in the archived
 * whole, so such a result is cut as it was before.
 */
export async function cutOver(...given: Parameters<typeof shortenOrCut>): Promise<Parcel> {
  const done = await shortenOrCut(...given);
  const [{ lean, ...parcel }, ...others] = given;
  if (lean?.hasTexts !== true || done.cut === undefined) return done;
  return shortenOrCut({ ...parcel, outcome: lean.before }, ...others);
}

/** A page gets shorter, anything else is cut. */
async function shortenOrCut(
  parcel: Parcel,
  context: PipelineContext,
  fitting: FitContext,
  scale: ParcelWeigher,
): Promise<Parcel> {
  const outcome = partOf(parcel, "outcome");
  const copying = await withCopies(parcel, fitting, scale);
  if (!outcome.ok) return cutFailure({ ...parcel, outcome }, context, copying, scale);
  const page = await shrinkPage({ ...parcel, outcome }, scale);
  if (page.fits)
    return stamp(page.parcel, "fit", page.says, { outcome: page.parcel.outcome }, { changed: true });
  const asking = await withExample(outcome.data, copying, scale);
  const digested = await cutDigest(page.parcel, context, asking, scale);
  if (digested !== undefined) return digested;
  const reading = await withPages(page.parcel, context, asking, scale);
  return cutSuccess(page.parcel, context, reading, scale);
}

// The level `summary` of the strategy `digest`: a result that is mostly one long text is sent as a digest of it. The
// whole is archived as for any cut, and besides it the text that the digest quotes, under the hash the digest names.

/** The keys, counts and hash of an empty digest. */
const frame = { tokens: 200, bytes: 440 } as const;
/** With less room than this, the other levels say more. */
const leastRoom = { tokens: 320, bytes: 900 } as const;
/** The fields beside the text may take this share of the room left by the frame. */
const BESIDE_SHARE = 0.25;
const SAMPLE_LENGTH = 4_096;
/** Passages end with a sentence, so a digest seldom fills its limits. */
const FILL = 1.25;
/** Each attempt asks for this share of the previous one. */
const SHRINK = 0.65;

/** What stays the same while several digests of a result's text are tried. */
interface Digesting {
  readonly cutting: ResultCut;
  readonly whole: Whole;
  readonly found: LongText;
  /** The short fields beside the text, as far as they have room. */
  readonly sample?: JsonObject | undefined;
}

/** The stub of a summary, with a digest of the text and a sample of the fields beside it. */
function stubOf(
  { cutting, whole, found, sample }: Digesting,
  payload: TextDigest["payload"] | undefined,
): JsonObject {
  const { omitted } = summaryStub(whole, 0, cutting.tools);
  const digest = payload === undefined ? {} : { digest: payload as unknown as JsonObject };
  const beside = sample === undefined ? {} : { sample };
  return { omitted: { ...(omitted as JsonObject), ...beside, ...digest, pointer: found.pointer } };
}

function propose(digesting: Digesting, digested: TextDigest | undefined, trim: TrimLevel): CutCandidate {
  const { cutting, whole } = digesting;
  const text = { name: "text", content: [digested?.text ?? ""], contentType: "text/plain" };
  return cutting.propose(stubOf(digesting, digested?.payload), "summary", omittedWhole(cutting.whole), trim, {
    counted: { dropped: whole.count, total: whole.count, noun: whole.noun },
    besides: [text],
  });
}

/** The first level of notes that leaves room for a digest, and how much room. */
function chooseTrim(digesting: Digesting): { readonly trim: TrimLevel; readonly room: number } | undefined {
  const { gauge } = digesting.cutting.tools;
  for (const trim of trimLevels) {
    const room = gauge.budget - propose(digesting, undefined, trim).weight;
    if (room >= gauge.reserve(leastRoom)) return { trim, room: room - gauge.reserve(frame) };
  }
  return undefined;
}

/** How many characters of this text to ask for, to fill the room. */
function charsIn(room: number, text: string, gauge: TextWeigher): number {
  const sample = text.slice(0, SAMPLE_LENGTH);
  return Math.floor((FILL * room * sample.length) / Math.max(1, gauge.weigh(JSON.stringify(sample))));
}

/** The largest digest that fits. Each attempt digests the text again, so the first size is chosen with care. */
async function tryDigests(
  digesting: Digesting,
  digest: NonNullable<FitContext["digest"]>,
): Promise<CutCandidate | undefined> {
  const { cutting, found } = digesting;
  const { gauge } = cutting.tools;
  const chosen = chooseTrim(digesting);
  if (chosen === undefined) return undefined;
  const sample = scalarsOf(found.beside, chosen.room * BESIDE_SHARE, cutting.tools);
  const taken = sample === undefined ? 0 : gauge.weigh(JSON.stringify({ sample }));
  let chars = charsIn(chosen.room - taken, found.text, gauge);
  for (; chars >= MIN_DIGEST_CHARS; chars *= SHRINK) {
    const digested = await digest(found.text, shareDigestLimits(chars));
    if (digested === undefined) return undefined;
    const candidate = propose({ ...digesting, sample }, digested, chosen.trim);
    if (cutting.maker.isFine(candidate)) return candidate;
  }
  return undefined;
}

/** A success over the budget as a digest; undefined if it is not mostly one text, or no digest of it fits. */
async function cutDigest(
  parcel: SuccessParcel,
  context: PipelineContext,
  fitting: FitContext,
  scale: ParcelWeigher,
): Promise<Parcel | undefined> {
  const { digest, wrap } = fitting;
  const found = digest === undefined ? undefined : longText(wrap(parcel.outcome.data));
  if (digest === undefined || found === undefined || looksEncoded(found.text)) return undefined;
  const cutting = new ResultCut(parcel, context, fitting, scale);
  // A long result may have fewer tokens than it seems, and after its blocks were moved all of its data may fit.
  const isOver =
    scale.isFarOver(parcel.outcome) ||
    !cutting.maker.isFine(cutting.propose(parcel.outcome.data, "partial", [], "none"));
  if (!isOver) return undefined;
  const whole = surveyWhole(cutting.kept, fitting.byteLength, cutting.written);
  const candidate = await tryDigests({ cutting, whole, found }, digest);
  if (candidate === undefined) return undefined;
  const { cut } = candidate;
  return stamp(
    parcel,
    "fit",
    `summary: a digest within ${scale.budget}`,
    { ...withoutKept(cut), cut },
    { changed: true },
  );
}

type FailureParcel = Parcel & { readonly outcome: Failure };

/** Extra data up to this length, such as `retry_after_seconds`, counts as part of the reason. */
const MAX_SCALAR_LENGTH = 100;
const MAX_TRIES = 6;
const MIN_ROOM = 8;

/** A fault with some fields removed, and the names of those fields. */
interface Version {
  readonly fault: Fault;
  readonly omissions: readonly Omission[];
  readonly trim: TrimLevel;
}

function isShortScalar(value: unknown): boolean {
  return typeof value === "string" ? value.length <= MAX_SCALAR_LENGTH : typeof value !== "object";
}

function part(id: string): Omission {
  return { kind: "part", id };
}

function withoutData({ data = {}, ...fault }: Fault): Pick<Version, "fault" | "omissions"> {
  const kept = mapObject(data, (value) => (isShortScalar(value) ? value : undefined));
  const lost = Object.keys(data).filter((key) => !Object.hasOwn(kept, key));
  return {
    fault: Object.keys(kept).length > 0 ? { ...fault, data: kept } : fault,
    omissions: lost.map((key) => part(appendPointer("", key))),
  };
}

function withoutDetails({ details, ...fault }: Fault): Pick<Version, "fault" | "omissions"> {
  return { fault, omissions: details === undefined ? [] : [part("/details")] };
}

/** Given up in this order: data, warning context, details, info warnings. */
function versionsOf(fault: Fault): readonly Version[] {
  const first = withoutData(fault);
  const bare = withoutDetails(first.fault);
  const omissions = [...first.omissions, ...bare.omissions];
  return [
    { ...first, trim: "none" },
    { ...first, trim: "hint" },
    { ...first, trim: "context" },
    { fault: bare.fault, omissions, trim: "context" },
    { fault: bare.fault, omissions, trim: "info" },
    { fault: bare.fault, omissions, trim: "details" },
  ];
}

/** What the archive keeps of a failure: its message together with the data of the envelope. */
function wholeOf(fault: Fault): JsonObject {
  return { error: fault.message, ...writeErrorData(fault) };
}

/** Notes beside a shortened message that say how to get the rest, and may take half of the room. */
const telling = ["none", "details"] as const;

/** Last, the end of the message is given up, and if necessary the remediation. */
function shortenMessage(version: Version, room: number, scale: ParcelWeigher): Version {
  const { message, remediation = "", ...rest } = version.fault;
  const advice = cutText(remediation, Math.floor(room / 3), scale.gauge) ?? "";
  const left = room - scale.gauge.weigh(JSON.stringify(advice));
  const kept = cutText(message, left, scale.gauge) ?? "";
  const lost = (text: string, whole: string, pointer: string): readonly Omission[] => {
    const total = countCodePoints(whole);
    return text === whole ? [] : [{ kind: "text", pointer, runs: [[countCodePoints(text), total]], total }];
  };
  return {
    fault: { ...rest, message: kept === "" ? "…" : kept, ...(advice === "" ? {} : { remediation: advice }) },
    omissions: [
      ...version.omissions,
      ...lost(kept, message, "/error"),
      ...lost(advice, remediation, "/remediation"),
    ],
    trim: version.trim,
  };
}

/** Every version has the whole message: if the message alone is too long, the versions need not be weighed. */
function isTooLong(message: string, { gauge, budget }: ParcelWeigher): boolean {
  return gauge.weigh(JSON.stringify(message), budget) > budget;
}

/** Cuts a failure that is over the budget: its code stays, its explanations are given up. */
function cutFailure(
  parcel: FailureParcel,
  context: PipelineContext,
  fitting: FitContext,
  scale: ParcelWeigher,
): Parcel {
  const { fault } = parcel.outcome;
  const blocks = planBlocks(parcel, fitting, scale);
  const maker = new CandidateMaker(parcel, context, fitting, scale, blocks);
  const content = { [Symbol.iterator]: () => jsonChunks(wholeOf(fault)) };
  const part = { name: "error", content, contentType: "application/json" };
  const propose = ({ fault: said, omissions, trim }: Version): CutCandidate =>
    maker.make({
      level: "partial",
      trim,
      omissions,
      parts: omissions.length > 0 ? [part] : [],
      outcomeWith: (notes) => ({ ok: false, fault: said, notes }),
    });
  const send = ({ cut }: CutCandidate): Parcel =>
    stamp(
      parcel,
      "fit",
      `partial: failure cut to ${scale.budget}`,
      { ...withoutKept(cut), cut },
      { changed: true },
    );

  const versions = versionsOf(fault);
  for (const version of isTooLong(fault.message, scale) ? [] : versions) {
    const candidate = propose(version);
    if (maker.isFine(candidate)) return send(candidate);
  }
  const bare = versions.at(-1) ?? { fault, omissions: [] };
  const frameOf = (trim: TrimLevel): CutCandidate => propose(shortenMessage({ ...bare, trim }, 0, scale));
  const trim = telling.find((level) => frameOf(level).weight <= scale.budget / 2) ?? "least";
  const frame = frameOf(trim);
  let room = scale.budget - frame.weight;
  for (let tries = 0; tries < MAX_TRIES && room > MIN_ROOM; tries++) {
    const candidate = propose(shortenMessage({ ...bare, trim }, room, scale));
    if (maker.isFine(candidate)) return send(candidate);
    room =
      fitting.showTo === undefined
        ? room - Math.max(MIN_ROOM, candidate.weight - scale.budget)
        : lessRoom(room, candidate.weight, scale.budget, MIN_ROOM);
  }
  return send(frame);
}
