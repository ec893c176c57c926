import { handleOf } from "../../contract/wire-names.ts";
import type { FidelityLevel, Notes, Outcome } from "../../contract/outcome.ts";
import type { Cut, CutEnding, CutPart, FitContext, KeptPart, Parcel, PipelineContext } from "../parcel.ts";
import { type BlockPlan, hasLargeBlob } from "./blocks.ts";
import { type CutReason, type CutReport, endingNotes, possibleEndings } from "./endings.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { NamingScope, nameOmissions, namePlaces } from "./name-omissions.ts";
import { type Omission, type OmissionCount, countOmitted } from "./omission.ts";
import type { ParcelWeigher } from "./weigh-parcel.ts";
import { type TrimLevel, trimNotes } from "./trim-notes.ts";

/** One possible cut: the outcome without its notes, what it lost, and what must be archived for it. */
export interface Proposal {
  readonly level: FidelityLevel;
  readonly trim: TrimLevel;
  readonly omissions: readonly Omission[];
  /** The parts to archive, the whole first; empty if only blocks were cut. */
  readonly parts: readonly CutPart[];
  readonly counted?: OmissionCount | undefined;
  /** The data itself names the archive that keeps the whole. */
  readonly namesArchive?: boolean;
  /** `archive` names the whole, if it is kept. */
  readonly outcomeWith: (notes: Notes, archive: string | undefined) => Outcome;
}

/** One possible cut, its greatest possible weight, and its ending once it is known what was archived. */
export interface Candidate {
  readonly cut: Cut;
  readonly weight: number;
}

function reasonOf({ tokens, bytes }: FitContext["budget"]): CutReason {
  if (bytes === "off") return "token_limit_exceeded";
  return tokens === "off" ? "byte_limit_exceeded" : "size_limit_exceeded";
}

/** Makes candidates for one parcel; holds what they have in common. */
export class CandidateMaker {
  readonly hasStore: boolean;
  readonly #parcel: Parcel;
  readonly #fitting: FitContext;
  readonly #scale: ParcelWeigher;
  readonly #blocks: BlockPlan;
  readonly #notes: Notes;
  readonly #hasLargeBlob: boolean;
  readonly names: NamingScope;
  /** For every cut of a parcel the same ending is the heavier one, so later cuts weigh only that ending. */
  readonly #costlier = new Map<string, number>();

  constructor(
    parcel: Parcel & { readonly outcome: Outcome },
    context: PipelineContext,
    fitting: FitContext,
    scale: ParcelWeigher,
    blocks: BlockPlan,
    whole?: JsonValue,
  ) {
    this.names = new NamingScope({ whole, idPath: fitting.idPath, gauge: scale.gauge });
    this.#parcel = parcel;
    this.#notes = parcel.outcome.notes;
    this.#fitting = fitting;
    this.#scale = scale;
    this.#blocks = blocks;
    this.#hasLargeBlob = hasLargeBlob(parcel.blocks, fitting.maxBlobBytes);
    this.hasStore = context.keep !== undefined && fitting.retrieveTool !== undefined;
  }

  make(proposal: Proposal): Candidate {
    const cut = this.#cutOf(proposal);
    const names = cut.parts.map(({ name }) => name);
    // The warning names the whole; its example and a reference name it again.
    const mentions =
      1 + (this.#exampleAt(proposal.trim) === undefined ? 0 : 1) + (proposal.namesArchive === true ? 1 : 0);
    const namesFullHash = this.#fitting.namesFullHash === true;
    const endings = possibleEndings(names, this.hasStore, namesFullHash, mentions);
    const { digitBytes: links } = this.#blocks;
    const weigh = ({ kept, digitBytes }: (typeof endings)[number]): number => {
      const sent = cut.ending(kept.map((part) => part.kept));
      return this.#scale.weigh({ ...this.#parcel, ...sent }, digitBytes === 0 ? 0 : digitBytes + links);
    };
    const key = `${proposal.trim} ${mentions} ${names.length}`;
    const known = endings[this.#costlier.get(key) ?? -1];
    if (known !== undefined) return { cut, weight: weigh(known) };
    const weights = endings.map(weigh);
    const weight = Math.max(...weights);
    // A count that stopped above the budget is not exact, so it cannot be compared.
    if (weight <= this.#scale.budget) this.#costlier.set(key, weights.indexOf(weight));
    return { cut, weight };
  }

  isFine({ weight }: Candidate): boolean {
    return weight <= this.#scale.budget;
  }

  /** An example only helps, so it is given up first. */
  #exampleAt(trim: TrimLevel): JsonObject | undefined {
    return trim === "none" ? this.#fitting.example : undefined;
  }

  #reportOf({ level, trim, omissions, counted, parts }: Proposal): CutReport {
    const { retrieveTool, budget } = this.#fitting;
    const all = [...omissions, ...this.#blocks.omissions];
    const { dropped, total, noun } = counted ?? countOmitted(all);
    return {
      level,
      dropped: nameOmissions(all, this.names),
      places: namePlaces(all),
      droppedCount: dropped,
      totalCount: total,
      noun,
      reason: omissions.length === 0 && this.#hasLargeBlob ? "blob_limit_exceeded" : reasonOf(budget),
      retrieveTool: this.hasStore ? retrieveTool : undefined,
      namesFullHash: this.#fitting.namesFullHash === true,
      hasWhole: parts.length > 0,
      hintsIds: trim === "none",
      example: parts.length > 0 ? this.#exampleAt(trim) : undefined,
      wording: trim === "all" ? "brief" : trim === "least" ? "least" : "full",
    };
  }

  #archiveOf(kept: KeptPart | undefined): string | undefined {
    if (kept === undefined) return undefined;
    return this.#fitting.namesFullHash === true ? kept.hash : handleOf(kept.hash);
  }

  #cutOf(proposal: Proposal): Cut {
    const { trim, parts: own, outcomeWith } = proposal;
    const parts = [...own, ...this.#blocks.parts];
    const isCut = proposal.omissions.length + this.#blocks.omissions.length > 0;
    const report = this.#reportOf(proposal);
    const notes = trimNotes(this.#notes, trim);
    const notesFor = (kept: readonly (KeptPart | undefined)[]): Notes =>
      isCut
        ? endingNotes(
            notes,
            report,
            parts.map(({ name }, index) => ({ name, kept: kept[index] })),
          )
        : notes;
    return {
      parts,
      ending: (kept) => ({
        outcome: outcomeWith(notesFor(kept), own.length === 0 ? undefined : this.#archiveOf(kept[0])),
        blocks: this.#blocks.build(kept.slice(own.length)),
      }),
    };
  }
}

/** What is sent before anything is known to be archived. */
export function withoutKept(cut: Cut): CutEnding {
  return cut.ending(cut.parts.map(() => undefined));
}
