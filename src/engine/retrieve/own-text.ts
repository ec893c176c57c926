// The whole of an entry as the text that a server wrote. Whoever edits by exact text needs its spaces and line ends; the
// pieces, joined, are the bytes that the archive's hash is of.

import { countCodePoints } from "../../core/contract/code-points.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import type { ArchiveEntry } from "../archive/archive-store.ts";
import { listOf } from "./item-list.ts";
import { type AnswerLimits, type RetrieveAnswer, answerPage, pageKey, pageSize } from "./page-answer.ts";
import { type ItemForm, readPlace } from "./page-items.ts";
import type { RetrieveRequest } from "./retrieve-request.ts";

/** Whether the whole is asked for, and nothing that stands in it. */
export function asksForText({ pointer, ids, match, query }: RetrieveRequest): boolean {
  return pointer === "" && ids === undefined && match === undefined && query === undefined;
}

/** Always a piece, if only one: a value would be written without the spaces. */
const pieces: ItemForm = {
  whole: ({ value }) => wholePiece(value),
  text: ({ value }) => JSON.stringify(wholePiece(value)),
  piece: (_, { is_text: _isText, ...slice }) => ({ pointer: "", ...slice }),
};

function wholePiece(value: JsonValue): JsonObject {
  const text = typeof value === "string" ? value : "";
  const of = countCodePoints(text);
  return { pointer: "", text, from: 0, to: of, of, is_slice: true };
}

export async function answerText(
  request: RetrieveRequest,
  limits: AnswerLimits,
  entry: ArchiveEntry,
  text: string,
): Promise<RetrieveAnswer> {
  const key = pageKey(entry, { pointer: "" }, limits);
  const { data, pagination } = await answerPage(
    {
      list: listOf([{ pointer: "", value: text }]),
      entry: { memo: new Map() },
      form: pieces,
      start: await readPlace(request.cursor, 1, key),
      maxItems: pageSize(request.limit),
      frame: ({ items }, returned) => ({ items, matched: 1, returned }),
    },
    key,
    limits,
  );
  return { data, pagination };
}
