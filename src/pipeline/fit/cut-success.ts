import type { FidelityLevel } from "../../contract/fidelity.ts";
import type { Success } from "../../contract/outcome.ts";
import { jsonChunks } from "../../json/json-chunks.ts";
import type { JsonValue } from "../../json/json-value.ts";
import { mainCollection } from "../../json/main-collection.ts";
import { type FitContext, type Parcel, type PipelineContext, stamp } from "../parcel.ts";
import { planBlocks } from "./blocks.ts";
import { type Candidate, CandidateMaker, withoutKept } from "./candidate.ts";
import { type CutTools, type Piece, fitValue } from "./cut-value.ts";
import type { Omission, OmissionCount } from "./omission.ts";
import { type Place, elastic, rootPlace } from "./place.ts";
import { rankItems } from "./rank-items.ts";
import type { Scale } from "./scale.ts";
import { omittedWhole, referenceStub, summaryStub, surveyWhole } from "./stub.ts";
import { type TrimLevel, trimLevels } from "./trim-notes.ts";

export type SuccessParcel = Parcel & { readonly outcome: Success };

/** Room for the list of names, which is known only after the cut. */
const NAMES_RESERVE = 32;
/** Least room in which a stub says anything. */
const STUB_RESERVE = 48;
const MAX_TRIES = 8;

/** One result that is being cut. */
class Cutting {
  readonly whole: JsonValue;
  readonly root: Place;
  readonly tools: CutTools;
  readonly maker: CandidateMaker;
  readonly hasMovedBlocks: boolean;
  readonly #name: string;

  constructor(parcel: SuccessParcel, context: PipelineContext, fitting: FitContext, scale: Scale) {
    this.whole = fitting.wrap(parcel.outcome.data);
    const blocks = planBlocks(parcel.blocks, fitting, scale);
    this.hasMovedBlocks = blocks.omissions.length > 0;
    this.maker = new CandidateMaker(parcel, context, fitting, scale, blocks);
    this.tools = { gauge: scale.gauge, rank: rankItems(fitting) };
    this.#name = mainCollection(this.whole)?.name ?? "data";
    // What the schema says is said of the data itself, which a wrapped value has one level deeper.
    const elasticity = fitting.elasticity?.();
    const isWrapped = this.whole !== parcel.outcome.data && elasticity !== undefined;
    this.root = rootPlace(isWrapped ? { ...elastic, at: () => elasticity } : elasticity);
  }

  propose(
    data: JsonValue,
    level: FidelityLevel,
    omissions: readonly Omission[],
    trim: TrimLevel,
    counted?: OmissionCount,
  ): Candidate {
    const content = { [Symbol.iterator]: () => jsonChunks(this.whole) };
    const part = { name: this.#name, content, contentType: "application/json" };
    return this.maker.make({
      level,
      trim,
      omissions,
      part: omissions.length > 0 ? part : undefined,
      counted,
      outcomeWith: (notes) => ({ ok: true, data, notes }),
    });
  }

  /** The first level at which the words around the data leave room for a stub, and how much. */
  chooseTrim(): { readonly trim: TrimLevel; readonly room: number } {
    const { budget } = this.tools.gauge;
    const omissions = omittedWhole(this.whole);
    for (const trim of trimLevels) {
      const room = budget - this.propose({}, "partial", omissions, trim).weight;
      if (room >= STUB_RESERVE || trim === "all") return { trim, room };
    }
    return { trim: "all", room: 0 };
  }
}

/** A list that lost everything is better told by a sample. */
function isUseful({ omissions }: Piece): boolean {
  return omissions.every((omission) => {
    if (omission.kind !== "items") return true;
    const [first] = omission.runs;
    return first?.[0] !== 0 || first[1] !== omission.items.length - 1;
  });
}

function tryPartial(cutting: Cutting, trim: TrimLevel, room: number): Candidate | undefined {
  const { gauge } = cutting.tools;
  let left = room - NAMES_RESERVE;
  for (let tries = 0; tries < MAX_TRIES && left > 0; tries++) {
    const piece = fitValue(cutting.whole, left, cutting.root, cutting.tools);
    if (piece === undefined || !isUseful(piece)) return undefined;
    const level = piece.omissions.length > 0 || cutting.hasMovedBlocks ? "partial" : "full";
    const candidate = cutting.propose(piece.value, level, piece.omissions, trim);
    if (cutting.maker.isFine(candidate)) return candidate;
    left -= Math.max(NAMES_RESERVE / 2, candidate.weight - gauge.budget);
  }
  return undefined;
}

function tryStubs(cutting: Cutting, trim: TrimLevel, room: number, fitting: FitContext): Candidate {
  const whole = surveyWhole(cutting.whole, fitting.byteLength);
  const counted = { dropped: whole.count, total: whole.count, noun: whole.noun };
  const omissions = omittedWhole(cutting.whole);
  for (const share of [1, 0.6, 0]) {
    const stub = summaryStub(share > 0 ? whole : { ...whole, first: undefined }, room * share, cutting.tools);
    const candidate = cutting.propose(stub, "summary", omissions, trim, counted);
    if (cutting.maker.isFine(candidate)) return candidate;
  }
  const everything: readonly Omission[] = [{ kind: "part", id: "/*" }];
  const refer = (level: TrimLevel): Candidate =>
    cutting.propose(referenceStub(whole), "reference_only", everything, level, counted);
  for (const level of trimLevels.slice(trimLevels.indexOf(trim))) {
    const candidate = refer(level);
    if (cutting.maker.isFine(candidate)) return candidate;
  }
  // The least there is to say: code, cursor and hash are never given up, even for a budget below them.
  return refer("all");
}

/** A success that is over the budget, down the ladder until it fits. */
export function cutSuccess(
  parcel: SuccessParcel,
  context: PipelineContext,
  fitting: FitContext,
  scale: Scale,
): Parcel {
  const cutting = new Cutting(parcel, context, fitting, scale);
  const { trim, room } = cutting.chooseTrim();
  const { cut } = tryPartial(cutting, trim, room) ?? tryStubs(cutting, trim, room, fitting);
  const sent = withoutKept(cut);
  const level = sent.outcome.notes.fidelity?.level ?? "full";
  return stamp(parcel, "fit", `${level}: cut to ${scale.budget}`, { ...sent, cut });
}
