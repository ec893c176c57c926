// The failures of calls, whichever way they were sent, and what was known to the caller before.

import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
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
    .map(({ call, result }): Failure => ({ call, result, words: saidIn(result).join("\n") }));
  const errors = record.calls.flatMap((call): Failure[] => {
    const { reply } = call;
    return reply.kind === "error"
      ? [{ call, result: undefined, words: stringsIn(reply.error).join("\n") }]
      : [];
  });
  return [...results, ...errors]
    .filter(({ call }) => call.purpose !== "cancelled")
    .sort((a, b) => a.call.index - b.call.index);
}

/** The texts of a result's blocks and of its structure; without the names of blocks and what is in `_meta`. */
function saidIn({ content, structuredContent }: JsonObject): readonly string[] {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const texts = blocks.flatMap(({ text, resource }) => [
    ...(typeof text === "string" ? [text] : []),
    ...(isJsonObject(resource) ? stringsIn(resource["text"]) : []),
  ]);
  return [...texts, ...stringsIn(structuredContent, MAX_SAID)];
}

const MAX_SAID = 2_000;

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
    ...(greeting.kind === "result" ? stringsIn(greeting.result, MAX_SAID) : []),
    ...tools.flatMap(({ definition }) => stringsIn(definition, MAX_SAID)),
    ...successes.flatMap(({ result }) => saidIn(result)),
  ];
  openTexts.set(record, texts);
  return texts;
}

/** Texts that the caller has sent itself, or could have seen. */
export function knownTexts(record: ServerRecord, call: CallRecord): readonly string[] {
  return [...stringsIn(call.arguments, MAX_SAID), ...openTextsOf(record)];
}
