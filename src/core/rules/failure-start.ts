// How a tool reports failures that it does not mark: with the same beginning on every call that could not succeed, and
// never on one that did. A policy hands it to the gateway, where it decides, so every doubt means that none is learnt.

import { answeredIn, isMarkedFailed, isRefusal, joinedTexts } from "./called.ts";
import type { CallPurpose, ServerRecord } from "./server-record.ts";

/** Where a beginning ends and the message starts. */
const beginning = /^[^\n]{2,58}?(?:: |! |\] | - )/;

/** One refusal may be a chance; with fewer than this nothing is learnt. */
const MIN_REFUSALS = 2;

function sharedStart(texts: readonly string[]): string {
  const [first = "", ...others] = texts;
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < length && other[same] === first[same]) same++;
    length = same;
  }
  return first.slice(0, length);
}

/** The beginning that all refusals share, and no good text has, or undefined. */
export function startOfFailures(refusals: readonly string[], good: readonly string[]): string | undefined {
  if (refusals.length < MIN_REFUSALS || good.length === 0) return undefined;
  const [start] = beginning.exec(sharedStart(refusals)) ?? [];
  // "12: ", "{"x": " and the like are data; a beginning has a word.
  if (start === undefined || !/^\W{0,6}\p{L}{3}/u.test(start) || /^\s*[{[]"/.test(start)) return undefined;
  return good.some((text) => text.startsWith(start)) ? undefined : start;
}

const refused: readonly CallPurpose[] = ["invalid"];
/** Calls whose arguments are known to work. */
const known: readonly CallPurpose[] = ["given", "repeat", "page"];
/** Calls that the schema allows, but it is not known whether what they name exists. */
const made: readonly CallPurpose[] = ["valid"];

/** How a tool reports failures without a mark; undefined if it marks some, or if nothing is certain. */
export function failureStartOf(record: ServerRecord, tool: string): string | undefined {
  const of = (purposes: readonly CallPurpose[]) =>
    answeredIn(record, purposes).filter(({ call }) => call.tool === tool);
  const bad = of(refused);
  if (bad.some(({ result }) => isMarkedFailed(result))) return undefined;
  const successOf = (purposes: readonly CallPurpose[]) =>
    of(purposes).flatMap(({ result }) => (isRefusal(result) ? [] : [joinedTexts(result)]));
  const sure = successOf(known);
  return startOfFailures(
    bad.map(({ result }) => joinedTexts(result)),
    // If no call is known to work, calls that perhaps work must not begin so either.
    sure.length > 0 ? sure : successOf(made),
  );
}
