import type { JsonValue } from "../../json/json-value.ts";
import type { MissingPlace } from "../pipeline-context.ts";

/** Runs of places, first and last (of lines, counted from 1) or first and end (of code points). */
export type Runs = readonly (readonly [number, number])[];

/** Items left out of one array; places refer to the whole, which the archive keeps. */
export interface OmittedItems {
  readonly kind: "items";
  readonly pointer: string;
  /** The key of the array, or "items". */
  readonly name: string;
  readonly items: readonly JsonValue[];
  /** First and last index of each run that was left out. */
  readonly runs: Runs;
  /** Nothing of the list is left: the list gets one name, if its items have none. */
  readonly isAll?: true;
}

/** Parts of one text that were left out; places refer to the whole text. */
export interface OmittedText {
  readonly kind: "text";
  readonly pointer: string;
  /** In code points, the end of a run not included. */
  readonly runs: Runs;
  /** How many code points the whole text has. */
  readonly total: number;
  /** The omitted texts themselves, one a run. */
  readonly rest?: readonly string[];
  /** The same in lines, of all; undefined if the text was not cut between lines. */
  readonly lines?: { readonly runs: Runs; readonly total: number } | undefined;
  /** Set if the text is a web page, of which only what it says was sent: the text to archive, and what is missing of it. */
  readonly page?: OmittedPage;
}

/** The name under which what a page says is archived, beside its source. */
export const PAGE_TEXT = "page-text";

/** A page's own text beside its source. Without runs all of it was sent. */
export interface OmittedPage extends Pick<OmittedText, "runs" | "total" | "lines"> {
  readonly text: string;
}

/** A value or block that was left out whole, by the name it is fetched with. */
interface OmittedPart {
  readonly kind: "part";
  readonly id: string;
}

export type Omission = OmittedItems | OmittedText | OmittedPart;

/** How many items a run list covers. */
export function countRuns(runs: OmittedItems["runs"]): number {
  return runs.reduce((sum, [from, to]) => sum + to - from + 1, 0);
}

/** Where something is missing of the data; blocks are no part of it. */
export function missingPlaces(omissions: readonly Omission[]): readonly MissingPlace[] {
  return omissions.flatMap((one): readonly MissingPlace[] => {
    if (one.kind === "text") {
      const [after = 0, until = one.total] = one.runs[0] ?? [];
      return [{ pointer: one.pointer, after, ...(until < one.total ? { until } : {}) }];
    }
    if (one.kind === "part") return one.id.startsWith("#") ? [] : [{ pointer: one.id.replace(/\/\*$/, "") }];
    const [first, ...others] = one.runs;
    const run = others.reduce((a, b) => (a !== undefined && b[1] - b[0] <= a[1] - a[0] ? a : b), first);
    return [{ pointer: one.pointer, run }];
  });
}

/** The numbers in `CONTENT_TRUNCATED`: how many of what were left out, of how many. */
export interface OmissionCount {
  readonly dropped: number;
  readonly total: number;
  readonly noun: string;
}

/** The unit for texts that lost their end. */
export const CHARACTERS = "characters";

/** The key of a wrapped list is ours and names nothing. */
function nounOf(list: OmittedItems | undefined): string {
  return list === undefined || list.pointer === "/result" ? "items" : list.name;
}

/** Counts items first; if no item was left out, the characters of texts; else values that were left out whole. */
export function countOmitted(omissions: readonly Omission[]): OmissionCount {
  const lists = omissions.filter((omission) => omission.kind === "items");
  if (lists.length > 0) {
    const [first, ...others] = lists;
    return {
      dropped: lists.reduce((sum, { runs }) => sum + countRuns(runs), 0),
      total: lists.reduce((sum, { items }) => sum + items.length, 0),
      noun: others.every(({ name }) => name === first?.name) ? nounOf(first) : "items",
    };
  }
  const texts = omissions.filter((omission) => omission.kind === "text");
  if (texts.length > 0) {
    const dropped = texts.reduce((sum, one) => sum + lostOf(one), 0);
    return { dropped, total: texts.reduce((sum, { total }) => sum + total, 0), noun: CHARACTERS };
  }
  return { dropped: omissions.length, total: omissions.length, noun: "parts" };
}

/** How many characters of a text are missing; of a page what it says was sent, and its markup is missing. */
function lostOf({ runs, total, page }: OmittedText): number {
  return page === undefined ? lengthOf(runs) : Math.max(1, total - page.total + lengthOf(page.runs));
}

function lengthOf(runs: Runs): number {
  return runs.reduce((sum, [from, to]) => sum + to - from, 0);
}

/** The places that are not kept, as runs. */
export function runsWithout(kept: readonly number[], total: number): (readonly [number, number])[] {
  const runs: (readonly [number, number])[] = [];
  let next = 0;
  for (const index of [...kept, total]) {
    if (index > next) runs.push([next, index - 1]);
    next = index + 1;
  }
  return runs;
}

const SLICE_LENGTH = 2_048;

/** The texts of what was left out, piece by piece, as long as the reader continues; a bare text as it is. */
export function* omittedTexts(omissions: readonly Omission[], isBareText = false): Generator<string> {
  for (const omission of omissions) {
    if (omission.kind === "items") {
      for (const [from, to] of omission.runs) {
        for (let index = from; index <= to; index++) yield JSON.stringify(omission.items[index] ?? null);
      }
    } else if (omission.kind === "text") {
      for (const rest of omission.rest ?? [])
        for (let start = 0; start < rest.length; start += SLICE_LENGTH) {
          const slice = rest.slice(start, start + SLICE_LENGTH);
          yield isBareText ? slice : JSON.stringify(slice).slice(1, -1);
        }
    }
  }
}
