import { handleOf } from "../../contract/wire-names.ts";
import type { FidelityLevel, Notes, Outcome } from "../../contract/outcome.ts";
import type { Cut, CutEnding, CutPart, KeptPart, Parcel } from "../parcel.ts";
import type { FitContext, PipelineContext } from "../pipeline-context.ts";
import { type BlockPlan, hasUnsendable } from "./blocks.ts";
import {
  type CutReason,
  type CutReport,
  type CutTextReport,
  endingNotes,
  possibleEndings,
} from "./endings.ts";
import { keysOf } from "../../json/json-chunks.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { nextLines, sayKeptLines } from "./say-lines.ts";
import { NamingScope, nameOmissions, namePlaces } from "./name-omissions.ts";
import {
  type Omission,
  type OmissionCount,
  type OmittedPage,
  PAGE_TEXT,
  countOmitted,
  missingPlaces,
} from "./omission.ts";
import type { ParcelWeigher } from "./weigh-parcel.ts";
import { firstCodePoints } from "../../text/code-points.ts";
import { type WarningDetail, isNotable } from "../../contract/warning.ts";

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
export interface CutCandidate {
  readonly cut: Cut;
  readonly weight: number;
}

function reasonOf({ tokens, bytes, characters }: FitContext["budget"]): CutReason {
  if (bytes === "off" && characters === undefined) return "token_limit_exceeded";
  return tokens === "off" ? "byte_limit_exceeded" : "size_limit_exceeded";
}

/** How far a text goes that is sent as text; undefined if anything else of the data is missing. */
function reportText(
  omissions: readonly Omission[],
  textAt: string,
  isOnlyText: boolean,
): CutTextReport | undefined {
  const [only, ...others] = omissions;
  if (only?.kind !== "text" || only.pointer !== textAt || others.length > 0)
    return reportJson(omissions, textAt);
  if (only.page !== undefined) return reportPage(only.page);
  const { runs, total, lines } = only;
  if (lines === undefined || lines.runs.length === 0) {
    const lost = runs.reduce((sum, [from, to]) => sum + to - from, 0);
    const names = namePlaces(omissions);
    return {
      said: `${sayCount(total - lost)} of ${sayCount(total)} characters`,
      ...firstOf(names, names.length <= MAX_SAID_NAMES),
    };
  }
  const pointer = isOnlyText ? {} : { pointer: textAt };
  const next = nextLines(lines);
  return {
    said: sayKeptLines(lines),
    ...(next.gaps < runs.length ? { gaps: runs.length, asked: next.gaps } : {}),
    next: { ...pointer, lines: next.lines },
  };
}

/** How far the text of a page goes: its lines are asked for in its own archive, its markup in that of the whole. */
function reportPage({ runs, total, lines }: OmittedPage): CutTextReport | undefined {
  if (runs.length === 0) return { said: "all of the page's text, without its markup", next: {} };
  const report = reportText([{ kind: "text", pointer: "", runs, total, lines }], "", true);
  return report && { ...report, said: `the page's text: ${report.said}`, part: PAGE_TEXT };
}

/** The names in one line are few and short; the first that is missing is always among them. */
const MAX_SAID_NAMES = 3;
const MAX_SAID_LENGTH = 80;

/** How much is sent of a text that is JSON; undefined if anything else of the data is missing. */
function reportJson(omissions: readonly Omission[], textAt: string): CutTextReport | undefined {
  const placeOf = (one: Omission): string => (one.kind === "part" ? one.id : one.pointer);
  const isInside = (one: Omission): boolean =>
    placeOf(one) === textAt || placeOf(one).startsWith(`${textAt}/`);
  if (textAt === "" || omissions.length === 0 || !omissions.every(isInside)) return undefined;
  if (omissions.every(({ kind }) => kind === "part"))
    return { said: "all of it but the spaces", next: { ids: [textAt] } };
  const lists = omissions.filter(({ kind }) => kind === "items");
  const { dropped, total, noun } = countOmitted(omissions);
  // What is missing inside an item comes before the items after it.
  const names = omissions.toReversed().flatMap((one) => namePlaces([one]));
  const isShort = names.length <= MAX_SAID_NAMES && names.join("").length <= MAX_SAID_LENGTH;
  return {
    said: `${sayCount(total - dropped)} of ${sayCount(total)} ${lists.length > 0 ? "items" : noun}`,
    ...firstOf(names, isShort),
  };
}

/** The names to ask for: all if they are few and short, else the first. */
function firstOf(names: readonly string[], isAll: boolean): Pick<CutTextReport, "next" | "gaps" | "asked"> {
  return isAll
    ? { next: { ids: names } }
    : { next: { ids: names.slice(0, 1) }, gaps: names.length, asked: 1 };
}

function sayCount(count: number): string {
  return count.toLocaleString("en-US");
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
  readonly #textAt: string | undefined;
  /** The archive has no other text, so that a request for lines need not name it. */
  readonly #isOnlyText: boolean;
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
    this.#textAt = fitting.textPlace?.(parcel);
    this.#isOnlyText = !isJsonObject(whole) || keysOf(whole).length === 1;
    this.#parcel = parcel;
    this.#notes = parcel.outcome.notes;
    this.#fitting = fitting;
    this.#scale = scale;
    this.#blocks = blocks;
    this.#hasLargeBlob = hasUnsendable(parcel.blocks ?? [], fitting);
    this.hasStore = context.keep !== undefined && fitting.retrieveTool !== undefined;
  }

  make(proposal: Proposal): CutCandidate {
    const cut = this.#cutOf(proposal);
    const names = cut.parts.map(({ name }) => name);
    // The warning names the whole; its example and a reference name it again.
    const mentions =
      1 + (this.#exampleOf(proposal) === undefined ? 0 : 1) + (proposal.namesArchive === true ? 1 : 0);
    const namesFullHash = this.#fitting.namesFullHash === true;
    // Beside a bare text, the hashes are in `_meta`.
    const listed = this.#textAt === "" && this.#textOf(proposal.omissions) !== undefined ? 0 : names.length;
    const endings = possibleEndings(names, this.hasStore, namesFullHash, { mentions, listed });
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

  isFine({ weight }: CutCandidate): boolean {
    return weight <= this.#scale.budget;
  }

  /** An example only helps, so it is given up first. */
  #exampleOf({ trim, omissions, parts }: Proposal): JsonObject | undefined {
    if (trim !== "none" || parts.length === 0 || this.#textOf(omissions) !== undefined) return undefined;
    return this.#fitting.example?.(missingPlaces(omissions));
  }

  #textOf(omissions: readonly Omission[]): CutTextReport | undefined {
    return this.#textAt === undefined ? undefined : reportText(omissions, this.#textAt, this.#isOnlyText);
  }

  #reportOf(proposal: Proposal): CutReport {
    const { level, trim, omissions, counted, parts } = proposal;
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
      text: this.#textOf(omissions),
      hasWhole: parts.length > 0,
      hintsIds: trim === "none",
      example: this.#exampleOf(proposal),
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

/** The order in which notes are given up if cutting the data is not enough; `hint`: names in the cut's own warning. */
export const trimLevels = ["none", "hint", "context", "info", "extras", "details", "all", "least"] as const;
export type TrimLevel = (typeof trimLevels)[number];

const MAX_WARNINGS = 3;
const MAX_MESSAGE_LENGTH = 120;

function omitted(count: number): readonly WarningDetail[] {
  if (count === 0) return [];
  return [{ message: `${count} ${count === 1 ? "warning" : "warnings"} omitted due to token limits` }];
}

/** The warning that a budget was raised explains everything else that is missing, so it is given up last. */
function trimToFloor(warnings: readonly WarningDetail[], rank: number): readonly WarningDetail[] {
  const floored = warnings.find(({ code }) => code === "TOKEN_BUDGET_FLOORED");
  if (floored === undefined || rank > 5) return omitted(warnings.length);
  const { asked, used } = floored.context ?? {};
  const message = `Budget ${JSON.stringify(asked ?? null)} raised to ${JSON.stringify(used ?? null)}`;
  return [{ code: "TOKEN_BUDGET_FLOORED", severity: "warning", message }, ...omitted(warnings.length - 1)];
}

function trimWarnings(warnings: readonly WarningDetail[], rank: number): readonly WarningDetail[] {
  if (rank > 4) return trimToFloor(warnings, rank);
  const bare = warnings.map(({ context: _context, ...rest }) => rest);
  if (rank < 2) return bare;
  const heard = bare.filter(isNotable);
  if (rank < 4) return [...heard, ...omitted(warnings.length - heard.length)];
  const short = heard.slice(0, MAX_WARNINGS).map(({ code, severity, message }) => ({
    ...(code === undefined ? {} : { code }),
    ...(severity === undefined ? {} : { severity }),
    message: firstCodePoints(message, MAX_MESSAGE_LENGTH),
  }));
  return [...short, ...omitted(warnings.length - short.length)];
}

/** The notes at a level. Cursor, hashes and the call's identifiers stay to the last. */
export function trimNotes(notes: Notes, level: TrimLevel): Notes {
  // The first level after "none" concerns the cut's own warning only.
  const rank = trimLevels.indexOf(level) - 1;
  if (rank <= 0) return notes;
  const trimmed: { -readonly [Key in keyof Notes]: Notes[Key] } = { ...notes };
  const warnings = trimWarnings(notes.warnings ?? [], rank);
  if (warnings.length > 0) trimmed.warnings = warnings;
  else delete trimmed.warnings;
  if (rank >= 3) {
    for (const key of ["extra", "capabilities", "provenance", "toolId", "toolVersion", "telemetry"] as const)
      delete trimmed[key];
  }
  if (rank >= 5) {
    delete trimmed.upgradeHints;
    // The result's own `_meta` has the rate limit too.
    delete trimmed.rateLimit;
  }
  return trimmed;
}
