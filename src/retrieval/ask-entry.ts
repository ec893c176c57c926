import { ownValue } from "../question/own-value.ts";
import type { Answer, AskOptions, Questions } from "../question/question.ts";
import type { ArchiveEntry } from "../stores/archive-store.ts";
import { type EntrySource, assertText, readEntry } from "./read-entry.ts";

export interface AskEntryOptions extends AskOptions {
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
  const { value } = await readEntry(source, entry);
  return questions.ask({ value: ownValue(value) }, expression, options);
}
