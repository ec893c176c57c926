import type { Answer, AskOptions, QuestionedBytes, Questions } from "./question/question.ts";
import type { ArchiveEntry } from "../archive/archive-store.ts";
import { type EntrySource, assertText, hasTables, isJsonType, readWhole } from "./read-entry.ts";

interface AskEntryOptions extends AskOptions {
  readonly questions: Questions;
}

/** Asks a question about a whole entry, whose hash the store has checked. */
export async function askEntry(
  source: EntrySource,
  entry: ArchiveEntry,
  expression: string,
  { questions, ...options }: AskEntryOptions,
): Promise<Answer> {
  assertText(entry, "select");
  return questions.ask(await questionedEntry(source, entry), expression, options);
}

/**
 * Stores that give each reader its own bytes. Another store may return the bytes that it keeps, which must
 * not be transferred.
 */
const COPYING_STORES: readonly string[] = ["memory", "file", "redis"];

/** An entry as the worker takes it: bytes, which are parsed there and not here, because parsing takes long. */
export async function questionedEntry(source: EntrySource, entry: ArchiveEntry): Promise<QuestionedBytes> {
  const { contentType } = entry;
  return {
    bytes: await readWhole(source, entry),
    isGiven: COPYING_STORES.includes(source.store.kind),
    hasTables: hasTables(contentType),
    isText: !isJsonType(contentType),
  };
}
