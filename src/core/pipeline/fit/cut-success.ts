import { listingKeysOnce } from "../../json/json-chunks.ts";
import { type Cut, type Parcel, stamp } from "../parcel.ts";
import type { FitContext, PipelineContext } from "../pipeline-context.ts";
import { type CutCandidate, withoutKept, type TrimLevel, trimLevels } from "./candidate.ts";
import type { CutPiece } from "./cut-place.ts";
import { fitValue } from "./cut-value.ts";
import { ResultCut, type SuccessParcel } from "./result-cut.ts";
import { type Omission, omittedTexts } from "./omission.ts";
import type { ParcelWeigher } from "./weigh-parcel.ts";
import {
  type Whole,
  condenses,
  namesOf,
  namesWithin,
  omittedWhole,
  placedWhole,
  referenceStub,
  summaryStub,
  surveyWhole,
} from "./stub.ts";

/** Room for the list of names, whose length is known only after the cut. */
const NAMES_RESERVE = 32;
/** A stub needs at least this much room to say anything. */
const STUB_RESERVE = 48;
const MAX_TRIES = 8;

/** How much of the notes is given up, and the room that this leaves for the data. */
interface Trim {
  readonly trim: TrimLevel;
  readonly room: number;
}

/**
 * The levels at which a stub has room, from the first on. All are tried before a lower fidelity: a cut that fits with
 * fewer notes must not be lost because a larger budget would have room for all of them.
 */
function* roomyTrims(cutting: ResultCut): Generator<Trim> {
  const { budget } = cutting.tools.gauge;
  const omissions = placedWhole(cutting.whole);
  let isFound = false;
  for (const trim of trimLevels) {
    const room = budget - cutting.propose(cutting.nothing, "partial", omissions, trim).weight;
    isFound ||= room >= STUB_RESERVE;
    if (isFound || trim === "least") yield { trim, room };
  }
}

/** False if a list lost all its items: a sample says more. */
function isUseful({ omissions }: CutPiece): boolean {
  return omissions.every((omission) => {
    if (omission.kind !== "items") return true;
    const [first] = omission.runs;
    return first?.[0] !== 0 || first[1] !== omission.items.length - 1;
  });
}

/** A cut of the level `partial` that fits. */
interface Partial {
  readonly candidate: CutCandidate;
  readonly cut: Cut;
  readonly piece: CutPiece;
  readonly trim: TrimLevel;
}

/** Items weigh a little more one by one than together: if this share of the budget is unused, more are tried. */
const WORTH_FILLING_SHARE = 0.04;
const MAX_REFILLS = 2;

function cutOnce(cutting: ResultCut, trim: TrimLevel, room: number): Partial | undefined {
  const piece = room > 0 ? fitValue(cutting.whole, room, cutting.root, cutting.tools) : undefined;
  if (piece === undefined || !isUseful(piece)) return undefined;
  const level = piece.omissions.length > 0 || cutting.hasMovedBlocks ? "partial" : "full";
  const candidate = cutting.propose(cutting.ownForm(piece.value), level, piece.omissions, trim);
  return { candidate, cut: candidate.cut, piece, trim };
}

/** Adds items, as far as the first cut left room for them; `around` is the weight of everything but the data. */
function refill(cutting: ResultCut, first: Partial, room: number, around: number): Partial {
  const { budget } = cutting.tools.gauge;
  let best = first;
  let left = room;
  for (let tries = 0; tries < MAX_REFILLS && best.piece.omissions.length > 0; tries++) {
    const unused = budget - best.candidate.weight;
    if (unused < budget * WORTH_FILLING_SHARE) break;
    const rate = cutting.isShown ? (best.candidate.weight - around) / left : 1;
    left += Math.floor(unused / Math.max(1, rate));
    const more = cutOnce(cutting, best.trim, left);
    if (more === undefined || !cutting.maker.isFine(more.candidate)) break;
    if (more.candidate.weight <= best.candidate.weight) break;
    best = more;
  }
  return best;
}

function tryPartialAt(cutting: ResultCut, { trim, room }: Trim): Partial | undefined {
  const { budget } = cutting.tools.gauge;
  let left = room - NAMES_RESERVE;
  for (let tries = 0; tries < MAX_TRIES && left > 0; tries++) {
    const partial = cutOnce(cutting, trim, left);
    if (partial === undefined) return undefined;
    if (cutting.maker.isFine(partial.candidate)) return refill(cutting, partial, left, budget - room);
    const { weight } = partial.candidate;
    // A count that stopped above the budget does not say by how much it is over, so every step is twice as long.
    const step = (NAMES_RESERVE / 2) * 2 ** tries;
    left = cutting.isShown ? lessRoom(left, weight, budget, step) : left - Math.max(step, weight - budget);
  }
  return undefined;
}

/** The excess is taken off. Where data weighs a multiple of its room, as if both channels are shown, its share is. */
export function lessRoom(room: number, weight: number, budget: number, step: number): number {
  const less = room - Math.max(step, weight - budget);
  return less > room / 2 ? less : Math.max(less, Math.floor((room * budget) / weight));
}

/** The first cut of the level `partial` that fits, and the levels of notes tried for it. */
function tryPartial(cutting: ResultCut): {
  readonly partial: Partial | undefined;
  readonly trims: readonly Trim[];
} {
  const trims: Trim[] = [];
  for (const trim of roomyTrims(cutting)) {
    trims.push(trim);
    const partial = tryPartialAt(cutting, trim);
    if (partial !== undefined) return { partial, trims };
  }
  return { partial: undefined, trims };
}

/** The shares of the room that a summary may fill, in the order in which they are tried. */
const SUMMARY_SHARES = [1, 0.6, 0.3, 0] as const;

function tryStubs(cutting: ResultCut, trims: readonly Trim[], fitting: FitContext): CutCandidate {
  const whole = surveyWhole(cutting.kept, fitting.byteLength, cutting.written);
  const counted = { dropped: whole.count, total: whole.count, noun: whole.noun };
  const omissions = omittedWhole(cutting.whole);
  // Where a summary has no room for anything but counts, the names of a reference say more.
  const [aName] = namesOf(whole, cutting.maker.names);
  for (const { trim, room } of trims) {
    for (const share of SUMMARY_SHARES) {
      const stub = summaryStub(whole, room * share, cutting.tools);
      if (aName !== undefined && !condenses(stub)) continue;
      const candidate = cutting.propose(stub, "summary", omissions, trim, { counted });
      if (cutting.maker.isFine(candidate)) return candidate;
    }
  }
  const everything: readonly Omission[] = [{ kind: "part", id: "/*" }];
  const refer = (level: TrimLevel, hasHandle: boolean, ids: readonly string[] = []): CutCandidate =>
    cutting.propose(
      hasHandle ? (archive) => referenceStub(whole, ids, archive) : referenceStub(whole, ids),
      "reference_only",
      everything,
      level,
      { counted },
    );
  for (const level of trimLevels.slice(trimLevels.indexOf(trims[0]?.trim ?? "least"))) {
    // The notes name the handle too: where there is no room for both, the names are worth more.
    const bare = [true, false].map((hasHandle) => refer(level, hasHandle));
    const fine = bare.filter((candidate) => cutting.maker.isFine(candidate));
    for (const candidate of fine) {
      const hasHandle = candidate === bare[0];
      const named = withNames(candidate, cutting, whole, (ids) => refer(level, hasHandle, ids));
      if (named !== undefined) return named;
    }
    if (fine[0] !== undefined) return fine[0];
  }
  // The smallest answer: code, cursor and hash are never given up, even if the budget is too small for them. The notes
  // already contain the hash.
  return cutting.propose(referenceStub(whole), "reference_only", everything, "least", { counted });
}

/** The reference with as many names as fit into the room it leaves. */
function withNames(
  bare: CutCandidate,
  cutting: ResultCut,
  whole: Whole,
  refer: (ids: readonly string[]) => CutCandidate,
): CutCandidate | undefined {
  const { gauge } = cutting.tools;
  let room = gauge.budget - bare.weight - gauge.weigh('"ids":[],');
  for (let tries = 0; tries < MAX_TRIES && room > 0; tries++) {
    const ids = namesWithin(namesOf(whole, cutting.maker.names), room, gauge);
    if (ids.length === 0) return undefined;
    const candidate = refer(ids);
    if (cutting.maker.isFine(candidate)) return candidate;
    room -= Math.max(4, candidate.weight - gauge.budget);
  }
  return undefined;
}

/** Two texts weigh at most this much more than the same texts joined. */
const JOINT = 2;

/**
 * Whether the omitted content is enough to put the whole over the budget. It is weighed only until that is certain,
 * which is soon: after as much as the cut's own words weigh.
 */
function makesWholeOver(
  parcel: SuccessParcel,
  cutting: ResultCut,
  partial: Partial,
  scale: ParcelWeigher,
): boolean {
  const { candidate, piece, trim } = partial;
  const frame = cutting.propose(cutting.nothing, "partial", piece.omissions, trim).weight;
  const bare = scale.weigh({ ...parcel, outcome: { ...parcel.outcome, data: cutting.nothing } });
  let missing = scale.budget - (candidate.weight - frame) - bare + 4 * JOINT;
  for (const text of omittedTexts(piece.omissions, cutting.tools.isBareText)) {
    missing -= scale.gauge.weigh(text, missing + JOINT) - JOINT;
    if (missing < 0) return true;
  }
  return false;
}

/** A long result may have fewer tokens than it seems; only in that case is all of it weighed. */
function isOver(
  parcel: SuccessParcel,
  cutting: ResultCut,
  partial: Partial | undefined,
  scale: ParcelWeigher,
): boolean {
  if (cutting.hasMovedBlocks) return true;
  if (partial !== undefined && makesWholeOver(parcel, cutting, partial, scale)) return true;
  return (partial === undefined && scale.isFarOver(parcel.outcome)) || scale.weigh(parcel) > scale.budget;
}

/** Cuts a success that is over the budget: tries level after level until one fits. */
export function cutSuccess(...given: Parameters<typeof climbDown>): Parcel {
  return listingKeysOnce(() => climbDown(...given));
}

function climbDown(
  parcel: SuccessParcel,
  context: PipelineContext,
  fitting: FitContext,
  scale: ParcelWeigher,
): Parcel {
  const cutting = new ResultCut(parcel, context, fitting, scale);
  const { partial, trims } = tryPartial(cutting);
  if (!isOver(parcel, cutting, partial, scale)) return stamp(parcel, "fit", "full: within the budget");
  const { cut } = partial ?? tryStubs(cutting, trims, fitting);
  const sent = withoutKept(cut);
  const level = sent.outcome.notes.fidelity?.level ?? "full";
  return stamp(parcel, "fit", `${level}: cut to ${scale.budget}`, { ...sent, cut }, { changed: true });
}
