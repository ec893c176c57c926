import type { Answer, AskOptions, QuestionedBytes, Questions } from "./question/question.ts";
import type { ArchiveEntry } from "../archive/archive-store.ts";
import { type EntrySource, assertText, hasTables, isJsonType, readWhole } from "./read-entry.ts";

interface AskEntryOptions extends AskOptions {
  readonly questions: Questions;
}

/** A question put to the whole of an entry, whose hash the store has checked. */
export async function askEntry(
  source: EntrySource,
  entry: ArchiveEntry,
  expression: string,
  { questions, ...options }: AskEntryOptions,
): Promise<Answer> {
  assertText(entry, "select");
  return questions.ask(await questionedEntry(source, entry), expression, options);
}

/** Stores whose readers get bytes of their own. Another store may hand out those it keeps, which must stay whole. */
const COPYING_STORES: readonly string[] = ["memory", "file", "redis"];

/** An entry as the worker takes it: bytes, which are parsed there and not here, because that takes its time. */
export async function questionedEntry(source: EntrySource, entry: ArchiveEntry): Promise<QuestionedBytes> {
  const { contentType } = entry;
  return {
    bytes: await readWhole(source, entry),
    isGiven: COPYING_STORES.includes(source.store.kind),
    hasTables: hasTables(contentType),
    isText: !isJsonType(contentType),
  };
}
