// The failures of calls, whichever way they were sent, and what was known to the caller before.

import type { JsonObject } from "../../json/json-value.ts";
import { answeredIn, isMarkedFailed, meaningOf, stringsIn } from "../called.ts";
import type { CallRecord, ServerRecord } from "../server-record.ts";

/** A call that failed: a result that says so, or whose words do, or an error of the protocol. */
export interface Failure {
  readonly call: CallRecord;
  /** Undefined for an error of the protocol. */
  readonly result: JsonObject | undefined;
  /** All that it says, from whichever place. */
  readonly words: string;
}

/** Every failed call, apart from those that we called off. */
export function failuresIn(record: ServerRecord): readonly Failure[] {
  const results = answeredIn(record)
    .filter(({ result }) => isMarkedFailed(result) || !meaningOf(result).outcome.ok)
    .map(({ call, result }): Failure => ({ call, result, words: wordsIn(result) }));
  const errors = record.calls.flatMap((call): Failure[] => {
    const { reply } = call;
    return reply.kind === "error" ? [{ call, result: undefined, words: wordsIn(reply.error) }] : [];
  });
  return [...results, ...errors]
    .filter(({ call }) => call.purpose !== "cancelled")
    .sort((a, b) => a.call.index - b.call.index);
}

/** Keys whose texts no model reads. */
function shown(value: JsonObject): JsonObject {
  const { _meta: _, ...rest } = value;
  return rest;
}

function wordsIn(value: JsonObject): string {
  return stringsIn(shown(value)).join("\n");
}

const MAX_KNOWN = 2_000;

const openTexts = new WeakMap<ServerRecord, readonly string[]>();

/** What a server says openly to every caller: its command line, greeting and definitions, and what succeeded. */
function openTextsOf(record: ServerRecord): readonly string[] {
  const known = openTexts.get(record);
  if (known !== undefined) return known;
  const { target, tools, greeting } = record;
  const words = target.split(/\s+/).map((word) => word.replace(/^--?[\w-]+=/, ""));
  const successes = answeredIn(record).filter(({ result }) => !isMarkedFailed(result));
  const texts = [
    ...words,
    ...(greeting.kind === "result" ? stringsIn(greeting.result, MAX_KNOWN) : []),
    ...tools.flatMap(({ definition }) => stringsIn(definition, MAX_KNOWN)),
    ...successes.flatMap(({ result }) => stringsIn(shown(result), MAX_KNOWN)),
  ];
  openTexts.set(record, texts);
  return texts;
}

/** Texts that the caller has sent itself, or could have seen. */
export function knownTexts(record: ServerRecord, call: CallRecord): readonly string[] {
  return [...stringsIn(call.arguments, MAX_KNOWN), ...openTextsOf(record)];
}
