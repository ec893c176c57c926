// The level `summary` of the strategy `digest`: a result that is mostly one long text is sent as a digest of it. The
// whole is kept as for any cut, and besides it the text that the digest quotes, under the hash the digest names.

import type { JsonObject } from "../../json/json-value.ts";
import { type FitContext, type Parcel, type PipelineContext, type TextDigest, stamp } from "../parcel.ts";
import { type Candidate, withoutKept } from "./candidate.ts";
import { looksEncoded } from "./cut-text.ts";
import { ResultCut, type SuccessParcel } from "./result-cut.ts";
import { MIN_DIGEST_CHARS, digestLimits } from "./digest-limits.ts";
import type { TextWeigher } from "./weigh-text.ts";
import { type LongText, longText } from "./long-text.ts";
import type { ParcelWeigher } from "./weigh-parcel.ts";
import { type Whole, omittedWhole, scalarsOf, summaryStub, surveyWhole } from "./stub.ts";
import { type TrimLevel, trimLevels } from "./trim-notes.ts";

/** The keys, counts and hash of a digest that says nothing yet. */
const frame = { tokens: 200, bytes: 440 } as const;
/** With less room than this, the other levels say more. */
const leastRoom = { tokens: 320, bytes: 900 } as const;
/** The fields beside the text may take this share of what is left beside the frame. */
const BESIDE_SHARE = 0.25;
const SAMPLE_LENGTH = 4_096;
/** Passages end with a sentence, so a digest seldom fills its limits. */
const FILL = 1.25;
/** Each attempt asks for this share of the one before. */
const SHRINK = 0.65;

/** What of a result stays the same while digests of its text are tried. */
interface Digesting {
  readonly cutting: ResultCut;
  readonly whole: Whole;
  readonly found: LongText;
  /** The short fields beside the text, as far as there is room. */
  readonly sample?: JsonObject | undefined;
}

/** The stub of a summary, with a digest of the text and a sample of what stands beside it. */
function stubOf(
  { cutting, whole, found, sample }: Digesting,
  payload: TextDigest["payload"] | undefined,
): JsonObject {
  const { omitted } = summaryStub(whole, 0, cutting.tools);
  const digest = payload === undefined ? {} : { digest: payload as unknown as JsonObject };
  const beside = sample === undefined ? {} : { sample };
  return { omitted: { ...(omitted as JsonObject), ...beside, ...digest, pointer: found.pointer } };
}

function propose(digesting: Digesting, digested: TextDigest | undefined, trim: TrimLevel): Candidate {
  const { cutting, whole } = digesting;
  const text = { name: "text", content: [digested?.text ?? ""], contentType: "text/plain" };
  return cutting.propose(stubOf(digesting, digested?.payload), "summary", omittedWhole(cutting.whole), trim, {
    counted: { dropped: whole.count, total: whole.count, noun: whole.noun },
    besides: [text],
  });
}

/** The first level at which the words around a digest leave room for one, and how much. */
function chooseTrim(digesting: Digesting): { readonly trim: TrimLevel; readonly room: number } | undefined {
  const { gauge } = digesting.cutting.tools;
  for (const trim of trimLevels) {
    const room = gauge.budget - propose(digesting, undefined, trim).weight;
    if (room >= gauge.reserve(leastRoom)) return { trim, room: room - gauge.reserve(frame) };
  }
  return undefined;
}

/** How many characters of such a text to ask for, to fill a room. */
function charsIn(room: number, text: string, gauge: TextWeigher): number {
  const sample = text.slice(0, SAMPLE_LENGTH);
  return Math.floor((FILL * room * sample.length) / Math.max(1, gauge.weigh(JSON.stringify(sample))));
}

/** The largest digest that fits. Each attempt digests the text again, so the first size is chosen with care. */
async function tryDigests(
  digesting: Digesting,
  digest: NonNullable<FitContext["digest"]>,
): Promise<Candidate | undefined> {
  const { cutting, found } = digesting;
  const { gauge } = cutting.tools;
  const chosen = chooseTrim(digesting);
  if (chosen === undefined) return undefined;
  const sample = scalarsOf(found.beside, chosen.room * BESIDE_SHARE, cutting.tools);
  const taken = sample === undefined ? 0 : gauge.weigh(JSON.stringify({ sample }));
  let chars = charsIn(chosen.room - taken, found.text, gauge);
  for (; chars >= MIN_DIGEST_CHARS; chars *= SHRINK) {
    const digested = await digest(found.text, digestLimits(chars));
    if (digested === undefined) return undefined;
    const candidate = propose({ ...digesting, sample }, digested, chosen.trim);
    if (cutting.maker.isFine(candidate)) return candidate;
  }
  return undefined;
}

/** A success over the budget as a digest; undefined where it is not mostly one text, or no digest of it fits. */
export async function cutDigest(
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
  return stamp(parcel, "fit", `summary: a digest within ${scale.budget}`, { ...withoutKept(cut), cut });
}
