import { HANDLE_LENGTH, archiveListing, handleOf, parseArchiveReference } from "../../contract/wire-names.ts";
import { type Fidelity, type FidelityLevel, type Notes, fidelityLevels } from "../../contract/outcome.ts";
import { type WarningDetail, orderWarnings } from "../../contract/warning.ts";
import { singularOf } from "../../json/main-collection.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { sayName } from "../../text/say-name.ts";
import type { KeptPart } from "../parcel.ts";
import { CHARACTERS } from "./omission.ts";

// A result that another Waybill server already cut says how much it lost. A reader wants one sum over both cuts,
// counted from what the tool first returned, not two that count from different wholes.

interface Counts {
  readonly droppedCount: number;
  readonly totalCount: number;
  readonly noun: string;
}

const CODE = "CONTENT_TRUNCATED";
/** The form of such a warning if only its message is known: "990 rows omitted", "5 of 9 omitted". */
const message = /^([\d,]{1,20}) (?:of [\d,]{1,20} ?)?(.{0,512}?) ?omitted(?: due to .*)?$/s;

/** What an earlier warning says was left out; undefined for any other warning. */
function readEarlier({
  code,
  message: said,
  context,
}: WarningDetail): Omit<Counts, "totalCount"> | undefined {
  if (code !== undefined && code !== CODE) return undefined;
  const [, digits = "", noun = ""] = message.exec(said) ?? [];
  const counted = context?.["dropped_count"];
  const droppedCount = typeof counted === "number" ? counted : Number(digits.replaceAll(",", ""));
  return droppedCount > 0 ? { droppedCount, noun } : undefined;
}

function speaksOf(noun: string, now: string): boolean {
  return noun === "" || noun === sayName(now) || noun === sayName(singularOf(now));
}

/** The counts of this cut and the earlier ones together, and the warnings without those that the counts replace. */
export function addEarlierCuts<Now extends Counts>(
  now: Now,
  warnings: readonly WarningDetail[],
): { readonly counts: Now; readonly others: readonly WarningDetail[] } {
  let counts = now;
  const others = warnings.filter((warning) => {
    const earlier = readEarlier(warning);
    if (earlier === undefined || !speaksOf(earlier.noun, now.noun)) return true;
    counts = {
      ...counts,
      droppedCount: counts.droppedCount + earlier.droppedCount,
      totalCount: counts.totalCount + earlier.droppedCount,
    };
    return false;
  });
  return { counts, others };
}

const HASH_LENGTH = 64;

/** The limits, and their names in the warning. */
const limitNames = {
  token_limit_exceeded: "token limits",
  byte_limit_exceeded: "byte limits",
  size_limit_exceeded: "token and byte limits",
  blob_limit_exceeded: "the limit for bytes",
} as const;

export type CutReason = keyof typeof limitNames;

export interface CutTextReport {
  readonly said: string;
  /** The arguments that ask for what is missing first. */
  readonly next: JsonObject;
  /** In how many places something is missing, if the next call does not give all of them. */
  readonly gaps?: number | undefined;
  /** How many of them it gives. */
  readonly asked?: number | undefined;
  /** The name of the archived part that the arguments are about. Default: the whole. */
  readonly part?: string | undefined;
}

/** What a cut reports: how much is left, of what, and which names were dropped. */
export interface CutReport {
  readonly level: FidelityLevel;
  readonly dropped: readonly string[];
  /** The same by place, which is shorter if many items are named by their ids. */
  readonly places: readonly string[];
  readonly droppedCount: number;
  readonly totalCount: number;
  /** The name of what is counted: `findings`. */
  readonly noun: string;
  readonly reason: CutReason;
  readonly retrieveTool: string | undefined;
  /** True for callers who need the full hash, so the warning names it. */
  readonly namesFullHash: boolean;
  /** For a text that is sent as text: how far it goes, and the arguments that ask for what follows. */
  readonly text: CutTextReport | undefined;
  /** True if the first part is the whole that contains the named places; false if only blocks were cut. */
  readonly hasWhole: boolean;
  /** Whether the warning too has room for the names to ask for. */
  readonly hintsIds: boolean;
  /** A question about the whole, or lines of it, if there is room to show one: arguments without the archive. */
  readonly example: JsonObject | undefined;
  /** `brief` leaves out explanations, `least` everything but the counts. */
  readonly wording: "full" | "brief" | "least";
}

/** The archived form of each part of a cut, with the name its key begins with. */
export type Kept = readonly { readonly name: string; readonly kept: KeptPart | undefined }[];

/** More names than this cost more than they save; the model then uses those of `dropped_content_ids`. */
const MAX_HINTED = 8;
const MAX_HINTED_LENGTH = 200;

/**
 * The names to ask for, so that what the model already has is not sent again. Of a stub it has nothing, and an archive
 * of blocks holds only what was left out: in both cases the archive alone is enough.
 */
function hintedIds({ level, hasWhole, hintsIds, dropped, places }: CutReport): readonly string[] | undefined {
  if (level !== "partial" || !hasWhole || !hintsIds) return undefined;
  const names = dropped.length > MAX_HINTED ? places : dropped;
  const ids = names.filter((name) => !name.startsWith("#content/"));
  const length = ids.reduce((sum, id) => sum + id.length, 0);
  return ids.length > 0 && ids.length <= MAX_HINTED && length <= MAX_HINTED_LENGTH ? ids : undefined;
}

/**
 * The hash that a question is asked of: the uncut whole, which an earlier Waybill server may have. If that server kept
 * nothing, no hash is named: an answer about a part would pass for one about the whole.
 */
function questionedHash({ fidelity }: Notes, { hash }: KeptPart): string | undefined {
  if (fidelity === undefined || fidelity.level === "full") return hash;
  const [first] = Object.values(fidelity.archives);
  return first === undefined ? undefined : parseArchiveReference(first);
}

/** The call that brings back what is missing, and the same call with a question instead of names. */
function retrieveHint(
  report: CutReport,
  whole: KeptPart,
  before: Notes,
  part: KeptPart | undefined,
): JsonObject {
  const nameOf = (hash: string): string => (report.namesFullHash ? hash : handleOf(hash));
  const { example, text } = report;
  // A text that was cut before has the same lines in the uncut whole.
  if (text?.part !== undefined) {
    const lines = part === undefined ? {} : text.next;
    return {
      tool: report.retrieveTool ?? "",
      arguments: { archive: nameOf((part ?? whole).hash), ...lines },
    };
  }
  if (text !== undefined) {
    const archive = nameOf(questionedHash(before, whole) ?? whole.hash);
    return { tool: report.retrieveTool ?? "", arguments: { archive, ...text.next } };
  }
  const archive = nameOf(whole.hash);
  const ids = hintedIds(report);
  const questioned = example === undefined ? undefined : questionedHash(before, whole);
  return {
    tool: report.retrieveTool ?? "",
    arguments: ids === undefined ? { archive } : { archive, ids },
    ...(example === undefined || questioned === undefined
      ? {}
      : { or: { archive: nameOf(questioned), ...example } }),
  };
}

function partOf({ text }: CutReport, kept: Kept): KeptPart | undefined {
  return kept.find(({ name }) => name === text?.part)?.kept;
}

/** How much is missing. For a text always with the total: a number of characters alone says little. */
function countsOf({ droppedCount, totalCount, noun, wording }: CutReport): string {
  const isText = noun === CHARACTERS;
  if (isText) {
    const [dropped, total] = [droppedCount, totalCount].map((count) => count.toLocaleString("en-US"));
    return `${dropped} of ${total} ${noun} omitted`;
  }
  if (wording !== "full") return `${droppedCount} of ${totalCount} omitted`;
  return `${droppedCount} ${sayName(droppedCount === 1 ? singularOf(noun) : noun)} omitted`;
}

/** In the words of seed 001; the context says how to get the rest. */
function truncated(report: CutReport, kept: Kept, before: Notes): WarningDetail {
  const { droppedCount, totalCount, reason, retrieveTool } = report;
  const whole = kept[0]?.kept;
  const counts = report.text?.said ?? countsOf(report);
  if (report.wording === "least") return { message: counts };
  if (report.wording === "brief") return { code: "CONTENT_TRUNCATED", severity: "info", message: counts };
  const how =
    whole === undefined || retrieveTool === undefined
      ? {}
      : { retrieve: retrieveHint(report, whole, before, partOf(report, kept)) };
  return {
    code: "CONTENT_TRUNCATED",
    severity: "info",
    message: report.text === undefined ? `${counts} due to ${limitNames[reason]}` : counts,
    context: { dropped_count: droppedCount, total_count: totalCount, reason, ...gapsOf(report), ...how },
  };
}

function gapsOf({ text }: CutReport): JsonObject {
  if (text?.gaps === undefined) return {};
  return { gaps: text.gaps, ...(text.asked === undefined || text.asked === 1 ? {} : { asked: text.asked }) };
}

const notKept: WarningDetail = {
  code: "ARCHIVE_WRITE_FAILED",
  severity: "warning",
  message: "The omitted content could not be stored: repeat the call with narrower arguments to see it",
};
const nowhere: WarningDetail = {
  code: "CONTENT_DROPPED",
  severity: "warning",
  message: "The omitted content is not kept: repeat the call with narrower arguments to see it",
};
const fallback: WarningDetail = {
  code: "FALLBACK_USED",
  severity: "info",
  message: "The omitted content is kept in a fallback store, which other servers may not share",
};

function lowest(a: FidelityLevel, b: FidelityLevel): FidelityLevel {
  return fidelityLevels.indexOf(a) > fidelityLevels.indexOf(b) ? a : b;
}

/** What an earlier cut left out stays left out: names and archives are added, never replaced. */
function joinFidelity(before: Fidelity | undefined, now: Fidelity): Fidelity {
  if (before === undefined) return now;
  return {
    level: lowest(before.level, now.level),
    dropped: [...new Set([...now.dropped, ...before.dropped])],
    // The uncut whole comes first; what a tool archives beside its answer is not the whole.
    archives:
      before.level === "full"
        ? { ...now.archives, ...before.archives }
        : { ...before.archives, ...now.archives },
  };
}

/** The notes of a cut once it is known what was archived; without a store no archiving was tried. */
export function endingNotes(notes: Notes, report: CutReport, kept: Kept): Notes {
  // The first entry is the whole, so without the whole nothing is listed; other kept parts have their own links.
  const listed = report.hasWhole && kept[0]?.kept === undefined ? [] : kept;
  const archives = Object.fromEntries(
    listed.flatMap((part) => (part.kept === undefined ? [] : [archiveListing(part.name, part.kept.hash)])),
  );
  const wasCut = notes.fidelity !== undefined && notes.fidelity.level !== "full";
  const said = notes.warnings ?? [];
  const { counts, others } = wasCut ? addEarlierCuts(report, said) : { counts: report, others: said };
  // How far the text goes was counted in what was left of it.
  const all =
    wasCut && counts.text !== undefined
      ? { ...counts, text: { ...counts.text, said: countsOf(counts) } }
      : counts;
  const warnings = [...others, truncated(all, kept, notes)];
  if (report.retrieveTool === undefined) warnings.push(nowhere);
  else if (kept.some((part) => part.kept === undefined)) warnings.push(notKept);
  if (kept.some((part) => part.kept?.usedFallback === true)) warnings.push(fallback);
  const now: Fidelity = { level: report.level, dropped: report.dropped, archives };
  return { ...notes, warnings: orderWarnings(warnings), fidelity: joinFidelity(notes.fidelity, now) };
}

/**
 * The digits of hash and handle weigh differently each time; these blanks replace them, and the digits are charged
 * separately.
 */
const blankHash = "";

/**
 * The possible endings, to reserve room for the longer one, each with the bytes of its digits. `mentions` is how often
 * the whole is named, `listed` how many hashes the texts have.
 */
export function possibleEndings(
  names: readonly string[],
  hasStore: boolean,
  namesFullHash: boolean,
  { mentions = 1, listed = names.length }: { readonly mentions?: number; readonly listed?: number } = {},
): readonly { readonly kept: Kept; readonly digitBytes: number }[] {
  const none = { kept: names.map((name) => ({ name, kept: undefined })), digitBytes: 0 };
  if (!hasStore) return [none];
  const stored = names.map((name) => ({ name, kept: { hash: blankHash, usedFallback: true } }));
  // If only some of several parts could be archived, the warnings mention both.
  const kept = names.length > 1 ? [...stored, { name: "", kept: undefined }] : stored;
  const named = (namesFullHash ? HASH_LENGTH : HANDLE_LENGTH) * mentions;
  return [none, { kept, digitBytes: listed * (HASH_LENGTH + HANDLE_LENGTH) + named }];
}
