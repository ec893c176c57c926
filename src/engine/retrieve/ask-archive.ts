// Answers `select`: a question about a whole archive, in a worker. A list that is too long for one answer is
// paged; any other answer that is too large comes in slices of its JSON text, as every item does.

import { faults } from "../../core/contract/faults.ts";
import type { ToolFault } from "../../core/contract/tool-fault.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import type { QuestionAnswer, Questions, QuestionOptions, QuestionedBytes } from "./question/question.ts";
import type { ArchiveEntry } from "../archive/archive-store.ts";
import {
  type EntrySource,
  type KeptAnswer,
  assertText,
  cacheOf,
  hasTables,
  isJsonType,
  readSearchableEntry,
} from "./read-entry.ts";
import { listOf, listRange } from "./item-list.ts";
import {
  type AnswerLimits,
  type RetrieveAnswer,
  answerPage,
  pageKey,
  pageSize,
  tokensLeftFor,
} from "./answer-page.ts";
import { type ItemForm, readPagePlace } from "./page-items.ts";
import type { RetrieveRequest } from "./retrieve-request.ts";

/** A client gets an answer in one message, which contains it twice, and connections of the SDKs end above 10 MiB. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export interface AskContext extends EntrySource, AnswerLimits {
  /** If it is undefined, or returns undefined, questions cannot be asked here. */
  readonly questions?: (() => Promise<Questions | undefined>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The refusal if no worker answers questions. */
export function questionsOff(field: string): ToolFault {
  return faults.featureDisabled(field, {
    remediation:
      "This server cannot start a worker thread to compute in. Ask with match, query, pointer or lines.",
    details: { field },
  });
}

export async function askArchive(
  request: RetrieveRequest,
  select: string,
  context: AskContext,
  entry: ArchiveEntry,
): Promise<RetrieveAnswer> {
  const questions = await context.questions?.();
  if (questions === undefined) throw questionsOff("select");
  await questions.check(select);
  const { answers: kept } = cacheOf(context);
  const name = JSON.stringify([context.tenant, entry.hash, select]);
  const options = { questions, maxAnswerBytes: MAX_ANSWER_BYTES, signal: context.signal };
  const known = kept.get(name) ?? {
    answer: await askEntry(context, entry, select, options),
    memo: new Map(),
  };
  const { value, records, note } = known.answer;
  const about = aboutAnswer(records, note, context);
  const isList = Array.isArray(value);
  const list = isList ? listRange("", value as readonly JsonValue[]) : listOf([{ pointer: "", value }]);
  const key = pageKey(entry, { select }, context);
  const { data, pagination, isWhole } = await answerPage(
    {
      list,
      entry: known,
      form: selectedItems,
      start: await readPagePlace(request.cursor, list.count, key),
      maxItems: pageSize(request.limit),
      frame: ({ items, isPiece }): JsonObject => {
        if (isPiece) return { slice: items[0] ?? null, ...about };
        return { selected: isList ? items : (items[0] ?? null), ...about };
      },
    },
    key,
    context,
  );
  if (!isWhole) keep(kept, name, known);
  return isWhole && !isList ? { data } : { data, pagination };
}

/** Facts about an answer. A note may name many keys: it is left out if it would take most of the room. */
function aboutAnswer(records: number, note: string | undefined, context: AskContext): JsonObject {
  if (note === undefined) return { records };
  const room = tokensLeftFor({ records }, context);
  return tokensLeftFor({ records, note }, context) * 2 < room ? { records } : { records, note };
}

/** The items of a list, unchanged; a piece of an item says which item. */
const selectedItems: ItemForm = {
  whole: ({ value }) => value,
  text: (_, json) => json,
  piece: ({ pointer }, slice) => ({ pointer, ...slice }),
};

/** How many answers are kept for their next pages, for each store. */
const MAX_KEPT = 4;

function keep(kept: Map<string, KeptAnswer>, name: string, answer: KeptAnswer): void {
  kept.delete(name);
  kept.set(name, answer);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

interface AskEntryOptions extends QuestionOptions {
  readonly questions: Questions;
}

/** Asks a question about a whole entry, whose hash the store has checked. */
export async function askEntry(
  source: EntrySource,
  entry: ArchiveEntry,
  expression: string,
  { questions, ...options }: AskEntryOptions,
): Promise<QuestionAnswer> {
  assertText(entry, "select");
  return questions.ask(await questionedEntry(source, entry), expression, options);
}

/**
 * Stores that give each reader its own bytes. Another store may return the bytes that it keeps, which must
 * not be transferred.
 */
const COPYING_STORES: readonly string[] = ["memory", "file", "redis", "postgres"];

/** An entry as the worker takes it: bytes, which are parsed there and not here, because parsing takes long. */
export async function questionedEntry(source: EntrySource, entry: ArchiveEntry): Promise<QuestionedBytes> {
  const { contentType } = entry;
  return {
    bytes: await readSearchableEntry(source, entry),
    isGiven: COPYING_STORES.includes(source.store.kind),
    hasTables: hasTables(contentType),
    isText: !isJsonType(contentType),
  };
}
