import type { FidelityLevel } from "../../contract/fidelity.ts";
import type { Success } from "../../contract/outcome.ts";
import { jsonChunks } from "../../json/json-chunks.ts";
import type { JsonValue } from "../../json/json-value.ts";
import { mainCollection } from "../../json/main-collection.ts";
import {
  type Cut,
  type FitContext,
  type KeptPart,
  type Parcel,
  type PipelineContext,
  stamp,
} from "../parcel.ts";
import { type BlockPlan, planBlocks } from "./blocks.ts";
import { type CutTools, type Piece, fitValue } from "./cut-value.ts";
import { type CutReport, endingNotes, possibleEndings } from "./endings.ts";
import { nameOmissions } from "./name-omissions.ts";
import { type Omission, countOmitted } from "./omission.ts";
import { type Place, elastic, rootPlace } from "./place.ts";
import { rankItems } from "./rank-items.ts";
import type { Scale } from "./scale.ts";
import { omittedWhole, referenceStub, summaryStub, surveyWhole } from "./stub.ts";
import { type TrimLevel, trimLevels, trimNotes } from "./trim-notes.ts";

export type SuccessParcel = Parcel & { readonly outcome: Success };

/** Room for the list of names, which is known only after the cut. */
const NAMES_RESERVE = 32;
/** Least room in which a stub says anything. */
const STUB_RESERVE = 48;
const MAX_TRIES = 8;

/** One way to send less, and how it would read. */
interface Candidate {
  readonly parcel: SuccessParcel;
  readonly cut: Cut;
  readonly weight: number;
}

/** What stays the same while ways to cut one result are tried. */
class Cutting {
  readonly whole: JsonValue;
  readonly blocks: BlockPlan;
  readonly hasStore: boolean;
  readonly tools: CutTools;
  readonly root: Place;
  readonly #parcel: SuccessParcel;
  readonly #fitting: FitContext;
  readonly #scale: Scale;
  readonly #name: string;

  constructor(parcel: SuccessParcel, context: PipelineContext, fitting: FitContext, scale: Scale) {
    this.#parcel = parcel;
    this.#fitting = fitting;
    this.#scale = scale;
    this.whole = fitting.wrap(parcel.outcome.data);
    this.blocks = planBlocks(parcel.blocks, fitting, scale);
    this.hasStore = context.keep !== undefined && fitting.retrieveTool !== undefined;
    this.tools = { gauge: scale.gauge, rank: rankItems(fitting) };
    // What the schema says is said of the data itself, which a wrapped value has one level deeper.
    const elasticity = fitting.elasticity?.();
    const isWrapped = this.whole !== parcel.outcome.data && elasticity !== undefined;
    this.root = rootPlace(isWrapped ? { ...elastic, at: () => elasticity } : elasticity);
    this.#name = mainCollection(this.whole)?.name ?? "data";
  }

  /** The candidate for this data; the costlier of its endings decides what it weighs. */
  try(data: JsonValue, level: FidelityLevel, omissions: readonly Omission[], trim: TrimLevel): Candidate {
    const { idPath, retrieveTool, budget } = this.#fitting;
    const all = [...omissions, ...this.blocks.omissions];
    const { dropped, total } = countOmitted(all);
    const items = all.find((omission) => omission.kind === "items");
    const report: CutReport = {
      level,
      dropped: nameOmissions(all, idPath),
      droppedCount: dropped,
      totalCount: total,
      noun: items?.kind === "items" ? items.name : "parts",
      reason: budget.tokens === "off" ? "byte_limit_exceeded" : "token_limit_exceeded",
      retrieveTool: this.hasStore ? retrieveTool : undefined,
      isBrief: trim === "all",
    };
    const notes = trimNotes(this.#parcel.outcome.notes, trim);
    const isDataCut = omissions.length > 0;
    const content = { [Symbol.iterator]: () => jsonChunks(this.whole) };
    const own = isDataCut ? [{ name: this.#name, content, contentType: "application/json" }] : [];
    const parts = [...own, ...this.blocks.parts];
    const ending = (kept: readonly (KeptPart | undefined)[]) => ({
      outcome: {
        ok: true as const,
        data,
        notes: endingNotes(
          notes,
          report,
          parts.map(({ name }, index) => ({ name, kept: kept[index] })),
        ),
      },
      blocks: this.blocks.build(kept.slice(own.length)),
    });
    const cut: Cut = { parts, ending };
    const weights = possibleEndings(
      parts.map(({ name }) => name),
      this.hasStore,
    ).map(({ kept, digitBytes }) =>
      this.#scale.weigh({ ...this.#parcel, ...ending(kept.map((part) => part.kept)) }, digitBytes),
    );
    const parcel = { ...this.#parcel, ...ending(parts.map(() => undefined)) };
    return { parcel, cut, weight: Math.max(...weights) };
  }

  isFine({ weight }: Candidate): boolean {
    return weight <= this.#scale.budget;
  }

  /** The first level at which the words around the data leave room for a stub. */
  chooseTrim(): { readonly trim: TrimLevel; readonly room: number } {
    for (const trim of trimLevels) {
      const { weight } = this.try({}, "partial", omittedWhole(this.whole), trim);
      const room = this.#scale.budget - weight;
      if (room >= STUB_RESERVE || trim === "all") return { trim, room };
    }
    return { trim: "all", room: 0 };
  }
}

/** Lists that lost everything are better told by a sample; a text that is bytes has nothing to show. */
function isUseful({ omissions }: Piece): boolean {
  return omissions.every(
    (omission) =>
      omission.kind !== "items" ||
      omission.runs.length !== 1 ||
      omission.runs[0]?.[0] !== 0 ||
      omission.runs[0]?.[1] !== omission.items.length - 1,
  );
}

function tryPartial(cutting: Cutting, trim: TrimLevel, room: number): Candidate | undefined {
  let left = room - NAMES_RESERVE;
  for (let tries = 0; tries < MAX_TRIES && left > 0; tries++) {
    const piece = fitValue(cutting.whole, left, cutting.root, cutting.tools);
    if (piece === undefined || !isUseful(piece)) return undefined;
    const level = piece.omissions.length > 0 || cutting.blocks.omissions.length > 0 ? "partial" : "full";
    const candidate = cutting.try(piece.value, level, piece.omissions, trim);
    if (cutting.isFine(candidate)) return candidate;
    left -= Math.max(NAMES_RESERVE / 2, candidate.weight - cutting.tools.gauge.budget);
  }
  return undefined;
}

function tryStubs(cutting: Cutting, trim: TrimLevel, room: number, fitting: FitContext): Candidate {
  const whole = surveyWhole(cutting.whole, fitting.byteLength);
  const omissions = omittedWhole(cutting.whole);
  for (const share of [1, 0.6, 0]) {
    const stub = summaryStub(share > 0 ? whole : { ...whole, first: undefined }, room * share, cutting.tools);
    const candidate = cutting.try(stub, "summary", omissions, trim);
    if (cutting.isFine(candidate)) return candidate;
  }
  const nothing: readonly Omission[] = [{ kind: "part", id: "/*" }];
  const levels = trimLevels.slice(trimLevels.indexOf(trim));
  const references = levels.map(
    (level) => () => cutting.try(referenceStub(whole), "reference_only", nothing, level),
  );
  for (const reference of references.slice(0, -1)) {
    const candidate = reference();
    if (cutting.isFine(candidate)) return candidate;
  }
  // The least there is to say: code, cursor and hash are never given up, even for a budget below them.
  return cutting.try(referenceStub(whole), "reference_only", nothing, "all");
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
  const { parcel: sent, cut } = tryPartial(cutting, trim, room) ?? tryStubs(cutting, trim, room, fitting);
  const level = sent.outcome.notes.fidelity?.level ?? "full";
  return stamp(parcel, "fit", `${level}: cut to ${scale.budget}`, { ...sent, cut });
}
